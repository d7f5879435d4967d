"""What the model sees before and after every kind of plan, and what its provider reported."""

from dataclasses import replace
from pathlib import Path

import pytest

from inspector.formats.contract import Options, RequestEntry
from inspector.formats.planning import Closer, Draft, How, PlanKind, Repair, Write
from inspector.plans.plan import Asked, Effect, Reported, Seen
from inspector.plans.rehearsing import rehearsed
from inspector.tape.zstd_writing import frame
from inspector.timeline.marks import Usage
from inspector.timeline.words import Kind, Role
from tests.commands import SAMPLES
from tests.dsh_tapes import Log, text_block
from tests.formats.dsh.plans import two_turns
from tests.plans.laws import carried_out, opened, planned
from tests.plans.planners import PATH, Planned

DEMO = SAMPLES / "demo.jsonl"
FORK = SAMPLES / "zero" / "lantern-fork"


def effect(tape: Planned, asked: Asked) -> Effect:
    return planned(tape.tape, asked).effect


def long_tape() -> Planned:
    tape = Planned()
    tape.row(Role.SYSTEM, Kind.CONTEXT)
    for _ in range(10):
        tape.human()
        tape.assistant()
    return tape


def test_a_cut_shows_the_head_and_the_history_that_is_given() -> None:
    tape = long_tape()
    found = effect(tape, Asked(PlanKind.FORK, 5))
    assert (found.before.rows, found.after.rows) == (21, 5)
    assert found.nodes_after == tape.rows[:5]
    weights = tape.timeline.surface.nodes.tokens
    assert found.after.tokens == sum(weights[node] for node in tape.rows[:5])


def test_a_compaction_without_a_summary_shows_what_stays() -> None:
    tape = long_tape()
    found = effect(tape, Asked(PlanKind.COMPACT))
    weights = tape.timeline.surface.nodes.tokens
    stay = (tape.rows[0], *tape.rows[13:])
    assert found.nodes_after == (stay[0], None, *stay[1:])
    assert found.after == Seen(10, sum(weights[node] for node in stay))
    assert found.summary is None


def test_a_compaction_with_a_summary_shows_what_that_weighs() -> None:
    tape = long_tape()
    without = effect(tape, Asked(PlanKind.COMPACT))
    text = "The person's first message, word for word:\n\n\n\nAll went well."
    found = effect(tape, Asked(PlanKind.COMPACT, summary=text))
    assert found.summary is not None
    assert found.after == Seen(10, without.after.tokens + found.summary)


def test_a_compaction_of_nothing_changes_nothing() -> None:
    tape = Planned()
    tape.human()
    found = effect(tape, Asked(PlanKind.COMPACT, summary="x"))
    assert (found.before, found.nodes_before) == (found.after, found.nodes_after)
    assert found.summary is None


def test_a_repair_of_a_whole_tape_changes_nothing() -> None:
    found = effect(long_tape(), Asked(PlanKind.REPAIR))
    assert (found.before, found.nodes_before) == (found.after, found.nodes_after)


def test_a_repair_in_memory_shows_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    tape = long_tape()
    tape.owner.mends = Repair((Closer("call", "added", "a result"),), None, "in memory alone")
    entries = [RequestEntry(tape.rows[1]), RequestEntry(None, "added", text="a" * 9)]
    entries.append(RequestEntry(tape.rows[2], "dropped"))
    # What is sent as it stands weighs as its row does, whatever is shown of it.
    entries.append(RequestEntry(tape.rows[3], text="a" * 999))
    monkeypatch.setattr(tape, "request", lambda _cursor: entries)
    found = effect(tape, Asked(PlanKind.REPAIR))
    weights = tape.timeline.surface.nodes.tokens
    assert found.entries
    assert found.nodes_after == (tape.rows[1], None, tape.rows[3])
    assert found.after == Seen(3, weights[tape.rows[1]] + 3 + weights[tape.rows[3]])


def test_a_resume_shows_what_is_sent_at_its_cursor() -> None:
    tape = long_tape()
    found = effect(tape, Asked(PlanKind.RESUME, 3))
    assert (found.before.rows, found.after.rows, found.entries) == (3, 3, True)


def test_what_the_provider_last_reported_is_told_up_to_the_cursor() -> None:
    tape = long_tape()
    assert effect(tape, Asked(PlanKind.FORK, 5)).reported is None
    tape.timeline.usage.add(Usage(3, 10, 5, 0, 7))
    tape.timeline.usage.add(Usage(9, 100, 50, 5, 70))
    assert effect(tape, Asked(PlanKind.FORK, 5)).reported == Reported(155, 9)
    assert effect(tape, Asked(PlanKind.RESUME, 5)).reported == Reported(15, 3)
    assert effect(tape, Asked(PlanKind.RESUME, 3)).reported is None


# A tape that is not written is folded all the same.


