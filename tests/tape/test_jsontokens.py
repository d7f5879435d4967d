import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape.jsontokens import Kind, NotJsonError, string_end, tokens

PROPERTY = settings(derandomize=True, deadline=None, max_examples=50)


def end(line: bytes) -> int:
    *_, (_, _, stop) = tokens(line, 0)
    return stop


def test_tokens_have_a_kind_and_their_bytes() -> None:
    line = b'x {"a" : [1, "b"] , "c":{}} tail'
    assert [(kind, line[start:stop]) for kind, start, stop in tokens(line, 2)] == [
        (Kind.OPEN, b"{"),
        (Kind.KEY, b'"a"'),
        (Kind.OPEN, b"["),
        (Kind.SCALAR, b"1"),
        (Kind.SCALAR, b'"b"'),
        (Kind.CLOSE, b"]"),
        (Kind.KEY, b'"c"'),
        (Kind.OPEN, b"{"),
        (Kind.CLOSE, b"}"),
        (Kind.CLOSE, b"}"),
    ]


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (b"", 0),
        (b"{", 1),
        (b'{"a"', 4),
        (b'{"a":', 5),
        (b'{"a":1', 6),
        (b'{"a":1,}', 7),
        (b"[1,]", 3),
        (b"[1 2]", 2),
        (b"[1}", 2),
        (b"{,}", 1),
        (b"[,1]", 1),
        (b'{"a":"b', 5),
        (b'["\\x"]', 1),
        (b'["\\u12g4"]', 1),
        (b"[01]", 2),
        (b"[1.]", 2),
        (b"[+1]", 1),
        (b"[True]", 1),
        (b"[\0]", 1),
    ],
)
def test_what_is_no_json_breaks_off_where_it_is_none(line: bytes, place: int) -> None:
    with pytest.raises(NotJsonError) as caught:
        list(tokens(line, 0))
    assert caught.value.place == place
    assert str(caught.value) == f"no JSON at byte {place}"


@pytest.mark.parametrize("escapes", [0, 1, 199, 200, 201, 400, 1000])
def test_a_string_may_hold_any_number_of_escapes(escapes: int) -> None:
    string = b'"' + b'a\\"' * escapes + b'"'
    assert string_end(string + b'"', 0) == len(string)
    with pytest.raises(NotJsonError):
        string_end(string[:-1], 0)


def test_any_number_of_levels_is_no_recursion() -> None:
    levels = 20_000
    assert end(b"[" * levels + b"]" * levels) == 2 * levels


texts = st.text('{}"\\[]:,\0é\u2028u12Ia.e-')
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=10,
)


@given(values, st.sampled_from([None, 1]))
@PROPERTY
def test_a_value_ends_where_a_json_reader_ends_it(value: object, indent: int | None) -> None:
    line = json.dumps(value, indent=indent, ensure_ascii=False).encode()
    assert end(line + b" ,") == len(line)


@given(st.text('{}[]":,\\ u0129Ia.e-+ntrue', max_size=12))
@PROPERTY
def test_what_a_reader_refuses_has_no_tokens_to_the_end(text: str) -> None:
    try:
        _, stop = json.JSONDecoder(strict=False).raw_decode(text)
    except ValueError:
        with pytest.raises(NotJsonError):
            list(tokens(text.encode(), 0))
    else:
        assert end(text.encode()) == stop
