"""From rows to events."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from inspector.formats.deepchat import rules
from inspector.formats.deepchat.effects.fold import Fold
from inspector.formats.deepchat.entry import Entry, entry_of
from inspector.formats.deepchat.vocabulary import BACKFILL, type_of
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.row_log import RowDecoder
from inspector.formats.logs.rules import BAD_ROW
from inspector.tape.database_statements import Values

_TYPE: Final = 200


class Decoder(RowDecoder):
    """Decodes the rows of one session, and of the one that it was forked from.

    Args:
        folding: takes events, effects and findings.
        read: the row of a record as it is now; None if it is there no longer.
        session: whose own rows are not inherited.
        pending_counts: whether a pending row takes part in the fold.
        counted: whether the numbers of rows have no holes, if nobody deleted any.
    """

    def __init__(
        self,
        folding: Folding,
        read: Callable[[int], Values | None],
        session: str,
        *,
        pending_counts: bool,
        counted: bool,
    ) -> None:
        super().__init__(folding)
        self._read = read
        self._session = session
        self._counted = counted
        self._last = 0
        self._inherits = False
        self._fold = Fold(folding, self._entry_at, pending_counts=pending_counts)
        self.runs = self._fold.runs
        self.breaking = self._fold.breaking

    def fold(self, record: int, rows: Sequence[Values]) -> None:
        """Fold a batch of rows."""
        folding, take = self.folding, self._fold.take
        for row in rows:
            entry = entry_of(row)
            folding.event(record, type_of(entry.kind, entry.name)[:_TYPE], entry.created)
            if entry.id != self._last + 1 or entry.session != self._session:
                self._numbered(entry, record)
            self._last = entry.id
            take(entry, record)
            if entry.name == BACKFILL:
                self._backfilled(entry, record)
            record += 1
        folding.publish()

    def values(self, row: Values) -> list[Any]:
        """The one value of a row, with its JSON read."""
        return [told(entry_of(row))]

    def _entry_at(self, event: int) -> Entry:
        row = self._read(self.folding.record_of(event))
        return EMPTY if row is None else entry_of(row)

    def _numbered(self, entry: Entry, record: int) -> None:
        """A row that does not follow the one before by number, or is another session's."""
        folding, event = self.folding, self.folding.builder.event
        if entry.session != self._session:
            self._inherits = True
            folding.builder.inherit(event + 1)
        elif self._inherits:
            self._inherits = False
            self._last = 0
        if not self._counted:
            return
        if entry.id < 0:
            folding.found_at_event(BAD_ROW, "entry_id is no whole number", record)
        elif not self._last and entry.id > 1:
            message = f"the tape begins at entry {entry.id:,}: what stood before was removed"
            folding.builder.find(rules.TRIMMED, message, record=record, event=None)
        elif entry.id > self._last + 1:
            message = f"no entries {self._last + 1:,} to {entry.id - 1:,}"
            folding.found_at_event(rules.GAP, message, record)

    def _backfilled(self, entry: Entry, record: int) -> None:
        message = "the rows before were copied from the transcript, all at once"
        if entry.kind == "event":
            self.folding.found_at_event(rules.BACKFILLED, message, record)


EMPTY: Final = Entry(-1, "", None, {}, {}, None, "", None, ())


def told(entry: Entry) -> dict[str, Any]:
    """A row as a value, by names that a reader of it knows."""
    value: dict[str, Any] = {
        "entryId": entry.id,
        "sessionId": entry.session,
        "kind": entry.kind,
        "name": entry.name,
        "payload": entry.payload,
        "meta": entry.meta,
        "createdAt": entry.created,
    }
    if entry.source:
        keys = ("sourceType", "sourceId", "sourceSeq", "provenanceKey")
        value |= dict(zip(keys, entry.source, strict=True))
    if entry.broken is not None:
        value["broken"] = entry.broken
    return value
