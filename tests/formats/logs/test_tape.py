"""What every tape over a log answers: progress, verdict, findings, single events read again."""

from typing import Any

import pytest

from inspector.formats.contract import RequestEntry
from inspector.formats.logs import tape as reading
from inspector.formats.logs.tape import LogTape
from inspector.timeline.registers import IN_PAYLOAD, Setting
from inspector.timeline.spans import Span
from inspector.timeline.words import Outcome, SpanKind
from tests.formats.logs.conftest import Shelf
from tests.formats.logs.tiny import TextTape, codes, fold_on, note, said, text_of
from tests.guarding import changing

ONE, TWO, THREE = note("one"), note("two"), note("three")


def counted(tape: TextTape, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The records that are read again from here on, in that order."""
    read: list[int] = []
    values = tape.log.values

    def counting(record: int) -> tuple[list[Any], int]:
        read.append(record)
        return values(record)

    monkeypatch.setattr(tape.log, "values", counting)
    return read


# Single events, read again.


def test_an_event_is_read_again_when_somebody_looks(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, TWO + THREE))
    assert [tape.payload(event) for event in range(3)] == [
        {"say": "one"},
        {"say": "two"},
        {"say": "three"},
    ]
    assert [tape.raw(event) for event in range(3)] == [ONE, TWO + THREE, TWO + THREE]
    assert [section.text for section in tape.sections(2)] == ["three"]


def test_a_record_that_was_looked_at_is_kept(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    tape = shelf.folded(text_of(ONE, TWO + THREE))
    read = counted(tape, monkeypatch)
    for _ in range(2):
        assert said(tape) == ["one", "two", "three"]
    assert read == [0, 1]


def test_only_so_many_are_kept(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_CACHED", 2)
    tape = shelf.folded(text_of(ONE, TWO, THREE))
    read = counted(tape, monkeypatch)
    assert said(tape) == ["one", "two", "three"]
    assert tape.headline(2).text == "three"
    assert tape.headline(0).text == "one"
    assert read == [0, 1, 2, 0]


def test_a_large_one_is_kept_until_the_next_large_one(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_CACHED_BYTES", len(ONE))
    tape = shelf.folded(text_of(ONE, note("longer"), note("longest")))
    read = counted(tape, monkeypatch)
    for event in (1, 1, 0, 1, 2, 1, 0):
        tape.payload(event)
    assert read == [1, 0, 2, 1]


def test_an_event_whose_bytes_were_changed_since_says_so(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, TWO))
    with changing():
        tape.log.path.write_bytes(text_of(ONE, b"x" * len(TWO)))
    assert tape.payload(1) == {}
    headline = tape.headline(1)
    assert (headline.kind, headline.error) == ("unreadable", True)
    assert headline.text == "the file was changed since it was read; open it again"
    (section,) = tape.sections(1)
    assert (section.heading, section.text, section.tone) == ("unreadable", headline.text, "error")
    assert tape.message_id(1) is None
    assert said(tape)[0] == "one"


def test_a_line_that_holds_less_than_it_did_says_so(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, TWO + THREE))
    changed = note("t" * (len(TWO + THREE) - len(note(""))))
    with changing():
        tape.log.path.write_bytes(text_of(ONE, changed))
    assert tape.payload(1) == {"say": "t" * (len(TWO + THREE) - len(note("")))}
    assert tape.payload(2) == {}


def test_ids_are_found_among_the_events_of_a_line(shelf: Shelf) -> None:
    a, b = note("one", id="a"), note("two", id="b")
    tape = shelf.folded(text_of(a + b, note("a"), b'{"head":"a"}', b))
    assert (tape.identified("a"), tape.identified("b")) == ([0], [1, 3])
    assert [tape.message_id(event) for event in range(4)] == ["a", "b", None, "b"]


# The whole tape.


def test_the_verdict_is_asked_for_once_a_batch(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE))
    for _ in range(3):
        assert tape.verdict().opens is True
    assert tape.judged == 1
    shelf.append(tape.log.path, text_of(TWO))
    tape.advance()
    tape.verdict()
    assert tape.judged == 2


def test_errors_are_counted_with_those_that_stand_for_now(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    tape = shelf.opened(text_of(ONE, b"garbage") + b"{")
    assert tape.errors() == 0
    fold_on(tape)
    assert tape.errors() == 1
    assert codes(tape) == [("not-json", 1), ("torn-tail", 2)]
    now = [found for found in tape.findings() if found.kind.code == "not-json"]
    monkeypatch.setattr(tape, "found_now", lambda: iter(now))
    assert tape.errors() == 1
    tape.advance()
    assert tape.errors() == 2
    assert codes(tape)[2:] == [("not-json", 1)]


def test_what_no_format_says_otherwise_is_nothing(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE))
    assert (tape.number(0), tape.numbered(0), tape.group(0)) == (None, [], None)
    assert (tape.preamble(1), tape.coverage(1)) == ([], None)
    assert LogTape.id_of(tape, {"id": "a"}) is None


def test_a_register_is_read_from_its_event_where_it_is_kept_there(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE))
    assert tape.value("title", Setting("short", 1, 0)) == "short"
    assert tape.value("todo", Setting(IN_PAYLOAD, 1, 0)) == {"say": "one"}


def test_a_span_is_named_by_its_number_or_by_the_format(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    tape = shelf.folded(text_of(ONE))
    numbered = Span(SpanKind.TURN, 7, 1, None, Outcome.RUNNING)
    assert tape.span_id(numbered) == "7"
    named = numbered._replace(number=None)
    assert tape.span_id(named) is None
    monkeypatch.setattr(tape, "span_name", lambda _span: "t1")
    assert (tape.span_id(named), tape.span_id(numbered)) == ("t1", "7")


def test_the_request_is_the_surface_without_what_has_no_content(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, note(""), TWO))
    assert tape.request(1) == [RequestEntry(0, None, "message", "user")]
    assert tape.request(3) == [
        RequestEntry(0, None, "message", "user"),
        RequestEntry(1, "dropped", "message", "user", why="it has no content"),
        RequestEntry(2, None, "message", "user"),
    ]
