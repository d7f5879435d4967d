"""Plans of Zero against what its own code planned, forked, appended and rewound."""

import hashlib
from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.contract import Options
from inspector.formats.planning import Draft, How, PlanError, PlanKind, View
from inspector.formats.zero import FORMAT
from inspector.formats.zero.event import event_of_line
from inspector.formats.zero.planning import compacting, owners
from inspector.formats.zero.planning.composing import UNHIDDEN
from inspector.formats.zero.planning.events import positions
from inspector.formats.zero.planning.planner import ZeroPlanner
from inspector.formats.zero.planning.redaction import owners_redaction
from inspector.formats.zero.reading import ZeroTape
from inspector.plans.plan import Asked
from inspector.tape.source import FileSource
from inspector.text.redaction import MARK, redacted
from tests.corpus.corpus import ROOT, files, found, needs_corpus
from tests.folding import fold_on, keep
from tests.plans import laws
from tests.untouched import untouched

pytestmark = needs_corpus

ORACLE = ROOT / "oracle" / "zero"
TAPES = ROOT / "tapes" / "zero"
MAIN = "zero_20260822090000_main_1"

VERDICTS = files("oracle/zero/*.verdicts.json")


def held(path: Path, policy: str | None = None) -> ZeroTape:
    """A log that may be too damaged to be recognised, folded."""
    tape = FORMAT.open(FileSource(path), Options(policy=policy))
    assert isinstance(tape, ZeroTape)
    fold_on(keep(tape))
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


@pytest.mark.parametrize("path", VERDICTS)
def test_the_owners_fork_is_foretold_and_ours_has_the_same_events(path: Path) -> None:
    known = case(path)
    if known is None:
        return
    tape, verdict = known
    told = verdict["fork"]
    if told["error"] is not None and not told["error"].startswith("fold: "):
        with pytest.raises(PlanError) as raised:
            owners.fork(tape)
        assert refused(told["error"], str(raised.value))
        return
    owner = owners.fork(tape)
    types = [tape.timeline.table.type(at) for at in positions(owner.copied)]
    assert [*types, "session_fork"] == told["types"]
    assert (None if owner.folded is None else list(owner.folded)) == told["folded"]
    ours = tape.planner().cut(
        PlanKind.FORK, How.CREATE, tape.timeline.events, View.AS_OF, laws.MAKING
    )
    lines = b"".join(ours.writes[0].content()).splitlines()
    events = [event for line in lines if (event := event_of_line(line)) is not None]
    payload = events[-1].payload
    assert {**payload, "copiedEventCount": told["payload"]["copiedEventCount"]} == told["payload"]
    # What goes under the id of a compaction has ids of its own in a copy, and would come back.
    left = ours.omitted.get(UNHIDDEN, 0)
    assert payload["copiedEventCount"] == told["payload"]["copiedEventCount"] - left + anchors(ours)
    if not left and not anchors(ours):
        assert [event.type for event in events] == told["types"]


def anchors(draft: Draft) -> int:
    """Events of usage that travel all the same, as a compaction stands in their place."""
    content = b"".join(draft.writes[0].content())
    return content.count(b'"type":"provider_usage","createdAt"')


# The samples, at the 23 events at which they were asked about.


def main_session(folder: Path) -> ZeroTape:
    content = (TAPES / "sessions" / MAIN / "events.jsonl").read_bytes()
    path = folder / MAIN / "events.jsonl"
    path.parent.mkdir()
    path.write_bytes(b"".join(content.splitlines(keepends=True)[:23]))
    return held(path)


@pytest.mark.parametrize(
    ("name", "keep_last", "limit"),
    [("0", 0, 8_000), ("4_max400", 4, 400), ("6", 6, 8_000), ("8", 8, 8_000), ("100", 100, 8_000)],
)
def test_a_compaction_of_the_main_session_is_planned_as_by_the_owner(
    name: str, keep_last: int, limit: int, tmp_path: Path
) -> None:
    told = found(TAPES / "expected" / f"A_plan_compaction_{name}.json")
    tape = main_session(tmp_path)
    summarised, kept = compacting.owners_split(tape, keep_last)
    for events, refs in ((summarised, "compactableEvents"), (kept, "preservedEvents")):
        ids = [tape.message_id(at) for at in positions(events)]
        assert ids == [ref["id"] for ref in told[refs]]
    text, truncated = compacting.prompt(tape, summarised, owners_redaction, limit)
    assert text.decode() == told["summaryPrompt"]
    assert (len(text), truncated) == (told["promptChars"], told.get("truncated", False))


