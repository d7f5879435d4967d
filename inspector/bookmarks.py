"""Bookmarks and notes of a tape, bound to its events by what the events are.

Pure: `inspector.userdata` keeps them; nothing of them is ever written to a tape or beside it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final

from inspector.columns import Column, unsigned
from inspector.formats.contract import Tape

VERSION: Final = 1
MOST: Final = 200
"""Bookmarks of a tape that are read: there are fewer letters, so more are not ours."""
NOTE: Final = 2_000
"""Characters of a note."""
_NAME: Final = 500


class NotesError(Exception):
    """Notes that cannot be read or kept; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """An event by what it is.

    Attributes:
        position: where it stood.
        number: the owner's number of it, or None.
        identity: the owner's id of it, or None.
        record: a hash of the bytes of its record.
    """

    position: int
    number: int | None
    identity: str | None
    record: str


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A place with a letter, and what a person noted of it."""

    letter: str
    anchor: Anchor
    note: str = ""


def anchored(tape: Tape, event: int) -> Anchor:
    """An event by what it is.

    Raises:
        SourceError: if it cannot be read.
    """
    return Anchor(event, tape.number(event), tape.message_id(event), _hash(tape, event))


def _hash(tape: Tape, event: int) -> str:
    return blake2b(tape.raw(event), digest_size=12).hexdigest()


def found(tape: Tape, anchor: Anchor) -> int | None:
    """Where an event is on a tape that is folded; None if it is there no longer.

    By the owner's number or id where it has one, else by its position and what its record says.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    at = anchor.position
    if at < tape.timeline.events and _is_at(tape, anchor, at):
        return at
    if anchor.number is not None:
        places = tape.numbered(anchor.number)
    elif anchor.identity is not None:
        places = tape.identified(anchor.identity)
    else:
        return None
    if len(places) > 1:
        places = [place for place in places if _hash(tape, place) == anchor.record]
    return places[0] if len(places) == 1 else None


def _is_at(tape: Tape, anchor: Anchor, event: int) -> bool:
    if anchor.number is not None:
        return tape.number(event) == anchor.number
    if anchor.identity is not None:
        return tape.message_id(event) == anchor.identity
    return _hash(tape, event) == anchor.record


class Bookmarks:
    """The bookmarks of one tape.

    Attributes:
        events: the positions of those that are found, sorted.
        version: another number whenever anything of this changes.
        settled: whether it is clear where each of them is.
    """

    def __init__(self) -> None:
        self._known: dict[str, Bookmark] = {}
        self._places: dict[str, int | None] = {}
        self.events: Column = unsigned()
        self.version = 0
        self.settled = True

    def replace(self, known: Mapping[str, Bookmark]) -> None:
        """Have these, of which it is not clear yet where they are."""
        self._known = dict(known)
        self.unsettle()

    def unsettle(self) -> None:
        """The tape is read anew: it is not clear any more where they are."""
        self._places = {}
        self.settled = not self._known
        self._changed()

    def settle(self, tape: Tape) -> dict[str, int | None]:
        """Where each of them is; for `place`, as it may take reading the tape.

        Raises:
            SourceError: if the tape cannot be read any more.
        """
        return {letter: found(tape, mark.anchor) for letter, mark in self._known.items()}

    def place(self, places: Mapping[str, int | None]) -> None:
        """It is clear where they are."""
        for letter in self._known:
            self._places.setdefault(letter, places.get(letter))
        self.settled = True
        self._changed()

    def _changed(self) -> None:
        places = {place for place in self._places.values() if place is not None}
        self.events = unsigned()
        self.events.extend(sorted(places))
        self.version += 1

    def __iter__(self) -> Iterator[Bookmark]:
        """All of them, in the order of their letters."""
        return iter(sorted(self._known.values(), key=lambda mark: mark.letter))

    def __len__(self) -> int:
        return len(self._known)

    def get(self, letter: str) -> Bookmark | None:
        """The bookmark with a letter."""
        return self._known.get(letter)

    def event(self, letter: str) -> int | None:
        """Where a bookmark is; None if there is none, or it is not found."""
        return self._places.get(letter)

    def set(self, letter: str, anchor: Anchor) -> None:
        """Set a bookmark; one with the same letter goes, but for its note if it was here."""
        before = self._known.get(letter)
        note = before.note if before and self.event(letter) == anchor.position else ""
        self._known[letter] = Bookmark(letter, anchor, note)
        self._places[letter] = anchor.position
        self._changed()

    def note(self, letter: str, text: str) -> None:
        """Note something of a bookmark."""
        self._known[letter] = replace(self._known[letter], note=text[:NOTE])
        self.version += 1

    def remove(self, letter: str) -> None:
        """Take a bookmark away."""
        self._known.pop(letter, None)
        self._places.pop(letter, None)
        self._changed()


# As they are kept.


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a tape: its bookmarks by letter, and the event at which it was left.

    ``left`` is None where that is not kept, and an anchor at -1 before the first event.
    """

    bookmarks: Mapping[str, Bookmark]
    left: Anchor | None = None


BEFORE: Final = Anchor(-1, None, None, "")
"""Where a tape was left before its first event."""


def document(kept: Kept, tape: Mapping[str, str | None]) -> dict[str, Any]:
    """What is kept, as JSON; ``tape`` says for people whose it is."""
    return {
        "version": VERSION,
        "tape": dict(tape),
        "left": None if kept.left is None else _of_anchor(kept.left),
        "bookmarks": [
            {"letter": mark.letter, "note": mark.note, **_of_anchor(mark.anchor)}
            for _, mark in sorted(kept.bookmarks.items())
        ],
    }


def _of_anchor(anchor: Anchor) -> dict[str, Any]:
    return {
        "position": anchor.position,
        "number": anchor.number,
        "id": anchor.identity,
        "record": anchor.record,
    }


def parsed(value: Any) -> Kept:
    """What is kept, of JSON that anybody may have written.

    Raises:
        NotesError: if it is something else; the message completes "the notes …".
    """
    if not isinstance(value, dict):
        raise NotesError("are no notes of ours")
    if value.get("version") != VERSION:
        raise NotesError("are of another version of this program")
    marks = value.get("bookmarks")
    if not isinstance(marks, list) or len(marks) > MOST:
        raise NotesError("are no notes of ours")
    bookmarks = [_bookmark(mark) for mark in marks]
    left = value.get("left")
    return Kept({mark.letter: mark for mark in bookmarks}, None if left is None else _anchor(left))


def is_letter(text: str) -> bool:
    """Whether a key names a bookmark."""
    return len(text) == 1 and text.isascii() and text.isalpha()


def _bookmark(value: Any) -> Bookmark:
    anchor = _anchor(value)
    letter, note = value.get("letter"), value.get("note")
    if not (isinstance(letter, str) and is_letter(letter) and isinstance(note, str)):
        raise NotesError("are no notes of ours")
    return Bookmark(letter, anchor, note[:NOTE])


def _anchor(value: Any) -> Anchor:
    if not isinstance(value, dict):
        raise NotesError("are no notes of ours")
    position, number = value.get("position"), value.get("number")
    identity, record = value.get("id"), value.get("record")
    if (
        type(position) is int
        and -1 <= position < 1 << 32
        and (number is None or type(number) is int)
        and (identity is None or (isinstance(identity, str) and len(identity) <= _NAME))
        and isinstance(record, str)
    ):
        return Anchor(position, number, identity, record)
    raise NotesError("are no notes of ours")
