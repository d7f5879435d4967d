"""What the owner would send as history at a cursor, as rows of cells. Knows no Textual."""

from collections.abc import Iterator
from typing import Final

from inspector.export import request
from inspector.export.fitting import fit, width_of
from inspector.formats.contract import RequestEntry
from inspector.inspection import Inspection
from inspector.text.gate import clean_line
from inspector.text.labels import count
from inspector.ui.cells import Cell, Line
from inspector.ui.rows import number
from inspector.ui.wrapping import wrapped

_NOTE_TONES: Final = {"added": "accent", "dropped": "error", "altered": "notice"}
_PREVIEW: Final = 300
_WITH_REASONS: Final = 104
"""Columns of a row from which on it says why the owner adds, drops or alters it."""

_COPIED: Final = 10_000
_COPIED_WIDTH: Final = 200


class RequestRows:
    """The entries of one request, a row each; those of the cursor at which it was asked for."""

    def __init__(self, inspection: Inspection, cursor: int, sent: request.Sent) -> None:
        self._inspection = inspection.still()
        self._cursor = cursor
        self._entries = sent.entries
        self._basis = sent.basis

    def heads(self) -> tuple[Line, ...]:
        """Where it was asked for, by which reader, whether the owner would, and what is done."""
        tape = self._inspection.tape
        settled = tape.timeline.settled.at(self._cursor)
        refused = request.refusal(tape.verdict(), self._cursor)
        line: Line = (
            Cell(f"at {count(self._cursor)} as {clean_line(tape.identity.policy, 60)}; ", "dim"),
            Cell("" if refused is None else request.IF_IT_COULD, "notice"),
            Cell(request.summary(entry.note for entry in self._entries)),
            Cell("" if settled else "  unsettled: no request would be made here", "notice"),
        )
        told = [(Cell(words, "dim"),) for words in self._basis]
        return (*(() if refused is None else ((Cell(refused, "notice"),),)), line, *told)

    def count(self) -> int:
        """How many rows there are."""
        return len(self._entries)

    def line(self, row: int, width: int) -> Line:
        """One entry in ``width`` columns."""
        entry = self._entries[row]
        tape = self._inspection.tape
        dropped = entry.note == "dropped"
        digits = len(str(self._inspection.head)) + 1
        shown = clean_line(request.preview(tape, entry), _PREVIEW)
        # Where there is little room the reason stands below only, in full.
        why = entry.why if width >= _WITH_REASONS else ""
        note = clean_line(request.note_words(entry.note, why), 80)
        return (
            Cell(fit(str(row + 1), len(str(self.count())), right=True), "faint"),
            Cell(" "),
            Cell(fit(self._origin(entry), digits, right=True), "dim"),
            Cell(" "),
            Cell(fit(clean_line(entry.role or "-", 20), 9), "faint" if dropped else "text"),
            Cell(" "),
            Cell(fit(clean_line(entry.type, 30), 20 if width >= 90 else 12), "dim"),
            Cell(" "),
            Cell(fit(note, max(9, width_of(note) + 2)), _NOTE_TONES.get(entry.note or "", "dim")),
            Cell(shown, "ghost" if dropped else "text"),
        )

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """One entry in full."""
        if row >= len(self._entries):
            yield (Cell("nothing would be sent", "dim"),)
            return
        entry = self._entries[row]
        note = request.note_words(entry.note, entry.why) or "sent as it stands"
        yield from wrapped(note, width, _NOTE_TONES.get(entry.note or "", "dim"))
        if entry.call_id is not None:
            yield (Cell(f"call {clean_line(entry.call_id, 100)}", "dim"),)
        yield ()
        said = request.full_text(self._inspection.tape, entry)
        if said is None:
            yield (Cell("what is sent of it is not told by the format", "dim"),)
        else:
            yield from wrapped(said, width, "text")

    def cursor(self, row: int) -> int | None:
        """The cursor just after the event that an entry comes from; None if it is added."""
        if row >= len(self._entries):
            return None
        event = request.origin(self._inspection.tape, self._entries[row])
        return None if event is None else event + 1

    def text(self) -> str:
        """The first rows as text for a clipboard."""
        rows = range(min(_COPIED, self.count()))
        return "\n".join(
            "".join(cell.text for cell in self.line(row, _COPIED_WIDTH)).rstrip() for row in rows
        )

    def _origin(self, entry: RequestEntry) -> str:
        event = request.origin(self._inspection.tape, entry)
        return "-" if event is None else number(self._inspection, event)
