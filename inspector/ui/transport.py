"""The transport: sparkline, mark lane, track and position line; the slider is the product."""

from datetime import tzinfo

from textual import events
from textual.message import Message
from textual.strip import Strip

from inspector.inspection import Inspection
from inspector.text.labels import clock, count, duration, tokens
from inspector.timeline.words import Mark
from inspector.ui import track
from inspector.ui.cells import Cell, Line, between, fit
from inspector.ui.lines import Toned

_LEFT = 8
_RIGHT = 9


class Transport(Toned):
    """The slider and what belongs to it; drops rows from the top as its height shrinks."""

    class Sought(Message):
        """The person dragged, clicked or wheeled to a cursor."""

        def __init__(self, cursor: int) -> None:
            super().__init__()
            self.cursor = cursor

        def can_replace(self, message: Message) -> bool:
            """A drag makes more of these than frames; the last one counts."""
            return isinstance(message, Transport.Sought)

    class Wheeled(Message):
        """The wheel asks for so many events forward, or back if negative."""

        def __init__(self, events: int) -> None:
            super().__init__()
            self.events = events

    def __init__(self, inspection: Inspection, zone: tzinfo | None, *, id: str) -> None:  # noqa: A002 - Textual's own word
        super().__init__(id=id)
        self._inspection = inspection
        self._zone = zone
        self._dragging = False
        self._drawn: tuple[int, int] = (-1, -1)
        self._marks: list[Mark | None] = []
        self._heights: list[int] = []
        self._hint = ""

    def sync(self) -> None:
        """Draw the state of the visit as it is now."""
        self.refresh()

    def _scale(self) -> track.Scale:
        return track.Scale(self._inspection.head, max(2, self.size.width - _LEFT - _RIGHT))

    def _measure(self, scale: track.Scale) -> None:
        """Marks and heights change with the tape and the width, not with the cursor."""
        key = (scale.head, scale.width)
        if key != self._drawn:
            self._marks = track.marks(self._inspection.timeline, scale)
            self._heights = track.contexts(self._inspection.timeline, scale)
            self._drawn = key

    def render_line(self, y: int) -> Strip:
        """One of the four rows, counted from below."""
        row = self.size.height - 1 - y
        scale = self._scale()
        self._measure(scale)
        inspection = self._inspection
        if row == 0 and self.size.height > 1:
            line = self._position()
        elif row in (0, 1):
            line = self._track(scale)
        elif row == 2:
            line = (Cell(fit("marks", _LEFT), "faint"), *track.mark_cells(self._marks))
        else:
            folded = scale.column(inspection.cursor)
            now, estimated = inspection.timeline.context(inspection.cursor)
            label = f"{'≈' if estimated else ' '}{tokens(now)}"
            line = (
                Cell(fit("context", _LEFT), "faint"),
                *track.spark_cells(self._heights, folded),
                Cell(f" {label}", "strong"),
            )
        return self.strip(line, self.size.width)

    def _track(self, scale: track.Scale) -> Line:
        inspection = self._inspection
        state = "▶" if inspection.playing else "‖"
        return (
            Cell(f"{state} ", "accent"),
            Cell(fit("0", _LEFT - 3, right=True), "faint"),
            Cell(" "),
            *track.track_cells(inspection, scale),
            Cell(f" {count(inspection.head)}", "faint"),
        )

    def _position(self) -> Line:
        inspection = self._inspection
        timeline, last = inspection.timeline, inspection.last_folded
        turn = inspection.turn()
        words = ["before the first turn" if turn is None else f"turn {turn}"]
        if last is not None:
            time, first = timeline.table.time(last), timeline.table.time(0)
            if time is not None:
                words.append(clock(time, self._zone))
                if first is not None:
                    words[-1] += f" ({duration(time - first)})"
            owner = inspection.tape.number(last)
            words.append(f"last folded {f'#{last}' if owner is None else f'@{owner}'}")
        hidden = timeline.surface.hidden(inspection.cursor)
        if hidden:
            words.append(f"{count(hidden)} shadowed")
        if not timeline.settled.at(inspection.cursor):
            words.append("unsettled")
        right: Line = (Cell(f"{inspection.speed:g}×", "dim"),)
        if self._hint:
            right = (Cell(f"{self._hint}  ", "dim"), *right)
        return between((Cell(" · ".join(words), "dim"),), right, self.size.width)

    # The mouse.

    def _seek_to(self, x: int) -> None:
        self.post_message(self.Sought(self._scale().cursor(x - _LEFT)))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the slider."""
        if event.button == 1:
            self._dragging = True
            self.capture_mouse()
            self._seek_to(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag, or tell what the marks under the mouse are."""
        if self._dragging:
            self._seek_to(event.x)
            return
        scale = self._scale()
        column = event.x - _LEFT
        words = ""
        if 0 <= column < scale.width and scale.head:
            words = track.mark_words(self._inspection.timeline, scale, column)
        hint = f"at {count(scale.cursor(column))}: {words}" if words else ""
        if hint != self._hint:
            self._hint = hint
            self.refresh()

    def on_leave(self) -> None:
        """Forget the hint."""
        if self._hint:
            self._hint = ""
            self.refresh()

    def on_mouse_up(self) -> None:
        """Let go."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def on_mouse_release(self) -> None:
        """The capture is lost."""
        self._dragging = False

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """One event forward."""
        event.stop()
        self.post_message(self.Wheeled(1))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """One event back."""
        event.stop()
        self.post_message(self.Wheeled(-1))
