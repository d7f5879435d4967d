"""What is typed before it means anything: the number before a key, the letter behind one.

Knows no Textual.
"""

from collections.abc import Callable
from typing import Final

_DIGITS: Final = 9
"""Digits of a number that are taken: more events than any tape has."""


class Typed:
    """The digits of a number that is being typed, or a key that waits for a letter.

    Attributes:
        digits: as they were typed; empty where no number is.
        key: the key that waits for a letter; empty where none does.
    """

    def __init__(self) -> None:
        self.digits = ""
        self.key = ""
        self._then: Callable[[str], None] = lambda _letter: None

    @property
    def pending(self) -> str:
        """What is typed already."""
        return self.key or self.digits

    def wait(self, key: str, then: Callable[[str], None]) -> None:
        """A key waits for a letter; ``then`` is told it."""
        self.key, self._then = key, then

    def come(self, character: str | None) -> None:
        """The letter came, or None came instead, and the key waits no more."""
        self.key = ""
        if character:
            self._then(character)

    def takes(self, character: str) -> bool:
        """Take a character if it goes on with a number or begins one; no number begins with 0."""
        digit = character.isascii() and character.isdigit()
        if not digit or not (self.digits or character != "0"):
            return False
        self.digits = (self.digits + character)[:_DIGITS]
        return True

    def number(self, default: int = 1) -> int:
        """The number, which is used up by that; the default where none was typed."""
        digits, self.digits = self.digits, ""
        return int(digits) if digits else default