@pytest.mark.parametrize("name", sorted(found(TAPES / "expected" / "A_plan_rewind.json") or {}))
def test_a_rewind_of_the_main_session_is_planned_as_by_the_owner(name: str, tmp_path: Path) -> None:
    told = found(TAPES / "expected" / "A_plan_rewind.json")[name]
    tape = main_session(tmp_path)
    selectors = {"conflict": (f"{MAIN}:8", 9), "missing": ("", 999), "none": ("", 0)}
    plan = told["plan"]
    selected = selectors.get(name) or (plan["targetEventId"], 0)
    if told["error"] is not None:
        with pytest.raises(PlanError) as raised:
            owners.plan_rewind(tape, *selected)
        assert str(raised.value) == told["error"]
        return
    for identity, number in ((plan["targetEventId"], 0), ("", plan["targetSequence"])):
        ours = owners.plan_rewind(tape, identity, number, keep_target=plan["keepTarget"])
        assert (ours.number, ours.id) == (plan["targetSequence"], plan["targetEventId"])
        assert (ours.kept, ours.dropped) == (plan["keptCount"], plan["droppedCount"])
        assert ours.last == plan.get("lastKeptEventId", "")


BETTERED: Final = (
    "accessToken",
    '{"password": 12345',
    "https://user:pass",
    "postgres://",
    "password: hunter2",
    "refreshToken=",
    "Bearer abcdef",
    "my password is hunter2",
)
"""Parts of the vectors in which we hide more than the owner; of the address it escapes the mark."""


def test_the_owners_redaction_is_the_owners_and_ours_hides_more() -> None:
    bettered = []
    for vector in found(TAPES / "expected" / "H_redaction_vectors.json"):
        said, hidden = vector["in"], vector["out"]
        assert owners_redaction(said) == hidden
        if redacted(said) != hidden:
            bettered.append(said)
            assert redacted(said).count(MARK) > hidden.count(MARK)
    assert len(bettered) == len(BETTERED)
    for known in BETTERED:
        assert any(known in said for said in bettered)


# Laws.

NOT_TOLD: Final = {"056", "066"}
"""Logs with a summary under ``SUMMARY``: a copy has it under the owner's key."""

LOGS: Final = [
    *(path for path in files("oracle/zero/*/events.jsonl")),
    *(path for path in files("tapes/zero/sessions/*/events.jsonl")),
]


@pytest.mark.parametrize("param", range(3))
@pytest.mark.parametrize("policy", ["exec", "tui"])
def test_each_history_that_is_offered_is_what_a_copy_is_folded_to(
    param: int, policy: str, tmp_path: Path
) -> None:
    for at, path in enumerate(one.values[0] for one in LOGS[param::21]):
        if path.parent.name in NOT_TOLD or path.stat().st_size > 100_000:
            continue
        with untouched(path):
            tape = held(path, policy)
            head = tape.timeline.events
            laws.allowed_cuts_give_a_history(tape, {head, head * (5 + param) // 11})
            for cut in {head, head * (5 + param) // 11}:
                for number, plan in enumerate(laws.cut_plans(tape, cut)):
                    laws.accounts_for_all(tape, plan)
                    if plan.kind is PlanKind.REWIND:
                        continue
                    folder = tmp_path / f"{at}-{cut}-{number}"
                    events = laws.carried_out(plan, folder)[0]
                    made = held(events, policy)
                    assert plan.view is not None
                    rows = tuple(row.node for row in made.timeline.rows(made.timeline.events))
                    assert laws.told(made, rows) == laws.told(tape, plan.view.after)
                    assert made.verdict().opens is True
                    assert not made.errors() or tape.errors()
                    made.close()


@pytest.mark.parametrize("param", range(3))
def test_each_log_is_mended_once(param: int, tmp_path: Path) -> None:
    for at, path in enumerate(one.values[0] for one in LOGS[param::9]):
        if path.stat().st_size > 100_000:
            continue
        tape = held(path)
        plan = laws.planned(tape, Asked(PlanKind.REPAIR))
        laws.accounts_for_all(tape, plan)
        if not plan.closers:
            continue
        made = held(laws.carried_out(plan, tmp_path / str(at))[0])
        assert made.verdict().opens is True
        assert laws.planned(made, Asked(PlanKind.REPAIR)).closers == ()
