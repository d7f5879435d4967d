"""A compaction that what came behind it took back is told so, and by what."""

from pathlib import Path

from inspector.formats.contract import Tape
from inspector.lenses.summaries import summaries
from inspector.lenses.undone import last_summary, undone
from inspector.timeline.words import Reason
from tests.formats.claude import transcripts as claude
from tests.formats.deepchat import databases as deepchat
from tests.formats.pi import sessions as pi


def told(tape: Tape, cursor: int | None = None) -> list[tuple[int, tuple[object, ...] | None]]:
    """Each summary up to a cursor, with how it was undone."""
    timeline = tape.timeline
    at = timeline.events if cursor is None else cursor
    return [(event, undone(timeline, event, at)) for event in summaries(timeline, at)]


def test_pi_a_compaction_of_a_branch_that_was_left_and_comes_back(tmp_path: Path) -> None:
    first = [pi.user("a", None), pi.answer("b", "a"), pi.compaction("k", "b")]
    tape = pi.folded(tmp_path, *first, pi.user("c", "a"), pi.user("d", "k"))
    assert told(tape, 3) == [(2, None)]
    assert told(tape, 4) == [(2, (4, Reason.REWOUND, 3))]
    assert told(tape, 5) == [(2, None)]


def test_pi_a_compaction_whose_summary_was_edited_holds(tmp_path: Path) -> None:
    first = [pi.user("a", None), pi.compaction("k", "a"), pi.user("b", "k")]
    for content in (None, "other words"):
        assert told(pi.folded(tmp_path, *first, pi.edit("e", "b", "k", content))) == [(1, None)]


def claude_compacted() -> list[claude.Record]:
    return [
        claude.user("a", None),
        claude.answer("b", "a"),
        claude.boundary("k", None, logicalParentUuid="b"),
        claude.summary("s", "k"),
        claude.user("c", "s"),
        claude.boundary("l", None, logicalParentUuid="c"),
        claude.summary("t", "l"),
    ]


def test_claude_of_two_compactions_the_one_that_the_other_hides_holds(tmp_path: Path) -> None:
    assert told(claude.folded(tmp_path, claude_compacted())) == [(3, None), (6, None)]


def test_claude_both_are_undone_by_what_goes_on_before_them(tmp_path: Path) -> None:
    tape = claude.folded(tmp_path, [*claude_compacted(), claude.user("z", "b")])
    assert claude.line(tape) == "a b z"
    assert told(tape) == [(3, (8, Reason.REWOUND, 7)), (6, (8, Reason.REWOUND, 7))]


def test_claude_the_first_holds_where_only_the_second_is_left(tmp_path: Path) -> None:
    tape = claude.folded(tmp_path, [*claude_compacted(), claude.user("z", "c")])
    assert told(tape) == [(3, None), (6, (8, Reason.REWOUND, 7))]
    assert last_summary(tape.timeline, 8) == 3
    assert last_summary(tape.timeline, 7) == 6
    assert last_summary(tape.timeline, 2) is None


def test_deepchat_a_summary_that_is_replaced_holds_until_all_are_reset(tmp_path: Path) -> None:
    rows = [
        deepchat.message("a", 1),
        deepchat.message("b", 2),
        deepchat.message("c", 3),
        deepchat.anchor("compaction/manual", summary="one", cursorOrderSeq=3),
        deepchat.anchor("handoff/x", summary="two", cursorOrderSeq=4),
        deepchat.anchor("summary/reset"),
    ]
    path = deepchat.made(tmp_path / "agent.db", rows)
    tape = deepchat.fold(path)
    try:
        assert told(tape, 5) == [(3, None), (4, None)]
        back = (6, Reason.SUPERSEDED, 5)
        assert told(tape) == [(3, back), (4, back)]
        assert last_summary(tape.timeline, 6) == 4
    finally:
        tape.close()
