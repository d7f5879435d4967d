"""The bookmarks of a tape with their notes, as rows that lead to them."""

from collections.abc import Iterator
from typing import ClassVar, Final

from textual.binding import Binding, BindingType

from inspector.actions import BOOKMARK_LAYER, LAYER, Action
from inspector.bookmarks import Bookmark
from inspector.export.fitting import fit
from inspector.inspection import Inspection
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.ui.cells import Cell, Line
from inspector.ui.layer import Layer
from inspector.ui.rows import BOOKMARK, number
from inspector.ui.wrapping import wrapped

_SHOWN: Final = 300


class BookmarkRows:
    """The bookmarks in the order of their letters.

    Args:
        inspection: whose.
        kept: whether they outlive the visit.
    """

    def __init__(self, inspection: Inspection, *, kept: bool) -> None:
        self._inspection = inspection
        self._kept = kept
        self._marks = list(inspection.bookmarks)

    def heads(self) -> tuple[Line, ...]:
        """How many there are, and what one does with them."""
        folder = "kept in your data folder, never beside the tape"
        words = folder if self._kept else "of this visit: there is no folder to keep them in"
        return ((Cell(plural(len(self._marks), "bookmark"), "text"), Cell(f"   {words}", "dim")),)

    def row_of(self, letter: str) -> int:
        """The row of a letter, or the first."""
        letters = [mark.letter for mark in self._marks]
        return letters.index(letter) if letter in letters else 0

    def mark(self, row: int) -> Bookmark | None:
        """The bookmark of a row."""
        return self._marks[row] if row < len(self._marks) else None

    def _event(self, row: int) -> int | None:
        return self._inspection.bookmarks.event(self._marks[row].letter)

    def count(self) -> int:
        """How many rows there are."""
        return len(self._marks)

    def line(self, row: int, width: int) -> Line:
        """One bookmark in ``width`` columns: its note, or what its event says."""
        mark, event = self._marks[row], self._event(row)
        where = "not here" if event is None else number(self._inspection, event)
        said, tone = clean_line(mark.note, _SHOWN), "text"
        if not said and event is not None:
            headline = self._inspection.tape.headline(event)
            said, tone = clean_line(f"{headline.kind}: {headline.text}", _SHOWN), "dim"
        return (
            Cell(f"{BOOKMARK} {mark.letter} ", "notice"),
            Cell(fit(where, 9, right=True), "dim"),
            Cell("  "),
            Cell(fit(said, max(0, width - 15)), tone),
        )

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """One bookmark in full."""
        if row >= len(self._marks):
            yield (Cell("no bookmark yet: m and a letter sets one at the selected event", "dim"),)
            return
        mark, event = self._marks[row], self._event(row)
        if mark.note:
            yield from wrapped(mark.note, width, "strong")
            yield ()
        if event is None:
            yield (Cell("its event is not found on this tape; the bookmark is kept", "notice"),)
            return
        headline = self._inspection.tape.headline(event)
        yield (Cell(f"{number(self._inspection, event)} {clean_line(headline.kind, 40)}", "dim"),)
        yield from wrapped(clean_line(headline.text, 2_000), width, "text")

    def cursor(self, row: int) -> int | None:
        """The cursor just after the event of a bookmark."""
        event = self._event(row) if row < len(self._marks) else None
        return None if event is None else event + 1

    def text(self) -> str:
        """All of them for a clipboard."""
        return "\n".join(
            "".join(cell.text for cell in self.line(row, 200)).rstrip()
            for row in range(len(self._marks))
        )


class BookmarkLayer(Layer):
    """The bookmarks; left with the wish to go to one, to write a note, or to take one away.

    Attributes:
        wish: ``note``, ``remove`` or nothing.
        letter: of the bookmark in hand.
    """

    KEYS: ClassVar[tuple[Action, ...]] = (*LAYER, *BOOKMARK_LAYER)

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(action.keys, action.call, action.label, show=False) for action in BOOKMARK_LAYER
    ]

    def __init__(self, report: BookmarkRows, row: int) -> None:
        super().__init__("Bookmarks", report, report.heads(), row)
        self._bookmarks = report
        self.wish = ""
        self.letter = ""

    def action_note(self) -> None:
        """Close, to write a note."""
        self._leave("note")

    def action_remove(self) -> None:
        """Close, and take the bookmark away; one with a note stays."""
        mark = self._bookmarks.mark(self._row)
        if mark is not None and mark.note:
            self._message = "it has a note: empty that first (e)"
            self._show()
        else:
            self._leave("remove")

    def _leave(self, wish: str) -> None:
        mark = self._bookmarks.mark(self._row)
        if mark is None:
            self._message = "there is no bookmark"
            self._show()
            return
        self.wish, self.letter = wish, mark.letter
        self.dismiss(None)
