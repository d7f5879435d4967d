"""The numbers of the rows of a tape: whole, one more each time, from 1 on (format page 2)."""

from typing import Final

from inspector.formats.deepchat import rules
from inspector.formats.logs.folding import Folding
from inspector.tape.database_statements import Value

_FIRST: Final = 1


class Numbers:
    """Tells what is wrong with the numbers of rows, which come as the database sorts them.

    Attributes:
        expected: the number of the next row, if nobody took any away.
    """

    def __init__(self, folding: Folding) -> None:
        self._folding = folding
        self.begin()

    def begin(self) -> None:
        """The rows of a tape follow."""
        self.expected = _FIRST
        self._any = False

    def take(self, number: Value, record: int) -> None:
        """The number of the event begun last."""
        folding, expected = self._folding, self.expected
        first = expected == _FIRST and not self._any
        self._any = True
        if not isinstance(number, int):
            message = "entry_id is no whole number: the row stands where the database sorts it"
            folding.found_at_event(rules.ODD_NUMBER, message, record)
            return
        self.expected = number + 1
        if number < expected and not first:
            message = f"entry {number:,} again"
            folding.found_at_event(rules.REPEATED, message, record)
        elif number > expected and first:
            message = f"the tape begins at entry {number:,}: what stood before was removed"
            folding.builder.find(rules.TRIMMED, message, record=record, event=None)
        elif number > max(expected, _FIRST):
            message = f"no entries {max(expected, _FIRST):,} to {number - 1:,}"
            folding.found_at_event(rules.GAP, message, record)
