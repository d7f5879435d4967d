"""The detail pane: lines that are made as one scrolls to them."""

from collections.abc import Callable, Hashable, Iterator
from typing import Final

from textual.geometry import Size
from textual.strip import Strip

from inspector.ui.cells import Line
from inspector.ui.detail import MARGIN, LazyLines
from inspector.ui.scrolling import Scrolling

_AHEAD: Final = 500
"""Lines made beyond the last one on screen."""

_TO_THE_END: Final = 100_000
"""Lines that are made at once to go to the end; a longer text has a later end."""

Composer = Callable[[int], Iterator[Line]]
"""The lines for a width."""


class Reader(Scrolling):
    """Lines of a text of any length."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own word
        super().__init__(id=id)
        self._composer: Composer = lambda _width: iter(())
        self._lines = LazyLines(iter(()))
        self._state: Hashable = None

    def sync(self, state: Hashable, composer: Composer) -> None:
        """Show other lines, from the top, unless the state is the one shown."""
        if state != self._state:
            self._state = state
            self._composer = composer
            self._compose_lines()
            self.scroll_to(y=0, animate=False, immediate=True)

    def _compose_lines(self) -> None:
        if not self.size.width:
            # Before the first layout; its resize comes back here.
            return
        # The scrollbar's column stays free: lines must not break anew when it comes.
        width = max(10, self.size.width - MARGIN)
        self._lines = LazyLines(self._composer(width))
        self._grow()
        self.refresh()

    def _grow(self) -> None:
        """Make the lines that may be seen soon."""
        bottom = self.scroll_offset.y + self.scrollable_content_region.height
        made = self._lines.ensure(bottom + _AHEAD)
        self.virtual_size = Size(self.scrollable_content_region.width, made)

    def scroll_to_edge(self, *, end: bool) -> None:
        """Scroll to the first line, or to the last."""
        if end:
            made = self._lines.ensure(self.virtual_size.height + _TO_THE_END)
            self.virtual_size = Size(self.scrollable_content_region.width, made)
        self.scroll_to(y=self.virtual_size.height if end else 0, animate=False)

    def on_resize(self) -> None:
        """Break the lines anew."""
        self._compose_lines()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Make more lines when the end comes near."""
        super().watch_scroll_y(old_value, new_value)
        if not self._lines.complete:
            self._grow()

    def render_line(self, y: int) -> Strip:
        """One line."""
        width = self.scrollable_content_region.width
        line = self._lines[self.scroll_offset.y + y]
        return self.strip(line, width)
