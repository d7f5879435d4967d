"""Values as JavaScript has them, where Python's own rules differ (RULES B)."""

import pytest

from inspector.formats.deepchat import values
from inspector.formats.deepchat.values import cursor_of, read_object, slice_units, trim


def test_blank_is_what_javascript_trims() -> None:
    assert trim("\ufeff\u00a0 x \u2029\t") == "x"
    assert trim("\u0085x\u001c\u200b\u180e") == "\u0085x\u001c\u200b\u180e"


@pytest.mark.parametrize(
    ("state", "cursor"),
    [
        ({}, 1),
        ({"cursorOrderSeq": 3.9}, 3),
        ({"cursorOrderSeq": -4}, 1),
        ({"cursorOrderSeq": None, "summaryCursorOrderSeq": 5}, 5),
        ({"cursorOrderSeq": "7", "summaryCursorOrderSeq": 5}, 1),
        ({"cursorOrderSeq": True}, 1),
        ({"cursorOrderSeq": [2]}, 1),
        ({"cursorOrderSeq": 10**400}, 1),
        ({"cursorOrderSeq": float("inf")}, 1),
        ({"cursorOrderSeq": 9007199254740993}, 9007199254740992),
    ],
)
def test_a_cursor_is_whole_finite_and_at_least_one(state: dict[str, object], cursor: float) -> None:
    assert cursor_of(state) == cursor


@pytest.mark.parametrize(
    "text", ["NaN", '{"a":NaN}', '{"a":Infinity}', "\ufeff{}", "{", "[1]", '"{}"']
)
def test_what_is_no_json_object_counts_as_an_empty_one(text: str) -> None:
    value, wrong = read_object(text)
    assert value == {}
    assert wrong is not None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (' \n{"a":1,"a":2} ', {"a": 2}),
        ('{"a":"\\ud800"}', {"a": "\ud800"}),
        ('{"a":-0}', {"a": 0}),
    ],
)
def test_json_is_read_as_its_owner_reads_it(text: str, value: dict[str, object]) -> None:
    assert read_object(text) == (value, None)


def test_deep_nesting_and_long_numbers_are_read() -> None:
    assert read_object('{"a":' + "[" * 3000 + "]" * 3000 + "}")[1] is None
    found, wrong = read_object('{"a":' + "9" * 5000 + "}")
    assert wrong is None
    assert values.double(found["a"]) == float("inf")


def test_ids_are_ordered_by_bytes_with_lone_surrogates_replaced() -> None:
    ids = ["\U0001f642", "\uffff", "a", "\ud800"]
    assert sorted(ids, key=values.order_bytes) == ["a", "\ud800", "\uffff", "\U0001f642"]


def test_offsets_count_utf_16_units() -> None:
    assert values.units("a\U0001f642b") == 4
    assert slice_units("a\U0001f642b", 3, 4) == "b"
    assert slice_units("a\U0001f642b", 0, 2) == "a\ud83d"
