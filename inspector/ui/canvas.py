"""A frame that is drawn before Textual is there, and the terminal that it is shown on. Knows no
Textual.
"""

import os
import signal
import sys
import termios
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import FrameType

from inspector.ui.cells import Line, filled, joined
from inspector.ui.palette import COLOURS, GROUNDS, TONES

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[H"
_LEAVE = "\x1b[?1049l\x1b[?25h"
PAGE = "background"
"""The ground of what stands on none."""

_TRUE_COLOUR = 1 << 24
_CUBE = 256


class Canvas:
    """A screen of cells, by rows of lines that each fill a box."""

    def __init__(self, height: int) -> None:
        self._rows: list[list[tuple[int, Line, str]]] = [[] for _ in range(height)]

    def draw(self, x: int, y: int, width: int, line: Line, ground: str = PAGE) -> None:
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
    behind = _rgb(COLOURS["surface" if ground == "surface" else PAGE])
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
def shown(drawn: Callable[[int, int], Canvas]) -> Iterator[None]:
    """Show a frame, and keep what is typed from being echoed over it.

    The terminal is as before when the block ends, in whatever way.

    Args:
        drawn: makes it for a terminal of so many columns and lines.
    """
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    silent = termios.tcgetattr(descriptor)
    # Keys come as they will be read: not echoed, not held to the end of a line, Enter as Enter, and
    # none of them a signal that would leave the terminal as it is now, or kept by the terminal for
    # itself as Ctrl+Q may be.
    silent[0] &= ~(termios.ICRNL | termios.IXON)
    silent[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
    signal.signal(signal.SIGTERM, _end)
    try:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, silent)
        width, height = os.get_terminal_size(sys.stdout.fileno())
        if width and height:
            page = drawn(width, height).codes(_depth(os.environ))
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
