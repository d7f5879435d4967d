import json
import sys
import unicodedata
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.text.gate import clean_block, clean_line, escape_json

CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})

HOSTILE: Final = "".join(
    char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) in CATEGORIES
)

PROPERTY: Final = settings(derandomize=True, deadline=None)

hostile = st.sampled_from(HOSTILE)
anything = st.text(
    st.one_of(st.characters(exclude_categories=()), hostile, st.sampled_from("\r\n\t"))
)


def test_every_hostile_code_point_is_replaced_and_none_is_dropped() -> None:
    assert len(HOSTILE) > 2048
    kept = [f"U+{ord(char):04X}" for char in HOSTILE if char in clean_line(f"a{char}b")]
    dropped = [f"U+{ord(char):04X}" for char in HOSTILE if clean_line(f"a{char}b") == "ab"]
    assert (kept, dropped) == ([], [])


@given(anything)
@PROPERTY
def test_a_clean_line_holds_nothing_hostile(text: str) -> None:
    assert not set(clean_line(text)) & set(HOSTILE)


@given(anything)
@PROPERTY
def test_a_clean_block_holds_nothing_hostile_but_its_line_feeds(text: str) -> None:
    block = clean_block(text)
    assert not set(block) & set(HOSTILE.replace("\n", ""))
    assert block.count("\n") == text.count("\n")


@given(anything)
@PROPERTY
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean_line(clean_line(text)) == clean_line(text)
    assert clean_block(clean_block(text)) == clean_block(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain ASCII ~!@#$%^&*()",
        "größer, naïve, Å",
        "漢字かなカナ한글",
        "e\u0301 a\u0308 Z\u0351\u036b",
        "👍🏽🚀🇯🇵",
        "\u05e9\u05dc\u05d5\u05dd",
        "हिन्दी ไทย",
        "\u00a0\u3000",
        "𝒳𐍈",
    ],
)
def test_what_an_eye_can_read_is_kept(text: str) -> None:
    assert clean_line(text) == text
    assert clean_block(text) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\x00", "␀"),
        ("\x07", "␇"),
        ("\x1b[2J", "␛[2J"),
        ("\x7f", "␡"),
        ("\x9b31m", "<U+009B>31m"),
        ("\x85", "<U+0085>"),
        ("\xad", "<U+00AD>"),
        ("\u2028", "<U+2028>"),
        ("\u202e", "<U+202E>"),
        ("\u2066", "<U+2066>"),
        ("\ufeff", "<U+FEFF>"),
        ("\u3164", "<U+3164>"),
        ("\U000e0041", "<U+E0041>"),
        ("\ud800", "\ufffd"),
        ("👩\u200d👧", "👩<U+200D>👧"),
        ("❤\ufe0f", "❤"),
        ("a\tb", "a b"),
        ("a\nb", "a⏎b"),
        ("a\r\nb", "a⏎b"),
        ("a\rb", "a⏎b"),
        ("a\n\r\n\rb", "a⏎⏎⏎b"),
    ],
)
def test_what_stands_for_what_on_a_line(text: str, line: str) -> None:
    assert clean_line(text) == line


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("a\nb\n", "a\nb\n"),
        ("a\r\nb", "a\nb"),
        ("a\rb", "a␍b"),
        ("\ta", "    a"),
        ("ab\tc", "ab  c"),
        ("abc\n\td", "abc\n    d"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("a\u2028b", "a<U+2028>b"),
        ("\ud800", "\ufffd"),
        ("❤\ufe0f", "❤"),
    ],
)
def test_what_stands_for_what_in_a_block(text: str, block: str) -> None:
    assert clean_block(text) == block


@pytest.mark.parametrize(
    ("text", "limit", "line"),
    [
        ("abcdef", 3, "abc…"),
        ("abc", 3, "abc"),
        ("abc", None, "abc"),
        ("", 0, ""),
        ("a", 0, "…"),
        ("漢字かな", 2, "漢字…"),
        ("\u202eabc", 1, "<U+202E>…"),
        ("a\r\nb", 2, "a⏎…"),
    ],
)
def test_a_limit_counts_the_characters_of_the_tape(text: str, limit: int | None, line: str) -> None:
    assert clean_line(text, limit) == line


def test_what_is_beyond_the_limit_is_not_looked_at() -> None:
    assert clean_line("\x00" * 1_000_000, 4) == "␀␀␀␀…"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | anything,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(anything, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("indent", [None, 2])
@given(json_values)
@PROPERTY
def test_escaped_json_holds_nothing_hostile_and_says_the_same(
    indent: int | None, value: Any
) -> None:
    value = json.loads(json.dumps(value))  # Two surrogates in a row are one character in JSON.
    escaped = escape_json(json.dumps(value, ensure_ascii=False, indent=indent))
    assert not set(escaped) & set(HOSTILE.replace("\n", ""))
    assert json.loads(escaped) == value


def test_every_hostile_code_point_survives_escaped_json() -> None:
    for char in HOSTILE:
        text = f"\\{char}\\"
        assert json.loads(escape_json(json.dumps(text, ensure_ascii=False))) == text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ('"plain"', '"plain"'),
        ('"größer 漢字 🚀"', '"größer 漢字 🚀"'),
        ('"\x7f"', '"\\u007f"'),
        ('"\u202e"', '"\\u202e"'),
        ('"\ufe0f"', '"\\ufe0f"'),
        ('"\U000e0041"', '"\\udb40\\udc41"'),
        ('"\ud800"', '"\\ud800"'),
        ("[\n  1\n]", "[\n  1\n]"),
    ],
)
def test_how_json_is_escaped(text: str, escaped: str) -> None:
    assert escape_json(text) == escaped
