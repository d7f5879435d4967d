import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape import oddities as module
from inspector.tape.notes import NOTES_KEPT
from inspector.tape.oddities import oddities

PROPERTY = settings(derandomize=True, deadline=None, max_examples=50)


def codes(line: bytes) -> list[tuple[str, int]]:
    return [(note.code, note.at) for note in oddities(line)]


def nested(levels: int, inside: bytes) -> bytes:
    return b'{"a":' * levels + inside + b"}" * levels


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b' {"a":1}\r',
        b'{"a":[{"b":1},{"b":1}],"c":{"a":1}}',
        b'{"a":1,"A":2,"a ":3}',
        b'{"n":[0,-0,1.50,1e3,0.1,1E-7,9007199254740993]}',
        '{"a":"\u2028\u2029\u0085 größer 🚀"}'.encode(),
        b'{"a":"\\ud83d\\ude80 \\\\ud800"}',
        b'{"a":"a\\"a\\\\"}',
    ],
)
def test_an_ordinary_line_has_none(line: bytes) -> None:
    assert oddities(line) == []


# Duplicate keys.


def test_a_key_that_stands_twice_is_told_with_its_path_and_its_first_value() -> None:
    line = b'{"message":{"content":[1,{"input":{"command":"ls","command":"rm -rf demo"}}]}}'
    (note,) = oddities(line)
    assert note == (
        "duplicate-key",
        line.index(b'"command":"rm'),
        '"command" stands 2 times in message.content[1].input; the first is "ls", the last counts',
    )


def test_a_key_at_the_top_needs_no_path() -> None:
    (note,) = oddities(b'{"type" : {"x":1} ,"b":1,"type":2,"type":3}')
    assert note == (
        "duplicate-key",
        25,
        '"type" stands 3 times; the first is {"x":1}, the last counts',
    )


def test_keys_are_the_same_if_they_say_the_same() -> None:
    assert codes(b'{"a":1,"\\u0061":2}') == [("duplicate-key", 7)]
    assert codes(b'{"\xff":1,"\xfe":2}') == [("duplicate-key", 7)]
    assert codes(b'{"\\/":1,"/":2}') == [("duplicate-key", 8)]


def test_every_object_is_looked_at_on_its_own() -> None:
    line = b'{"a":{"b":1,"b":2},"c":[{"d":1,"d":2}],"a":{"b":1}}'
    assert [note.message.split(";")[0] for note in oddities(line)] == [
        '"b" stands 2 times in a',
        '"d" stands 2 times in c[0]',
        '"a" stands 2 times',
    ]


def test_keys_and_values_are_cut_and_cleaned() -> None:
    key, value = b"k" * 500 + b"\x1b", b'"' + b"\x1b[2J" + b"v" * 500 + b'"'
    (note,) = oddities(b'{"' + key + b'":' + value + b',"' + key + b'":1}')
    assert len(note.message) < 250
    assert "␛[2Jv" in note.message
    assert note.message.isprintable()


# Numbers.


@pytest.mark.parametrize(
    "number",
    [
        "18446744073709551616",
        "-9223372036854775809",
        "123456789012345678901234567890",
        "1e400",
        "-1e400",
        "1e-400",
        "1.00000000000000000001",
        "0.1000000000000000055511151231257827021181583404541015626",
        "0." + "1" * 5000,
        "9" * 5000,
    ],
)
def test_a_number_that_no_reader_keeps_is_told_as_written(number: str) -> None:
    (note,) = oddities(b'{"a":[1,' + number.encode() + b"]}")
    shown = number if len(number) <= 60 else number[:60] + "…"
    assert note == ("big-number", 8, f"{shown} is more than 64 bits or a double hold")


@pytest.mark.parametrize(
    "number",
    [
        "18446744073709551615",
        "-9223372036854775808",
        "0.30000000000000004",
        "0.10000000000000001",
        "1.7976931348623157e308",
        "5e-324",
        "0e999",
        "0.0000000000000000000000",
        "1000000000000000000000000.0",
        "0.1000000000000000055511151231257827021181583404541015625",
    ],
)
def test_a_number_that_is_kept_is_not_told(number: str) -> None:
    assert oddities(b'{"a":1,"a":' + number.encode() + b"}")[1:] == []
    assert oddities(b'{"a":' + number.encode() + b"}") == []


