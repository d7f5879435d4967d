"""Replacements that are taken back: which of them do not hold, from which cursor on."""

from bisect import bisect_right


class Undone:
    """Of an event that hid rows, the events that took this back and made it hold again.

    A few events are: what is kept of each is a list.
    """

    def __init__(self) -> None:
        self._at: dict[int, list[int]] = {}

    def toggle(self, replacement: int, event: int) -> None:
        """An event, by position, takes a replacement back, or makes it hold again."""
        changes = self._at.setdefault(replacement, [])
        if changes and changes[-1] == event:
            changes.pop()
        else:
            changes.append(event)

    def by(self, replacement: int, cursor: int) -> int | None:
        """The event that took a replacement back, seen from a cursor; None while it holds."""
        changes = self._at.get(replacement)
        if not changes:
            return None
        before = bisect_right(changes, cursor - 1)
        return changes[before - 1] if before % 2 else None
