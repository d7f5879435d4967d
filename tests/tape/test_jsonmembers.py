"""Objects that are taken to pieces and put together again without reading what is in them."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape.jsonline import parse
from inspector.tape.jsonmembers import joined, members
from inspector.tape.jsontokens import NotJsonError
from inspector.text.jsontext import json_bytes

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


def test_the_text_of_a_member_stays_what_it_is() -> None:
    line = (
        rb' {"a" : 1e400, "b":{"c":[1, {"d":"}"}]} ,"e":"\ud800\"]", "a":12345678901234567890123}'
    )
    assert members(line) == {
        "a": b"12345678901234567890123",
        "b": b'{"c":[1, {"d":"}"}]}',
        "e": rb'"\ud800\"]"',
    }
    assert members(b'{"a":\t1.0 }\r') == {"a": b"1.0"}


@pytest.mark.parametrize("text", [b"[1]", b"7", b"null", b"{}", b""])
def test_what_is_no_object_has_no_members(text: bytes) -> None:
    assert members(text) == {}


def test_what_is_no_json_is_said_to_be_none() -> None:
    with pytest.raises(NotJsonError):
        members(b'{"a":1,')


def test_an_object_of_many_levels_is_no_trouble() -> None:
    deep = b"[" * 50_000 + b"]" * 50_000
    assert members(b'{"a":' + deep + b"}") == {"a": deep}


@given(st.dictionaries(st.text(max_size=4), VALUES))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_pieces_put_together_say_the_same(value: dict[str, object]) -> None:
    line = json_bytes(value)
    parts = members(line)
    assert {name: parse(part)[0] for name, part in parts.items()} == value
    assert json.loads(joined(parts)) == value


def test_what_is_no_character_is_escaped() -> None:
    assert json_bytes({"a": "x\ud800"}) == rb'{"a":"x\ud800"}'
