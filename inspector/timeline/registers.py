"""Registers: named values with a history."""

from bisect import bisect_right
from typing import Final, NamedTuple, TypeAlias

from inspector.columns import Column, unsigned


class InPayload:
    """The value of a register that is read from its event's payload when somebody looks."""


IN_PAYLOAD: Final = InPayload()

Scalar: TypeAlias = str | int | float | bool | tuple[str, ...] | None
"""A value small enough to be kept; a list is one of few short lines, and no value is ``None``."""


def _same(one: Scalar | InPayload, other: Scalar | InPayload) -> bool:
    """Whether a value is the same scalar; ``1`` is not ``True``, and a payload is always new."""
    return one is not IN_PAYLOAD and type(one) is type(other) and one == other


class Setting(NamedTuple):
    """The value of a register: since which cursor, set by which event.

    What the header of a tape sets has been so since cursor 0, and its event is -1; it is never in
    a payload.
    """

    value: Scalar | InPayload
    since: int
    event: int


class Registers:
    """Named values with their histories."""

    def __init__(self) -> None:
        self._cursors: dict[str, Column] = {}
        self._values: dict[str, list[Scalar | InPayload]] = {}

    def set(self, name: str, value: Scalar | InPayload, cursor: int) -> None:
        """The register has this value from ``cursor`` on; a repeated scalar is no change."""
        if name not in self._cursors:
            self._cursors[name] = unsigned()
            self._values[name] = []
        cursors, values = self._cursors[name], self._values[name]
        if cursors and cursors[-1] == cursor:
            # The same event set it before, and what one event does is netted.
            cursors.pop()
            values.pop()
        if values and _same(values[-1], value):
            return
        values.append(value)
        cursors.append(cursor)

    def at(self, name: str, cursor: int) -> Setting | None:
        """The value of a register at a cursor, or None if it was not set by then."""
        cursors = self._cursors.get(name)
        if cursors is None:
            return None
        at = bisect_right(cursors, cursor)
        if not at:
            return None
        since = cursors[at - 1]
        return Setting(self._values[name][at - 1], since, since - 1)

    def state(self, cursor: int) -> dict[str, Setting]:
        """All registers that are set at a cursor, in the order in which they were first set."""
        return {
            name: setting
            for name in tuple(self._cursors)
            if (setting := self.at(name, cursor)) is not None
        }
