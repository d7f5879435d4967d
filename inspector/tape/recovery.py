"""What can still be read of one damaged line, and what of it is lost.

A record may begin where the line begins or where a whole record ended. Anywhere else it begins
behind garbage or behind a record that was torn, and then an object inside a torn record must not be
taken for one: in JSON such an object is followed by a comma or a closing bracket, so what is
followed by these is left alone, and what is certainly inside another object counts only if nothing
but whole records stand between it and the end of the line.
"""

import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, Final, NamedTuple

import orjson

from inspector.tape import lenient
from inspector.tape.extents import Extents
from inspector.tape.notes import Note, Notes
from inspector.text.labels import plural

BOM: Final = "bom"
NUL_PADDING: Final = "nul-padding"
GLUED: Final = "glued"
TORN_PREFIX: Final = "torn-prefix"
TORN_REST: Final = "torn-rest"
GARBAGE: Final = "garbage"
GAVE_UP: Final = "gave-up"


class Piece(NamedTuple):
    """The bytes of the line that hold one whole JSON object, and its value."""

    start: int
    stop: int
    value: Any


class Recovery(NamedTuple):
    """What became of a line.

    Attributes:
        pieces: the whole records, in order; empty if nothing could be recovered.
        notes: what was found, by its byte in the line.
        lost: ranges of bytes that hold something which no piece covers, in order. White space, NUL
            padding, byte order marks and one comma between two records are no loss.
    """

    pieces: tuple[Piece, ...]
    notes: tuple[Note, ...]
    lost: tuple[tuple[int, int], ...]


def recover(line: bytes, is_record: Callable[[Any], bool]) -> Recovery:
    """The whole records in a line that no JSON reader takes.

    Args:
        line: its bytes, without the newline.
        is_record: whether a JSON object looks like a record of the format. The more it asks for,
            the less a piece of a torn record is taken for one.
    """
    return _Recoverer(line, is_record).recovery()


class _Fate(Enum):
    """What the bytes behind an object, and the records that follow it, say about it."""

    TO_THE_END = "whole records up to the end of the line"
    APART = "followed by what cannot follow a value inside another"
    NESTED = "followed by what may follow a value inside another"
    NO_RECORD = "no record"


_ACCEPTED: Final = (_Fate.TO_THE_END, _Fate.APART)


