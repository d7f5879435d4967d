"""Texts of any length broken into lines of cells, and cleaned on the way. Knows no Textual."""

from collections.abc import Iterator
from typing import Final

from rich.cells import chop_cells

from inspector.text.gate import clean_block
from inspector.ui.cells import Cell, Line

_PIECE: Final = 8_192
"""Characters that are cleaned and broken at once: one line may be a megabyte."""


def wrapped(text: str, width: int, tone: str, indent: str = "") -> Iterator[Line]:
    """A text in lines of at most ``width`` columns, a paragraph at a time."""
    room = max(8, width - len(indent))
    start = 0
    while start <= len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        for piece_start in range(start, max(stop, start + 1), _PIECE):
            piece = clean_block(text[piece_start : min(stop, piece_start + _PIECE)].rstrip("\r"))
            yield from (
                (Cell(f"{indent}{line}", tone),) for line in _broken(piece.replace("\n", "⏎"), room)
            )
        start = stop + 1


def _broken(text: str, width: int) -> Iterator[str]:
    """A paragraph broken at blanks, or anywhere where a word is longer than a line."""
    if not text:
        yield ""
        return
    while text:
        if text.isascii():
            taken = text[:width]
        else:
            pieces = chop_cells(text[: 2 * width], width)
            taken = pieces[0] if pieces and pieces[0] else text[0]
        if len(taken) < len(text):
            blank = taken.rfind(" ")
            if blank > width // 2 and not text[len(taken)].isspace():
                taken = taken[: blank + 1]
        yield taken
        text = text[len(taken) :].removeprefix(" ") if taken.strip() else text[len(taken) :]
