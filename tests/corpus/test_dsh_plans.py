"""Plans for the owner's logs: the closers of every verdict, and forks at every place."""

import json
import random
from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.contract import Options, Tape
from inspector.formats.dsh.planning.ending import INTERRUPTED, closing_lines
from inspector.formats.dsh.reading import DshTape
from inspector.formats.opening import session_entries
from inspector.formats.planning import How, PlanKind, Repair, View
from inspector.plans.plan import Asked
from inspector.timeline.findings import Severity
from tests.corpus.corpus import ROOT, files, folded, needs_corpus
from tests.plans.laws import (
    MAKING,
    accounts_for_all,
    allowed_cuts_give_a_history,
    carried_out,
    cut_plans,
    gives_its_view,
    opened,
    planned,
)

ORACLE: Final = ROOT / "oracle" / "dsh"
TAPES: Final = ROOT / "tapes" / "dsh"

pytestmark = needs_corpus


def told(path: Path) -> Any:
    return json.loads(path.read_bytes())


def by_the_owner(closer: dict[str, Any]) -> dict[str, Any]:
    """A closer of a verdict, without the keys that are absent."""
    return {key: value for key, value in closer.items() if value is not None}


def as_verdict(line: bytes) -> dict[str, Any]:
    """A line that would be written, in the shape of a verdict."""
    event = json.loads(line)
    data = event["data"]
    found = {key: event[key] for key in ("seq", "type", "time")}
    match event["type"]:
        case "tool/result":
            message = data["message"]
            (block,) = message["content"]
            assert block["toolCallId"] == message["source"]["callId"]
            assert block["isError"] is True
            assert "turn" in data
            found |= {"callId": block["toolCallId"], "messageId": message["id"]}
            found |= {"code": data["error"]["code"], "errorName": data["error"]["name"]}
            found |= {"step": data.get("step"), "sources": event.get("sourceEventSeqs")}
        case "step/end":
            found |= {"step": data.get("step")}
        case "turn/end":
            found |= {"turn": data.get("turn"), "reason": data["reason"]["kind"]}
    return {key: value for key, value in found.items() if value is not None}


def lines_of(repair: Repair) -> list[bytes]:
    assert repair.durable is not None
    (write,) = repair.durable.writes
    return b"".join(write.content()).splitlines(keepends=True)


VALID: Final = files("oracle/dsh/valid/*.jsonl")


@pytest.mark.parametrize("path", VALID)
def test_the_closers_of_every_prefix_are_the_owners(path: Path) -> None:
    tape = folded(path)
    assert isinstance(tape, DshTape)
    for verdict in told(path.with_suffix(".verdicts.json")):
        events = verdict["events"]
        time = tape.timeline.table.time(events - 1) if events else None
        lines = closing_lines(tape.closers(events), events, time or 0, 0, INTERRUPTED)
        wanted = [by_the_owner(closer) for closer in verdict["closers"]]
        assert [as_verdict(line) for line in lines] == wanted, events


def prefix(tape: Tape, events: int) -> bytes:
    """The first events as a log of their own, as the fork of them copies them."""
    assert isinstance(tape, DshTape)
    draft = tape.planner().cut(PlanKind.FORK, How.CREATE, events, View.AS_OF, MAKING)
    lines = b"".join(draft.writes[0].content()).splitlines(keepends=True)
    kept = lines[:-1] if b'"session/end-seed"' in lines[-1] else lines
    return tape.raw_record(0) + b"\n" + b"".join(kept[1:])


