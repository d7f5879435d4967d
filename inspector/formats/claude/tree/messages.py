"""The messages of the API, by the ids that the provider gave them."""

from collections.abc import Callable
from typing import Any

from inspector.columns import Column, unsigned
from inspector.formats.ids import Ids
from inspector.formats.shapes import mapping


class Messages:
    """Messages by number, in the order in which they came.

    Args:
        read: an event again, by position.
    """

    def __init__(self, read: Callable[[int], dict[str, Any]]) -> None:
        self._read = read
        self._ids = Ids(self._is)
        self._first: Column = unsigned()

    def _is(self, message: int, text: str) -> bool:
        return mapping(self._read(self._first[message]).get("message")).get("id") == text

    def first(self, text: str) -> int | None:
        """The event of the first line of a message, or None if no line is of it."""
        number = self._ids.find(text)
        return None if number is None else self._first[number]

    def __len__(self) -> int:
        return len(self._first)

    def begin(self, text: str, event: int) -> int:
        """The number of a message of which an event is the first line.

        Returns:
            -1, and nothing is done, if it may not be the first.
        """
        number = self._ids.begin(text)
        if number >= 0:
            self._first.append(event)
        return number

    def recent(self, text: str) -> int:
        """The number of a message, -1 if it is not one of those that came last."""
        return self._ids.recent(text)

    def number(self, text: str, event: int) -> int:
        """The number of the message that an event is a line of."""
        number = self._ids.intern(text)
        if number == len(self._first):
            self._first.append(event)
        return number
