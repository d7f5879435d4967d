"""The rows of the dialog laid out in lines of a width. Knows no Textual."""

from collections.abc import Sequence
from typing import Final

from inspector.export.fitting import width_of
from inspector.ui.cells import Cell, Line
from inspector.ui.plans.row import Row
from inspector.ui.wrapping import wrapped

_INDENT: Final = "    "
"""Before what a row goes on with in its next line."""

_BEFORE_HINT: Final = "   "


class Laid:
    """Lines, each of which knows the row that it is of."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._rows: list[Row] = []
        self._state: object = None

    def lay(self, state: object, rows: Sequence[Row], width: int) -> None:
        """Lay rows out, unless the state and the width are those of before."""
        if (state, width) == self._state:
            return
        self._state = (state, width)
        self._lines, self._rows = [], []
        for row in rows:
            for line in broken(row, width):
                self._lines.append(line)
                self._rows.append(row)

    def count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def line(self, row: int, width: int) -> Line:
        """One line."""
        del width
        return self._lines[row]

    def row(self, line: int) -> Row | None:
        """The row that a line is of."""
        return self._rows[line] if 0 <= line < len(self._rows) else None

    def first(self, act: str) -> int | None:
        """The first line of the row that does something."""
        return next((at for at, row in enumerate(self._rows) if row.act == act), None)


def broken(row: Row, width: int) -> list[Line]:
    """A row in lines of a width, what goes on indented, and its hint behind it or below.

    One that is not to be shown whole is longer than that.
    """
    room = max(20, width)
    if not row.whole:
        return [(Cell(row.text, row.tone),)]
    first, *more = wrapped(row.text, room, row.tone)
    lines = [first]
    if more:
        rest = row.text[len(first[0].text) :].lstrip()
        lines += wrapped(rest, room, row.tone, _INDENT)
    if row.hint:
        hint = Cell(f"{_BEFORE_HINT}{row.hint}", "faint")
        used = sum(width_of(cell.text) for cell in (*lines[-1], hint))
        if used <= room:
            lines[-1] = (*lines[-1], hint)
        else:
            lines += wrapped(row.hint, room, "faint", _INDENT)
    return lines
