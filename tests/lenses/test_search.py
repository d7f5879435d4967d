"""A text is found wherever it stands and however it is written, and nothing else is."""

import json
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector.lenses.search import RAW, Hit, PatternError, asked, pattern, search, texts
from tests.dsh_tapes import Log, folded
from tests.lenses.tapes import TAPES, opened


def _found(tape: Any, text: str, **how: bool) -> list[tuple[int | None, str, str]]:
    return [(hit.event, hit.where, hit.match) for hit in search(tape, pattern(text, **how))]


def test_a_literal_is_found_behind_the_escapes_of_json(tmp_path: Path) -> None:
    log = Log()
    log.user('he said "stop"\nand went')
    log.user("nothing")
    tape = folded(log, tmp_path)
    assert {event for event, _, _ in _found(tape, 'said "stop"\nand')} == {0}
    assert _found(tape, "absent") == []


def test_regular_expressions_and_case(tmp_path: Path) -> None:
    log = Log()
    log.user("Errno 104 in Straße")
    tape = folded(log, tmp_path)
    assert [match for _, _, match in _found(tape, r"errno \d+", regex=True)] == []
    found = _found(tape, r"errno \d+", regex=True, ignore_case=True)
    assert {match for _, _, match in found} == {"Errno 104"}
    assert {match for _, _, match in _found(tape, "STRAßE", ignore_case=True)} == {"Straße"}
    assert _found(tape, "errno") == []


def test_what_only_the_record_says_is_a_hit_of_the_record(tmp_path: Path) -> None:
    log = Log()
    log.user("hello")
    tape = folded(log, tmp_path)
    raw = list(search(tape, pattern('"type":"session"')))
    assert [(hit.event, hit.where) for hit in raw] == [(None, RAW)]


def test_a_hit_shows_what_stands_around_it(tmp_path: Path) -> None:
    log = Log()
    log.user("a" * 100 + "HIT" + "b" * 100)
    hit = next(search(folded(log, tmp_path), pattern("HIT")))
    assert (hit.before, hit.match, hit.after) == ("a" * 60, "HIT", "b" * 60)


@pytest.mark.parametrize("text", ["", "(", "a{99999999999}"])
def test_a_pattern_that_cannot_be_looked_for(text: str) -> None:
    with pytest.raises(PatternError):
        pattern(text, regex=True)


def test_json_within_texts_is_opened() -> None:
    inner = json.dumps({"cmd": ["ls", "-la"]})
    found = dict(texts({"arguments": inner, "n": 3, "on": True, "no": None}))
    assert found == {
        "arguments.cmd.0": "ls",
        "arguments.cmd.1": "-la",
        "arguments": inner,
        "n": "3",
    }


def test_the_syntax_of_json_within_a_text_is_found_once_and_what_it_says_too() -> None:
    with opened("demo.jsonl") as tape:
        syntax = list(search(tape, pattern('{"path": "tests/auth')))
        said = list(search(tape, pattern("tests/auth/test_login.py")))
    assert {hit.where.rpartition(".")[2] for hit in syntax} == {"arguments"}
    places = [(hit.event, hit.where) for hit in said]
    assert not [
        (event, where)
        for event, where in places
        if any(event == other and inner.startswith(f"{where}.") for other, inner in places)
    ]


def test_an_expression_without_end_is_stopped_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector.lenses.search._SECONDS", 0.01)
    log = Log()
    log.user("x" * 5_000)
    with pytest.raises(PatternError, match="takes too long: no end after"):
        _found(folded(log, tmp_path), "(x+x+)+y", regex=True)


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_what_an_event_says_is_found_in_every_format(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        looked = 0
        for event in range(tape.timeline.events):
            # What a packed record abbreviates, its types and times, no bytes spell out.
            said = [
                text
                for where, text in texts(tape.payload(event))
                if len(text) > 12 and not text.isdecimal() and not where.endswith("type")
            ]
            if not said or event % 5:
                continue
            looked += 1
            hits = [hit.event for hit in search(tape, pattern(said[-1][:40]))]
            assert event in hits
        assert looked


# What a person asks for.


@pytest.mark.parametrize(
    ("asked_for", "text", "found"),
    [
        ("flaky", "Flaky", True),
        ("Flaky", "flaky", False),
        ("Flaky", "a Flaky one", True),
        ("/fl.ky/", "flaky", True),
        ("/fl.ky/", "FLAKY", False),
        ("/fl.ky/i", "FLAKY", True),
        ("/", "a/b", True),
        ("a/b", "A/B", True),
        ("ü", "Ü", True),
        ("a.c", "abc", False),
    ],
)
def test_case_and_slashes_say_how_it_is_looked_for(asked_for: str, text: str, found: bool) -> None:
    assert (next(asked(asked_for).find(text), None) is not None) is found


@pytest.mark.parametrize("text", ["SAID", "said", "K", "\u212a", "ſ", 'Q"', "Ünited", "ünited"])
def test_in_any_case_the_bytes_hide_nothing(text: str, tmp_path: Path) -> None:
    log = Log()
    for said in ("SaId", "k \u212a", "ſs", 'q"', "üNITED"):
        log.user(said)
    with closing(folded(log, tmp_path)) as tape:
        wanted = pattern(text, ignore_case=True)
        by_bytes = [(hit.event, hit.where) for hit in search(tape, wanted)]
        slowly = replace(wanted, literal=None)
        assert by_bytes == [(hit.event, hit.where) for hit in search(tape, slowly)]


def test_some_records_are_looked_through_and_no_others(tmp_path: Path) -> None:
    log = Log()
    for at in range(20):
        log.user(f"needle {at}")
    with closing(folded(log, tmp_path)) as tape:
        for start, stop in ((0, 21), (3, 7), (20, 21), (20, 99), (7, 7)):
            among = range(start, stop)
            for wanted in (pattern("needle"), pattern("NEEDLE", ignore_case=True)):
                found = {hit.record for hit in search(tape, wanted, among)}
                assert sorted(found) == [at for at in range(1, 21) if at in among]


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_windows_and_bytes_find_what_reading_every_record_finds(
    name: str, session: str | None
) -> None:
    with opened(name, session) as tape:
        records = tape.records()
        for text in ("Te", "tHe", "e"):
            for wanted in (pattern(text), pattern(text, ignore_case=True)):
                slowly = _said(search(tape, replace(wanted, literal=None)))
                windows = [
                    hit
                    for start in range(0, records, 7)
                    for hit in search(tape, wanted, range(start, min(start + 7, records)))
                ]
                assert _said(windows) == _said(search(tape, wanted)) == slowly


def _said(hits: Iterable[Hit]) -> list[Hit]:
    """The hits in what events say: the record of a row names its columns, which nobody wrote."""
    said = (hit for hit in hits if hit.where != RAW)
    return sorted(said, key=lambda hit: (hit.record, hit.event or 0, hit.where))
