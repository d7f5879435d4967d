"""One row of a database as an event, a packed row, or what is wrong with it (page 2.4, rules G)."""

from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.dsh.sources.rows import Fault, Row, decode, is_packed, plain_data
from tests.formats.dsh.databases import LONG, MOST, blob, json_text, sources, stored

MAXIMUM: Final = 2**53 - 1


def row(**columns: Any) -> Row:
    """A row of a user/message, with other columns where told."""
    plain: dict[str, Any] = {
        "seq": 7,
        "type": "user/message",
        "time": 1787000000000,
        "data": '{"text":"hi"}',
        "sources": None,
        "operation": '"append"',
        "ignorable": None,
    }
    return Row(**plain | columns)


def packed_row(members: int = 3, **columns: Any) -> Row:
    data = {
        "turn": 1,
        "step": 1,
        "index": 0,
        "dt": [10] * (members - 1),
        "texts": ["a"] * members,
    }
    plain = {"type": "text-chunks", "data": json_text(data), "operation": None, "ignorable": 0}
    return row(**plain | columns)


def event(decoded: dict[str, Any] | Fault) -> dict[str, Any]:
    assert isinstance(decoded, dict), decoded
    return decoded


def fault(decoded: dict[str, Any] | Fault) -> tuple[str, bool]:
    assert isinstance(decoded, Fault), decoded
    return decoded.message, decoded.fatal


# Events.


def test_a_row_is_the_event_that_a_line_would_be() -> None:
    found = row(sources=sources([3, 4, 1]), operation='{"op":"replace","start":3,"end":4}')
    assert event(decode(found, 17)) == {
        "type": "user/message",
        "seq": 7,
        "time": 1787000000000,
        "data": {"text": "hi"},
        "sourceEventSeqs": [3, 4, 1],
        "surfaceOp": {"op": "replace", "start": 3, "end": 4},
    }


def test_columns_that_are_null_are_keys_that_are_absent() -> None:
    assert event(decode(row(operation=None), 17)).keys() == {"type", "seq", "time", "data"}


@pytest.mark.parametrize("operation", ["null", "true", "[]", '"replace"'])
def test_a_surface_operation_that_is_there_is_there_whatever_it_is(operation: str) -> None:
    assert "surfaceOp" in event(decode(row(operation=operation), 17))


def test_a_list_of_no_sources_is_there() -> None:
    assert event(decode(row(sources=b""), 17))["sourceEventSeqs"] == []


def test_the_marker_of_an_ignorable_event_is_the_value_true() -> None:
    assert event(decode(row(ignorable=1), 17))["ignorable"] is True


@pytest.mark.parametrize("ignorable", [None, 1])
def test_the_marker_and_not_the_name_makes_a_row_packed(ignorable: int | None) -> None:
    found = packed_row(ignorable=ignorable)
    assert is_packed(found) is False
    decoded = event(decode(found, 17))
    assert (decoded["seq"], decoded["type"]) == (7, "text-chunks")
    assert "seq0" not in decoded


@pytest.mark.parametrize("data", ["null", "7", '"x"', "[]"])
def test_data_is_any_json(data: str) -> None:
    assert "data" in event(decode(row(data=data), 17))


@pytest.mark.parametrize("length", [1, 100, LONG, 3 * LONG])
def test_data_may_be_compressed_or_not_at_any_length(length: int) -> None:
    data = {"text": "ö" * length}
    for column in (json_text(data), blob(json_text(data)), stored(data)):
        assert event(decode(row(data=column), 17))["data"] == data
        assert plain_data(row(data=column)) == json_text(data).encode()


def test_deep_data_is_read() -> None:
    deep = "[" * 20_000 + "]" * 20_000
    assert "data" in event(decode(row(data=deep), 17))


# Faults.


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"data": 7}, "stored data must be a string or blob"),
        ({"data": None}, "stored data must be a string or blob"),
        ({"data": 1.5}, "stored data must be a string or blob"),
        ({"sources": "[1]"}, "stored source_event_seqs must be a blob or null"),
        ({"sources": 1}, "stored source_event_seqs must be a blob or null"),
        ({"type": b"x"}, "stored type must be a string"),
        ({"time": "1"}, "stored time must be a whole number"),
        ({"operation": b'"append"'}, "stored surface_op must be a string or null"),
        ({"ignorable": "1"}, "stored ignorable must be a whole number or null"),
    ],
)
def test_a_column_of_a_wrong_class_refuses_the_log_wherever_it_stands(
    columns: dict[str, Any], message: str
) -> None:
    assert fault(decode(row(**columns), 17)) == (message, True)


