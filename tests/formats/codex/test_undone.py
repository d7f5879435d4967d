"""Compactions that a rollback takes back: what they hid is told by what hides it now."""

from pathlib import Path

from inspector.export import documents, text
from inspector.timeline.words import Visibility
from tests.formats.codex import tapes
from tests.formats.codex.tapes import Record, answer, compacted, message, rolled_back, turn, user


def log() -> list[Record]:
    """Two turns, a compaction in a turn of its own, and a rollback of one turn."""
    one = compacted(message("user", "q1"), message("user", "S"))
    first, second = (turn(f"t{at}", user(f"q{at}"), answer(f"a{at}")) for at in (1, 2))
    return [*first, *second, *turn("c", one), rolled_back(1)]


COMPACTION, ROLLBACK = 9, 11


def shown(tape: tapes.CodexTape, cursor: int) -> list[str]:
    lines = text.show(documents.show(tape, cursor))
    return [line.strip() for line in lines if " hides " in line]


def test_what_does_not_come_back_is_hidden_by_the_rollback(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *log())
    timeline = tape.timeline
    assert [timeline.visibility(event, 12) for event in (1, 2)] == [(Visibility.VISIBLE, None)] * 2
    gone = [timeline.visibility(event, 12) for event in (5, 6, COMPACTION)]
    assert gone == [(Visibility.REWOUND, ROLLBACK)] * 3
    # Before it the compaction hides them.
    assert timeline.visibility(6, ROLLBACK) == (Visibility.SHADOWED, COMPACTION)


def test_a_compaction_that_is_undone_is_no_replacement_any_more(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *log())
    assert shown(tape, ROLLBACK) == ["#9 hides 3 rows from #2 to #6"]
    assert shown(tape, 12) == []
    assert [tape.timeline.compactions(cursor) for cursor in (9, 11, 12)] == [0, 1, 0]
    assert tape.timeline.hides(COMPACTION, 12) == []


def test_of_several_only_those_are_undone_that_the_owner_gives_up(tmp_path: Path) -> None:
    kept = compacted(message("user", "S1"))
    records = [*turn("t1", user("q1"), kept), *turn("t2", user("q2"), compacted()), rolled_back(1)]
    tape = tapes.folded(tmp_path, *records)
    assert shown(tape, len(records)) == ["#2 hides 1 row from #1 to #1"]
    assert tape.timeline.compactions(len(records)) == 1
    assert tape.timeline.visibility(1, len(records)) == (Visibility.SHADOWED, 2)


def test_an_undone_compaction_that_is_begun_with_again_counts_again(tmp_path: Path) -> None:
    # Settings of the turn before put the rollback into a segment of its own again.
    records = [
        *turn("t1", user("q1"), compacted(message("user", "S1"))),
        tapes.started("t2"),
        rolled_back(1),
        tapes.context("nobody"),
        tapes.context("t2"),
    ]
    tape = tapes.folded(tmp_path, *records)
    seen = [tape.timeline.compactions(cursor) for cursor in range(len(records) + 1)]
    undone = {cursor for cursor, count in enumerate(seen) if cursor > 3 and not count}
    for cursor in range(4, len(records) + 1):
        hidden = tape.timeline.visibility(1, cursor)
        told = (Visibility.SHADOWED, 2)
        assert (hidden == told) is (cursor not in undone), cursor


def last_compaction(tape: tapes.CodexTape, cursor: int) -> list[str]:
    lines = text.show(documents.show(tape, cursor))
    return [line.strip() for line in lines if "last compaction" in line]


def test_the_last_compaction_is_said_to_be_undone(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *log())
    assert last_compaction(tape, ROLLBACK) == ["last compaction: ok (10 to 10)"]
    assert last_compaction(tape, 12) == ["last compaction: undone by #11 (10 to 10)"]
    assert documents.show(tape, 12)["spans"]["last_compaction"]["word"] == "undone by #11"
