"""The header of a session, and what stands where it ought to stand (rules page P1)."""

from collections.abc import Callable
from typing import Any, Final

from inspector.formats.logs.folding import Folding
from inspector.formats.pi import rules
from inspector.formats.pi.effects.registers import Registers
from inspector.formats.pi.judge import Judge
from inspector.formats.pi.vocabulary import CURRENT, SESSION, TITLE
from inspector.formats.shapes import mapping, text, whole
from inspector.tape.records import Fate
from inspector.text.gate import clean_line

_SAID: Final = 80


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
        self._judge.version = version = _version(value)
        if version > CURRENT:
            message = f"version {version} is newer than {CURRENT}"
            self._folding.found(rules.NEWER_VERSION, message, record)
        elif version < CURRENT:
            message = f"version {version}: the owner rewrites the file when it opens it"
            self._folding.found(rules.OLD_VERSION, message, record)
        self._registers.header(value.get("cwd"))
        if self.headed is not None:
            self.headed(value)


def _version(header: dict[str, Any]) -> int:
    """The version of a header (format page 4.1); that of one that tells none is 1."""
    version = header.get("version")
    number = 1 if version is None else whole(version)
    return CURRENT if number is None else number
