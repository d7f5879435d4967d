"""Replacements that come in force by a later event, and rows that come to be hidden by another."""

from array import array

from inspector.timeline.builder import Builder
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Outcome, Reason, Role, SpanKind, Visibility


def told(builder: Builder, event: int) -> Timeline:
    """The timeline with as many events as were told of."""
    timeline = builder.timeline
    count = event + 1
    empty = array("q", [-1] * count)
    kind = timeline.table.types.number("message")
    builder.publish(array("I", range(count)), array("H", [kind] * count), empty)
    return timeline


def late() -> Timeline:
    """Rows of events 0 to 3; the last one brings the summary of event 1 in force for 0 and 3."""
    builder = Builder(Timeline())
    for event in (0, 2, 3):
        builder.event = event
        builder.append(Role.USER, Kind.MESSAGE, 1)
    builder.remove([0, 2], Reason.COMPACTED, 1)
    builder.hidden_at_once(2, 1)
    builder.insert(1, Role.SUMMARY, Kind.SUMMARY, 1, {"origin": 1, "sources": [range(1)]})
    builder.replaced(1)
    return told(builder, 3)


def test_a_replacement_counts_from_the_event_on_that_brings_it_in_force() -> None:
    timeline = late()
    assert timeline.in_force(1) == 4
    assert timeline.brought_by(3) == 1
    assert [timeline.generation(cursor) for cursor in range(5)] == [0, 0, 0, 0, 1]
    assert [list(timeline.replacing(cursor)) for cursor in (3, 4)] == [[], [1]]
    assert [timeline.holds(1, cursor) for cursor in (2, 3, 4)] == [False, False, True]
    assert [one.node for one in timeline.hid(1)] == [0, 2]
    assert [one.node for one in timeline.hides(1, 4)] == [0, 2]


def test_what_is_hidden_by_the_event_that_made_it_is_hidden_and_not_nothing() -> None:
    assert late().visibility(3, 4) == (Visibility.SHADOWED, 1)


def test_a_row_that_another_event_hides_says_so_from_there_on() -> None:
    builder = Builder(Timeline())
    for event in range(2):
        builder.event = event
        builder.append(Role.USER, Kind.MESSAGE, 1)
    builder.event = 2
    builder.replace([0], Reason.COMPACTED, Role.SUMMARY, Kind.SUMMARY, 1)
    builder.event = 3
    builder.rehide(range(1), Reason.COMPACTED, 3)
    timeline = told(builder, 3)
    assert [timeline.visibility(0, cursor)[1] for cursor in (3, 4)] == [2, 3]
    assert [one.node for one in timeline.hides(3, 4)] == [0]
    assert not timeline.holds(2, 4)


def test_an_outcome_may_be_told_anew_and_the_span_ended_when_it_did() -> None:
    builder = Builder(Timeline())
    builder.open(SpanKind.TOOL_CALL, "c")
    builder.event = 1
    builder.close(SpanKind.TOOL_CALL, "c", Outcome.UNKNOWN, "nobody says")
    builder.event = 2
    builder.amend(SpanKind.TOOL_CALL, 0, Outcome.FAILED, "failed")
    spans = told(builder, 2).spans[SpanKind.TOOL_CALL]
    assert [(spans.at(0, cursor).outcome, spans.at(0, cursor).closed) for cursor in (1, 2, 3)] == [
        (Outcome.RUNNING, None),
        (Outcome.UNKNOWN, 2),
        (Outcome.FAILED, 2),
    ]
    assert [spans.ended(cursor) for cursor in (1, 2, 3)] == [
        {},
        {Outcome.UNKNOWN: 1},
        {Outcome.FAILED: 1},
    ]
    assert spans.opened_or_closed_by(2) == [0]
