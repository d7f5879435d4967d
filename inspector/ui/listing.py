"""A list of any length: only the rows on screen are ever made."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from inspector.ui.cells import Cell
from inspector.ui.layout import top_row
from inspector.ui.rows import RowSource
from inspector.ui.scrolling import Scrolling

_CACHED: Final = 256


class Listing(Scrolling):
    """Rows of a source, one of them selected perhaps."""

    class Picked(Message):
        """A row was clicked.

        Attributes:
            listing: where.
            row: which.
        """

        def __init__(self, listing: "Listing", row: int) -> None:
            super().__init__()
            self.listing = listing
            self.row = row

    def __init__(self, source: RowSource, *, id: str) -> None:  # noqa: A002 - Textual's own word
        super().__init__(id=id)
        self.source = source
        self.selected: int | None = None
        self.free = False
        self._state: Hashable = None
        self._strips: OrderedDict[tuple[int, int, str], Strip] = OrderedDict()

    def notify_style_update(self) -> None:
        """The theme or a class changed."""
        super().notify_style_update()
        self._strips.clear()

    def sync(self, state: Hashable, selected: int | None, *, free: bool = False) -> None:
        """Show the source as it is now.

        Args:
            state: what the rows depend on; equal states draw equal rows.
            selected: the row to highlight and keep in sight.
            free: whether that row is apart from the cursor.
        """
        moved = selected != self.selected
        if state == self._state and not moved and free == self.free:
            return
        if state != self._state:
            self._strips.clear()
            self._state = state
        self.selected, self.free = selected, free
        size = Size(self.scrollable_content_region.width, self.source.count())
        if size != self.virtual_size:
            self.virtual_size = size
            moved = True
        if moved:
            self._keep_in_sight()
        self.refresh()

    def _keep_in_sight(self, *, afresh: bool = False) -> None:
        """Scroll no further than needed, but to the middle when the row was out of sight."""
        height = self.scrollable_content_region.height
        if height:
            top = 0 if afresh else self.scroll_offset.y
            top = top_row(self.selected, top, height, self.source.count())
            self.scroll_to(y=top, animate=False, immediate=True, force=True)

    def _size_updated(
        self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True
    ) -> bool:
        """Scroll before anything is drawn in a new size; the resize event comes after that."""
        resized = super()._size_updated(size, virtual_size, container_size, layout)
        if resized:
            self._keep_in_sight(afresh=True)
        return resized

    def on_resize(self) -> None:
        """Keep the selected row in sight."""
        self._strips.clear()
        self.virtual_size = Size(self.scrollable_content_region.width, self.source.count())
        self._keep_in_sight(afresh=True)

    def render_line(self, y: int) -> Strip:
        """The row at a line of the widget."""
        width = self.scrollable_content_region.width
        row = self.scroll_offset.y + y
        if row >= self.source.count():
            return self.strip((), width)
        ground = ""
        if row == self.selected:
            ground = "free" if self.free else "selected"
        key = (row, width, ground)
        strip = self._strips.get(key)
        if strip is None:
            bar = Cell("▌" if ground else " ", "accent")
            strip = self.strip((bar, *self.source.line(row, width - 2)), width, ground)
            self._strips[key] = strip
            if len(self._strips) > _CACHED:
                self._strips.popitem(last=False)
        return strip

    def on_click(self, event: events.Click) -> None:
        """Tell which row was clicked."""
        row = self.scroll_offset.y + event.y
        if 0 <= row < self.source.count():
            self.post_message(self.Picked(self, row))
