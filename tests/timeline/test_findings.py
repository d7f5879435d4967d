from array import array

import pytest

from inspector.timeline.builder import Builder
from inspector.timeline.findings import (
    MESSAGES_KEPT,
    Finding,
    FindingKind,
    FindingTable,
    Severity,
)
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Mark, Role, Visibility

TORN = FindingKind("torn", Severity.INFO, "not used")
ODD = FindingKind("odd", Severity.WARNING, "none")
BAD = FindingKind("bad", Severity.ERROR, "not folded")


def test_findings_are_kept_in_order_with_their_places() -> None:
    table = FindingTable()
    table.add(BAD, 3, 7, "one")
    table.add(TORN, None, None, "two")
    table.add(ODD, 0, None, "three")
    table.add(BAD, None, 0, "four")
    assert list(table) == [
        Finding(BAD, 3, 7, "one"),
        Finding(TORN, None, None, "two"),
        Finding(ODD, 0, None, "three"),
        Finding(BAD, None, 0, "four"),
    ]
    assert len(table) == 4
    assert table[1] == Finding(TORN, None, None, "two")


def test_findings_are_counted_by_their_weight() -> None:
    table = FindingTable()
    for kind in (BAD, TORN, BAD, ODD, BAD):
        table.add(kind, 0, None, "x")
    assert [table.count(severity) for severity in (Severity.INFO, *list(Severity)[1:])] == [1, 1, 3]
    assert FindingTable().count(Severity.ERROR) == 0


def test_the_findings_of_an_event() -> None:
    table = FindingTable()
    for event, message in ((5, "a"), (2, "b"), (None, "c"), (5, "d"), (2, "e")):
        table.add(BAD, None, event, message)
    found = {event: [finding.message for finding in table.of_event(event)] for event in (2, 5, 6)}
    assert found == {2: ["b", "e"], 5: ["a", "d"], 6: []}


def test_of_very_many_findings_of_a_kind_the_first_keep_their_words() -> None:
    table = FindingTable()
    for at in range(MESSAGES_KEPT + 2):
        table.add(BAD, at, None, f"message {at}")
    table.add(ODD, 7, None, "another kind")
    assert table[MESSAGES_KEPT - 1].message == f"message {MESSAGES_KEPT - 1}"
    assert table[MESSAGES_KEPT].message == "one more bad; the first 1000 say more"
    assert table[MESSAGES_KEPT + 1].record == MESSAGES_KEPT + 1
    assert table[MESSAGES_KEPT + 2].message == "another kind"
    assert table.count(Severity.ERROR) == MESSAGES_KEPT + 2


@pytest.mark.parametrize(("kind", "marked"), [(TORN, []), (ODD, [2]), (BAD, [2])])
def test_a_finding_at_an_event_marks_it_unless_it_only_informs(
    kind: FindingKind, marked: list[int]
) -> None:
    builder = Builder(Timeline())
    builder.event = 2
    builder.find(kind, "x", record=3, event=2)
    assert list(builder.timeline.marks.events(Mark.DAMAGE)) == marked


def test_a_finding_without_an_event_marks_nothing() -> None:
    builder = Builder(Timeline())
    builder.find(BAD, "x", record=3, event=None)
    assert list(builder.timeline.marks.events(Mark.DAMAGE)) == []


# What a finding does to the fold.


def folding(events: int) -> Builder:
    builder = Builder(Timeline())
    for event in range(events):
        builder.event = event
        builder.append(Role.USER, Kind.MESSAGE, 1)
    return builder


def publish(builder: Builder, events: int) -> Timeline:
    columns = (array(code, [0] * events) for code in "IHq")
    builder.publish(*columns)
    return builder.timeline


def test_a_whole_tape_is_reliable_to_its_head() -> None:
    builder = folding(3)
    assert builder.timeline.reliable_to == 0
    timeline = publish(builder, 3)
    assert timeline.reliable_to == timeline.events == 3


def test_a_tape_is_reliable_to_its_first_doubt() -> None:
    builder = folding(5)
    for cursor in (4, 2, 3):
        builder.doubt(cursor)
    assert publish(builder, 5).reliable_to == 2


def test_a_doubt_ahead_of_the_head_is_the_head() -> None:
    builder = folding(2)
    builder.doubt(7)
    assert publish(builder, 2).reliable_to == 2


def test_a_rejected_event_is_a_row_that_was_not_applied() -> None:
    builder = folding(2)
    builder.event = 2
    builder.reject()
    builder.event = 3
    builder.append(Role.USER, Kind.MESSAGE, 1)
    timeline = publish(builder, 4)
    assert (timeline.is_rejected(2), timeline.is_rejected(1)) == (True, False)
    assert timeline.visibility(2, 2) == (Visibility.NOT_YET, None)
    assert timeline.visibility(2, 3) == (Visibility.NOT_APPLIED, None)
    assert timeline.visibility(3, 4) == (Visibility.VISIBLE, None)
    assert timeline.reliable_to == 2


def test_where_the_fold_stopped_every_later_event_is_not_applied() -> None:
    builder = folding(2)
    builder.event = 2
    builder.stop()
    timeline = publish(builder, 5)
    assert (timeline.stopped_at, timeline.reliable_to) == (2, 2)
    assert [timeline.visibility(event, 5)[0] for event in range(5)] == [
        Visibility.VISIBLE,
        Visibility.VISIBLE,
        *[Visibility.NOT_APPLIED] * 3,
    ]
    assert timeline.visibility(4, 4) == (Visibility.NOT_YET, None)
