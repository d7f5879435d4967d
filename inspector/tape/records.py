"""The physical records of a tape: where each begins, and what became of it."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import Enum
from itertools import islice

from inspector.columns import Column, unsigned, wide


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


class RecordTable:
    """Byte offsets of all records, and the fates of those that carry no event."""

    def __init__(self) -> None:
        self._offset: Column = wide()
        self._fates: dict[Fate, Column] = {fate: unsigned() for fate in Fate}
        self._recovered: Column = unsigned()

    def __len__(self) -> int:
        return max(0, len(self._offset) - 1)

    def extend(self, offsets: Iterable[int]) -> None:
        """Add records: the offsets of each and, last, of what follows them.

        A later call begins with the offset with which the one before ended.
        """
        self._offset.extend(islice(offsets, 1 if self._offset else 0, None))

    def set_fate(self, record: int, fate: Fate) -> None:
        """Say what became of a record, not before any said of the same fate."""
        self._fates[fate].append(record)

    def recovered(self, record: int) -> None:
        """A damaged record whose events could be read all the same."""
        self._recovered.append(record)

    def fate(self, record: int) -> Fate | None:
        """What became of a record, or None if it carries events."""
        for fate, column in self._fates.items():
            at = bisect_left(column, record)
            if at < len(column) and column[at] == record:
                return fate
        return None

    def place(self, record: int) -> tuple[int, int]:
        """The byte offset of a record and its length without its newline."""
        start = self._offset[record]
        return start, max(0, self._offset[record + 1] - start - 1)

    def line(self, record: int) -> int:
        """The physical line of a record, from 1."""
        return record + 1

    def sums(self, events: int, pending: int) -> Sums:
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
            frames=None,
        )
