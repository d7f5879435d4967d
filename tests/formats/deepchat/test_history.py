"""Replacing, taking back and bringing back messages, and what anchors hide (format page 4, 5)."""

from inspector.export.documents import show
from inspector.formats.contract import Tape
from inspector.lenses.difference import difference
from inspector.lenses.transcript import Transcript
from tests.formats.deepchat.databases import (
    Entry,
    Folded,
    anchor,
    codes,
    event,
    message,
    record,
    retracted,
    surface,
    visibilities,
)


def test_an_edit_replaces_the_message_in_its_place(folded: Folded) -> None:
    tape = folded([message("a", 1), message("b", 2), message("a", 1, "edited", correction=True)])
    assert surface(tape, 3) == [2, 1]
    assert tape.timeline.visibility(0, 3)[1] == 2
    assert visibilities(tape) == ["superseded", "visible", "visible"]


def test_a_row_of_lower_rank_replaces_nothing(folded: Folded) -> None:
    tape = folded([message("a", 1), message("a", 1, status="pending")])
    assert surface(tape, 2) == [0]
    assert visibilities(tape) == ["visible", "superseded"]


def test_a_pending_row_counts_for_the_history_only(folded: Folded) -> None:
    rows = [message("a", 1, "soon", status="pending")]
    assert surface(folded(rows), 1) == [0]
    assert surface(folded(rows, "deepchat:sent"), 1) == []
    [entry] = folded(rows).request(1)
    assert (entry.note, entry.why) == ("dropped", "it is pending: not sent yet, or not finished")


def test_a_retracted_message_comes_back_with_a_later_row(folded: Folded) -> None:
    tape = folded([message("a", 1), retracted("a"), message("a", 1, "again", status="pending")])
    assert [surface(tape, cursor) for cursor in range(4)] == [[], [0], [], [2]]
    assert visibilities(tape) == ["retracted", "log-only", "visible"]


def test_a_replacement_may_move_a_message(folded: Folded) -> None:
    tape = folded([message("a", 1), message("b", 2), message("a", 3)])
    assert surface(tape, 3) == [1, 2]


def test_equal_places_are_ordered_by_the_bytes_of_the_ids(folded: Folded) -> None:
    tape = folded([message("identity-b", 1), message("identity-a", 1), message("ä", 1)])
    assert surface(tape, 3) == [1, 0, 2]


def test_a_summary_hides_what_stands_before_its_cursor(folded: Folded) -> None:
    rows = [message("a", 1), message("b", 2), message("c", 3)]
    anchored = anchor("compaction/manual", summary="so far", cursorOrderSeq=3)
    tape = folded([*rows, anchored, message("a", 1, "edited")])
    assert surface(tape, 4) == [3, 2]
    assert visibilities(tape, 4) == ["shadowed", "shadowed", "visible", "visible"]
    assert surface(tape, 5) == [3, 2]
    assert visibilities(tape, 5)[0] == "superseded"
    assert visibilities(tape, 5)[4] == "shadowed"
    nodes = tape.timeline.surface.nodes
    [summary] = [row.node for row in tape.timeline.rows(4) if nodes.origin(row.node) == 3]
    assert list(nodes.sources(summary)) == [0, 1]


def test_only_the_last_anchor_counts(folded: Folded) -> None:
    rows = [message("a", 1), message("b", 2), message("c", 3)]
    tape = folded(
        [
            *rows,
            anchor("compaction/manual", summary="one", cursorOrderSeq=3),
            anchor("handoff/x", summary="two", cursorOrderSeq=2),
            anchor("summary/reset"),
        ]
    )
    assert surface(tape, 4) == [3, 2]
    assert surface(tape, 5) == [4, 1, 2]
    assert surface(tape, 6) == [0, 1, 2]
    assert visibilities(tape)[3:5] == ["superseded", "superseded"]


def test_a_broken_anchor_brings_everything_back(folded: Folded) -> None:
    broken = anchor("compaction/auto")._replace(payload="{")
    rows = [message("a", 1), anchor("compaction/auto", summary="s", cursorOrderSeq=2), broken]
    tape = folded(rows)
    assert surface(tape, 3) == [0]
    assert "payload-not-json" in codes(tape)


def test_a_place_below_one_is_never_shown(folded: Folded) -> None:
    tape = folded([message("a", 0), message("b", 1)])
    assert surface(tape, 2) == [1]
    assert visibilities(tape) == ["unlinked", "visible"]
    assert "order-below-one" in codes(tape)


def test_a_row_that_the_owner_ignores_is_rejected_and_said(folded: Folded) -> None:
    tape = folded([record(1, 1, "x"), record("a", True, "x"), record("b", 1, "x", role="tool")])
    assert surface(tape, 3) == []
    assert [tape.timeline.is_rejected(at) for at in range(3)] == [True] * 3
    assert codes(tape) == ["ignored-row"] * 3


