"""The first frame, drawn before Textual is there. Knows no Textual.

Importing Textual takes longer than a person waits for a key, so the frame that it is about to draw
is put on the screen first: the same lines in the same places. What is typed meanwhile waits in the
terminal and is obeyed. A test holds this frame against Textual's own.
"""

from contextlib import AbstractContextManager
from datetime import tzinfo

from inspector.inspection import Inspection
from inspector.ui import bars, detail
from inspector.ui.canvas import PAGE, Canvas, shown
from inspector.ui.cells import Cell
from inspector.ui.layout import Box, boxes, classes, top_row
from inspector.ui.rows import EventRows, RowSource, SurfaceRows
from inspector.ui.slider import Slider


def frame(inspection: Inspection, width: int, height: int, zone: tzinfo | None) -> Canvas:
    """The first frame of the main screen; nothing but a page where the screen is too small."""
    canvas = Canvas(height)
    on = classes(width, height)
    if on["-tiny"]:
        return canvas
    warning = bars.banner(inspection)
    where = boxes(width, height, warning is not None)
    canvas.draw(0, 0, width, bars.status(inspection, width), "surface")
    if warning is not None:
        canvas.draw(0, 1, width, warning, "banner")
    events = where.events
    if on["-narrow"]:
        events = events._replace(width=width)
    canvas.draw(events.x, events.y, events.width, bars.events_title(inspection, True), "surface")
    _list(canvas, _below(events, 1), EventRows(inspection), inspection.selected)
    if not on["-narrow"]:
        _right(canvas, inspection, where.surface, where.detail, zone)
    if where.transport.y > events.y + events.height:
        canvas.draw(0, where.transport.y - 1, width, (Cell("─" * width, "rule"),))
    slider = Slider(inspection, zone)
    for y in range(where.transport.height):
        line = slider.line(y, width, where.transport.height)
        canvas.draw(0, where.transport.y + y, width, line)
    canvas.draw(0, where.footer, width, bars.footer(width, "", "")[0], "surface")
    return canvas


def _below(box: Box, rows: int) -> Box:
    return Box(box.x, box.y + rows, box.width, box.height - rows)


def _right(
    canvas: Canvas, inspection: Inspection, top: Box, bottom: Box, zone: tzinfo | None
) -> None:
    for y in range(top.y, bottom.y + bottom.height):
        canvas.draw(top.x - 1, y, 1, (Cell("▏", "rule"),))
    canvas.draw(top.x, top.y, top.width, bars.surface_title(inspection, False))
    canvas.draw(top.x, top.y + 1, top.width, bars.surface_head(inspection))
    rows = SurfaceRows(inspection)
    _list(canvas, _below(top, 2), rows, rows.entered())
    if bottom.x > top.x:
        for y in range(bottom.y, bottom.y + bottom.height):
            canvas.draw(bottom.x - 1, y, 1, (Cell("▏", "rule"),))
    else:
        canvas.draw(bottom.x, bottom.y - 1, bottom.width, (Cell("─" * bottom.width, "rule"),))
    title = bars.detail_title(inspection, False, "detail", inspection.selected)
    canvas.draw(bottom.x, bottom.y, bottom.width, title)
    _reader(canvas, _below(bottom, 1), inspection, zone)


def _reader(canvas: Canvas, box: Box, inspection: Inspection, zone: tzinfo | None) -> None:
    event = inspection.selected
    room = max(10, box.width - detail.MARGIN)
    lines = detail.LazyLines(detail.lines(inspection, "detail", event, room, zone))
    # A scrollbar takes a column of what does not fit.
    width = box.width - (1 if lines.ensure(box.height + 1) > box.height else 0)
    for y in range(box.height):
        canvas.draw(box.x, box.y + y, width, lines[y])


def _list(canvas: Canvas, box: Box, source: RowSource, selected: int | None) -> None:
    rows = source.count()
    width = box.width - (1 if rows > box.height else 0)
    top = top_row(selected, 0, box.height, rows)
    for y in range(box.height):
        row = top + y
        if row >= rows:
            canvas.draw(box.x, box.y + y, box.width, ())
            continue
        ground = "selected" if row == selected else PAGE
        bar = Cell("▌" if row == selected else " ", "accent")
        canvas.draw(box.x, box.y + y, width, (bar, *source.line(row, width - 2)), ground)
        if width < box.width:
            canvas.draw(box.x + width, box.y + y, 1, (Cell(" "),))


def painted(inspection: Inspection) -> AbstractContextManager[None]:
    """Show the first frame of the main screen, as `shown` does."""
    return shown(lambda width, height: frame(inspection, width, height, None))
