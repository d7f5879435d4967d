"""A number typed before a key, which the key obeys so often. Knows no Textual."""

from typing import Final

_DIGITS: Final = 9
"""Digits of a number that are taken: more events than any tape has."""


class Typed:
    """The digits of a number that is being typed.

    Attributes:
        digits: as they were typed; empty where no number is.
    """

    def __init__(self) -> None:
        self.digits = ""

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
