from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape.records import Fate, RecordTable

CARRIERLESS = (Fate.BOOKKEEPING, Fate.BLANK, Fate.DAMAGED)


def three_records() -> RecordTable:
    records = RecordTable()
    records.extend([0, 10, 11, 31])
    return records


def test_an_empty_table_adds_up_to_nothing() -> None:
    records = RecordTable()
    assert len(records) == 0
    assert records.sums(0, 0).as_dict() == {
        "records": 0,
        "carriers": 0,
        "events": 0,
        "recovered": 0,
        "bookkeeping": 0,
        "blank": 0,
        "pending": 0,
        "damaged": 0,
        "frames": None,
    }


def test_a_record_is_placed_without_its_newline() -> None:
    records = three_records()
    assert len(records) == 3
    assert [records.place(record) for record in range(3)] == [(0, 9), (10, 0), (11, 19)]


def test_lines_are_counted_from_one() -> None:
    assert [three_records().line(record) for record in range(3)] == [1, 2, 3]


def test_records_are_added_from_the_offset_with_which_the_last_ones_ended() -> None:
    records = three_records()
    records.extend([31, 40])
    records.extend(iter([40]))
    records.extend([40, 41, 50])
    assert len(records) == 6
    assert [records.place(record) for record in (2, 3, 4, 5)] == [
        (11, 19),
        (31, 8),
        (40, 0),
        (41, 8),
    ]


def test_a_record_without_a_fate_is_a_carrier() -> None:
    records = three_records()
    records.set_fate(0, Fate.BOOKKEEPING)
    records.set_fate(2, Fate.DAMAGED)
    assert [records.fate(record) for record in range(3)] == [Fate.BOOKKEEPING, None, Fate.DAMAGED]
    assert records.sums(1, 0).carriers == 1


def test_a_recovered_record_is_a_carrier_too() -> None:
    records = three_records()
    records.recovered(1)
    assert records.fate(1) is None
    sums = records.sums(3, 0)
    assert (sums.carriers, sums.recovered, sums.damaged) == (3, 1, 0)


@pytest.mark.parametrize("fate", CARRIERLESS)
def test_each_fate_is_counted_under_its_name(fate: Fate) -> None:
    records = three_records()
    records.set_fate(1, fate)
    sums = asdict(records.sums(2, 0))
    assert {name: sums[name] for name in ("bookkeeping", "blank", "damaged")} == {
        name: int(name == fate.value) for name in ("bookkeeping", "blank", "damaged")
    }
    assert sums["carriers"] == 2


def test_what_is_pending_is_a_record_beside_the_whole_ones() -> None:
    sums = three_records().sums(3, 1)
    assert (sums.records, sums.carriers, sums.pending) == (4, 3, 1)


@given(st.lists(st.sampled_from((None, *CARRIERLESS)), max_size=60), st.integers(0, 1))
@settings(derandomize=True, deadline=None)
def test_the_sums_always_add_up(fates: list[Fate | None], pending: int) -> None:
    records = RecordTable()
    records.extend(range(0, 3 * len(fates) + 1, 3))
    for record, fate in enumerate(fates):
        if fate is not None:
            records.set_fate(record, fate)
    assert [records.fate(record) for record in range(len(fates))] == fates
    sums = records.sums(7, pending)
    assert (sums.records, sums.events, sums.pending) == (len(fates) + pending, 7, pending)
    assert (sums.carriers, sums.damaged) == (fates.count(None), fates.count(Fate.DAMAGED))
    assert sums.records == (
        sums.carriers + sums.bookkeeping + sums.blank + sums.pending + sums.damaged
    )