def test_a_message_that_breaks_the_builder_makes_every_request_fail(folded: Folded) -> None:
    tape = folded([message("a", 1, "hello"), record("b", 2, "no blocks")])
    assert {entry.note for entry in tape.request(2)} == {"dropped"}
    assert [entry.note for entry in tape.request(1)] == [None]
    verdict = tape.verdict()
    assert (verdict.opens, verdict.event) == ("partly", 1)
    assert "SyntaxError" in (verdict.reason or "")


def test_an_unknown_kind_or_name_changes_nothing(folded: Folded) -> None:
    tape = folded([message("a", 1), Entry("Message", None, "{}"), event("from/the-future")])
    assert surface(tape, 3) == [0]
    assert codes(tape) == ["unknown-kind"]
    assert visibilities(tape) == ["visible", "log-only", "log-only"]


def test_rows_of_one_order_shift_are_one_write(folded: Folded) -> None:
    shifted = {"correction": True, "reason": "compaction_order_shifted"}
    tape = folded(
        [
            message("a", 1),
            message("b", 2),
            message("a", 2, **shifted),
            message("b", 3, **shifted),
            event("message/compaction_indicator", {"messageId": "i", "status": "compacting"}),
        ]
    )
    assert [tape.timeline.settled.at(cursor) for cursor in range(6)] == [
        *(True, True, True),
        *(False, False, True),
    ]


def test_what_left_names_the_anchor_that_hid_it(folded: Folded) -> None:
    tape = folded([message("a", 1), anchor("handoff/x", cursorOrderSeq=9)])
    assert tape.timeline.visibility(0, 2)[1] == 1


def moved(name: str, order: int, text: str = "hi") -> Entry:
    return message(name, order, text, correction=True, reason="compaction_order_shifted")


def test_a_copy_at_another_place_is_the_same_message(folded: Folded) -> None:
    tape = folded([message("a", 1), message("b", 2, "hi"), moved("b", 3), moved("b", 4)])
    nodes = tape.timeline.surface.nodes
    assert nodes.sources(2) == [1]
    found = difference(tape.timeline, 2, 4)
    assert (found.entered, found.left, found.changed, found.kept) == ((), (), (), 2)
    assert [nodes.origin(node) for node in found.moved] == [3]
    entries = Transcript(tape).entries(4)
    assert [(entry.events, entry.gone_by) for entry in entries] == [((0,), None), ((1, 2, 3), None)]


def test_an_edit_is_a_change_however_often(folded: Folded) -> None:
    rows = [message("a", 1), *(message("a", 1, text, correction=True) for text in ("b", "c"))]
    tape = folded(rows)
    for start in (1, 2):
        (change,) = difference(tape.timeline, start, 3).changed
        origin = tape.timeline.surface.nodes.origin
        assert (origin(change.left.node), origin(change.entered.row.node)) == (start - 1, 2)
    entries = Transcript(tape).entries(3)
    assert [entry.gone_by for entry in entries] == [1, 2, None]


def test_a_copy_of_an_edit_is_a_change_of_what_was_before(folded: Folded) -> None:
    tape = folded([message("a", 1), message("a", 1, "edited"), moved("a", 2, "edited")])
    found = difference(tape.timeline, 1, 3)
    assert (len(found.changed), found.moved) == (1, ())


def test_what_an_anchor_without_a_summary_hides_is_told_of_it(folded: Folded) -> None:
    rows = [message("a", 1), message("b", 2), anchor("compaction/auto", cursorOrderSeq=3)]
    tape = folded([*rows, message("c", 3), anchor("summary/reset")])
    assert surface(tape, 4) == [3]
    told = [show(tape, cursor)["replacements"] for cursor in (2, 3, 4, 5)]
    assert [[(one["event"], one["hidden"]) for one in at] for at in told] == [
        [],
        [(3, [1, 2])],
        [(3, [1, 2])],
        [],
    ]
    assert [timeline_hides(tape, cursor) for cursor in (3, 5)] == [[0, 1], []]


def test_rows_that_came_behind_the_anchor_that_hides_them_are_told_of_it(folded: Folded) -> None:
    anchored = anchor("compaction/auto", summary="s", cursorOrderSeq=3)
    tape = folded([anchored, message("a", 1), message("b", 2), message("c", 3)])
    told = [show(tape, cursor)["replacements"] for cursor in (1, 2, 4)]
    assert [[(one["event"], one["hidden"]) for one in at] for at in told] == [
        [],
        [(1, [2])],
        [(1, [2, 3])],
    ]


def timeline_hides(tape: Tape, cursor: int) -> list[int]:
    """What the anchor of event 2 hides, by positions."""
    origin = tape.timeline.surface.nodes.origin
    return [origin(one.node) for one in tape.timeline.hides(2, cursor)]
