"""The slider as numbers and glyphs: cursors to columns, marks to cells. Knows no Textual."""

from dataclasses import dataclass
from typing import Final

from inspector.inspection import Inspection
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Mark
from inspector.ui.cells import Cell, Line

BARS: Final = "▁▂▃▄▅▆▇█"

MARK_GLYPHS: Final = {
    Mark.DAMAGE: ("⚠", "notice"),
    Mark.ERROR: ("!", "error"),
    Mark.COMPACTION: ("✂", "summary"),
    Mark.USER: ("u", "user"),
}
"""In the order of their weight: a cell shows the heaviest mark it holds."""

_MARK_WORDS: Final = {
    Mark.DAMAGE: "damage",
    Mark.ERROR: "error",
    Mark.COMPACTION: "compaction or prune",
    Mark.USER: "user prompt",
}


@dataclass(frozen=True, slots=True)
class Scale:
    """Cursors 0 to ``head`` laid out over columns 0 to ``width`` − 1."""

    head: int
    width: int

    def column(self, cursor: int) -> int:
        """The column of a cursor."""
        if not self.head or self.width < 2:
            return 0
        return round(min(cursor, self.head) * (self.width - 1) / self.head)

    def cursor(self, column: int) -> int:
        """The cursor that a column stands for."""
        if not self.head or self.width < 2:
            return 0
        column = max(0, min(column, self.width - 1))
        return round(column * self.head / (self.width - 1))


def edges(scale: Scale) -> list[int]:
    """The first cursor of each column, and one beyond the last."""
    found = [0]
    for column in range(1, scale.width):
        # The least cursor that rounds to this column, up to the rounding itself.
        guess = max(0, int((column - 0.5) * scale.head / max(1, scale.width - 1)) - 1)
        while guess <= scale.head and scale.column(guess) < column:
            guess += 1
        found.append(guess)
    found.append(scale.head + 1)
    return found


def marks(timeline: Timeline, scale: Scale) -> list[Mark | None]:
    """The heaviest mark of each column."""
    bounds = edges(scale)
    found: list[Mark | None] = []
    for column in range(scale.width):
        # The event at position k is folded at cursor k + 1.
        start, stop = bounds[column] - 1, bounds[column + 1] - 1
        found.append(
            next(
                (mark for mark in MARK_GLYPHS if timeline.marks.within(mark, start, stop)),
                None,
            )
        )
    return found


def mark_words(timeline: Timeline, scale: Scale, column: int) -> str:
    """What the marks of a column are, in words."""
    bounds = edges(scale)
    start, stop = bounds[column] - 1, bounds[column + 1] - 1
    words = [
        f"{number} {word}{'s' * (number != 1)}"
        for mark, word in _MARK_WORDS.items()
        if (number := timeline.marks.within(mark, start, stop))
    ]
    return ", ".join(words)


def contexts(timeline: Timeline, scale: Scale) -> list[int]:
    """The tokens of the model's context at each column."""
    return [timeline.context(scale.cursor(column))[0] for column in range(scale.width)]


def spark_cells(heights: list[int], folded: int) -> Line:
    """A sparkline: columns up to ``folded`` in the accent, the future faint."""
    top = max(heights, default=0)
    bars = "".join(BARS[min(7, height * 8 // top)] if top and height else " " for height in heights)
    return (Cell(bars[: folded + 1], "accent"), Cell(bars[folded + 1 :], "faint"))


def mark_cells(found: list[Mark | None]) -> Line:
    """The mark lane."""
    return tuple(Cell(" ") if mark is None else Cell(*MARK_GLYPHS[mark]) for mark in found)


def track_cells(inspection: Inspection, scale: Scale) -> Line:
    """The track: folded, cursor, not yet; hatched where the fold is not reliable."""
    at = scale.column(inspection.cursor)
    timeline = inspection.timeline
    reliable = scale.width
    if timeline.reliable_to < timeline.events:
        reliable = scale.column(timeline.reliable_to)
    cells: list[Cell] = []
    for first, last, glyph, tone in (
        (0, at, "━", "accent"),
        (at + 1, scale.width, "┄", "faint"),
    ):
        solid = max(first, min(last, reliable + 1))
        if solid > first:
            cells.append(Cell(glyph * (solid - first), tone))
        if last > solid:
            cells.append(Cell("░" * (last - solid), "notice"))
        if first == 0:
            cells.append(Cell("●", "strong"))
    return tuple(cells)
