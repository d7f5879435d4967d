"""What becomes of each kind of line: fate, findings, and what is read again."""

from typing import Final

import pytest

from inspector.tape.records import Fate
from tests.formats.logs.conftest import Shelf
from tests.formats.logs.tiny import HEAD, adds_up, codes, note, said, text_of

BOM: Final = b"\xef\xbb\xbf"
ONE, TWO, THREE = note("one"), note("two"), note("three")


def test_lines_are_events_in_their_order(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(HEAD, ONE, TWO, THREE))
    assert said(tape) == ["one", "two", "three"]
    assert [tape.physical(record).fate for record in range(4)] == [Fate.BOOKKEEPING, *[None] * 3]
    assert codes(tape) == []
    assert tape.timeline.count(3) == 3
    adds_up(tape)


def test_a_time_is_that_of_the_record_or_none(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(note("one", at=7), TWO))
    assert [tape.timeline.table.time(event) for event in range(2)] == [7, None]


@pytest.mark.parametrize("blank", [b"", b"  ", b"\r", b"\t \r"])
def test_a_line_of_white_space_is_blank_and_no_loss(blank: bytes, shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, blank, TWO))
    assert tape.physical(1).fate is Fate.BLANK
    assert (tape.lines.blanks, tape.lines.refused) == ([1], [])
    assert (codes(tape), said(tape)) == ([], ["one", "two"])
    assert tape.timeline.reliable_to == 2
    adds_up(tape)


def test_padding_alone_is_blank_and_told(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, b"\0\0\0", TWO))
    assert tape.physical(1).fate is Fate.BLANK
    assert (tape.lines.blanks, tape.lines.refused) == ([1], [])
    assert codes(tape) == [("nul-padding", 1)]
    assert tape.timeline.reliable_to == 2
    adds_up(tape)


@pytest.mark.parametrize(
    ("line", "code", "texts"),
    [
        (BOM + TWO, "bom", ["two"]),
        (b"\0\0" + TWO, "nul-padding", ["two"]),
        (TWO + THREE, "glued", ["two", "three"]),
        (b'{"say":"a\x01b"}', "raw-control", ["a\x01b"]),
    ],
)
def test_a_line_that_can_be_mended_carries_what_it_holds(
    line: bytes, code: str, texts: list[str], shelf: Shelf
) -> None:
    tape = shelf.folded(text_of(ONE, line, note("last")))
    assert codes(tape) == [(code, 1)]
    assert said(tape) == ["one", *texts, "last"]
    assert tape.lines.found == texts
    assert [record for record, _ in tape.lines.refused] == [1]
    assert tape.physical(1).recovered
    assert tape.timeline.reliable_to == tape.timeline.events
    adds_up(tape)


@pytest.mark.parametrize(
    ("line", "code"),
    [(b'{"say":"tw' + TWO, "torn-prefix"), (b"xx" + TWO, "garbage"), (TWO + b'{"sa', "torn-rest")],
)
def test_what_is_lost_of_a_mended_line_is_told_by_its_bytes(
    line: bytes, code: str, shelf: Shelf
) -> None:
    tape = shelf.folded(text_of(ONE, line, THREE))
    assert said(tape) == ["one", "two", "three"]
    assert [found for found, _ in codes(tape)] == [code, "lost-bytes"]
    start = line.index(TWO)
    lost = (0, start) if start else (len(TWO), len(line))
    (message,) = [found.message for found in tape.findings() if found.kind.code == "lost-bytes"]
    assert message == f"bytes {lost[0]} to {lost[1]} of the record are no event and are not read"
    assert tape.timeline.reliable_to == 1
    adds_up(tape)


@pytest.mark.parametrize("line", [b"garbage", b"{", b'{"say":"two"', b'{"other":1}{"other":2}'])
def test_a_line_of_which_nothing_can_be_read_is_damaged(line: bytes, shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, line, THREE))
    assert tape.physical(1).fate is Fate.DAMAGED
    assert codes(tape) == [("not-json", 1)]
    assert said(tape) == ["one", "three"]
    ((record, problem),) = tape.lines.refused
    assert (record, problem.startswith("not JSON: ")) == (1, True)
    assert tape.timeline.reliable_to == 1
    adds_up(tape)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (b"null", "null"),
        (b"true", "a truth value"),
        (b"7", "a number"),
        (b"7.5", "a number"),
        (b'"two"', "a string"),
        (b"[1]", "an array"),
        (b'["\\ud800"]', "an array"),
    ],
)
def test_json_that_is_no_object_is_damaged_and_named(line: bytes, word: str, shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, line, THREE))
    assert tape.physical(1).fate is Fate.DAMAGED
    assert codes(tape) == [("not-an-event", 1)]
    assert tape.lines.refused == [(1, f"JSON, but {word} and not an event")]
    assert said(tape) == ["one", "three"]
    adds_up(tape)


def test_bytes_that_are_no_utf8_are_replaced_and_kept(shelf: Shelf) -> None:
    line = b'{"say":"t\xffo"}'
    tape = shelf.folded(text_of(ONE, line, THREE))
    assert codes(tape) == [("repaired-text", 1)]
    assert said(tape) == ["one", "t�o", "three"]
    assert tape.raw_record(1) == line
    assert tape.physical(1).recovered
    assert tape.lines.found == ["t�o"]
    assert tape.lines.refused == [(1, "byte 9 of the line is not UTF-8; replaced")]
    assert tape.timeline.reliable_to == 3
    adds_up(tape)


@pytest.mark.parametrize(
    "line",
    [b'{"say":"\\ud800"}', b'{"say":"deep","x":' + b"[" * 2_000 + b"]" * 2_000 + b"}"],
    ids=["surrogate", "deep"],
)
def test_json_that_only_a_strict_reader_refuses_is_taken_as_it_is(
    line: bytes, shelf: Shelf
) -> None:
    tape = shelf.folded(text_of(ONE, line, THREE))
    assert (codes(tape), tape.lines.refused, tape.lines.found) == ([], [], [])
    assert tape.timeline.events == 3
    assert not tape.physical(1).recovered
    adds_up(tape)


def test_an_object_that_is_no_event_is_the_formats_to_tell(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, b'{"other":1}', THREE))
    assert codes(tape) == [("not-an-event", 1)]
    assert tape.physical(1).fate is Fate.DAMAGED
    adds_up(tape)


def test_of_several_records_on_a_line_each_may_be_damaged(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, b'{"say":1}{"say":2}', THREE))
    assert codes(tape) == [("glued", 1), ("not-an-event", 1), ("not-an-event", 1)]
    assert tape.sums().damaged == 1
    adds_up(tape)


@pytest.mark.parametrize("parts", [(b'{"say":1}', TWO), (TWO, b'{"say":1}'), (HEAD, TWO)])
def test_a_line_with_an_event_carries_it_whatever_else_is_on_it(
    parts: tuple[bytes, bytes], shelf: Shelf
) -> None:
    tape = shelf.folded(text_of(ONE, b"".join(parts), THREE))
    assert tape.physical(1).fate is None
    assert said(tape) == ["one", "two", "three"]
    adds_up(tape)


@pytest.mark.parametrize(
    "line", [BOM + TWO, TWO + THREE, b"garbage", b"null", b'{"say":"t\xffo","say":1}']
)
def test_a_mended_line_has_no_other_oddities(line: bytes, shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, line))
    assert tape.oddities(1) == []


def test_what_a_reader_loses_in_silence_is_noted(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(b'{"say":"one","say":"two"}', ONE))
    assert [found.code for found in tape.oddities(0)] == ["duplicate-key"]
    assert tape.oddities(1) == []
