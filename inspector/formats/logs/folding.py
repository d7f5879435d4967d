"""The events of a batch, as a decoder makes them of records."""

from typing import Final

from inspector.columns import NO_TIME, Column, codes, unsigned, wide
from inspector.tape.records import Fate, Fates
from inspector.timeline.builder import Builder
from inspector.timeline.findings import FindingKind, Severity


class Folding:
    """Where a decoder says which events its records carry, and what is wrong with them.

    Attributes:
        builder: takes the effects of the event begun last.
        records: what became of each record.
        position: of the next event.
    """

    def __init__(self, builder: Builder, records: Fates) -> None:
        self.builder = builder
        self.records = records
        self.position = 0
        self._names: Final = builder.timeline.table.types
        self._begin_batch()

    def _begin_batch(self) -> None:
        self._carriers: Column = unsigned()
        self._types: Column = codes()
        self._times: Column = wide()

    def event(self, record: int, kind: str, time: int | None) -> int:
        """Begin an event; the effects that follow are its own.

        Args:
            record: that carries it.
            kind: the owner's name of its type.
            time: milliseconds since the epoch, or None.

        Returns:
            Its position.
        """
        position = self.position
        self._carriers.append(record)
        self._types.append(self._names.number(kind))
        self._times.append(NO_TIME if time is None else time)
        self.builder.event = position
        self.position = position + 1
        return position

    @property
    def batch(self) -> tuple[Column, Column, Column]:
        """Records, types and times of the events begun since `publish`.

        For a loop that begins events itself: it appends to all three, and tells `position` and the
        builder what `event` would have told them.
        """
        return self._carriers, self._types, self._times

    def record_of(self, event: int) -> int:
        """The record of an event that was begun, perhaps not published yet."""
        table = self.builder.timeline.table
        published = len(table)
        if event < published:
            return table.record(event)
        return self._carriers[event - published]

    def events_of(self, record: int) -> int:
        """How many events of a record were begun since `publish`, which comes between records."""
        found = 0
        while found < len(self._carriers) and self._carriers[-1 - found] == record:
            found += 1
        return found

    def publish(self) -> None:
        """Make the events of the batch readable."""
        self.builder.publish(self._carriers, self._types, self._times)
        self._begin_batch()

    # What is wrong.

    def found(self, kind: FindingKind, message: str, record: int | None) -> None:
        """Something is wrong with a record, or with what stands before the next event."""
        self.builder.find(kind, message, record=record, event=None)
        if kind.severity is not Severity.INFO:
            self.builder.mark_damage(self.position)

    def found_at_event(self, kind: FindingKind, message: str, record: int) -> None:
        """Something is wrong with the event begun last."""
        self.builder.find(kind, message, record=record, event=self.builder.event)

    def damaged(self, record: int, kind: FindingKind, message: str) -> None:
        """A record holds nothing that can be folded."""
        self.records.set_fate(record, Fate.DAMAGED)
        self.builder.event = self.position
        self.lost(kind, message, record)

    def lost(self, kind: FindingKind, message: str, record: int | None) -> None:
        """Something is lost that nobody can read; the fold goes on past it."""
        self.builder.doubt(self.position)
        self.found(kind, message, record)

    def hole(self, record: int) -> None:
        """Text is missing before a record that was folded already."""
        self.builder.doubt(self.builder.timeline.table.before_record(record))
