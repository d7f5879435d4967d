"""What was learned of sessions by reading all of them. Pure; knows no Textual.

Why one could not be read may pass while nothing of the session changes, as where its folder could
not be entered: it is told until somebody looks again, whoever does.
"""

from dataclasses import replace
from typing import NamedTuple

from inspector.library.row import Row
from inspector.library.shelf import Identity, identity


class Facts(NamedTuple):
    """What the whole of a session tells that its ends do not.

    Attributes:
        bytes: of the session when it was read.
        last: of its row when it was read.
        events: how many there are; None where it cannot be read.
        opens: whether its owner would open it.
        reason: why it would not, or opens a part.
        problem: why it cannot be read.
        title: the owner's; None where it has none, or it cannot be read.
        part: whether only a part of it was read: there are more events than these.
    """

    bytes: int | None
    last: int | None
    events: int | None
    opens: bool | None
    reason: str | None
    problem: str | None = None
    title: str | None = None
    part: bool = False

    def are_of(self, row: Row) -> bool:
        """Whether a row is as it was when these facts were read."""
        same = (self.bytes, self.last) == (row.bytes, row.last)
        return same and (row.problem is None or self.problem is not None)

    def outlast(self, read: Row, row: Row) -> bool:
        """Whether these facts are the best that is known of a row that changed since.

        Args:
            read: the row of which they were read.
            row: as it is now.
        """
        if self.are_of(row):
            return True
        shorter = (row.bytes or 0) < (self.bytes or 0)
        same = (read.format, read.id) == (row.format, row.id)
        return same and not shorter and self.problem is None and row.problem is None

    def told_by(self, row: Row) -> Row:
        """A row with these facts; what they do not say any more of a row that grew is left."""
        if self.are_of(row):
            return replace(
                row,
                title=self.title or row.title,
                events=row.events if self.events is None else self.events,
                estimated=self.part or (row.estimated and self.events is None),
                opens=self.opens,
                # What is not known of it for another reason, reading it does not tell either.
                reason=self.reason or (row.reason if row.opens is None else None),
                problem=self.problem,
            )
        grown = replace(row, title=self.title or row.title)
        if row.opens is None:
            grown = replace(grown, opens=self.opens, reason=self.reason or row.reason)
        if self.events is None or not (row.estimated or row.events is None):
            return grown
        return replace(grown, events=max(row.events or 0, self.events), estimated=True)


class _Known(NamedTuple):
    """Facts, the row of which they were read, and as what that was found last."""

    facts: Facts
    read: Row
    found: Row


class Learned:
    """The facts that are known of rows, as they were when they were read."""

    def __init__(self) -> None:
        self._known: dict[Identity, _Known] = {}

    def told(self, row: Row) -> Row:
        """A row as it was found, with its facts; those of a row that grew stay meanwhile."""
        one = identity(row)
        known = self._known.get(one)
        if known is None:
            return row
        if known.facts.problem is not None or not known.facts.outlast(known.read, row):
            # What was found just now is known better than why it could not be read before.
            del self._known[one]
            return row
        self._known[one] = known._replace(found=row)
        return known.facts.told_by(row)

    def learn(self, read: Row, facts: Facts, shown: Row) -> Row | None:
        """Have facts of a row.

        Args:
            read: the row as it was then.
            facts: of it.
            shown: as it stands in the list by now.

        Returns:
            The row with them; None where it is another one by now.
        """
        one = identity(read)
        before = self._known.get(one)
        found = shown if before is None else before.found
        if not facts.outlast(read, found):
            return None
        self._known[one] = _Known(facts, read, found)
        return facts.told_by(found)

    def forget(self, one: Identity) -> None:
        """Know nothing of what is gone."""
        self._known.pop(one, None)

    def forget_problems(self) -> list[Row]:
        """Know nothing of what could not be read; the rows of that, as they were found."""
        bad = [one for one, known in self._known.items() if known.facts.problem is not None]
        return [self._known.pop(one).found for one in bad]

    def found(self, row: Row) -> Row:
        """A row as it was found, without its facts."""
        known = self._known.get(identity(row))
        return row if known is None else known.found

    def knows(self, row: Row) -> bool:
        """Whether there are facts of a row as it is; why it could not be read is none."""
        known = self._known.get(identity(row))
        if known is None or known.facts.problem is not None:
            return False
        return known.facts.are_of(known.found)

    def as_of(self, row: Row) -> int | None:
        """The events up to which a row that grew since was read; None of any other."""
        known = self._known.get(identity(row))
        if known is None or known.facts.are_of(known.found):
            return None
        return known.facts.events
