"""The list of the library: it stays where it stands when it is shown again, or rows come above."""

from collections.abc import Hashable

from textual import events
from textual.message import Message

from inspector.ui.layout import top_row
from inspector.ui.library.browsing import Browsing
from inspector.ui.library.rows import LibraryRows
from inspector.ui.listing import Listing


class LibraryListing(Listing):
    """The rows of a visit to the library."""

    class Opened(Message):
        """A row was clicked twice."""

    class Scrolled(Message):
        """Another line is the first that is shown."""

    def __init__(self, browsing: Browsing, *, id: str) -> None:  # noqa: A002 - Textual's own word
        super().__init__(LibraryRows(browsing), id=id)
        self._browsing = browsing
        self._of: Hashable = None

    def show(self) -> None:
        """Show the visit as it is now."""
        browsing = self._browsing
        row = browsing.shelf.selected
        of = None if row is None else (row.path, row.session)
        if of == self._of and self.scroll_offset.y and None not in (browsing.line, self.selected):
            # The same row further down: what stands above it came, and it stays where it is.
            browsing.top += (browsing.line or 0) - (self.selected or 0)
        self._of = of
        self.sync(browsing.state, browsing.line)

    def _keep_in_sight(self, *, afresh: bool = False) -> None:  # noqa: ARG002 - the visit knows
        """Scroll no further than needed from where the visit stood."""
        height = self.scrollable_content_region.height
        if height:
            rows = self.source.count()
            top = top_row(self.selected, self._browsing.top, height, rows)
            self.scroll_to(y=top, animate=False, immediate=True, force=True)
            self._browsing.top = top

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The wheel and the bar scroll as well."""
        super().watch_scroll_y(old_value, new_value)
        if self.scrollable_content_region.height:
            self._browsing.top = round(new_value)
            self.post_message(self.Scrolled())

    def on_click(self, event: events.Click) -> None:
        """Tell which row was clicked, and that it is to be opened where that was twice."""
        row = self.scroll_offset.y + event.y
        if event.chain == 2 and row == self._browsing.line:
            self.post_message(self.Opened())