def test_digits_in_strings_are_no_numbers() -> None:
    assert oddities(b'{"a":"x: 18446744073709551616 1e400"}') == []


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(1 << 63), (1 << 64) - 1))
@PROPERTY
def test_what_a_writer_of_doubles_or_64_bits_writes_is_kept(number: float) -> None:
    assert oddities(b'{"a":1,"a":' + json.dumps(number).encode() + b"}")[1:] == []


# Lone surrogates and depth.


def test_each_lone_surrogate_is_told() -> None:
    line = b'{"\\uD800":"\\\\ud800\\\\\\udfff \\ud83d\\ude00 \\ud83d\\ud83d\\ude00"}'
    assert [line[note.at : note.at + 6] for note in oddities(line)] == [
        b"\\uD800",
        b"\\udfff",
        b"\\ud83d",
    ]
    assert oddities(line)[0] == ("lone-surrogate", 2, "\\uD800 is half of a character")


def test_depth_is_told_beyond_what_the_fast_reader_takes() -> None:
    assert oddities(nested(1024, b"1")) == []
    assert oddities(nested(1025, b"1")) == [
        ("deep", 5 * 1024, "1,025 levels; most readers take 1,024")
    ]


def test_twenty_thousand_levels_are_looked_through() -> None:
    found = oddities(nested(20_000, b'[{"b":1,"b":2}]'))
    assert [note.code for note in found] == ["deep", "duplicate-key"]
    assert found[0].message == "20,002 levels; most readers take 1,024"
    assert found[1].message.startswith('"b" stands 2 times in ….a.a')
    assert len(found[1].message) < 120


# Lines that break rules, and many notes.


def test_a_line_that_breaks_rules_is_looked_through_all_the_same() -> None:
    line = b'{"a":NaN,"b":-Infinity,"b":"\xff\x01","n":1e400}'
    assert [code for code, _ in codes(line)] == ["duplicate-key", "big-number"]


def test_what_stands_before_the_end_of_json_is_told() -> None:
    assert codes(b'{"a":1,"a":2,"b":[1e400,oops') == [("duplicate-key", 7), ("big-number", 18)]


def test_notes_are_few_and_the_last_says_how_many_more() -> None:
    line = b"[" + b'{"a":1,"a":2},' * 150 + b'1e400,"\\ud800"]'
    found = oddities(line)
    assert len(found) == NOTES_KEPT + 1
    assert found[-1].code == "more"
    assert found[-1].message == "52 more: 50 duplicate-key, 1 big-number, 1 lone-surrogate"


def test_a_line_of_too_many_tokens_is_given_up_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TOKENS_LOOKED_AT", 6)
    assert oddities(b'{"a":1,"a":2,"b":1e400}') == [
        ("duplicate-key", 7, '"a" stands 2 times; the first is 1, the last counts'),
        ("gave-up", 17, "6 JSON tokens were looked at, and no further"),
    ]
    assert oddities(b'{"a":1,"a":2}')[1:] == []


# Laws.

names = st.sampled_from(["a", "b", "type", "é", '"'])
values = st.recursive(
    st.just(1) | st.just("text"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(st.tuples(names, inner), max_size=4).map(tuple)
    ),
    max_leaves=12,
)


def written(value: Any) -> str:
    """JSON in which a tuple of pairs is an object, whose keys may be the same."""
    if isinstance(value, tuple):
        members = (f"{json.dumps(key)}: {written(member)}" for key, member in value)
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value)


def duplicates(value: Any) -> int:
    """Keys that stand more than once in one object, the slow way."""
    if isinstance(value, tuple):
        here = sum(count > 1 for count in Counter(key for key, _ in value).values())
        return here + sum(duplicates(member) for _, member in value)
    return sum(map(duplicates, value)) if isinstance(value, list) else 0


@given(values)
@PROPERTY
def test_every_duplicate_is_told_once(value: Any) -> None:
    found = oddities(written(value).encode())
    assert [note.code for note in found] == ["duplicate-key"] * duplicates(value)


@given(st.binary(max_size=60) | st.text('{}[]":,\\ud8e019.-', max_size=40).map(str.encode))
@PROPERTY
def test_any_bytes_are_answered(line: bytes) -> None:
    assert all(0 <= note.at <= len(line) for note in oddities(line))
