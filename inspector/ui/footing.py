"""The last line of a screen: the keys worth knowing, or what there is to say. Knows no Textual."""

from collections.abc import Iterable
from typing import Final

from inspector.actions import Action
from inspector.export.fitting import fit, width_of
from inspector.ui.cells import Cell, Line, between
from inspector.ui.wrapping import wrapped

_BEHIND: Final = "  "
"""Behind a key of a footer, before the next one."""


def told(message: str, right: Line, width: int) -> list[Line]:
    """A message in as many lines as it takes, and a right part at the end of the last."""
    lines = list(wrapped(message, width - 1, "notice", " "))
    if breadth(lines[-1]) + breadth(right) > width - 1:
        lines.append(())
    return [*lines[:-1], between(lines[-1], right, width)]


def keys(actions: Iterable[Action], width: int, always: Iterable[str] = ()) -> Line:
    """The keys of those actions that have a word for a footer, as far as there is room for whole
    ones: the first are the most important, but for those that are always there, by their ids.
    """
    named, needed = [one for one in actions if one.footer], set(always)
    # Blanks behind the last key are not missed.
    room = width - 1 + len(_BEHIND)
    room -= sum(breadth(key(one)) for one in named if one.id in needed)
    cells: list[Cell] = []
    for one in named:
        shown = key(one)
        if one.id not in needed:
            room -= breadth(shown)
            if room < 0:
                continue
        cells += shown
    if not cells:
        return ()
    last = cells.pop()
    return (Cell(" "), *cells, last._replace(text=last.text.removesuffix(_BEHIND)))


def key(action: Action) -> Line:
    """A key, and its word for a footer."""
    return (
        Cell(action.shown_keys.split(" ", 1)[0], "accent"),
        Cell(f" {action.footer}{_BEHIND}", "dim"),
    )


def breadth(line: Line) -> int:
    """The columns that a line takes."""
    return sum(width_of(cell.text) for cell in line)


def too_small(width: int, height: int) -> Line:
    """The refusal of a terminal that cannot show anything useful."""
    return (Cell(fit(f"too small: {width}x{height}, need 40x10", max(width, 1)), "notice"),)
