"""The physical records of a tape: where each stands, and what became of it."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import Enum
from itertools import islice

from inspector.columns import Column, holds, unsigned, wide


class Fate(Enum):
    """What became of a physical record that carries no event; every other record is a carrier."""

    BOOKKEEPING = "bookkeeping"
    BLANK = "blank"
    PENDING = "pending"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Sums:
    """How a tape's records add up: records = carriers + bookkeeping + blank + pending + damaged."""

    records: int
    carriers: int
    events: int
    recovered: int
    bookkeeping: int
    blank: int
    pending: int
    damaged: int
    frames: int | None

    def as_dict(self) -> dict[str, int | None]:
        """By the names that ``check`` prints."""
        return asdict(self)


class Fates:
    """What became of records that stand in order, numbered from 0."""

    def __init__(self) -> None:
        self._fates: dict[Fate, Column] = {fate: unsigned() for fate in Fate}
        self._recovered: Column = unsigned()

    def __len__(self) -> int:
        raise NotImplementedError

    def set_fate(self, record: int, fate: Fate) -> None:
        """Say what became of a record, not before any said of the same fate."""
        held = self._fates[fate]
        # Of several parts of one record each may be damaged.
        if not held or held[-1] != record:
            held.append(record)

    def carries(self, record: int) -> None:
        """The record said of last carries an event, whatever became of its other parts."""
        for held in self._fates.values():
            if held and held[-1] == record:
                held.pop()

    def recovered(self, record: int) -> None:
        """A damaged record whose events could be read all the same; said once, in order."""
        self._recovered.append(record)

    def is_recovered(self, record: int) -> bool:
        """Whether a record's events are read from what was left of it."""
        return holds(self._recovered, record)

    def fate(self, record: int) -> Fate | None:
        """What became of a record, or None if it carries events."""
        return next((fate for fate, held in self._fates.items() if holds(held, record)), None)

    def sums(self, events: int, pending: int, frames: int | None = None) -> Sums:
        """The account of all records so far, with ``pending`` unended ones."""
        blank, damaged = len(self._fates[Fate.BLANK]), len(self._fates[Fate.DAMAGED])
        bookkeeping = len(self._fates[Fate.BOOKKEEPING])
        records = len(self)
        return Sums(
            records=records + pending,
            carriers=records - blank - damaged - bookkeeping,
            events=events,
            recovered=len(self._recovered),
            bookkeeping=bookkeeping,
            blank=blank,
            pending=pending,
            damaged=damaged,
            frames=frames,
        )


class RecordTable(Fates):
    """The lines of a text: their byte offsets."""

    def __init__(self) -> None:
        super().__init__()
        self._offset: Column = wide()

    def __len__(self) -> int:
        return max(0, len(self._offset) - 1)

    def extend(self, offsets: Iterable[int]) -> None:
        """Add lines: the offsets of each and, last, of what follows them.

        A later call begins with the offset with which the one before ended.
        """
        self._offset.extend(islice(offsets, 1 if self._offset else 0, None))

    def ends_at(self, offset: int) -> None:
        """What follows the last line begins at another byte than was said."""
        self._offset[-1] = offset

    def place(self, record: int) -> tuple[int, int]:
        """The byte offset of a line and its length without its newline."""
        start = self._offset[record]
        return start, max(0, self._offset[record + 1] - start - 1)

    def at(self, offset: int) -> int:
        """The line that holds a byte, or the number of lines if it stands behind them."""
        return min(len(self), max(0, bisect_right(self._offset, offset) - 1))

    def line(self, record: int) -> int:
        """The physical line of a record, from 1."""
        return record + 1


class RowTable(Fates):
    """The rows of a table in the order of their key, a whole number.

    A row whose key is none has that of the row before it, so that the keys stay in order.
    """

    def __init__(self) -> None:
        super().__init__()
        # Keys nearly always count up: of each stretch that does its first record, and its key.
        self._first: Column = unsigned()
        self._key: Column = wide()
        self._rows = 0
        self._following: int | None = None

    def __len__(self) -> int:
        return self._rows

    def extend(self, keys: Iterable[int]) -> None:
        """Add rows."""
        told = list(keys)
        if not told:
            return
        if told == list(range(told[0], told[0] + len(told))):
            self._add(told[0], len(told))
        else:
            for key in told:
                self._add(key, 1)

    def _add(self, key: int, rows: int) -> None:
        if key != self._following:
            self._key.append(key)
            # Readers find a stretch by its record, so that is what publishes one.
            self._first.append(self._rows)
        self._following = key + rows
        self._rows += rows

    def key(self, record: int) -> int:
        """The key of a row."""
        if not 0 <= record < self._rows:
            raise IndexError(record)
        at = bisect_right(self._first, record) - 1
        return self._key[at] + record - self._first[at]