@pytest.mark.parametrize("path", VALID[::4])
def test_what_is_repaired_needs_no_repair(path: Path, tmp_path: Path) -> None:
    verdicts = told(path.with_suffix(".verdicts.json"))
    whole = folded(path)
    count = verdicts[-1]["events"]
    for events in {int(path.stem) % count, count // 3, count // 2, count}:
        alone = tmp_path / f"{events}" / "session.jsonl"
        alone.parent.mkdir()
        content = prefix(whole, events)
        alone.write_bytes(content)
        with opened(alone, Options()) as tape:
            if tape.timeline.events != events:
                continue  # It ended with the end of a seed of its own.
            found = planned(tape, Asked(PlanKind.REPAIR))
            accounts_for_all(tape, found)
            wanted = verdicts[events]["closers"]
            assert [closer.type for closer in found.closers] == [one["type"] for one in wanted]
            if not wanted:
                assert not found.writes
                continue
            assert found.how is How.APPEND
            (made,) = carried_out(found, tmp_path / f"{events}-made")
            with opened(made, Options()) as mended:
                again = planned(mended, Asked(PlanKind.REPAIR))
                assert not again.closers
                assert not again.writes
                assert mended.verdict().opens is True
                assert mended.timeline.events == events + len(wanted)


DAMAGED: Final = files("oracle/dsh/damaged/*.jsonl")


@pytest.mark.parametrize("path", DAMAGED)
def test_a_damaged_log_is_repaired_as_by_the_owner(path: Path, tmp_path: Path) -> None:
    verdict = told(path.with_suffix(".verdict.json"))
    if not path.stat().st_size:
        assert not verdict["accepted"]
        return
    tape = folded(path)
    assert isinstance(tape, DshTape)
    repair = tape.planner().repair(MAKING)
    if not verdict["accepted"]:
        assert not repair.closers
        assert repair.durable is None
        assert repair.why_not
        return
    wanted = [by_the_owner(closer) for closer in verdict["closers"]]
    added = [closer for closer in repair.closers if closer.does == "added"]
    assert [closer.type for closer in added] == [closer["type"] for closer in wanted]
    assert len(repair.closers) > len(added) or not verdict["droppedBytes"]
    if repair.durable is None:
        assert not repair.closers or "load" in verdict
        return
    (write,) = repair.durable.writes
    lines = lines_of(repair)
    if write.how is How.APPEND:
        assert not verdict["droppedBytes"]
        assert [as_verdict(line) for line in lines] == wanted
        return
    assert verdict["droppedBytes"]
    kept = path.read_bytes()[: verdict["keptBytes"]].split(b"\n", 1)[1]
    behind = b"".join(lines[1:]).removeprefix(kept).splitlines()
    closers, own = behind[: len(wanted)], behind[len(wanted) :]
    assert [as_verdict(line) for line in closers] == wanted
    assert [json.loads(line)["type"] for line in own] in ([], ["session/end-seed"])
    assert repair.durable.kept == verdict["events"]
    made = tmp_path / "session.jsonl"
    made.write_bytes(b"".join(lines))
    with opened(made, Options()) as mended:
        assert mended.verdict().opens is True
        assert not mended.planner().repair(MAKING).closers


def test_a_torn_frame_is_dropped_and_the_turn_closed(tmp_path: Path) -> None:
    tape = folded(ROOT / "cases" / "case-15" / "torn-last-frame.jsonl.zstd")
    found = planned(tape, Asked(PlanKind.REPAIR))
    accounts_for_all(tape, found)
    assert [(one.type, one.does) for one in found.closers] == [
        ("line", "dropped"),
        ("turn/end", "added"),
    ]
    assert found.kept == 13
    (made,) = carried_out(found, tmp_path)
    with opened(made, Options()) as mended:
        assert mended.verdict().opens is True
        assert not planned(mended, Asked(PlanKind.REPAIR)).closers


def test_what_the_owner_refuses_it_does_not_repair() -> None:
    tape = folded(ROOT / "cases" / "case-15" / "corrupt-middle-frame.jsonl.zstd")
    found = planned(tape, Asked(PlanKind.REPAIR))
    assert (found.closers, found.writes) == ((), ())
    (needed,) = [check for check in found.checks if check.rule == "needed"]
    assert not needed.ok
    assert "frame at byte 101 failed validation" in needed.message
    assert not found.is_sound


def test_a_tape_that_grows_is_closed_where_it_stands() -> None:
    tape = folded(ROOT / "cases" / "case-17" / "stage-4.jsonl")
    found = planned(tape, Asked(PlanKind.REPAIR))
    assert [one.type for one in found.closers if one.does == "added"] == ["turn/end"]
    assert found.kept == 11


# Forks.


def errors(tape: Tape) -> list[str]:
    return [found.message for found in tape.findings() if found.kind.severity is Severity.ERROR]


def forks_give_their_views(tape: Tape, cuts: list[int], folder: Path) -> None:
    legal = tape.planner().cuts(PlanKind.FORK, How.CREATE)
    allowed_cuts_give_a_history(tape, cuts)
    for at in cuts:
        for found in cut_plans(tape, at):
            if found.kind is PlanKind.REWIND:
                continue
            accounts_for_all(tape, found)
            gives_its_view(tape, found, folder, Options())
            if legal.legal(at) and all(check.ok for check in found.checks if check.blocks):
                with opened(carried_out(found, folder)[0], Options()) as made:
                    assert made.verdict().opens is True, made.verdict()
                    assert not errors(made)


def some_cuts(tape: Tape, seed: str, most: int) -> list[int]:
    """Places to cut at, half of them where that is allowed."""
    chance = random.Random(seed)  # noqa: S311 - the same places each time
    head = tape.timeline.events
    cuts = tape.planner().cuts(PlanKind.FORK, How.CREATE)
    legal = [at for at in range(head + 1) if cuts.legal(at)]
    return [*chance.sample(legal, min(most, len(legal))), chance.randint(0, head)]


FORKED: Final = [
    *files("oracle/dsh/valid/*.jsonl")[::5],
    *files("oracle/dsh/damaged/*.jsonl")[::25],
    *files("tapes/dsh/derived/*.jsonl"),
    *files("tapes/dsh/later-formats/*.jsonl"),
    *files("tapes/dsh/handmade/*.jsonl"),
    *files("tapes/dsh/handmade/home/sessions/*/*/session.jsonl.zstd"),
]


@pytest.mark.parametrize("path", FORKED)
def test_a_fork_gives_the_history_that_was_foretold(path: Path, tmp_path: Path) -> None:
    tape = folded(path)
    forks_give_their_views(tape, some_cuts(tape, path.stem, 2), tmp_path)


def test_a_fork_of_rows_gives_the_history_that_was_foretold(tmp_path: Path) -> None:
    path = TAPES / "handmade" / "schema17.db"
    for entry in session_entries(path):
        tape = folded(path, session=entry.id)
        forks_give_their_views(tape, some_cuts(tape, entry.id, 1), tmp_path)
