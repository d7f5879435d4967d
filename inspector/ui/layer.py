"""A report over the main screen: rows, the one in hand in full, and where it leads."""

from typing import ClassVar, Final, Protocol, runtime_checkable

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from inspector.actions import LAYER, Action
from inspector.text.labels import count, plural
from inspector.ui.cells import Cell, Line, broken
from inspector.ui.footing import keys, told
from inspector.ui.lines import Bar, Foot, Heads
from inspector.ui.listing import Listing
from inspector.ui.reader import Reader
from inspector.ui.report import Report
from inspector.ui.standing import Standing

_HEAD_LINES: Final = 2
"""Lines that one head may take."""

_FRAME: Final = 3
"""Lines of a layer besides heads, rows and the row in full: title, rule, footer."""

_SMALL: Final = {22: "-small", 18: "-smaller"}
"""Lines of a terminal below which all of it is a report's, and then without a frame."""

_LEAST_ROWS: Final = 4
"""Rows that heads leave in sight, or as many as there are."""

_LEAST_LINES: Final = 1
"""Lines of the row in full that heads leave in sight."""


@runtime_checkable
class Folding(Protocol):
    """A report of which some rows stand for others."""

    def turns(self, row: int, /) -> bool:
        """List what a row stands for, or fold it again; False if it stands for itself."""


class Layer(ModalScreen[int | None]):
    """A report; closes with the cursor to go to, or None.

    Args:
        title: what it is.
        report: its rows.
        heads: lines above the rows.
        row: the row in hand at first.
        standing: of which state of the tape the report tells; None if it follows the tape.
    """

    KEYS: ClassVar[tuple[Action, ...]] = LAYER
    """What the footer shows."""

    NOWHERE: ClassVar[str] = "there is no place to go to"
    """What is said of a row that leads nowhere."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(action.keys, action.call, action.label, show=False) for action in LAYER
    ]

    def __init__(
        self,
        title: str,
        report: Report,
        heads: tuple[Line, ...],
        row: int,
        standing: Standing | None = None,
    ) -> None:
        super().__init__()
        self._title = title
        self._standing = standing
        self._report = report
        self._heads = heads
        self._row = row
        self._message = ""
        self._reports = 0

    def show_report(self, report: Report, heads: tuple[Line, ...], row: int) -> None:
        """Show another report in the place of this one."""
        self._report, self._heads, self._row = report, heads, row
        self._reports += 1
        self._message = ""
        self.query_one("#layer-rows", Listing).source = report
        self._show()

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        with Vertical(id="layer"):
            yield Bar(id="layer-title")
            yield Heads(id="layer-heads")
            yield Listing(self._report, id="layer-rows")
            yield Reader(id="layer-detail")
            yield Foot(id="layer-footer")

    def on_mount(self) -> None:
        """Fill it."""
        self.query_one("#layer-rows").focus()
        self._show()

    def on_resize(self) -> None:
        """The footer shows as many keys as there is room."""
        for most, name in _SMALL.items():
            self.set_class(self.app.size.height < most, name)
        self.call_after_refresh(self._show)
        self._show()

    def follow(self) -> None:
        """The tape grew, or was read anew."""
        if self.is_mounted:
            self._show()

    def _share(self, rows: int) -> None:
        """Few rows leave the room that they do not need to the one in full."""
        inside = self.query_one("#layer").size
        change = None if self._standing is None else self._standing.change()
        heads = [
            (Cell(" "), *line)
            for head in (*(() if change is None else (change,)), *self._heads)
            for line in broken(head, inside.width - 2, _HEAD_LINES)
        ]
        most = inside.height - _FRAME - min(rows, _LEAST_ROWS) - _LEAST_LINES
        if inside.height and len(heads) > max(1, most):
            kept = max(1, most - 1)
            more = plural(len(heads) - kept, "line")
            heads[kept:] = [(Cell(f" ⋯ {more} more, in a taller window", "faint"),)]
        self.query_one("#layer-heads", Heads).show(heads)
        room = inside.height - len(heads) - _FRAME
        height = max(1, min(rows, max(room * 3 // 5, min(_LEAST_ROWS, room - _LEAST_LINES))))
        if inside.height:
            self.query_one("#layer-rows").styles.height = height

    def _show(self) -> None:
        rows = self._report.count()
        self._share(rows)
        title = f" {self._title}"
        about = f"  {count(min(self._row + 1, rows))} of {count(rows)}"
        where = "  in full, Tab goes back" if self._in_full else ""
        standing = "" if self._standing is None else self._standing.words()
        self.query_one("#layer-title", Bar).show(
            (
                Cell(title, "strong"),
                Cell(about, "faint"),
                Cell(where, "notice"),
                Cell(standing, "faint"),
            )
        )
        listed = self._reports, rows
        self.query_one("#layer-rows", Listing).sync(listed, self._row if rows else None)
        row, report = self._row, self._report
        state = row, listed if isinstance(report, Folding) else self._reports
        self.query_one("#layer-detail", Reader).sync(state, lambda width: report.lines(row, width))
        width = self.query_one("#layer").size.width
        shown = [keys(self.keys(), width, ("layer.close",))]
        if self._message:
            shown = told(self._message, (), width)
        self.query_one("#layer-footer", Foot).show(shown)

    def keys(self) -> tuple[Action, ...]:
        """What the footer shows."""
        return self.KEYS

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
        """Take the first or the last row in hand, or scroll the one in full to that end."""
        if self._in_full:
            self.query_one("#layer-detail", Reader).scroll_to_edge(end=bool(end))
        else:
            self._take(self._report.count() if end else 0)

    def action_go(self) -> None:
        """Close, and go where the row leads; a row that opens or folds others does that."""
        if isinstance(self._report, Folding) and self._report.turns(self._row):
            self._take(self._row)
            return
        cursor = self._report.cursor(self._row)
        standing = self._standing
        gone = standing.refusal(cursor) if cursor is not None and standing is not None else None
        if cursor is None or gone is not None:
            self._message = gone or self.NOWHERE
            self._show()
        else:
            self.dismiss(cursor)

    def action_copy(self) -> None:
        """Copy the report as text."""
        self.app.copy_to_clipboard(self._report.text())
        self._message = "copied, if the terminal allows it"
        self._show()
