"""The first frame, drawn before Textual is there. Knows no Textual.

Importing Textual takes longer than a person waits for a key, so the frame that it is about to draw
is put on the screen first: the same lines in the same places. What is typed meanwhile waits in the
terminal and is obeyed. A test holds this frame against Textual's own.
"""

import os
import signal
import sys
import termios
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import tzinfo
from types import FrameType

from inspector.inspection import Inspection
from inspector.ui import bars, detail
from inspector.ui.cells import Cell, Line, filled, joined
from inspector.ui.layout import Box, boxes, classes, top_row
from inspector.ui.palette import COLOURS, GROUNDS, TONES
from inspector.ui.rows import EventRows, RowSource, SurfaceRows
from inspector.ui.slider import Slider

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[H"
_LEAVE = "\x1b[?1049l\x1b[?25h"
_PAGE = "background"
_TRUE_COLOUR = 1 << 24
_CUBE = 256


class Canvas:
    """A screen of cells, by rows of lines that each fill a box."""

    def __init__(self, height: int) -> None:
        self._rows: list[list[tuple[int, Line, str]]] = [[] for _ in range(height)]

    def draw(self, x: int, y: int, width: int, line: Line, ground: str = _PAGE) -> None:
        """Put a line of exactly ``width`` columns at a place."""
        if 0 <= y < len(self._rows):
            self._rows[y].append((x, tuple(joined(filled(line, width))), ground))

    def text(self) -> list[str]:
        """The screen as plain text."""
        return [
            "".join(cell.text for _, line, _ in sorted(row) for cell in line).rstrip()
            for row in self._rows
        ]

    def codes(self, depth: int) -> str:
        """The screen as a terminal of so many colours understands it, from its top left corner."""
        return "\r\n".join(
            "".join(
                f"{_style(cell.tone, ground, depth)}{cell.text}\x1b[0m"
                for _, line, ground in sorted(row)
                for cell in line
            )
            for row in self._rows
        )


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
        ground = "selected" if row == selected else _PAGE
        bar = Cell("▌" if row == selected else " ", "accent")
        canvas.draw(box.x, box.y + y, width, (bar, *source.line(row, width - 2)), ground)
        if width < box.width:
            canvas.draw(box.x + width, box.y + y, 1, (Cell(" "),))


# Colours.


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _over(behind: tuple[int, int, int], colour: str, strength: float) -> tuple[int, int, int]:
    red, green, blue = (
        int(under + (over - under) * strength)
        for under, over in zip(behind, _rgb(COLOURS[colour]), strict=True)
    )
    return red, green, blue


def _style(tone: str, ground: str, depth: int) -> str:
    look = TONES[tone]
    behind = _rgb(COLOURS["surface" if ground == "surface" else _PAGE])
    if ground in GROUNDS:
        behind = _over(behind, *GROUNDS[ground])
    if look.ground is not None:
        behind = _rgb(COLOURS[look.ground])
    words = ["1"] * look.bold + ["9"] * look.strike
    words += _colour(_over(behind, look.colour, look.strength), 38, depth)
    words += _colour(behind, 48, depth)
    return f"\x1b[{';'.join(words)}m"


def _colour(rgb: tuple[int, int, int], kind: int, depth: int) -> list[str]:
    """A colour as the terminal can show it: exactly, in the cube of 256, or not at all."""
    if depth >= _TRUE_COLOUR:
        return [str(kind), "2", *map(str, rgb)]
    if depth >= _CUBE:
        red, green, blue = (round(value / 255 * 5) for value in rgb)
        return [str(kind), "5", str(16 + 36 * red + 6 * green + blue)]
    return []


# The terminal.


@contextmanager
def painted(inspection: Inspection) -> Iterator[None]:
    """Show the first frame, and keep what is typed from being echoed over it.

    The terminal is as before when the block ends, in whatever way.
    """
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    silent = termios.tcgetattr(descriptor)
    # Keys come as they will be read: not echoed, not held to the end of a line, Enter as Enter, and
    # none of them a signal that would leave the terminal as it is now.
    silent[0] &= ~termios.ICRNL
    silent[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG)
    signal.signal(signal.SIGTERM, _end)
    try:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, silent)
        width, height = os.get_terminal_size(sys.stdout.fileno())
        if width and height:
            page = frame(inspection, width, height, None).codes(_depth(os.environ))
            sys.stdout.write(f"{_ENTER}{page}")
            sys.stdout.flush()
        yield
    except BaseException:
        sys.stdout.write(_LEAVE)
        sys.stdout.flush()
        raise
    finally:
        # A terminal that is gone is given back to nobody.
        with suppress(termios.error):
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _end(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _depth(environment: Mapping[str, str]) -> int:
    """How many colours the terminal shows, and Textual will use of them."""
    if environment.get("NO_COLOR") or environment.get("TEXTUAL_THEME"):
        return 0
    if environment.get("COLORTERM") in ("truecolor", "24bit"):
        return _TRUE_COLOUR
    return _CUBE if "256" in environment.get("TERM", "") else 0
