"""Which records at the beginning of a log are copies of its parent's: what can tell that."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from inspector.formats.shapes import natural

REWRITTEN: Final = frozenset({"session_meta", "turn_context", "world_state"})
"""Kinds of records that a fork may have in another shape than its parent."""


class Inheritance(Protocol):
    """Hears every record of a log in order, until the first that is its own."""

    @property
    def lacks(self) -> str | None:
        """What is not there without which it cannot be told, or None."""

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

    Records have numbers in one of the owner's ways to keep a history. Where they have none, they
    are compared with the parent's, if it is there.

    Args:
        first: that number.
        instead: finds what compares them.
    """

    def __init__(self, first: int, instead: Callable[[], Inheritance | None]) -> None:
        self._first = first
        self._find = instead
        self._instead: Inheritance | None = None
        self._numbered = False
        self.lacks: str | None = None

    def is_copy(self, record: dict[str, Any]) -> bool | None:
        """Whether the next record is one of the parent's: whether its number is lower."""
        if self._instead is not None:
            return self._instead.is_copy(record)
        number = natural(record.get("ordinal"))
        if number is not None:
            self._numbered = True
            return number < self._first
        if record.get("type") in REWRITTEN:
            return None
        if self._numbered or not self._first:
            return False
        self._instead = self._find()
        if self._instead is None:
            self.lacks = "its records have no numbers, and its parent's log is away"
            return False
        return self._instead.is_copy(record)

    def close(self) -> None:
        """Give back the parent's file, if it was needed."""
        if self._instead is not None:
            self._instead.close()