@pytest.mark.parametrize(
    "columns",
    [
        {"data": "{"},
        {"data": ""},
        {"data": "NaN"},
        {"data": b""},
        {"data": b"\x28\xb5\x2f\xfd"},
        {"data": blob("{}")[:-1]},
        {"data": blob("{}") + b"x"},
        {"data": blob("{}") + blob("{}")},
        {"data": blob("{")},
        {"operation": "append"},
        {"operation": ""},
        {"data": "\udcff"},
        {"operation": '"\udcff"'},
    ],
)
def test_a_column_that_does_not_decode_is_a_fault_of_its_row_only(columns: dict[str, Any]) -> None:
    message, fatal = fault(decode(row(**columns), 17))
    assert message
    assert fatal is False


def test_a_blob_that_is_not_utf8_says_where() -> None:
    packed = blob("x").replace(b"x", b"\xff")
    assert b"\xff" in packed
    assert fault(decode(row(data=packed), 17)) == ("data is not UTF-8 at byte 0", False)


def test_of_data_that_does_not_decode_there_is_no_text() -> None:
    assert plain_data(row(data=b"no frame")) is None
    assert plain_data(row(data=7)) is None


# Packed rows.


@pytest.mark.parametrize("members", [3, 4, MOST])
def test_a_packed_row_is_the_line_that_it_would_be(members: int) -> None:
    found = packed_row(members)
    assert is_packed(found) is True
    decoded = event(decode(found, 17))
    assert decoded.keys() == {"type", "seq0", "time0", "data"}
    assert (decoded["seq0"], decoded["time0"]) == (7, 1787000000000)
    assert len(decoded["data"]["texts"]) == members


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (packed_row(2), "a packed row of 2 members, not 3 to 1024"),
        (packed_row(1), "a packed row of 1 members, not 3 to 1024"),
        (packed_row(MOST + 1), "a packed row of 1025 members, not 3 to 1024"),
        (
            row(ignorable=0),
            "ignorable is 0, which marks a packed row, but the type is user/message",
        ),
        (packed_row(sources=b""), "a packed row with sources or a surface operation"),
        (packed_row(operation='"append"'), "a packed row with sources or a surface operation"),
        (packed_row(data="[]"), "packed row: data is not an object"),
    ],
)
def test_what_is_marked_as_packed_and_is_not_is_a_fault(found: Row, words: str) -> None:
    assert fault(decode(found, 17)) == (words, False)


def test_a_packed_row_may_not_be_longer_than_a_mebibyte() -> None:
    data = {"turn": 1, "step": 1, "index": 0, "dt": [1, 1], "texts": ["x" * (1 << 20), "", ""]}
    message, fatal = fault(decode(packed_row(data=blob(json_text(data))), 17))
    assert (message.endswith("more than 1048576"), fatal) == (True, False)


# Sources.


@given(st.lists(st.integers(0, MAXIMUM), max_size=20))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_sources_come_back_as_they_were_written(numbers: list[int]) -> None:
    assert event(decode(row(sources=sources(numbers)), 17))["sourceEventSeqs"] == numbers


def test_sources_are_written_as_the_format_says() -> None:
    assert sources([300, 299, 305, 2]).hex() == "ac02010cdd04"
    assert sources(list(range(5, 16))).hex() == "05" + "02" * 10
    assert sources([17]).hex() == "11"


@pytest.mark.parametrize(
    ("stored_list", "words"),
    [
        (b"\x80", "the list of sources ends inside a number"),
        (b"\x05\x82", "the list of sources ends inside a number"),
        (b"\x80\x00", "a source in a form that is not the shortest"),
        (b"\x05\x82\x00", "a source in a form that is not the shortest"),
        (b"\x05\x0b", "a source out of range"),
        (sources([MAXIMUM]) + b"\x02", "a source out of range"),
        (b"\xff" * 9 + b"\x01", "a source out of range"),
        (b"\xff" * 10 + b"\x01", "a source that is too long"),
    ],
)
def test_a_list_of_sources_that_is_none_is_a_fault(stored_list: bytes, words: str) -> None:
    assert fault(decode(row(sources=stored_list), 17)) == (words, False)


def test_a_varint_of_nothing_but_zero_is_zero() -> None:
    assert event(decode(row(sources=b"\x00"), 17))["sourceEventSeqs"] == [0]


# The schema before.


def test_in_schema_15_sources_are_json() -> None:
    assert event(decode(row(sources="[1,2]"), 15))["sourceEventSeqs"] == [1, 2]
    assert fault(decode(row(sources="[1,"), 15))[1] is False
