import math

import pytest

from inspector.tape.jsonline import deep, lenient, parse


def test_a_line_is_read_as_it_stands() -> None:
    assert parse(b' {"a":[1,"\\ud83d\\ude80"]}\r') == ({"a": [1, "🚀"]}, None)


def test_bytes_that_are_no_utf_8_are_mended_and_said() -> None:
    assert parse(b'{"a":"\xff"}') == (
        {"a": "\ufffd"},
        "byte 6 of the line is not UTF-8; replaced",
    )


def test_lone_surrogates_and_long_numbers_are_read() -> None:
    value, mended = parse(b'{"a":"\\ud800","n":' + b"9" * 5000 + b',"m":18446744073709551616}')
    assert value == {"a": "\ud800", "n": math.inf, "m": 1 << 64}
    assert mended is None


@pytest.mark.parametrize("line", [b"", b"{", b"NaN", b'{"a":-Infinity}', b'{"a":"\x01"}', b"1 2"])
def test_what_is_no_json_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match="line 1 column"):
        parse(line)


@pytest.mark.parametrize("levels", [10, 20_000])
def test_a_lenient_reader_takes_control_characters_and_words_at_any_depth(levels: int) -> None:
    value = lenient("[" * levels + '{"\x01":[Infinity,-Infinity]}' + "]" * levels)
    for _ in range(levels):
        (value,) = value
    assert value == {"\x01": [math.inf, -math.inf]}


def test_a_deep_reader_refuses_words_unless_another_is_given() -> None:
    assert deep('{"a":[1,{"b":{}}]}') == {"a": [1, {"b": {}}]}
    with pytest.raises(ValueError, match="NaN is not JSON"):
        deep("[NaN]")
