"""Looking for a text in rows: statements over many rows each, instead of reading every row."""

from collections.abc import Iterator, Sequence
from typing import Final

from inspector.tape.database import Database
from inspector.tape.database_paging import Select
from inspector.tape.database_statements import Value, Values
from inspector.tape.records import RowTable
from inspector.text.spellings import spellings

_CHUNK: Final = 4_096
"""Rows that one statement looks through: a screen that reads meanwhile waits for no more."""


class Needle:
    """A text that is looked for in rows, as it is or as JSON writes it.

    Rows with a blob for JSON are hits too: what is in it, only their decoder knows. So may rows be
    that hold only a part of a text with U+FFFD in it.

    Args:
        text: it.
        json: the columns, by place, that hold JSON.
        ignore_case: whether upper and lower case of ASCII letters are the same.
    """

    def __init__(self, text: str, json: Sequence[int], *, ignore_case: bool = False) -> None:
        # U+FFFD may stand for bytes that are no UTF-8: the longest part without it is looked for.
        part = max(text.split("\ufffd"), key=len)
        written = spellings(part, lower=ignore_case)
        self._spellings = [one.decode("utf-8", "surrogatepass") for one in written]
        self._json = json
        self._ignore_case = ignore_case

    def is_in(self, row: Values) -> bool:
        """Whether a row that was read is a hit."""
        if any(isinstance(row[at], bytes) for at in self._json):
            return True
        texts = map(_lower if self._ignore_case else str, row)
        return any(one in text for text in texts for one in self._spellings)

    def condition(self, columns: Sequence[str]) -> tuple[str, tuple[Value, ...]]:
        """The same as SQL."""
        terms: list[str] = []
        values: list[Value] = []
        for at, column in enumerate(columns):
            term = _unnamed(column)
            if term == "NULL":
                continue
            if at in self._json:
                terms.append(f"typeof({term}) = 'blob'")
            # SQLite's lower() is that of ASCII.
            text = f"lower({term})" if self._ignore_case else term
            terms += [f"instr({text}, ?)"] * len(self._spellings)
            values += self._spellings
        return " OR ".join(terms) or "0", tuple(values)


def _lower(value: Value) -> str:
    """A value with its ASCII letters in lower case."""
    return str(value).translate(_LOWER)


_LOWER: Final = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def _unnamed(column: str) -> str:
    """A column without the name that the selection gives it."""
    term, _, name = column.rpartition(" AS ")
    return term if term and name.isidentifier() else column


def holding(
    database: Database,
    select: Select,
    columns: Sequence[str],
    needle: Needle,
    records: RowTable,
    among: Sequence[int],
) -> Iterator[tuple[Sequence[int], list[int] | None]]:
    """Some records, and those of them whose row holds a text; None where damage hides them.

    Args:
        database: that holds the rows.
        select: what they are part of; its last key is the number by which a record is known.
        columns: that are looked into.
        needle: what is looked for.
        records: knows the numbers.
        among: the records to look through, each known by its number.
    """
    if len(select.key) > 1:
        among = sorted(among, key=records.key)
    number = select.key[-1]
    condition, values = needle.condition(columns)
    for start in range(0, len(among), _CHUNK):
        chunk = among[start : start + _CHUNK]
        by_number: dict[Value, int] = {records.key(record): record for record in chunk}
        sql = (
            f"SELECT {number} FROM {select.table} WHERE ({select.where}) "  # noqa: S608 - names of ours
            f"AND {number} BETWEEN ? AND ? AND ({condition})"
        )
        bounds = (records.key(chunk[0]), records.key(chunk[-1]))
        found = database.fetch(sql, (*select.parameters, *bounds, *values), _CHUNK)
        if found.fault is not None:
            yield chunk, None
            continue
        hits = [by_number[row[0]] for row in found.rows if row[0] in by_number]
        yield chunk, sorted(hits)
