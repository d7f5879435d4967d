"""Notes on the bytes of one line: a code, a byte, a sentence."""

from collections import Counter
from typing import Final, NamedTuple

NOTES_KEPT: Final = 100
"""Notes of a line that are kept; one more says how many there were beside them."""

MORE: Final = "more"


class Note(NamedTuple):
    """What was found in a line. ``at`` is the byte, counted from the start of the line."""

    code: str
    at: int
    message: str


class Notes:
    """The notes on one line, as many as somebody may want to read."""

    def __init__(self) -> None:
        self._kept: list[Note] = []
        self._left_out: Counter[str] = Counter()
        self._first_left_out = 0

    @property
    def full(self) -> bool:
        """Whether a further note is only counted, so that its message need not be made."""
        return len(self._kept) >= NOTES_KEPT

    def add(self, code: str, at: int, message: str) -> None:
        """Keep a note, or count it where there are enough."""
        if not self.full:
            self._kept.append(Note(code, at, message))
            return
        if not self._left_out:
            self._first_left_out = at
        self._left_out[code] += 1

    def in_order(self) -> list[Note]:
        """The notes by their bytes, and last how many were left out."""
        found = sorted(self._kept, key=lambda note: note.at)
        if self._left_out:
            kinds = ", ".join(f"{count:,} {code}" for code, count in self._left_out.items())
            message = f"{self._left_out.total():,} more: {kinds}"
            found.append(Note(MORE, self._first_left_out, message))
        return found
