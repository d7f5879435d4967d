"""Cells: cleaned text with a tone, and how it is cut to a width. Knows no Textual."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from inspector.export.fitting import fit, width_of
from inspector.ui.palette import PLAIN


class Cell(NamedTuple):
    """A piece of a line: text that has passed the cleaning gate or is our own, and its tone.

    The tones are those of `inspector.ui.palette.TONES`.
    """

    text: str
    tone: str = "text"


Line = tuple[Cell, ...]

_WORDS: Final = re.compile(r"\s*\S+\s*|\s+")
"""Words with the blanks around them, of a cleaned text."""


def cut(line: Line, width: int) -> Line:
    """A line of at most ``width`` columns."""
    kept: list[Cell] = []
    room = width
    for cell in line:
        used = width_of(cell.text)
        if used > room:
            kept.append(Cell(fit(cell.text, room), cell.tone))
            break
        kept.append(cell)
        room -= used
    return tuple(kept)


def filled(line: Line, width: int) -> Line:
    """A line of exactly ``width`` columns."""
    shown = cut(line, width)
    gap = width - sum(width_of(cell.text) for cell in shown)
    return (*shown, Cell(" " * gap)) if gap > 0 else shown


def broken(line: Line, width: int, most: int) -> list[Line]:
    """A line in at most so many lines, broken at blanks; the last may be too long."""
    found: list[list[Cell]] = [[]]
    room = width
    for cell in line:
        for word in _WORDS.findall(cell.text):
            shown = word
            if width_of(word.rstrip()) > room and found[-1] and len(found) < most:
                found.append([])
                room, shown = width, word.lstrip()
            if shown:
                found[-1].append(Cell(shown, cell.tone))
            room -= width_of(shown)
    return [tuple(cells) for cells in found]


def joined(line: Line) -> Iterator[Cell]:
    """The line in as few cells as look the same: a terminal draws each with a style of its own.

    Blanks look the same in every tone that has no ground and strikes nothing.
    """
    text, tone = "", ""
    for cell in line:
        if not tone:
            text, tone = cell
        elif cell.tone == tone or (cell.text.isspace() and tone in PLAIN):
            text += cell.text
        elif text.isspace() and tone in PLAIN and cell.tone in PLAIN:
            text, tone = text + cell.text, cell.tone
        else:
            yield Cell(text, tone)
            text, tone = cell
    if text:
        yield Cell(text, tone)


def between(left: Line, right: Line, width: int) -> Line:
    """A line with its left part cut so that its right part fits at the end."""
    taken = sum(width_of(cell.text) for cell in right)
    room = max(0, width - taken - 1)
    shown = cut(left, room)
    gap = max(0, width - taken - sum(width_of(cell.text) for cell in shown))
    return (*shown, Cell(" " * gap), *right)
