"""Bookmarks and notes: bound to events, kept in the person's folder, never lost."""

import json
from collections.abc import Iterator
from contextlib import closing
from gzip import compress
from pathlib import Path

import pytest

from inspector.bookmarks import Anchor, Bookmark, Bookmarks, Kept, NotesError, anchored, found
from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.userdata import NotesFile, folder
from tests.folding import fold_on
from tests.ui.driving import sample


@pytest.fixture
def tape() -> Iterator[Tape]:
    tape = sample("demo")
    fold_on(tape)
    yield tape
    tape.close()


@pytest.fixture
def notes(tape: Tape, tmp_path: Path) -> NotesFile:
    return NotesFile(tmp_path / "data", tape.identity)


def kept(tape: Tape, letter: str = "a", event: int = 7, note: str = "") -> Kept:
    return Kept({letter: Bookmark(letter, anchored(tape, event), note)})


# Binding.


def test_an_event_is_found_where_it_stood(tape: Tape) -> None:
    for event in (0, 7, 433):
        assert found(tape, anchored(tape, event)) == event


def test_an_event_that_moved_is_found_by_the_number_of_its_owner(tape: Tape) -> None:
    anchor = anchored(tape, 7)
    assert found(tape, Anchor(99, anchor.number, anchor.identity, anchor.record)) == 7


def test_without_number_and_id_the_record_must_be_the_same(tape: Tape) -> None:
    record = anchored(tape, 7).record
    assert found(tape, Anchor(7, None, None, record)) == 7
    assert found(tape, Anchor(7, None, None, "other")) is None
    assert found(tape, Anchor(8, None, None, record)) is None


def test_an_event_that_is_there_no_longer_is_not_found(tape: Tape) -> None:
    assert found(tape, Anchor(7, 99_999, None, "")) is None
    assert found(tape, Anchor(99_999, None, None, "")) is None


def test_bookmarks_are_marks_once_it_is_clear_where_they_are(tape: Tape) -> None:
    marks = Bookmarks()
    lost = Bookmark("b", Anchor(7, 99_999, None, ""), "gone")
    marks.replace({**kept(tape).bookmarks, "b": lost})
    assert not marks.settled
    assert list(marks.events) == []
    marks.place(marks.settle(tape))
    assert list(marks.events) == [7]
    assert (marks.event("a"), marks.event("b")) == (7, None)
    assert [mark.letter for mark in marks] == ["a", "b"]


def test_a_bookmark_that_is_set_again_where_it_is_keeps_its_note(tape: Tape) -> None:
    marks = Bookmarks()
    marks.set("a", anchored(tape, 7))
    marks.note("a", "look")
    marks.set("a", anchored(tape, 7))
    assert [mark.note for mark in marks] == ["look"]
    marks.set("a", anchored(tape, 9))
    assert [mark.note for mark in marks] == [""]
    marks.remove("a")
    assert len(marks) == len(marks.events) == 0


# Keeping.


def test_what_is_kept_is_read_again(notes: NotesFile, tape: Tape) -> None:
    assert notes.read() is None
    what = kept(tape, note="a note\x1b[31m\u202e with ✂")
    assert notes.change(lambda _before: what) is None
    assert notes.read() == what
    assert "\x1b" not in notes.path.read_text()
    assert notes.path.stat().st_mode & 0o077 == 0
    assert [path.name for path in notes.path.parent.iterdir()] == [notes.path.name]


def test_two_tapes_have_two_files(tape: Tape, tmp_path: Path) -> None:
    other = sample("prune")
    names = {NotesFile(tmp_path, one.identity).path for one in (tape, other)}
    other.close()
    assert len(names) == 2


