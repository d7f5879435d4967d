"""Where lines stand, what is pending behind the last newline, and what the file becomes."""

from pathlib import Path

import pytest

from inspector.formats.contract import Place
from inspector.formats.logs.container import container_of
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.text_log import TextLog
from inspector.tape import lines as splitting
from inspector.tape.records import Fate, RecordTable
from inspector.tape.source import FileSource, SourceError
from inspector.tape.watch import Change
from inspector.timeline.builder import Builder
from inspector.timeline.timeline import Timeline
from tests.formats.logs.conftest import Shelf
from tests.formats.logs.tiny import Lines, adds_up, codes, fold_on, note, said, text_of
from tests.guarding import changing

ONE, TWO, THREE = note("one"), note("two"), note("three")


def test_a_line_is_placed_by_number_and_byte(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, b"", TWO))
    behind = len(ONE) + 2
    assert [tape.place(record) for record in range(3)] == [
        Place(1, 0, None),
        Place(2, len(ONE) + 1, None),
        Place(3, behind, None),
    ]
    assert [tape.physical(record).length for record in range(3)] == [len(ONE), 0, len(TWO)]
    assert [tape.raw_record(record) for record in range(3)] == [ONE, b"", TWO]
    assert (tape.log.path, tape.log.variant) == (shelf.folder / "notes.jsonl", "jsonl")
    assert (tape.log.how, tape.log.frames, tape.physical(0).frame) == (None, None, None)


def test_where_the_next_line_would_stand_is_known(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE))
    assert tape.place(1) == Place(2, len(ONE) + 1, None)


# Behind the last newline.


@pytest.mark.parametrize("tail", [TWO, TWO[:5], b"garbage", b" ", b"\xff"])
def test_what_no_newline_ends_is_pending_and_not_folded(tail: bytes, shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE) + tail)
    assert said(tape) == ["one"]
    assert (tape.records(), tape.sums().pending) == (2, 1)
    physical = tape.physical(1)
    assert (physical.fate, physical.length) == (Fate.PENDING, len(tail))
    assert tape.raw_record(1) == tail
    assert codes(tape) == [("torn-tail", 1)]
    assert (tape.log.torn, tape.errors()) == ("line", 0)
    assert tape.place(1) == Place(2, len(ONE) + 1, None)
    adds_up(tape)


def test_a_tail_is_told_only_where_the_fold_has_come_to_its_end(shelf: Shelf) -> None:
    tape = shelf.opened(text_of(ONE) + TWO)
    assert tape.advance()
    assert (codes(tape), tape.records()) == ([], 1)
    assert not tape.advance()
    assert codes(tape) == [("torn-tail", 1)]


def test_a_tail_that_is_ended_later_is_a_line(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE) + TWO[:5])
    assert tape.changed() is Change.NONE
    shelf.append(tape.log.path, TWO[5:] + b"\n")
    assert tape.changed() is Change.GROWN
    fold_on(tape)
    assert (said(tape), codes(tape), tape.log.torn) == (["one", "two"], [], None)
    assert tape.changed() is Change.NONE
    adds_up(tape)


# A tail that the owner takes for a line.


def test_a_whole_tail_may_be_a_record_already(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE) + TWO, whole_tail=True)
    assert said(tape) == ["one", "two"]
    assert (tape.log.torn, tape.sums().pending, codes(tape)) == (None, 0, [])
    assert tape.raw_record(1) == TWO
    adds_up(tape)


def test_the_newline_that_comes_later_ends_it(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE) + TWO, whole_tail=True)
    shelf.append(tape.log.path, b"\n" + text_of(THREE))
    assert tape.changed() is Change.GROWN
    fold_on(tape)
    assert said(tape) == ["one", "two", "three"]
    assert [tape.raw_record(record) for record in range(3)] == [ONE, TWO, THREE]
    assert tape.changed() is Change.NONE
    adds_up(tape)


def test_a_tail_that_was_written_on_is_another_file(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE) + TWO, whole_tail=True)
    shelf.append(tape.log.path, b" \n" + text_of(THREE))
    fold_on(tape)
    assert said(tape) == ["one", "two"]
    assert tape.changed() is Change.REPLACED


