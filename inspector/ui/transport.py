"""The transport: the slider as a widget that the mouse can take hold of."""

from datetime import tzinfo
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message
from textual.strip import Strip

from inspector.inspection import Inspection
from inspector.ui.lines import Toned
from inspector.ui.slider import Slider

if TYPE_CHECKING:
    from inspector.formats.planning import Cuts


class Transport(Toned):
    """The slider and what belongs to it; drops rows from the top as its height shrinks."""

    class Sought(Message):
        """The person dragged or clicked to a cursor."""

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
        self._slider = Slider(inspection, zone)
        self._zone = zone
        self._dragging = False

    def show(self, inspection: Inspection) -> None:
        """Show another visit from now on."""
        self._slider = Slider(inspection, self._zone)
        self.refresh()

    def show_cuts(self, cuts: "Cuts | None") -> None:
        """Draw where the tape may be cut, or nothing of the kind."""
        self._slider.cuts = cuts
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row of the slider."""
        return self.strip(self._slider.line(y, self.size.width, self.size.height), self.size.width)

    def _seek_to(self, x: int) -> None:
        self.post_message(self.Sought(self._slider.cursor_at(x, self.size.width)))

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
        elif self._slider.point_at(event.x, self.size.width):
            self.refresh()

    def on_leave(self) -> None:
        """Forget the hint."""
        if self._slider.say(""):
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
