"""The damage report and the physical records, as rows of cells. Knows no Textual."""

from collections.abc import Iterator
from typing import Final, Protocol

from inspector.export import records
from inspector.export.fitting import fit
from inspector.export.wording import sums_words
from inspector.formats.contract import Place
from inspector.inspection import Inspection
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, size
from inspector.timeline.findings import Finding, Severity
from inspector.ui.cells import Cell, Line
from inspector.ui.raw import raw_record
from inspector.ui.rows import RowSource
from inspector.ui.wrapping import wrapped

_SEVERITY_TONES = {Severity.ERROR: "error", Severity.WARNING: "notice", Severity.INFO: "dim"}
_FATE_TONES = {
    "carrier": "text",
    "recovered": "notice",
    "bookkeeping": "dim",
    "blank": "faint",
    "pending": "notice",
    "damaged": "error",
}

_COPIED: Final = 10_000
_COPIED_WIDTH: Final = 200


class Report(RowSource, Protocol):
    """Rows that each tell more of themselves and lead to a cursor."""

    def lines(self, row: int, width: int, /) -> Iterator[Line]:
        """One row in full."""

    def cursor(self, row: int, /) -> int | None:
        """Where a row leads."""

    def text(self) -> str:
        """All of it for a clipboard."""


def where(place: Place | None, event: int | None) -> str:
    """Where a finding is, in a few words."""
    if place is None:
        return "the tape" if event is None else f"event {count(event)}"
    if place.line is not None:
        elsewhere = "" if place.file is None else f"  {clean_line(place.file, 60)}"
        return f"line {count(place.line)}  byte {count(place.byte or 0)}{elsewhere}"
    return f"row {clean_line(place.row, 30)}" if place.row else "behind the last row"


class FindingRows:
    """What was found, a row each; those that stood when the report was opened."""

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection.still()
        self._findings = list(inspection.tape.findings())

    def count(self) -> int:
        """How many rows there are."""
        return len(self._findings)

    def line(self, row: int, width: int) -> Line:
        """One finding in ``width`` columns."""
        finding = self._findings[row]
        place = fit(where(self._place(finding), finding.event), min(30, max(12, width // 3)))
        return (
            Cell(fit(finding.kind.severity.value, 9), _SEVERITY_TONES[finding.kind.severity]),
            Cell(place, "dim"),
            Cell(" "),
            Cell(clean_line(finding.message, 400)),
        )

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """One finding in full, and the start of its record."""
        if row >= len(self._findings):
            yield (Cell("nothing found", "accent"),)
            return
        finding = self._findings[row]
        yield from wrapped(finding.message, width, "strong")
        yield from wrapped(f"effect: {finding.kind.effect}", width, "text")
        yield (Cell(f"{where(self._place(finding), finding.event)}  [{finding.kind.code}]", "dim"),)
        record = self.record(row)
        if record is not None and record < self._inspection.tape.records():
            yield ()
            yield from raw_record(self._inspection, record, width)

    def cursor(self, row: int) -> int | None:
        """The cursor just after the event of a finding, or that before which its record stands."""
        if row >= len(self._findings):
            return None
        finding, table = self._findings[row], self._inspection.timeline.table
        if finding.event is not None:
            return finding.event + 1
        return None if finding.record is None else table.before_record(finding.record + 1)

    def record(self, row: int) -> int | None:
        """The record of a finding, if it has one."""
        finding = self._findings[row]
        if finding.record is None and finding.event is not None:
            return self._inspection.timeline.table.record(finding.event)
        return finding.record

    def _place(self, finding: Finding) -> Place | None:
        record = finding.record
        if record is None and finding.event is not None:
            record = self._inspection.timeline.table.record(finding.event)
        return None if record is None else self._inspection.tape.place(record)

    def text(self) -> str:
        """The report as text for a clipboard."""
        path = clean_line(str(self._inspection.tape.identity.path))
        rows = (
            f"{finding.kind.severity.value}: {where(self._place(finding), finding.event)}: "
            f"{clean_line(finding.message, 1_000)}; effect: {finding.kind.effect} "
            f"[{finding.kind.code}]"
            for finding in self._findings
        )
        return "\n".join((path, *rows))


def verdict_line(inspection: Inspection) -> Line:
    """Which of the cases the tape is in: fine, being written, damaged but foldable, or stopped."""
    timeline, tape = inspection.timeline, inspection.tape
    errors = tape.errors()
    sums = tape.sums()
    reliable, events = timeline.reliable_to, timeline.events
    if timeline.stopped_at is not None:
        return (Cell(f"cannot be folded past {count(timeline.stopped_at)}", "error"),)
    if errors and not events:
        return (Cell(f"nothing could be folded ({plural(errors, 'error')})", "error"),)
    if errors and reliable < events:
        exact = f"exact up to {count(reliable)} of {count(events)}"
        return (Cell(f"damaged, but foldable: {exact} ({plural(errors, 'error')})", "notice"),)
    if errors:
        exact = f"{plural(events, 'event')} folded, and exact"
        return (Cell(f"damaged: {exact} ({plural(errors, 'error')})", "notice"),)
    if sums.pending:
        return (Cell("whole so far; a record at the end is still being written", "accent"),)
    return (Cell("fine: replay is exact", "accent"),)


def sums_line(inspection: Inspection) -> Line:
    """How the records add up."""
    return (Cell("; ".join(sums_words(inspection.tape.sums().as_dict())), "dim"),)


class RecordRows:
    """The physical records against the events that they hold, a row each."""

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection

    def count(self) -> int:
        """How many rows there are."""
        return self._inspection.tape.records()

    def line(self, row: int, width: int) -> Line:
        """One record in ``width`` columns."""
        tape = self._inspection.tape
        document = records.record(tape, row)
        place, length, fate, span = (16, 9, 12, 25) if width >= 90 else (12, 8, 11, 17)
        if width < 70:
            # What a record holds says more than how long it is.
            place, length, fate, span = 11, 0, 9, 12
        return (
            Cell(fit(records.place(document), place, right=True), "faint"),
            Cell(fit(size(document["length"]), length, right=True) if length else "", "dim"),
            Cell("  " if width >= 90 else " "),
            Cell(fit(document["fate"], fate), _FATE_TONES[document["fate"]]),
            Cell(fit(records.span(document), span), "accent"),
            *([Cell(records.elsewhere(document), "dim")] if "file" in document else []),
            Cell(document["preview"], "dim" if document["event"] is None else "text"),
        )

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """The record itself."""
        return raw_record(self._inspection, row, width)

    def cursor(self, row: int) -> int | None:
        """The cursor just after the last event of a record, or that before which it stands."""
        return self._inspection.timeline.table.before_record(row + 1)

    def text(self) -> str:
        """The first rows as text for a clipboard."""
        rows = range(min(_COPIED, self.count()))
        return "\n".join(
            "".join(cell.text for cell in self.line(row, _COPIED_WIDTH)).rstrip() for row in rows
        )

    def record_of(self, event: int | None) -> int:
        """The record that carries an event."""
        return 0 if event is None else self._inspection.timeline.table.record(event)
