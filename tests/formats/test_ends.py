"""The ends of a text: lines, numbers, and what can be read of an object that is cut."""

from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.ends import (
    bearing,
    beginning,
    counted,
    decoded,
    edges,
    estimate,
    last_bearing,
    last_lines,
    last_of,
    last_records,
    moment,
    record,
    title,
)
from inspector.formats.listing import HEAD, Ends
from tests.glances import ends_of


def packed(head: bytes) -> Ends:
    return Ends("/work/session.jsonl.zst", 90_000, 0, head, b"", False, True)


# Lines.


def test_a_short_text_is_seen_whole() -> None:
    found = edges(ends_of(b'{"a":1}\n{"b":2}\n{"c":'))
    assert found.whole
    assert found.first == b'{"a":1}'
    assert found.tail == b'{"a":1}\n{"b":2}\n'
    assert found.rest == b'{"c":'


def test_a_long_text_begins_and_ends_with_whole_lines() -> None:
    line = b'{"a":"' + b"x" * 90 + b'"}\n'
    found = edges(ends_of(line * 200 + b'{"b'))
    assert not found.whole
    assert found.head == (line * 200)[:HEAD]
    assert found.tail.startswith(line)
    assert found.tail.endswith(line)
    assert found.rest == b'{"b'


def test_an_end_without_a_line_end_has_no_line() -> None:
    found = edges(ends_of(b'{"a":1}\n' + b"x" * 20_000))
    assert (found.tail, found.rest) == (b"", b"")


def test_a_first_line_longer_than_what_is_seen_is_cut() -> None:
    found = edges(ends_of(b'{"a":"' + b"x" * 200_000))
    assert found.first_is_cut
    assert not edges(ends_of(b'{"a":1')).first_is_cut


def test_the_last_lines_come_first_without_blank_ones() -> None:
    text = b"\n{}\n[1]\n \n\n[2]\r\n"
    assert last_lines(text, 2) == [b"[2]", b"[1]"]
    assert last_lines(text, 9) == [b"[2]", b"[1]", b"{}"]
    assert last_lines(b"", 2) == []


def test_a_line_that_nothing_ends_counts_if_it_looks_whole() -> None:
    assert last_of(edges(ends_of(b'{"a":1}\n{"b":2}')), 1) == [b'{"b":2}', b'{"a":1}']
    assert last_of(edges(ends_of(b'{"a":1}\n{"b":')), 1) == [b'{"a":1}']


def test_lines_that_bear_a_mark_are_found_from_either_side() -> None:
    text = b'{"x":1}\n{"y":2}\n{"x":3}\n{"x":'
    assert list(bearing(text, b'"x"')) == [b'{"x":1}', b'{"x":3}', b'{"x":']
    assert list(last_bearing(text, b'"x"')) == [b'{"x":', b'{"x":3}', b'{"x":1}']
    assert list(bearing(text, b'"z"')) == list(last_bearing(text, b'"z"')) == []


# Numbers.


def has_b(value: Any) -> bool:
    return isinstance(value, dict) and "b" in value


@pytest.mark.parametrize(
    ("text", "found", "sound"),
    [
        (b'{"a":1}\n{"b":2}\n', 2, True),
        (b'{"a":1}\n{"b":2}', 2, True),
        (b'{"a":1}\n{"b":2}\n{"c":{"a":1},', 2, True),
        (b'{"a":1}\n{"c":{"b":1},', 1, True),
        (b'{"a":1}\n{"c{"b":1}', 2, False),
        (b'{"b":1}{"b":2}\n{"b":"\\ud800"}\n', 3, False),
        (b'\xef\xbb\xbf{"a":1}\r\n\r\n{"b":2}\r\n', 2, True),
        (b"{}\n3\n", 1, False),
        (b"[]\n", 0, False),
        (b'{"a":1}\n{"b":\n', 1, False),
        (b'{"a":1}{"b":1}\n{}\n', 2, False),
        (b'{"a":1 1}\n{}\n', 1, False),
    ],
)
def test_objects_are_counted_and_whether_anything_else_is_there(
    text: bytes, found: int, sound: bool
) -> None:
    assert decoded(edges(ends_of(text)), has_b) == (found, sound)


