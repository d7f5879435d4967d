"""Which row of a table a record is, so that it can be read again."""

from typing import Final, NamedTuple, cast

from inspector.tape.database_paging import Page
from inspector.tape.database_statements import Value, Values
from inspector.tape.records import RowTable
from inspector.text.gate import clean_line

_LEAST: Final = -(1 << 63)
"""The key that stands for one that is no number where no row is before it."""


class _Odd(NamedTuple):
    """A row that its number does not tell: the number as it is, and the whole key."""

    value: Value
    order: tuple[str, ...]
    key: Values


class RowKeys:
    """The keys of the records of a log: numbers in a column, and whole keys for the few others.

    A table may hold several rows of one number, or a number that is none; such rows are known by
    the whole key in which the pages are ordered, which no two rows share.

    Args:
        records: takes the numbers.
    """

    def __init__(self, records: RowTable) -> None:
        self._records = records
        self._odd: dict[int, _Odd] = {}
        self._first = 0
        self._last: Value = None
        self._whole: Values = ()

    def begin_part(self) -> None:
        """The rows that follow are of another selection."""
        self._first = len(self._records)
        self._last, self._whole = None, ()

    def add(self, page: Page) -> None:
        """Take in the rows of a page, the first column of which is the number."""
        width = len(page.order)
        numbers = [row[width] for row in page.rows]
        plain = set(map(type, numbers)) == {int} and len(set(numbers)) == len(numbers)
        if plain and numbers[0] != self._last:
            self._records.extend(cast("list[int]", numbers))
        else:
            for row in page.rows:
                self._add(_Odd(row[width], page.order, row[:width]))
        self._last, self._whole = numbers[-1], page.rows[-1][:width]

    def _add(self, row: _Odd) -> None:
        record = len(self._records)
        number = row.value
        if not isinstance(number, int):
            self._odd[record] = row
            number = self._records.key(record - 1) if record > self._first else _LEAST
        elif number == self._last:
            self._odd.setdefault(record - 1, _Odd(self._last, row.order, self._whole))
            self._odd[record] = row
        self._records.extend((number,))
        self._last, self._whole = row.value, row.key

    @property
    def odd(self) -> tuple[int, ...]:
        """The records that their numbers do not tell."""
        return tuple(self._odd)

    def is_odd(self, record: int) -> bool:
        """Whether the number of a record does not tell its row."""
        return record in self._odd

    def number(self, record: int) -> int | None:
        """The number of a record; None where it is no whole number."""
        odd = self._odd.get(record)
        if odd is not None and not isinstance(odd.value, int):
            return None
        return self._records.key(record)

    def condition(self, record: int, column: str) -> tuple[str, Values]:
        """What tells the row of a record from all others of its part, as SQL.

        Args:
            record: which.
            column: that holds the number.
        """
        odd = self._odd.get(record)
        if odd is None:
            return f"{column} = ?", (self._records.key(record),)
        return " AND ".join(f"{name} IS ?" for name in odd.order), odd.key

    def name(self, record: int) -> str:
        """The number of a record as one reads it, and the row id where that alone tells it."""
        odd = self._odd.get(record)
        if odd is None:
            return str(self._records.key(record))
        said = _said(odd.value)
        rowid = odd.key[-1]
        return f"{said} (row id {rowid})" if len(odd.key) > 1 and type(rowid) is int else said


def _said(value: Value) -> str:
    if isinstance(value, str):
        return f"'{clean_line(value, 40)}'"
    if isinstance(value, bytes):
        return f"blob of {len(value)} bytes"
    return "NULL" if value is None else str(value)