def test_a_tape_that_is_moved_or_packed_keeps_its_notes(
    notes: NotesFile, tape: Tape, tmp_path: Path
) -> None:
    for name, data in (
        ("moved.jsonl", tape.identity.path.read_bytes()),
        ("packed.jsonl.gz", compress(tape.identity.path.read_bytes())),
    ):
        (tmp_path / name).write_bytes(data)
        with closing(open_tape(tmp_path / name, Options())) as other:
            assert NotesFile(tmp_path / "data", other.identity).path == notes.path


def test_a_change_builds_on_what_another_visit_kept_meanwhile(notes: NotesFile, tape: Tape) -> None:
    for letter in "ab":
        mark = kept(tape, letter).bookmarks[letter]
        notes.change(lambda now, mark=mark: Kept({**now.bookmarks, mark.letter: mark}))
    now = notes.read()
    assert now is not None
    assert sorted(now.bookmarks) == ["a", "b"]


GOOD = {"letter": "a", "note": "", "position": 1, "number": None, "id": None, "record": ""}

HOSTILE = [
    (b"", "are no JSON"),
    (b"[" * 100_000, "are no JSON"),
    (b"\xff\xfe", "are no JSON"),
    (b"[]", "are no notes of ours"),
    (b'{"version": 2}', "are of another version of this program"),
    (b'{"version": 1, "bookmarks": {}}', "are no notes of ours"),
    *(
        (
            json.dumps({"version": 1, "bookmarks": [{**GOOD, **bad}]}).encode(),
            "are no notes of ours",
        )
        for bad in (
            {"letter": "ab"},
            {"letter": "\x1b"},
            {"note": 5},
            {"position": -5},
            {"position": True},
            {"position": 1 << 40},
            {"number": "1"},
            {"id": ["x"]},
            {"record": None},
        )
    ),
    (b'{"version": 1, "bookmarks": [], "left": 5}', "are no notes of ours"),
    pytest.param(b" " * (5 << 20), "are too large to be ours", id="large"),
]


@pytest.mark.parametrize(("content", "why"), HOSTILE)
def test_notes_that_cannot_be_read_are_said_and_set_aside(
    notes: NotesFile, tape: Tape, content: bytes, why: str
) -> None:
    notes.path.parent.mkdir(parents=True)
    notes.path.write_bytes(content)
    with pytest.raises(NotesError, match=why):
        notes.read()
    assert notes.path.read_bytes() == content
    said = notes.change(lambda _before: kept(tape))
    assert said is not None
    assert why in said
    (aside,) = notes.path.parent.glob("*.unreadable-1.json")
    assert aside.read_bytes() == content
    assert notes.read() == kept(tape)


def test_what_was_set_aside_is_not_written_over(notes: NotesFile, tape: Tape) -> None:
    notes.path.parent.mkdir(parents=True)
    for content in (b"first", b"second"):
        notes.path.write_bytes(content)
        notes.change(lambda _before: kept(tape))
    aside = sorted(notes.path.parent.glob("*.unreadable-*.json"))
    assert [path.read_bytes() for path in aside] == [b"first", b"second"]


def test_where_nothing_can_be_kept_that_is_said(notes: NotesFile, tape: Tape) -> None:
    notes.path.parent.parent.mkdir()
    notes.path.parent.write_text("in the way")
    with pytest.raises(NotesError, match="cannot be"):
        notes.change(lambda _before: kept(tape))
    assert notes.path.parent.read_text() == "in the way"


# Where.


@pytest.mark.parametrize(
    ("environment", "platform", "place"),
    [
        ({"XDG_DATA_HOME": "/x", "HOME": "/h"}, "linux", "/x/inspector"),
        ({"XDG_DATA_HOME": "relative", "HOME": "/h"}, "linux", "/h/.local/share/inspector"),
        ({"HOME": "/h"}, "linux", "/h/.local/share/inspector"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Application Support/inspector"),
        ({}, "linux", None),
    ],
)
def test_the_data_folder(environment: dict[str, str], platform: str, place: str | None) -> None:
    assert folder(environment, platform) == (None if place is None else Path(place))