def test_a_tail_that_is_no_record_yet_is_pending(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE) + TWO[:-1], whole_tail=True)
    assert (said(tape), tape.sums().pending) == (["one"], 1)


def test_a_taken_tail_is_found_by_its_id(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(note("one", id="a")) + note("two", id="b"), whole_tail=True)
    assert tape.identified("b") == [1]
    assert tape.identified("a") == [0]


# In batches.


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 1_000])
def test_chunks_of_any_size_give_the_same_lines(
    chunk: int, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(splitting, "CHUNK", chunk)
    tape = shelf.folded(text_of(ONE, b"", TWO) + THREE)
    assert said(tape) == ["one", "two"]
    assert [tape.raw_record(record) for record in range(4)] == [ONE, b"", TWO, THREE]
    adds_up(tape)


def test_the_progress_is_the_part_that_was_given_out(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(splitting, "CHUNK", len(ONE) + 1)
    tape = shelf.opened(text_of(ONE, TWO))
    assert (tape.progress, tape.complete) == (0.0, False)
    assert tape.advance()
    assert tape.progress == 0.5
    fold_on(tape)
    assert (tape.progress, tape.complete) == (1.0, True)


# Before there is a decoder.


def waiting(path: Path) -> tuple[TextLog, Lines]:
    """A log whose decoder comes later."""
    source, records = FileSource(path), RecordTable()
    decoder = Lines(Folding(Builder(Timeline()), records))
    return TextLog(source, container_of(source), records), decoder


def test_a_first_line_can_be_seen_and_given_out_all_the_same(shelf: Shelf) -> None:
    log, decoder = waiting(shelf.write(text_of(ONE, TWO)))
    assert (log.first_line(), log.first_line()) == (ONE, ONE)
    assert not log.feed()
    assert (log.progress, log.place(0), log.values(0)) == (0.0, Place(1, 0, None), ([], 0))
    log.start(decoder)
    assert log.feed()
    assert decoder.folding.position == 2
    assert [log.raw(record) for record in range(2)] == [ONE, TWO]
    log.close()


def test_a_first_line_can_be_passed(shelf: Shelf) -> None:
    log, decoder = waiting(shelf.write(text_of(ONE, TWO)))
    assert log.first_line() == ONE
    log.pass_first()
    log.start(decoder)
    assert log.feed()
    assert (decoder.folding.position, len(log.records)) == (1, 2)
    assert decoder.folding.record_of(0) == 1
    assert [log.raw(record) for record in range(2)] == [ONE, TWO]
    log.close()


def test_a_first_line_is_waited_for(shelf: Shelf) -> None:
    path = shelf.write(ONE)
    log, _ = waiting(path)
    assert log.first_line() is None
    assert log.raw(0) == ONE
    shelf.append(path, b"\n")
    assert log.first_line() == ONE
    log.close()


# What the file becomes.


def test_a_file_that_was_cut_is_another_one(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, TWO))
    with changing():
        tape.log.path.write_bytes(text_of(ONE))
    assert tape.changed() is Change.REPLACED
    with pytest.raises(SourceError, match="became shorter"):
        tape.advance()


def test_a_file_that_was_cut_while_it_was_read_is_another_one(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(splitting, "CHUNK", len(ONE) + 1)
    tape = shelf.opened(text_of(ONE, TWO))
    assert tape.advance()
    assert tape.changed() is Change.NONE
    with changing():
        tape.log.path.write_bytes(b"\n")
    with pytest.raises(SourceError, match="became shorter"):
        tape.advance()
    assert tape.changed() is Change.REPLACED


def test_a_file_that_was_deleted_is_gone_and_can_be_read_still(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(ONE, TWO))
    with changing():
        tape.log.path.unlink()
    assert tape.changed() is Change.GONE
    assert said(tape) == ["one", "two"]


def test_lines_are_found_by_a_text_as_json_writes_it(shelf: Shelf) -> None:
    tape = shelf.folded(text_of(note("one", id='a"b'), note("two", id="ü"), note('a"b')))
    assert tape.identified('a"b') == [0]
    assert tape.identified("ü") == [1]
    assert tape.identified("nobody") == []
    assert list(tape.log.mentions('a"b')) == [0, 2]
