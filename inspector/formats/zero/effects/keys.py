"""Texts of a tape as keys: whole where they are short, which they nearly always are."""

from typing import Final

_LONGEST: Final = 120
"""Characters of a text that is kept as it is."""


def key_of(text: str) -> str:
    """A key of a text that no other text has, but by a chance of one in 2⁶⁴; never long."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…{hash(text)}"
