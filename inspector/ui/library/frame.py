"""The first frame of the library, drawn before Textual is there. Knows no Textual.

It is the frame of the library's screen: a test holds the two against each other.
"""

from inspector.ui.canvas import Canvas
from inspector.ui.cells import Cell
from inspector.ui.layout import classes, top_row
from inspector.ui.library import rows, strip
from inspector.ui.library.browsing import Browsing

_BESIDE = 5
"""Columns beside the text of the page of nothing."""


def frame(browsing: Browsing, width: int, height: int) -> Canvas:
    """The first frame; nothing but a page where the screen is too small."""
    canvas = Canvas(height)
    if classes(width, height)["-tiny"]:
        return canvas
    below = strip.height(height)
    first, last = len(rows.top(browsing, width)), height - 1 - below - (1 if below else 0)
    top = top_row(browsing.line, browsing.top, last - first, rows.LibraryRows(browsing).count())
    for y, line in enumerate(rows.top(browsing, width, top)):
        canvas.draw(0, y, width, line, "surface" if y == 0 else "background")
    if browsing.nothing:
        _nothing(canvas, browsing, width, first, height - 1)
    else:
        _list(canvas, browsing, width, range(first, last), top)
        if below:
            canvas.draw(0, last, width, (Cell("─" * width, "rule"),))
        for y, line in enumerate(rows.bottom(browsing, width, below)):
            canvas.draw(0, last + 1 + y, width, line)
    (footer, *_) = rows.footer(browsing, width, browsing.message)
    canvas.draw(0, height - 1, width, footer, "surface")
    return canvas


def _nothing(canvas: Canvas, browsing: Browsing, width: int, first: int, last: int) -> None:
    lines = list(rows.nothing(browsing, width - _BESIDE))
    for y in range(first, last):
        line = lines[y - first] if y - first < len(lines) else ()
        canvas.draw(0, y, width, (Cell(" "), *line))


def _list(canvas: Canvas, browsing: Browsing, width: int, lines: range, top: int) -> None:
    source = rows.LibraryRows(browsing)
    count, selected = source.count(), browsing.line
    for y in lines:
        row = top + y - lines.start
        if row >= count:
            canvas.draw(0, y, width, ())
            continue
        chosen = row == selected
        bar = Cell("▌" if chosen else " ", "accent")
        line = (bar, *source.line(row, width - rows.SIDE))
        canvas.draw(0, y, width - 1, line, "selected" if chosen else "background")
        canvas.draw(width - 1, y, 1, (Cell(" "),))
