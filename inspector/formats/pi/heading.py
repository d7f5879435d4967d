"""The header of a session, and what stands where it ought to stand (rules page P1)."""

import re
from collections.abc import Callable
from math import inf
from typing import Any, Final

from inspector.formats.logs.folding import Folding
from inspector.formats.pi import rules
from inspector.formats.pi.effects.registers import Registers
from inspector.formats.pi.judge import Judge
from inspector.formats.pi.vocabulary import CURRENT, SESSION, TITLE
from inspector.formats.shapes import mapping, text
from inspector.formats.telling import short
from inspector.tape.records import Fate
from inspector.text.gate import clean_line

_SAID: Final = 80

_DECIMAL: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class Heading:
    """Takes the first header for the session's own, wherever it stands.

    Args:
        folding: where findings go.
        judge: what the verdict rests on.
        registers: of what a header says.

    Attributes:
        header: the header; empty until it is read.
        headed: is told of it.
    """

    def __init__(self, folding: Folding, judge: Judge, registers: Registers) -> None:
        self._folding = folding
        self._judge = judge
        self._registers = registers
        self.header: dict[str, Any] = {}
        self.headed: Callable[[dict[str, Any]], None] | None = None

    def first(self, value: Any, record: int) -> None:
        """The first value that the owner reads decides whether this is a session."""
        judge, entry = self._judge, mapping(value)
        if judge.opened or judge.refused:
            return
        judge.opened = entry.get("type") == SESSION and isinstance(entry.get("id"), str)
        judge.refused = not judge.opened
        if judge.opened:
            return
        if entry.get("type") == TITLE:
            message = "a title stands before the header"
            self._folding.found(rules.TITLE_FIRST, message, record)
        else:
            message = "the first entry is no header with an id"
            self._folding.found(rules.NO_HEADER, message, record)

    def takes(self, value: dict[str, Any], kind: str, record: int) -> bool:
        """Take a header, or a title before it; whether a value is one of them."""
        if kind == TITLE and not self.header and not self._judge.opened:
            self._registers.named(value.get("title"))
        elif kind != SESSION:
            return False
        elif self.header:
            said = clean_line(text(value.get("id")), _SAID)
            message = f"a second header, of session {said}"
            self._folding.found(rules.OTHER_HEADER, message, record)
        else:
            self._take(value, record)
        self._folding.records.set_fate(record, Fate.BOOKKEEPING)
        return True

    def _take(self, value: dict[str, Any], record: int) -> None:
        self.header = value
        told = value.get("version")
        self._judge.version = version = version_of(value)
        if told is not None and (type(told) is not int or told < 1):
            said = "no version" if _number(told) is None else "no whole number from 1 on"
            message = f"version {clean_line(short(told), _SAID)} is {said}: read as {version}"
            self._folding.found(rules.ODD_VERSION, message, record)
        if version > CURRENT:
            message = f"version {version} is newer than {CURRENT}"
            self._folding.found(rules.NEWER_VERSION, message, record)
        elif version < CURRENT:
            message = f"version {version}: the owner rewrites the file when it opens it"
            self._folding.found(rules.OLD_VERSION, message, record)
        self._registers.header(value.get("cwd"))
        if self.headed is not None:
            self.headed(value)


def version_of(header: dict[str, Any]) -> int:
    """The version of a header (format page 4.1); that of one that tells none is 1.

    The owner asks whether it is at least 3, less than 2, less than 3; what is no number is none of
    these, and nothing is done for it.
    """
    version = header.get("version")
    number = 1.0 if version is None else _number(version)
    if number is None or number == inf:
        return CURRENT
    return 1 if number < 2 else 2 if number < CURRENT else int(number)


def _number(value: Any) -> float | None:
    """What JavaScript compares as a number: numbers, truth values, texts of numbers."""
    if isinstance(value, str):
        if not value.strip():
            return 0.0
        if not _DECIMAL.fullmatch(value.strip()):
            return None
    elif not isinstance(value, (int, float)):
        return None
    try:
        return float(value)
    except OverflowError:
        return inf if isinstance(value, int) and value > 0 else -inf
