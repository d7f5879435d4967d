"""What a JSON reader loses in silence: told from the bytes of a line that it reads.

The fast reader keeps the last of two members with one name, makes doubles of numbers beyond 64
bits, and refuses lone surrogates and more than 1,024 levels; the value that is shown then is not
what was written, or was read in another way than the owner reads it.
"""

import json
import re
from decimal import Decimal
from itertools import islice
from typing import Any, Final

import orjson

from inspector.tape.extents import TOKENS_LOOKED_AT
from inspector.tape.jsontokens import OBJECT, Kind, NotJsonError, skip_space, tokens
from inspector.tape.notes import Note, Notes
from inspector.text.gate import clean_line

DUPLICATE_KEY: Final = "duplicate-key"
BIG_NUMBER: Final = "big-number"
LONE_SURROGATE: Final = "lone-surrogate"
DEEP: Final = "deep"
GAVE_UP: Final = "gave-up"

LEVELS: Final = 1024
"""The most levels that the fast reader takes."""

_SHOWN: Final = 60
"""Characters shown of a value, a number or a key."""

_STEPS_SHOWN: Final = 12
"""Steps shown of a path, the last ones."""


def oddities(line: bytes) -> list[Note]:
    """What is odd about a line of JSON, by its byte; empty for nearly all of them.

    The line may be of any depth and break the rules that `jsontokens` lets be broken. Where it is
    no JSON, what stands before that is told.
    """
    if _plain(line):
        return []
    notes = Notes()
    _Walk(line, notes).finish()
    _surrogates(line, notes)
    return notes.in_order()