class _Recoverer:
    """One line while it is looked through, from left to right."""

    def __init__(self, line: bytes, is_record: Callable[[Any], bool]) -> None:
        self._line = line
        self._is_record = is_record
        self._extents = Extents(line)
        self._records: dict[int, _Record | None] = {}
        self._fates: dict[int, _Fate] = {}
        self._pieces: list[Piece] = []
        self._notes = Notes()
        self._lost: list[tuple[int, int]] = []

    def recovery(self) -> Recovery:
        """What became of the line."""
        place = self._utf_16()
        while (start := self._pass_padding(place)) < len(self._line):
            place = self._whole(start) or self._broken(start)
        if len(self._pieces) > 1:
            message = f"{len(self._pieces):,} whole records on one line"
            self._notes.add(GLUED, self._pieces[1].start, message)
        if self._extents.broke_off is not None:
            message = f"{self._extents.tokens:,} JSON tokens were looked at, and no further"
            self._notes.add(GAVE_UP, self._extents.broke_off, message)
        return Recovery(tuple(self._pieces), tuple(self._notes.in_order()), tuple(self._lost))

    # What stands between records.

    def _utf_16(self) -> int:
        if not self._line.startswith(_UTF_16_MARKS):
            return 0
        self._notes.add(BOM, 0, "UTF-16, not read")
        self._lost.append((0, 2))
        return 2

    def _pass_padding(self, place: int) -> int:
        """The first byte from ``place`` that is no padding; what is worth a note gets one."""
        start = _skip_padding(self._line, place)
        nuls = self._line.count(b"\0", place, start)
        if nuls:
            first = self._line.index(b"\0", place)
            self._notes.add(NUL_PADDING, first, f"{_bytes(nuls)} of NUL padding")
        while (place := self._line.find(_MARK, place, start)) >= 0:
            self._notes.add(BOM, place, "byte order mark")
            place += len(_MARK)
        return start

    def _pass_comma(self, place: int) -> int:
        """The byte behind the comma that glues a record to the one that ended at ``place``."""
        comma = _skip_padding(self._line, place)
        if self._line[comma : comma + 1] == b",":
            following = _skip_padding(self._line, comma + 1)
            if self._stop(following) is not None and self._record(following):
                self._pass_padding(place)
                return comma + 1
        return place

    # From where a record may begin to where the next may.

    def _whole(self, start: int) -> int | None:
        """Take the whole object that begins here, or tell that it is no record.

        Returns:
            The byte behind it, or None if no whole object begins here.
        """
        stop = self._stop(start)
        if stop is None:
            return None
        record = self._record(start)
        if record is None:
            message = f"{_bytes(stop - start)} of a JSON object that is no record"
            self._lose(start, stop, GARBAGE, message)
            return stop
        self._pieces.append(Piece(start, stop, record.value))
        if not record.strict:
            for code, at, message in lenient.broken_rules(self._line[start:stop]):
                self._notes.add(code, start + at, message)
        return self._pass_comma(stop)

    def _broken(self, start: int) -> int:
        """Tell what is lost from here up to the next record, or to the end."""
        following = next(filter(self._stands_alone, self._openings(start + 1)), None)
        behind = len(self._line) if following is None else following
        stop = _without_padding(self._line, start, behind)
        size = _bytes(stop - start)
        if not _TORN.match(self._line, start):
            self._lose(start, stop, GARBAGE, f"{size} without a record")
        elif following is None:
            looked = self._extents.broke_off is None
            behind_it = "no whole one behind it" if looked else "not looked through"
            self._lose(start, stop, TORN_REST, f"{size} of a broken record, {behind_it}")
        else:
            message = f"{size} of a broken record, then a whole one at byte {behind}"
            self._lose(start, stop, TORN_PREFIX, message)
        return stop

    def _lose(self, start: int, stop: int, code: str, message: str) -> None:
        self._notes.add(code, start, message)
        self._lost.append((start, stop))

    # Whether an object behind damage is a record.

    def _openings(self, place: int) -> Iterator[int]:
        """The bytes from ``place`` on at which an object that is whole opens."""
        for found in _OPENING.finditer(self._line, place):
            start = found.start()
            if self._extents.stop(start) is not None:
                yield start
            elif self._extents.broke_off is not None:
                return

    def _stands_alone(self, start: int) -> bool:
        fate = self._fate(start)
        # Whatever holds this object opens further left, so it was walked before.
        if self._extents.inner(start):
            return fate is _Fate.TO_THE_END
        return fate in _ACCEPTED

    def _fate(self, start: int) -> _Fate:
        """The fate of a whole object; those that follow it directly are decided with it."""
        run: list[tuple[int, bool]] = []
        fate = self._fates.get(start)
        while fate is None:
            fate, following, comma = self._behind(start)
            run.append((start, comma))
            if fate is None:
                start = following
                fate = self._fates.get(start)
        for opened, comma in reversed(run):
            if fate not in _ACCEPTED:
                fate = _Fate.NESTED if comma else _Fate.APART
            # What is nested is never read: it would be read again with each level around it.
            if fate in _ACCEPTED and self._record(opened) is None:
                fate = _Fate.NO_RECORD
            self._fates[opened] = fate
        return fate

    def _behind(self, start: int) -> tuple[_Fate | None, int, bool]:
        """What stands behind a whole object.

        Returns:
            The fate that it gives the object, or None if it is another whole object; where it
            begins; and whether it stands behind a comma, or so that it could.
        """
        place = _skip_padding(self._line, self._stop(start) or start)
        comma = self._line[place : place + 1] == b","
        if comma:
            place = _skip_padding(self._line, place + 1)
        if self._stop(place) is not None:
            return None, place, comma
        if comma or self._line[place : place + 1] in (b"}", b"]"):
            return _Fate.NESTED, place, True
        at_end = place == len(self._line)
        return (_Fate.TO_THE_END if at_end else _Fate.APART), place, False

    # Single objects.

    def _stop(self, start: int) -> int | None:
        """The byte behind the whole object that begins here, or None if there is none."""
        if self._line[start : start + 1] != b"{":
            return None
        return self._extents.stop(start)

    def _record(self, start: int) -> "_Record | None":
        """The whole object that begins here, if it is a record; read once."""
        if start not in self._records:
            piece = self._line[start : self._stop(start)]
            try:
                record = _Record(orjson.loads(piece), strict=True)
            except orjson.JSONDecodeError:
                record = _Record(lenient.read(piece), strict=False)
            self._records[start] = record if self._is_record(record.value) else None
        return self._records[start]


class _Record(NamedTuple):
    """A value, and whether it was read by the rules."""

    value: Any
    strict: bool


def _bytes(number: int) -> str:
    return plural(number, "byte")


def _skip_padding(line: bytes, place: int) -> int:
    while True:
        found = _PADDING.match(line, place)
        place = found.end() if found else place
        if not line.startswith(_MARK, place):
            return place
        place += len(_MARK)


def _without_padding(line: bytes, start: int, stop: int) -> int:
    """The end of what is lost before a record, without white space, NULs and one mark."""
    text = line[start:stop].rstrip(_BLANK)
    text = text.removesuffix(_MARK).rstrip(_BLANK)
    return start + len(text)


_MARK: Final = b"\xef\xbb\xbf"
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_BLANK: Final = b" \t\r\n\0"
_TORN: Final = re.compile(rb"[, \t\r\n\x00]*+\{")
_PADDING: Final = re.compile(rb"[ \t\r\n\x00]*+")

# Behind the brace of a record stands a key with its colon. The key is looked at and not passed
# over: what looks like one may be a torn string that swallowed the brace of the record sought.
_OPENING: Final = re.compile(
    rb'\{(?=[ \t\r\n]*+"[^"\\]*+(?:\\.[^"\\]*+){0,200}"[ \t\r\n]*+:)', re.DOTALL
)
