"""A report over the main screen: rows, the one in hand in full, and where it leads."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from inspector.actions import LAYER
from inspector.text.labels import count
from inspector.ui.bars import keys
from inspector.ui.cells import Cell, Line
from inspector.ui.lines import Bar
from inspector.ui.listing import Listing
from inspector.ui.reader import Reader
from inspector.ui.report import Report


class Layer(ModalScreen[int | None]):
    """A report; closes with the cursor to go to, or None.

    Args:
        title: what it is.
        report: its rows.
        heads: lines above the rows.
        row: the row in hand at first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(action.keys, action.call, action.label, show=False) for action in LAYER
    ]

    def __init__(self, title: str, report: Report, heads: tuple[Line, ...], row: int) -> None:
        super().__init__()
        self._title = title
        self._report = report
        self._heads = heads
        self._row = row
        self._message = ""

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        with Vertical(id="layer"):
            yield Bar(id="layer-title")
            for at in range(len(self._heads)):
                yield Bar(id=f"layer-head-{at}")
            yield Listing(self._report, id="layer-rows")
            yield Reader(id="layer-detail")
            yield Bar(id="layer-footer")

    def on_mount(self) -> None:
        """Fill it."""
        for at, head in enumerate(self._heads):
            self.query_one(f"#layer-head-{at}", Bar).show((Cell(" "), *head))
        self.query_one("#layer-rows").focus()
        self._show()

    def on_resize(self) -> None:
        """The footer shows as many keys as there is room."""
        self._show()

    def _show(self) -> None:
        rows = self._report.count()
        title = f" {self._title}"
        about = f"  {count(min(self._row + 1, rows))} of {count(rows)}"
        where = "  in full, Tab goes back" if self._in_full else ""
        self.query_one("#layer-title", Bar).show(
            (Cell(title, "strong"), Cell(about, "faint"), Cell(where, "notice"))
        )
        self.query_one("#layer-rows", Listing).sync(rows, self._row if rows else None)
        row, report = self._row, self._report
        self.query_one("#layer-detail", Reader).sync(row, lambda width: report.lines(row, width))
        footer = self.query_one("#layer-footer", Bar)
        message = (Cell(f" {self._message}", "notice"),) if self._message else keys(LAYER)
        footer.show(message)

    def _take(self, row: int) -> None:
        self._row = max(0, min(row, self._report.count() - 1))
        self._message = ""
        self._show()

    @property
    def _in_full(self) -> bool:
        """Whether keys scroll the row in full, and not the rows."""
        return isinstance(self.focused, Reader)

    def on_descendant_focus(self) -> None:
        """A click may go to the other part as well as a key."""
        self._show()

    def on_listing_picked(self, message: Listing.Picked) -> None:
        """A row was clicked."""
        self._take(message.row)

    def action_pane(self) -> None:
        """Go to the row in full, or back to the rows."""
        self.set_focus(self.query_one("#layer-rows" if self._in_full else "#layer-detail"))

    def action_row(self, rows: int) -> None:
        """Take another row in hand, or scroll the one in full."""
        if self._in_full:
            self.query_one("#layer-detail", Reader).scroll_rows(rows)
        else:
            self._take(self._row + rows)

    def action_page(self, pages: int) -> None:
        """Take a row a page away in hand, or scroll the one in full by a page."""
        part = self.query_one("#layer-detail" if self._in_full else "#layer-rows")
        page = part.page() if isinstance(part, Listing | Reader) else 1
        self.action_row(pages * page)

    def action_edge(self, end: int) -> None:
        """Take the first or the last row in hand."""
        self._take(self._report.count() if end else 0)

    def action_go(self) -> None:
        """Close, and go where the row leads."""
        cursor = self._report.cursor(self._row)
        if cursor is None:
            self._message = "there is no place to go to"
            self._show()
        else:
            self.dismiss(cursor)

    def action_copy(self) -> None:
        """Copy the report as text."""
        self.app.copy_to_clipboard(self._report.text())
        self._message = "copied, if the terminal allows it"
        self._show()