def _plain(line: bytes) -> bool:
    """Whether a line certainly holds nothing odd, asked of readers that are fast."""
    if _PERHAPS_ODD.search(line):
        return False
    try:
        orjson.loads(line)
        _REFUSES_DUPLICATES.decode(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return False
    return True


def _refuse_duplicates(members: list[tuple[str, Any]]) -> None:
    if len(dict(members)) != len(members):
        raise ValueError("duplicate key")


def _surrogates(line: bytes, notes: Notes) -> None:
    for found in _SURROGATE.finditer(line):
        if found["lone"]:
            shown = found["lone"].decode()
            notes.add(LONE_SURROGATE, found.start(), f"{shown} is half of a character")


class _Level:
    """One container on the way to where the walk is."""

    __slots__ = ("is_object", "key", "members", "number")

    def __init__(self, is_object: bool) -> None:
        self.is_object = is_object
        self.number = 0
        self.key = ""
        self.members: dict[str, _Member] = {}

    @property
    def step(self) -> str:
        """The step of a path that leads into it."""
        return f".{clean_line(self.key, _SHOWN)}" if self.is_object else f"[{self.number}]"


class _Member:
    """The members of one name in an object: how many, the second's key, the first's value."""

    __slots__ = ("again", "count", "start", "stop")

    def __init__(self, start: int) -> None:
        self.count = 1
        self.again = 0
        self.start = start
        self.stop = 0


class _Walk:
    """One pass over the tokens of a line."""

    def __init__(self, line: bytes, notes: Notes) -> None:
        self._line = line
        self._notes = notes
        self._levels: list[_Level] = []
        self._deepest = 0
        self._too_deep = 0

    def finish(self) -> None:
        """Walk to the end of the line, or as far as it is JSON."""
        walk = tokens(self._line, skip_space(self._line, 0))
        try:
            for kind, start, stop in islice(walk, TOKENS_LOOKED_AT):
                self._take(kind, start, stop)
        except NotJsonError:
            pass
        else:
            rest = next(walk, None)
            if rest is not None:
                message = f"{TOKENS_LOOKED_AT:,} JSON tokens were looked at, and no further"
                self._notes.add(GAVE_UP, rest[1], message)
        while self._levels:
            self._tell_duplicates(self._levels.pop())
        if self._deepest > LEVELS:
            message = f"{self._deepest:,} levels; most readers take {LEVELS:,}"
            self._notes.add(DEEP, self._too_deep, message)

    def _take(self, kind: Kind, start: int, stop: int) -> None:
        if kind is Kind.KEY:
            self._name(start, stop)
        elif kind is Kind.OPEN:
            self._levels.append(_Level(self._line[start] == OBJECT))
            depth = len(self._levels)
            if depth > self._deepest:
                self._deepest = depth
                if depth == LEVELS + 1:
                    self._too_deep = start
        elif kind is Kind.CLOSE:
            self._tell_duplicates(self._levels.pop())
            self._end_value(stop)
        else:
            if self._line[start] in _DIGITS:
                self._number(start, stop)
            self._end_value(stop)

    def _name(self, start: int, stop: int) -> None:
        level = self._levels[-1]
        level.key = key = _text(self._line[start:stop])
        member = level.members.get(key)
        if member is None:
            level.members[key] = _Member(stop)
        else:
            member.count += 1
            member.again = member.again or start

    def _end_value(self, stop: int) -> None:
        if not self._levels:
            return
        level = self._levels[-1]
        if not level.is_object:
            level.number += 1
            return
        member = level.members[level.key]
        member.stop = member.stop or stop

    def _tell_duplicates(self, level: _Level) -> None:
        for key, member in level.members.items():
            if member.count == 1:
                continue
            if self._notes.full:
                self._notes.add(DUPLICATE_KEY, member.again, "")
                continue
            shown = json.dumps(clean_line(key, _SHOWN), ensure_ascii=False)
            message = (
                f"{shown} stands {member.count:,} times{self._path()}; the first is "
                f"{self._first_value(member)}, the last counts"
            )
            self._notes.add(DUPLICATE_KEY, member.again, message)

    def _path(self) -> str:
        """Where the innermost open value stands, as words of a sentence."""
        if not self._levels:
            return ""
        steps = "".join(level.step for level in self._levels[-_STEPS_SHOWN:])
        cut = len(self._levels) > _STEPS_SHOWN
        return f" in …{steps}" if cut else f" in {steps.removeprefix('.')}"

    def _first_value(self, member: _Member) -> str:
        start = _COLON.match(self._line, member.start)
        begin = start.end() if start else member.start
        # Four bytes are the most of a character.
        written = self._line[begin : min(member.stop, begin + 4 * _SHOWN + 4)]
        return clean_line(written.decode("utf-8", "replace"), _SHOWN)

    def _number(self, start: int, stop: int) -> None:
        if stop - start <= _ALWAYS_HELD:
            return
        digits = self._line[start:stop]
        if digits == b"-Infinity" or _held(digits):
            return
        shown = digits[: _SHOWN + 1].decode()
        message = f"{clean_line(shown, _SHOWN)} is more than 64 bits or a double hold"
        self._notes.add(BIG_NUMBER, start, message)


def _text(string: bytes) -> str:
    """What a string token says; keys are the same if they say the same, however written."""
    text = string.decode("utf-8", "replace")
    if "\\" not in text:
        return text[1:-1]
    said: str = json.loads(text, strict=False)
    return said


def _held(digits: bytes) -> bool:
    """Whether a number as written is kept by a reader of 64-bit whole numbers and doubles."""
    text = digits.decode()
    if not _FRACTION.search(text):
        return len(text) <= 20 and -(1 << 63) <= int(text) < 1 << 64
    mantissa = _EXPONENT.split(text)[0].lstrip("-").replace(".", "").strip("0")
    if not mantissa:
        return True
    double = float(text)
    if double in (0.0, _INFINITY, -_INFINITY):
        return False
    if len(mantissa) <= _DIGITS_OF_A_DOUBLE:
        return True
    return len(mantissa) <= _DIGITS_OF_AN_EXACT_DOUBLE and Decimal(text) == Decimal(double)


_INFINITY: Final = float("inf")
_DIGITS: Final = b"-0123456789"
_ALWAYS_HELD: Final = 4
"""Characters of a number that is held whatever they are."""

_DIGITS_OF_A_DOUBLE: Final = 17
"""Digits that tell any double from any other; a writer of doubles writes no more."""

_DIGITS_OF_AN_EXACT_DOUBLE: Final = 767
"""The most digits that the exact decimal value of a double has."""

_FRACTION: Final = re.compile(r"[.eE]")
_EXPONENT: Final = re.compile(r"[eE]")
_COLON: Final = re.compile(rb"[ \t\r\n]*+:[ \t\r\n]*+")

# Numbers so long, or with such exponents, that they must be looked at.
_PERHAPS_ODD: Final = re.compile(
    rb"[:,\[ \t\r\n-](?:[1-9][0-9.]{18}|0\.[0-9]{18}|[0-9.]++[eE][-+]?[0-9]{3})"
)
_REFUSES_DUPLICATES: Final = json.JSONDecoder(
    object_pairs_hook=_refuse_duplicates, parse_int=len, parse_float=len
)

# Pairs of backslashes are passed over, or the second of one would begin an escape.
_SURROGATE: Final = re.compile(
    rb"(?:\\\\){1,500}"
    rb"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