def test_what_is_not_seen_whole_is_estimated() -> None:
    ends = ends_of(b"{}\n" * 9_000)
    found, estimated = counted(ends, edges(ends), has_b)
    assert estimated
    assert found is not None
    assert 8_000 < found < 10_000


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b'{"b":1}\n{"b":2}\n', [2, 1]),
        (b'{"b":1}\n{"b":2}', [2, 1]),
        (b'{"b":1}\n{"b":2,"c":{"b":9},', [1]),
        (b'{"b":1}\n{"b":2,"c":[{"a":9},', [1]),
        (b'{"b":1}{"b":2}\n{"b":3}{"b":4}', [4, 3, 2, 1]),
        (b'{"b":1}\n{"b{"b":2}\n\n', [2, 1]),
        (b"3\nnot\n\xff\n", []),
    ],
)
def test_the_last_records_are_whole_ones(text: bytes, found: list[int]) -> None:
    records = last_records(edges(ends_of(text)), has_b, b'"b"')
    assert [record["b"] for record in records] == found


def test_not_all_of_a_damaged_text_is_looked_through() -> None:
    data = b'{"b":1}\n' + b'{"b":2,\n' * 500
    assert list(last_records(edges(ends_of(data)), has_b)) == []


@pytest.mark.parametrize("width", [20, 300, 3_000])
def test_an_estimate_is_near_where_lines_are_alike(width: int) -> None:
    data = b'{"header":1}\n' + b'{"a":"%s"}\n' % (b"x" * width) * 900
    ends = ends_of(data)
    found = estimate(ends, edges(ends), headers=1)
    assert found is not None
    assert 450 < found < 1_800


def test_of_a_text_whose_first_line_is_endless_nothing_is_guessed() -> None:
    ends = ends_of(b'{"a":"' + b"x" * 300_000)
    assert estimate(ends, edges(ends)) is None


def test_of_a_packed_text_nothing_is_estimated() -> None:
    ends = packed(b"{}\n" * 900)
    assert estimate(ends, edges(ends)) is None


# Objects that are cut.

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=50, deadline=None)
@given(st.dictionaries(st.text(max_size=4), values, max_size=5), st.data())
def test_what_is_read_of_a_cut_object_stands_in_it(whole: dict[str, Any], data: Any) -> None:
    text = orjson.dumps(whole)
    found = beginning(text[: data.draw(st.integers(0, len(text)))])
    assert list(found) == list(whole)[: len(found)]
    for key in list(found)[:-1]:
        assert found[key] == whole[key]
    for key in list(found)[-1:]:
        assert is_part(found[key], whole[key])


def is_part(one: Any, of: Any) -> bool:
    """Whether a value is another one, or the beginning of it."""
    if isinstance(one, str) and isinstance(of, str):
        # Half of a character beyond the basic ones is none.
        return of.startswith((one, one[:-1]))
    if isinstance(one, list) and isinstance(of, list):
        return len(one) <= len(of) and all(map(is_part, one, of))
    if isinstance(one, dict) and isinstance(of, dict):
        return all(key in of and is_part(value, of[key]) for key, value in one.items())
    return bool(one == of)


def test_members_of_inner_objects_are_read_up_to_the_cut() -> None:
    cut = b'{"timestamp":"t","payload":{"id":"a","n":12,"text":"half a \\u00e4 \\u00'
    assert beginning(cut) == {
        "timestamp": "t",
        "payload": {"id": "a", "n": 12, "text": "half a ä "},
    }
    assert beginning(b'{"content":[{"text":"a"},{"text":"b') == {
        "content": [{"text": "a"}, {"text": "b"}]
    }


def test_a_number_that_may_go_on_is_left_out() -> None:
    assert beginning(b'{"a":1,"b":12') == {"a": 1}
    assert beginning(b'{"a":1,"b":12.') == {"a": 1}


@pytest.mark.parametrize("odd", [b"", b"[1,2", b'"a', b"nothing", b"{", b'{"a"', b'{"a":', b"\xff"])
def test_what_is_no_object_has_no_members(odd: bytes) -> None:
    assert beginning(odd) == {}
    assert record(odd) == {}


def test_depth_is_no_fault() -> None:
    assert "a" in beginning(b'{"a":' * 3_000)
    found: Any = beginning(b'{"a":' + b"[" * 9_000)["a"]
    depth = 0
    while found:
        found, depth = found[0], depth + 1
    assert 1 <= depth < 100


# Values.


@pytest.mark.parametrize(
    ("stamp", "wanted"),
    [
        ("2026-03-01T09:00:01.250Z", 1772355601250),
        ("2026-03-01T09:00:01Z", 1772355601000),
        ("2026-03-01T10:00:01+01:00", 1772355601000),
        ("2026-03-01T09:00:01", 1772355601000),
        ("soon", None),
        (7, None),
        (None, None),
    ],
)
def test_times_are_read_as_agents_write_them(stamp: Any, wanted: int | None) -> None:
    assert moment(stamp) == wanted


def test_a_title_is_bounded_and_not_blank() -> None:
    assert title("  hello \n") == "hello"
    assert title(" \n") is None
    assert title(["x"]) is None
    assert len(title("x" * 9_000) or "") == 400
