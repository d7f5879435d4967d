"""What of a visit a person has before them: pane, row in hand, mode of the detail.

Pure, as the visit is; knows no Textual.
"""

from collections.abc import Hashable
from typing import Final

from inspector.inspection import Inspection
from inspector.lenses.transcript import Entry
from inspector.ui.rows import SurfaceRows
from inspector.ui.transcript import TranscriptRows

PANES: Final = ("events", "surface", "detail")


class View:
    """Which pane is in hand, which row of the surface, and what the detail shows.

    Attributes:
        surface: the rows that the model sees at the cursor.
        transcript: the rows that the person saw.
        in_words: whether the pane of the surface shows the transcript instead.
        pane: a member of `PANES`.
        mode: of the detail: detail, raw or state.
    """

    def __init__(self, inspection: Inspection) -> None:
        self.surface = SurfaceRows(inspection)
        self.transcript = TranscriptRows(inspection)
        self.in_words = False
        self.pane = "events"
        self.mode = "detail"
        self._inspection = inspection
        self._row: int | None = None
        self._row_cursor = 0

    def neighbour(self, direction: int) -> str:
        """The pane so many panes further round."""
        return PANES[(PANES.index(self.pane) + direction) % len(PANES)]

    @property
    def rows(self) -> SurfaceRows | TranscriptRows:
        """What the pane beside the events lists."""
        return self.transcript if self.in_words else self.surface

    def swap(self) -> None:
        """Show the transcript in the place of the surface, or the surface again."""
        self.in_words = not self.in_words
        self._row = None

    # The row of the surface in hand: one of this pane and this cursor.

    def take_row(self, row: int) -> None:
        """Take a row of the surface in hand, or the nearest there is."""
        row = self.transcript.reach(row) if self.in_words else row
        self._row, self._row_cursor = row, self._inspection.cursor

    def let_go(self) -> None:
        """Have no row of the surface in hand."""
        self._row = None

    def settle(self) -> None:
        """Let go of a row if its pane was left or the cursor moved."""
        if self.pane != "surface" or self._row_cursor != self._inspection.cursor:
            self._row = None

    @property
    def row(self) -> int | None:
        """The row of the surface in hand, or None."""
        rows = self.rows.count() if self._row is not None else 0
        return None if self._row is None or not rows else max(0, min(self._row, rows - 1))

    @property
    def shown_row(self) -> int | None:
        """The row of the surface to highlight: the one in hand, else what entered last."""
        return self.rows.entered() if self.row is None else self.row

    # The detail.

    @property
    def event(self) -> int | None:
        """Whose detail is shown: that of the row in hand, else the selected event."""
        row = self.row
        event = None if row is None else self.rows.event(row)
        return self._inspection.selected if event is None else event

    @property
    def pointed(self) -> int | None:
        """What a question is about: the highlighted row of the surface if that pane is in hand."""
        row = self.shown_row if self.pane == "surface" else None
        return self.event if row is None else self.rows.event(row)

    @property
    def entry(self) -> Entry | None:
        """The entry of the transcript in hand, which the detail shows whole."""
        row = self.row if self.in_words else None
        return None if row is None else self.transcript.entry(row)

    def toggle(self, mode: str) -> None:
        """Show the detail in a mode, or rendered again if it is in that mode."""
        self.mode = "detail" if self.mode == mode else mode

    def detail_state(self) -> Hashable:
        """What the lines of the detail depend on."""
        inspection, event = self._inspection, self.event
        if self.mode == "state":
            return (inspection.reading, self.mode, inspection.cursor)
        entry = self.entry
        if entry is not None and self.mode == "detail":
            return (inspection.reading, self.mode, inspection.cursor, self._row, entry.event)
        seen = None
        if event is not None:
            seen = inspection.timeline.visibility(event, inspection.cursor)
        return (inspection.reading, self.mode, event, seen)
