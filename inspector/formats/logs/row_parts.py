"""What a log of rows is made of: selections of a table, and who decodes their rows."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from inspector.formats.logs.folding import Folding
from inspector.tape.database_paging import Select
from inspector.tape.database_statements import Values


class RowDecoder(ABC):
    """Decodes rows; a format says what a row is.

    Attributes:
        folding: where the format puts its events and findings.
    """

    def __init__(self, folding: Folding) -> None:
        self.folding = folding

    @abstractmethod
    def fold(self, record: int, rows: Sequence[Values]) -> None:
        """Fold a batch of rows, the first of which is a record by this number; ends by
        `Folding.publish`.
        """

    def begin_part(self, *, last: bool) -> None:
        """The rows that follow are of the next part of the log, perhaps of the last one."""
        del last

    @abstractmethod
    def values(self, row: Values) -> list[Any]:
        """The values of a row, one for each of its events, as they are read again."""


class Part(NamedTuple):
    """Some rows of the log: a selection whose key ends in a whole number.

    Attributes:
        select: which; its ``where`` names the session, its first column is the number.
        label: what a row's place is called before the number, as ``entry_id``.
        json: the columns, by place in ``shown``, that hold JSON.
        whole: the columns of a row that somebody looks at; none of them: those that are folded.
    """

    select: Select
    label: str
    json: tuple[int, ...]
    whole: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        """The columns of a row that somebody looks at."""
        return self.whole or self.select.columns
