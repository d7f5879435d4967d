"""Which records at the beginning of a log are copies of its parent's: what can tell that."""

from typing import Any, Final, Protocol

from inspector.formats.shapes import natural

REWRITTEN: Final = frozenset({"session_meta", "turn_context", "world_state"})
"""Kinds of records that a fork may have in another shape than its parent."""


class Inheritance(Protocol):
    """Hears every record of a log in order, until the first that is its own."""

    def is_copy(self, record: dict[str, Any]) -> bool | None:
        """Whether the next record of the log is one of the parent's.

        Returns:
            True or False, after which there are no more copies; None of a record that tells
            nothing.
        """

    def close(self) -> None:
        """Give back what is needed to tell."""


class Numbered:
    """The header says the number of the first own record (format page 2.10); no parent is needed.

    Args:
        first: that number.
    """

    def __init__(self, first: int) -> None:
        self._first = first

    def is_copy(self, record: dict[str, Any]) -> bool | None:
        """Whether the next record is one of the parent's: whether its number is lower."""
        number = natural(record.get("ordinal"))
        if number is None:
            return None if record.get("type") in REWRITTEN else False
        return number < self._first

    def close(self) -> None:
        """Nothing is held."""
