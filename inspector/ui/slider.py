"""The rows of the transport: what the slider says at a cursor. Knows no Textual."""

from bisect import bisect_left
from datetime import tzinfo
from typing import TYPE_CHECKING, Final

from inspector.export.fitting import fit
from inspector.inspection import Inspection
from inspector.text.labels import clock, count, duration, tokens
from inspector.ui import track
from inspector.ui.cells import Cell, Line, between
from inspector.ui.rows import number

if TYPE_CHECKING:
    from inspector.formats.planning import Cuts

LEFT: Final = 8
"""Columns before the track."""

_RIGHT: Final = 9
"""Columns behind it, unless the head takes more."""


class Slider:
    """Sparkline, mark lane, track and position line, the upper ones left out where there is no
    room.

    Attributes:
        hint: said in the position line.
        cuts: where the tape may be cut, drawn below the track while somebody plans; else None.
    """

    def __init__(self, inspection: Inspection, zone: tzinfo | None) -> None:
        self._inspection = inspection
        self._zone = zone
        self._measured: tuple[int, track.Scale] | None = None
        self._marked: tuple[int, int] | None = None
        self._marks: list[track.Lane | None] = []
        self._heights: list[int] = []
        self.hint = ""
        self.cuts: Cuts | None = None

    def scale(self, width: int) -> track.Scale:
        """How cursors and columns correspond on a transport of this width."""
        head = self._inspection.head
        right = max(_RIGHT, len(count(head)) + 2)
        return track.Scale(head, max(2, width - LEFT - right))

    def cursor_at(self, x: int, width: int) -> int:
        """The cursor under a column of the transport."""
        return self.scale(width).cursor(x - LEFT)

    def point_at(self, x: int, width: int) -> bool:
        """Say what the marks under a column are; returns whether the hint changed."""
        scale = self.scale(width)
        column = x - LEFT
        words = ""
        if 0 <= column < scale.width and scale.head:
            words = track.mark_words(track.lanes(self._inspection), scale, column)
        return self.say(f"at {count(scale.cursor(column))}: {words}" if words else "")

    def say(self, hint: str) -> bool:
        """Show a hint in the position line; returns whether it is another one."""
        changed, self.hint = hint != self.hint, hint
        return changed

    def line(self, y: int, width: int, height: int) -> Line:
        """One of ``height`` rows, from the top."""
        row = height - 1 - y
        if row == 0 and height > 1:
            return self._position(width)
        scale = self.scale(width)
        if self.cuts is not None and height > 2:
            if row == 1:
                at = self._inspection.cursor
                return (Cell(fit("cuts", LEFT), "faint"), *track.cut_cells(self.cuts, at, scale))
            row -= 1
        if row in (0, 1):
            return self._track(scale)
        self._measure(scale)
        if row == 2:
            return (Cell(fit("marks", LEFT), "faint"), *track.mark_cells(self._marks))
        now, estimated = self._inspection.timeline.context(self._inspection.cursor)
        return (
            Cell(fit("context", LEFT), "faint"),
            *track.spark_cells(self._heights, scale.column(self._inspection.cursor)),
            Cell(f" {'≈' if estimated else ' '}{tokens(now)}", "strong"),
        )

    def _measure(self, scale: track.Scale) -> None:
        """Marks and heights change with the tape and the width, not with the cursor."""
        inspection = self._inspection
        key = (inspection.reading, scale)
        set_by_hand = inspection.sought.version, inspection.bookmarks.version
        afresh = key != self._measured and not self._near(scale)
        if afresh or set_by_hand != self._marked:
            self._marks = track.marks(track.lanes(inspection), scale)
            self._marked = set_by_hand
        if afresh:
            self._heights = track.contexts(self._inspection.timeline, scale)
            self._measured = key

    def _near(self, scale: track.Scale) -> bool:
        """Whether the tape is being read and has hardly grown since it was measured.

        Each measuring asks every column for its tokens, thirty times a second while it is read.
        """
        if self._measured is None or self._inspection.tape.complete:
            return False
        reading, before = self._measured
        same = reading == self._inspection.reading and before.width == scale.width
        return same and before.head <= scale.head < before.head * 1.1

    def _track(self, scale: track.Scale) -> Line:
        inspection = self._inspection
        return (
            Cell("▶ " if inspection.playing else "‖ ", "accent"),
            Cell(fit("0", LEFT - 3, right=True), "faint"),
            Cell(" "),
            *track.track_cells(inspection, scale),
            Cell(f" {count(inspection.head)}", "faint"),
        )

    def _position(self, width: int) -> Line:
        inspection = self._inspection
        timeline, last = inspection.timeline, inspection.last_folded
        turn = inspection.turn()
        words = ["before the first turn" if turn is None else f"turn {turn}"]
        if inspection.anchor is not None:
            words.append(f"anchor A at {count(inspection.anchor)}")
        if last is not None:
            time, first = timeline.table.time(last), timeline.table.time(0)
            if time is not None:
                since = "" if first is None else f" ({duration(time - first)})"
                words.append(f"{clock(time, self._zone)}{since}")
            stopped = timeline.stopped_at
            folded = last if stopped is None else min(last, stopped - 1)
            words.append(f"last folded {number(inspection, folded)}" if folded >= 0 else "")
        # What was done aside is hidden from the model as well: the filter lists both.
        aside = bisect_left(timeline.aside, inspection.cursor)
        hidden = timeline.surface.hidden(inspection.cursor) + aside
        if hidden:
            apart = f" ({count(aside)} aside)" if aside else ""
            words.append(f"{count(hidden)} hidden{apart}")
        if not timeline.settled.at(inspection.cursor):
            words.append("unsettled")
        right: Line = (Cell(f"{inspection.speed:g}×", "dim"),)
        if self.hint:
            right = (Cell(f"{self.hint}  ", "dim"), *right)
        return between((Cell(" · ".join(filter(None, words)), "dim"),), right, width)
