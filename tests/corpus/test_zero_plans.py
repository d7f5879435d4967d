"""Plans of Zero against what its own code planned, forked, appended and rewound."""

import hashlib
from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from inspector.formats.contract import Options
from inspector.formats.planning import How, PlanError, PlanKind, View
from inspector.formats.zero import FORMAT
from inspector.formats.zero.event import event_of_line
from inspector.formats.zero.planning import compacting, owners
from inspector.formats.zero.planning.events import positions
from inspector.formats.zero.planning.planner import ZeroPlanner
from inspector.formats.zero.planning.redaction import owners_redaction
from inspector.formats.zero.reading import ZeroTape
from inspector.tape.source import FileSource
from inspector.text.redaction import redacted
from tests.corpus.corpus import ROOT, files, fold_on, found, needs_corpus, opened
from tests.plans.laws import MAKING

pytestmark = needs_corpus

ORACLE = ROOT / "oracle" / "zero"
TAPES = ROOT / "tapes" / "zero"
MAIN = "zero_20260822090000_main_1"

VERDICTS = files("oracle/zero/*.verdicts.json")


def held(path: Path) -> ZeroTape:
    """A log that may be too damaged to be recognised, folded."""
    tape = FORMAT.open(FileSource(path), Options())
    assert isinstance(tape, ZeroTape)
    opened.append(tape)
    fold_on(tape)
    return tape


def case(path: Path) -> tuple[ZeroTape, dict[str, Any]] | None:
    """The whole log of a case, and the owner's verdict on it; None of one without events."""
    log = ORACLE / path.name.split(".")[0] / "events.jsonl"
    return (held(log), found(path)[-1]) if log.is_file() else None


def refused(error: str, said: str) -> bool:
    """Whether a refusal means what the owner's means."""
    words = {
        "not JSON": "not JSON",
        "JSON of the wrong type": "the wrong type",
        "nested too deep": "nested too deep",
        "target not found": "was not found",
        "id and sequence disagree": "conflicting rewind target selectors: ",
        "no target given": "rewind target event id or sequence is required",
        "log is empty": "has no events to rewind",
        "an event has no type": "event type is required",
        "checkpoint payload": "decode checkpoint payload seq ",
    }
    return any(error.endswith(meaning) and word in said for meaning, word in words.items())


@pytest.mark.parametrize("path", VERDICTS)
def test_each_compaction_is_planned_as_the_owner_plans_it(path: Path) -> None:
    known = case(path)
    if known is None:
        return
    tape, verdict = known
    for plan in verdict["plans"]["compaction"]:
        if plan["error"] is not None:
            with pytest.raises(PlanError) as raised:
                owners.must_read(tape)
            assert refused(plan["error"], str(raised.value))
            continue
        summarised, kept = compacting.owners_split(tape, plan["preserveLast"])
        count = sum(map(len, summarised))
        assert (count, sum(map(len, kept))) == (plan["compactable"], plan["preserved"])
        first = tape.number(kept[0].start) if kept else None
        assert first == plan["firstPreservedSequence"] or not kept
        lines = list(compacting.prompt_lines(tape, summarised, owners_redaction))
        assert [len(line) for line in lines] == plan["lineBytes"]
        body = b"\n".join(lines)
        if plan["bodySha256"] is not None:
            assert hashlib.sha256(body).hexdigest() == plan["bodySha256"]
        text, truncated = compacting.prompt(tape, summarised, owners_redaction)
        assert (len(text), truncated) == (plan["promptBytes"], plan["truncated"])
        assert hashlib.sha256(text).hexdigest() == plan["promptSha256"]


@pytest.mark.parametrize("path", VERDICTS)
def test_each_rewind_is_planned_as_the_owner_plans_it(path: Path) -> None:
    known = case(path)
    if known is None:
        return
    tape, verdict = known
    for plan in verdict["plans"]["rewind"]:
        selected = plan["eventId"], plan["sequence"]
        if plan["error"] is not None:
            with pytest.raises(PlanError) as raised:
                owners.plan_rewind(tape, *selected, keep_target=plan["keepTarget"])
            assert refused(plan["error"], str(raised.value)), (plan["error"], str(raised.value))
            continue
        ours = owners.plan_rewind(tape, *selected, keep_target=plan["keepTarget"])
        assert (ours.id, ours.number) == (plan["targetEventId"], plan["targetSequence"])
        assert (ours.kept, ours.dropped) == (plan["kept"], plan["dropped"])
        assert ours.last == plan["lastKept"]


@pytest.mark.parametrize("path", VERDICTS)
def test_what_a_rewind_leaves_is_what_the_owner_leaves_to_the_byte(path: Path) -> None:
    known = case(path)
    if known is None:
        return
    tape, verdict = known
    for applied in verdict["apply"]:
        if applied["error"] is not None:
            with pytest.raises(PlanError) as raised:
                owners.apply_rewind(tape, applied["target"])
            assert refused(applied["error"], str(raised.value))
            continue
        ours = owners.apply_rewind(tape, applied["target"])
        numbers = [tape.number(at) for at in positions(ours.kept)]
        assert [*numbers, ours.marker] == applied["sequences"]
        content = b"".join(owners.lines_of(tape, ours.kept))
        assert hashlib.sha256(content).hexdigest() == applied["sha256WithoutMarker"]


@pytest.mark.parametrize("path", VERDICTS)
def test_the_owners_next_event_is_foretold(path: Path) -> None:
    known = case(path)
    if known is None:
        return
    tape, verdict = known
    told, planner = verdict["append"], tape.planner()
    assert isinstance(planner, ZeroPlanner)
    ours = owners.append(tape, planner.ended)
    assert ours.number == told["sequence"]
    if told["error"] is None:
        assert ours.ruined is None
        # Others may have come twice before.
        assert told["duplicates"] or not ours.taken
    elif verdict["events"] is not None:
        assert ours.ruined is not None
        assert told["error"].startswith(f"read: line {ours.ruined}: ")


DIFFERENT: Final[set[str]] = set()


@pytest.mark.parametrize("path", VERDICTS)
def test_the_owners_fork_is_foretold_and_ours_folds(path: Path) -> None:
    known = case(path)
    if known is None:
        return
    tape, verdict = known
    told = verdict["fork"]
    planner = tape.planner()
    ours = planner.cut(PlanKind.FORK, How.CREATE, tape.timeline.events, View.AS_OF, MAKING)
    lines = b"".join(ours.writes[0].content()).splitlines()
    events = [event for line in lines if (event := event_of_line(line)) is not None]
    if told["error"] is not None and not told["error"].startswith("fold: "):
        with pytest.raises(PlanError) as raised:
            owners.fork(tape)
        assert refused(told["error"], str(raised.value))
        return
    owner = owners.fork(tape)
    types = [tape.timeline.table.type(at) for at in positions(owner.copied)]
    assert [*types, "session_fork"] == told["types"]
    assert (None if owner.folded is None else list(owner.folded)) == told["folded"]
    payload = dict(orjson.loads(lines[-1])["payload"])
    left = sum(map(len, owner.copied)) - payload["copiedEventCount"]
    payload["copiedEventCount"] += left
    assert payload == told["payload"]
    if not left:
        assert [event.type for event in events] == told["types"]
    elif left > 0:
        assert set(ours.omitted) and ours.omitted["not in this history, and hidden by no compaction in it"] >= left
