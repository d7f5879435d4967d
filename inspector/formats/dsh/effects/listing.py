"""Lists that build on many events: what stands in them now, bounded whatever a tape says."""

from collections.abc import Callable, Sequence
from typing import Any, Final

SHOWN: Final = 12
"""Lines of a list that a register keeps at each change; how many more there are is said."""

_LINE: Final = 80
"""Characters of a line."""

_KEPT: Final = 1_000
"""Things that are followed at once; of later ones only their number is known, if that."""


def line(said: str) -> str:
    """A text as a line of a list; a longer one is cut and ends in an ellipsis."""
    return said if len(said) <= _LINE else said[: _LINE - 1] + "…"


def _shown(lines: Sequence[str], behind: int) -> tuple[str, ...]:
    return (*lines, f"and {behind:,} more") if behind else tuple(lines)


class Listed:
    """Things that come, change and go by their id, in the order of coming.

    When `_KEPT` are there, new ones are not followed, and from then on the list says so.
    """

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}
        self._missed = False

    def put(self, identity: str, said: str) -> None:
        """A thing comes, or is now said to be otherwise."""
        if identity in self._lines or len(self._lines) < _KEPT:
            self._lines[identity] = line(said)
        else:
            self._missed = True

    def drop(self, identity: str) -> None:
        """A thing goes, if it is there."""
        self._lines.pop(identity, None)

    def clear(self) -> None:
        """Everything goes."""
        self._lines.clear()
        self._missed = False

    def line(self, identity: str) -> str | None:
        """What is said of a thing, or None if it is not followed."""
        return self._lines.get(identity)

    def shown(self) -> tuple[str, ...]:
        """The list for a register."""
        first = [said for _, said in zip(range(SHOWN), self._lines.values(), strict=False)]
        lines = _shown(first, len(self._lines) - len(first))
        return (*lines, "and others that came later") if self._missed else lines


class Queue:
    """Things that wait in line, changed by splices: the count is exact whatever a tape says.

    What the first `_KEPT` say is followed; those behind them are counted.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._waiting = 0

    def splice(
        self, start: int, removed: int, inserted: Sequence[Any], said: Callable[[Any], str]
    ) -> None:
        """Take out ``removed`` from place ``start`` on and put others there, within what waits.

        Args:
            start: the place in the queue, from 0.
            removed: how many go.
            inserted: what comes.
            said: one of these in a line.
        """
        start = min(start, self._waiting)
        removed = min(removed, self._waiting - start)
        self._waiting += len(inserted) - removed
        if start <= len(self._lines):
            behind = self._lines[start + removed :] if len(inserted) < _KEPT else []
            new = [line(said(thing)) for thing in inserted[:_KEPT]]
            self._lines = [*self._lines[:start], *new, *behind][:_KEPT]

    def shown(self) -> tuple[str, ...]:
        """The queue for a register."""
        first = self._lines[:SHOWN]
        return _shown(first, self._waiting - len(first))
