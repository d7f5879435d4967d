"""What scrolls: the same wheel, the same pages, and a bar that stands where its rows do."""

from typing import Final

from textual import events
from textual.scroll_view import ScrollView

from inspector.ui.lines import Toned

_WHEEL: Final = 3
"""Rows of a turn of the wheel."""


class Scrolling(Toned, ScrollView, can_focus=True, inherit_bindings=False):
    """Rows that scroll at once."""

    def _refresh_scrollbars(self) -> None:
        """Put the bar where the rows stand: it hears of no scrolling while it is not shown."""
        super()._refresh_scrollbars()
        if self.show_vertical_scrollbar:
            self.vertical_scrollbar.position = self.scroll_y

    def scroll_rows(self, rows: int) -> None:
        """Scroll at once."""
        self.scroll_to(y=self.scroll_offset.y + rows, animate=False)

    def page(self) -> int:
        """How many rows a page has."""
        return max(1, self.scrollable_content_region.height - 1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll three rows, at once."""
        self._wheel(event, _WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll three rows, at once."""
        self._wheel(event, -_WHEEL)

    def _wheel(self, event: events.MouseEvent, rows: int) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_rows(rows)
