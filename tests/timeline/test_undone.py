"""What is told of rows whose replacement is taken back, and holds again."""

from array import array

from inspector.timeline.builder import Builder
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Mark, Reason, Role, Visibility


def told() -> Timeline:
    """Two rows, a replacement of both, its undoing by which one comes back, and its redoing."""
    timeline = Timeline()
    builder = Builder(timeline)
    first, second = (builder.append(Role.USER, Kind.MESSAGE, 1) for _ in range(2))
    builder.event = 1
    summary = builder.replace((first, second), Reason.COMPACTED, Role.SUMMARY, Kind.SUMMARY, 1)
    builder.mark(Mark.COMPACTION)
    builder.event = 2
    builder.undo(1)
    builder.resurface((first,), Reason.REWOUND)
    builder.event = 3
    builder.redo(1)
    builder.resurface((summary,), Reason.REWOUND)
    builder.publish(array("I", range(4)), array("H", [0] * 4), array("q", [0] * 4))
    return timeline


def test_what_is_undone_hides_nothing_until_it_holds_again() -> None:
    timeline = told()
    departures = [timeline.surface.departure(1, cursor) for cursor in (2, 3, 4)]
    assert [(found.reason, found.by) for found in departures if found is not None] == [
        (Reason.COMPACTED, 1),
        (Reason.REWOUND, 2),
        (Reason.COMPACTED, 1),
    ]
    assert [timeline.compactions(cursor) for cursor in (1, 2, 3, 4)] == [0, 1, 0, 1]
    assert [timeline.holds(1, cursor) for cursor in (2, 3, 4)] == [True, False, True]


def test_a_replacement_hides_what_is_still_hidden_by_it() -> None:
    timeline = told()
    hidden = [[found.node for found in timeline.hides(1, cursor)] for cursor in (0, 2, 3, 4)]
    assert hidden == [[0, 1], [0, 1], [], [1]]
    # The first row was there again, and the last event took it away.
    assert timeline.surface.departure(0, 4) == (0, Reason.REWOUND, 3)
    assert timeline.visibility(0, 3) == (Visibility.VISIBLE, None)


def test_what_is_undone_and_holds_again_by_one_event_never_stopped_holding() -> None:
    timeline = Timeline()
    builder = Builder(timeline)
    builder.event = 5
    builder.undo(1)
    builder.redo(1)
    assert timeline.surface.undone.by(1, 9) is None
