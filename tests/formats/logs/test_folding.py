"""How a decoder tells the timeline of events and of what is wrong."""

import pytest

from inspector.formats.logs.folding import Folding
from inspector.formats.logs.rules import NOT_JSON, REPAIRED_TEXT, TORN_TAIL
from inspector.tape.records import Fate, RecordTable
from inspector.timeline.builder import Builder
from inspector.timeline.findings import FindingKind
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Mark


def folding(records: int = 4) -> Folding:
    """Of a text of some lines."""
    table = RecordTable()
    table.extend(range(records + 1))
    return Folding(Builder(Timeline()), table)


def found(fold: Folding) -> list[tuple[str, int | None, int | None]]:
    """The findings by code, record and event."""
    return [
        (finding.kind.code, finding.record, finding.event)
        for finding in fold.builder.timeline.findings
    ]


def test_an_event_is_readable_once_its_batch_is_published() -> None:
    fold = folding()
    assert (fold.event(0, "say", 5), fold.event(2, "hear", None)) == (0, 1)
    table = fold.builder.timeline.table
    assert (len(table), fold.position, fold.builder.event) == (0, 2, 1)
    fold.publish()
    assert [table.record(event) for event in range(2)] == [0, 2]
    assert [table.type(event) for event in range(2)] == ["say", "hear"]
    assert [table.time(event) for event in range(2)] == [5, None]


def test_the_record_of_an_event_is_known_before_and_after() -> None:
    fold = folding()
    fold.event(0, "say", None)
    fold.publish()
    fold.event(1, "say", None)
    fold.event(3, "say", None)
    assert [fold.record_of(event) for event in range(3)] == [0, 1, 3]
    fold.publish()
    assert [fold.record_of(event) for event in range(3)] == [0, 1, 3]


@pytest.mark.parametrize(
    ("kind", "marks"), [(TORN_TAIL, []), (REPAIRED_TEXT, [1]), (NOT_JSON, [1])]
)
def test_what_is_found_is_a_place_to_go_to_unless_it_is_only_news(
    kind: FindingKind, marks: list[int]
) -> None:
    fold = folding()
    fold.event(0, "say", None)
    fold.found(kind, "why", 1)
    fold.event(2, "say", None)
    fold.publish()
    assert found(fold) == [(kind.code, 1, None)]
    assert list(fold.builder.timeline.marks.events(Mark.DAMAGE)) == marks
    assert fold.builder.timeline.reliable_to == 2


def test_what_is_found_at_an_event_stands_there() -> None:
    fold = folding()
    fold.event(1, "say", None)
    fold.found_at_event(REPAIRED_TEXT, "why", 1)
    assert found(fold) == [(REPAIRED_TEXT.code, 1, 0)]


def test_behind_a_damaged_record_the_fold_is_not_reliable() -> None:
    fold = folding()
    fold.event(0, "say", None)
    fold.damaged(1, NOT_JSON, "why")
    fold.event(2, "say", None)
    fold.publish()
    assert fold.records.fate(1) is Fate.DAMAGED
    assert found(fold) == [(NOT_JSON.code, 1, None)]
    assert fold.builder.timeline.reliable_to == 1


def test_a_hole_before_a_record_makes_its_event_doubtful() -> None:
    fold = folding()
    for record in range(3):
        fold.event(record, "say", None)
    fold.publish()
    fold.hole(1)
    assert fold.builder.timeline.reliable_to == 1
    fold.hole(2)
    assert fold.builder.timeline.reliable_to == 1
