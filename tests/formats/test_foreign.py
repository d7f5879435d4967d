"""What is no tape is recognised as what it is."""

import random

import pytest

from inspector.formats.contract import Certainty, Recognition
from inspector.formats.foreign import database_described, described, opinions_said

EXPORTED = "a conversation that a program exported"
PRINTED = b'{\n  "kind": "chat",\n  "messages": [\n    {"id": 1}\n  ]\n}\n'


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (b"hello\nworld\n", "text that is not JSON (line 1: hello)"),
        (b"name,age\nAnn,3\nBo,4\n", "a table of values between commas"),
        (b"name\tage\nAnn\t3\n", "a table of values between tabs"),
        (b"one, line\n", "text that is not JSON (line 1: one, line)"),
        (b"\n \n\x1b[2Jbell\x07\n", "text that is not JSON (line 3: ␛[2Jbell␇)"),
        (
            b'12:00 started\n12:01 got \n {\n  "type": "summary"\n}\n12:02 done\n',
            "text that is not JSON, with pretty-printed JSON in it (line 1: 12:00 started)",
        ),
        (b"<?xml version='1.0'?><a/>", "XML"),
        (b"<!doctype html><HTML><p>", "a web page"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"\x7fELF\x02\x01\0\0", "a program"),
        (b"ab\0cd", "binary data"),
        (b"[1]\n[2]\n", "lines of JSON that are no objects"),
        (b"[1]\n", "one JSON document, not a record a line"),
        (b'{"a":1,"b":2}\n', "one JSON document, not a record a line (keys a, b)"),
        (b'{"a":1}\n{"a":2}\n', "lines of JSON of an unknown kind (keys a)"),
        (b'{"type":"x"}\n{"type":"y"}\n', "lines of JSON of an unknown kind (types x, y)"),
        (b'{"type":"session","v":3}\n', "one line of JSON of an unknown kind (types session)"),
        (b'{"type":"text","session_id":"s"}\n', "one line of JSON of an unknown kind (types text)"),
        (
            b'{"type":"init","session_id":"s"}\n{"type":"text","session_id":"s"}\n',
            "what a program printed while it ran (types init, text), not the log that it kept",
        ),
        (
            PRINTED,
            f"pretty-printed JSON, not a record a line: {EXPORTED} (keys kind, messages)",
        ),
        (b'[\n {"a": 1},\n {"a": 2}\n]', "pretty-printed JSON, not a record a line (keys a)"),
        (PRINTED[:40], "pretty-printed JSON, not a record a line"),
        (
            b'[{"chat_messages":[]}]',
            f"one JSON document, not a record a line: {EXPORTED} (keys chat_messages)",
        ),
        (b"{", "text that is not JSON (line 1: {)"),
    ],
)
def test_a_text_in_words(head: bytes, words: str) -> None:
    assert described(head) == words


def test_bytes_without_any_pattern_may_be_encrypted() -> None:
    noise = random.Random(1).randbytes(65_536)  # noqa: S311 - it guards nothing
    assert described(noise).startswith("bytes without any pattern: encrypted")


def test_no_more_keys_are_named_than_one_reads_and_they_are_cleaned() -> None:
    head = b'{"a\\u001b[2J":1,"b":1,"c":1,"d":1,"e":1,"f":1}\n'
    assert described(head) == ("one JSON document, not a record a line (keys a␛[2J, b, c, d, e, …)")


def test_of_opinions_those_are_told_that_are_one_formats_own_and_at_most_three() -> None:
    def no(name: str, why: str) -> tuple[str, Recognition]:
        return name, Recognition(Certainty.NO, why)

    said = opinions_said(
        [
            no("one", "no JSON"),
            no("two", "a capture\x07"),
            no("three", "no JSON"),
            no("four", ""),
            no("five", "an export"),
            no("six", "usage only"),
            no("seven", "too new"),
        ]
    )
    assert said == " (two: a capture␇; five: an export; six: usage only)"
    assert opinions_said([no("one", "x"), no("two", "x")]) == ""


def test_what_a_format_says_of_anything_is_not_told() -> None:
    usual = ("one", Recognition(Certainty.NO, "no header"))
    other = ("one", Recognition(Certainty.NO, "the header of another agent"))
    assert opinions_said([usual], [usual]) == ""
    assert opinions_said([other], [usual]) == " (one: the header of another agent)"


def test_a_database_is_told_by_its_tables() -> None:
    assert database_described([], []) == "SQLite without tables"
    tables = [f"t{at}" for at in range(10)]
    assert database_described(tables, []) == (
        "SQLite, but no known session tables (found: t0, t1, t2, t3, t4, t5, t6, t7)"
    )
