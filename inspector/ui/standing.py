"""Of which state of the tape a report tells, and what became of that state since.

Knows no Textual.
"""

from inspector.inspection import Inspection
from inspector.text.labels import count, plural
from inspector.ui.cells import Cell, Line


class Standing:
    """What a report is of: a cursor and a head, in one reading of the tape.

    Args:
        inspection: the visit.
        cursor: as of which the report is; None is that of the visit.
    """

    def __init__(self, inspection: Inspection, cursor: int | None = None) -> None:
        self._inspection = inspection
        self._reading = inspection.reading
        self._cursor = inspection.cursor if cursor is None else cursor
        self._head = inspection.head

    @property
    def gone(self) -> bool:
        """Whether the tape was read anew since, so that no place of the report is one of it."""
        return self._inspection.reading != self._reading

    def words(self) -> str:
        """Of which cursor and head it is."""
        return f"  as of {count(self._cursor)}/{count(self._head)}"

    def change(self) -> Line | None:
        """What became of the tape since, or None."""
        if self.gone:
            return (Cell(f"the tape was read anew since: {_FORMER}", "error"),)
        grown = self._inspection.head - self._head
        if grown > 0:
            words = f"{plural(grown, 'event')} came since, of which this does not tell"
            return (Cell(words, "notice"),)
        return None

    def refusal(self, cursor: int) -> str | None:
        """Why a cursor that the report leads to cannot be gone to, or None."""
        if self.gone:
            return f"that place is gone: {_FORMER}"
        return None if cursor <= self._inspection.head else "that place is not on the tape"


_FORMER = "this tells of what stood there before"