@pytest.mark.parametrize("path", [DEMO, FORK], ids=["a file", "a folder"])
def test_a_compaction_foretells_what_is_seen_of_the_new_tape(path: Path, tmp_path: Path) -> None:
    asked = Asked(PlanKind.COMPACT, summary="All went well so far.", keep_last=4)
    with opened(path, Options()) as tape:
        plan = planned(tape, asked)
        made = carried_out(plan, tmp_path)
        foretold = plan.effect.after
    with opened(made[0] if len(made) == 1 else made[0].parent, Options()) as new:
        timeline = new.timeline
        nodes = [row.node for row in timeline.rows(timeline.events)]
        weights = timeline.surface.nodes.tokens
        assert foretold == Seen(len(nodes), sum(weights[node] for node in nodes))


def test_a_repair_foretells_what_is_seen_behind_it(tmp_path: Path) -> None:
    path = SAMPLES / "open-turn.jsonl"
    with opened(path, Options()) as tape:
        plan = planned(tape, Asked(PlanKind.REPAIR))
        assert plan.writes
        (made,) = carried_out(plan, tmp_path)
        foretold = plan.effect.after
    with opened(made, Options()) as new:
        assert foretold.rows == len(new.timeline.rows(new.timeline.events))


def stored(text: bytes, folder: Path, *, packed: bool) -> Path:
    """A log as it stands in a tree of sessions, plain or a frame for each line."""
    home = folder / "sessions" / "--work-demo--" / "session"
    home.mkdir(parents=True)
    path = home / ("session.jsonl.zstd" if packed else "session.jsonl")
    lines = text.splitlines(keepends=True)
    path.write_bytes(b"".join(map(frame, lines)) if packed else text)
    return path


def crashed() -> Log:
    """A log that ends behind a call."""
    log = Log()
    log.lines = two_turns().lines[:6]
    return log


def long_log() -> bytes:
    """Many turns."""
    log = two_turns()
    for turn in range(3, 12):
        log.turn(turn)
        log.user("again")
        log.step()
        log.assistant(text_block("and again"))
        log.step_end()
        log.turn_end(turn)
    return bytes(log)


COMPACT = Asked(PlanKind.COMPACT, summary="All went well.", keep_last=2)
PLANS = [(long_log(), COMPACT), (bytes(crashed()), Asked(PlanKind.REPAIR))]


@pytest.mark.parametrize(("text", "asked"), PLANS, ids=["compact", "repair"])
def test_a_packed_tape_is_foretold_as_a_plain_one(
    text: bytes, asked: Asked, tmp_path: Path
) -> None:
    found: list[Effect] = []
    for packed in (False, True):
        path = stored(text, tmp_path / str(packed), packed=packed)
        with opened(path, Options()) as tape:
            plan = planned(tape, asked)
            (made,) = carried_out(plan, tmp_path / f"made {packed}")
            found.append(plan.effect)
        with opened(made, Options()) as new:
            timeline = new.timeline
            rows = timeline.rows(timeline.events)
            tokens = sum(timeline.surface.nodes.tokens[row.node] for row in rows)
            assert plan.effect.after == Seen(len(rows), tokens)
            assert not plan.effect.entries
    assert found[0] == found[1]


def test_a_torn_frame_behind_a_closed_turn_hides_no_row(tmp_path: Path) -> None:
    path = stored(bytes(two_turns()), tmp_path, packed=True)
    path.write_bytes(path.read_bytes() + frame(b"{}\n")[:-3])
    with opened(path, Options()) as tape:
        effect = planned(tape, Asked(PlanKind.REPAIR)).effect
        assert effect.after == effect.before
        assert effect.after.rows == 4


def test_no_more_is_unpacked_than_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = stored(long_log(), tmp_path, packed=True)
    with opened(path, Options()) as tape:
        plan = planned(tape, COMPACT)
        writes = tuple(write for write, _ in plan.writes)
        size = sum(size for _, size in plan.writes)
        monkeypatch.setattr("inspector.plans.rehearsing._LARGEST", size)
        assert rehearsed(tape, writes, plan.asked) is None


@pytest.mark.parametrize("content", [b"", b"no tape\n", b"\x00\xff"])
def test_what_is_no_tape_is_not_foretold(content: bytes) -> None:
    tape = Planned()
    write = Write(PATH, How.CREATE, lambda: iter((content,)))
    assert rehearsed(tape.tape, (write,), Asked(PlanKind.COMPACT)) is None


def test_what_is_appended_to_a_tape_in_no_text_is_not_foretold() -> None:
    tape = Planned()
    write = Write(PATH, How.APPEND, lambda: iter((b"{}",)))
    tape.owner.mends = Repair((Closer("x", "added", "y"),), Draft((write,), 0))
    found = effect(tape, Asked(PlanKind.REPAIR))
    assert found.entries


def test_too_much_is_not_composed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.plans.rehearsing._LARGEST", 100)
    with opened(DEMO, Options()) as tape:
        plan = planned(tape, Asked(PlanKind.COMPACT, degraded=True))
        writes = tuple(write for write, _ in plan.writes)
        assert rehearsed(tape, writes, replace(plan.asked)) is None
        assert plan.effect.nodes_after is not None
