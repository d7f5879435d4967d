"""The slider as numbers and glyphs: cursors to columns, marks to cells. Knows no Textual."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from inspector.columns import Column
from inspector.inspection import Inspection
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Mark
from inspector.ui.cells import Cell, Line
from inspector.ui.rows import BOOKMARK, HIT

if TYPE_CHECKING:
    from inspector.formats.planning import Cuts

BARS: Final = "▁▂▃▄▅▆▇█"

FOLDED: Final = "━"
NOT_YET: Final = "┄"
BETWEEN: Final = "▒"
UNRELIABLE: Final = "░"
CURSOR: Final = "●"
ANCHOR: Final = "A"
CUT: Final = "┬"
NO_CUT: Final = "✗"

MARK_GLYPHS: Final = {
    Mark.DAMAGE: ("⚠", "notice"),
    Mark.ERROR: ("!", "error"),
    Mark.COMPACTION: ("✂", "summary"),
    Mark.USER: ("u", "user"),
}
"""In the order of their weight: a cell shows the heaviest mark it holds."""

BRANCHES: Final = ("◆", "strong", "branch point")
"""Where the tape leads to another, or goes back behind itself; lighter than a compaction."""

BOOKMARKS: Final = (BOOKMARK, "notice", "bookmark")
HITS: Final = (HIT, "accent", "hit")
"""Signs, tones and words of the marks that a person makes; heavier than those of prompts."""

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


class Lane(NamedTuple):
    """A class of marks.

    Attributes:
        glyph: its sign.
        tone: of the sign.
        word: for one of them.
        events: the positions, sorted.
    """

    glyph: str
    tone: str
    word: str
    events: Column

    def within(self, start: int, stop: int) -> int:
        """How many of them have ``start <= position < stop``."""
        return bisect_left(self.events, stop) - bisect_left(self.events, start)


def lanes(inspection: Inspection) -> list[Lane]:
    """Every class of marks, the heaviest first: what the tape tells, then what the person set."""
    marked, found = inspection.timeline.marks, []
    for mark, (glyph, tone) in MARK_GLYPHS.items():
        if mark is Mark.USER:
            found.append(Lane(*BRANCHES, inspection.timeline.branchings.events))
            found.append(Lane(*BOOKMARKS, inspection.bookmarks.events))
            found.append(Lane(*HITS, inspection.sought.events))
        found.append(Lane(glyph, tone, _MARK_WORDS[mark], marked.events(mark)))
    return found


def marks(of: Sequence[Lane], scale: Scale) -> list[Lane | None]:
    """The heaviest class of marks of each column, of classes that stand in that order."""
    bounds = edges(scale)
    found: list[Lane | None] = []
    for column in range(scale.width):
        # The event at position k is folded at cursor k + 1.
        start, stop = bounds[column] - 1, bounds[column + 1] - 1
        found.append(next((lane for lane in of if lane.within(start, stop)), None))
    return found


def mark_words(of: Sequence[Lane], scale: Scale, column: int) -> str:
    """What the marks of a column are, in words."""
    bounds = edges(scale)
    start, stop = bounds[column] - 1, bounds[column + 1] - 1
    words = [
        f"{number} {lane.word}{'s' * (number != 1)}"
        for lane in of
        if (number := lane.within(start, stop))
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


def mark_cells(found: list[Lane | None]) -> Line:
    """The mark lane."""
    return tuple(Cell(" ") if lane is None else Cell(lane.glyph, lane.tone) for lane in found)


def cut_cells(cuts: "Cuts", at: int, scale: Scale) -> Line:
    """The columns in which a tape may be cut, and whether it may be at the cursor ``at``."""
    bounds, here = edges(scale), scale.column(at)
    cells: list[Cell] = []
    for column in range(scale.width):
        if column == here:
            legal = at <= cuts.head and cuts.legal(at)
            cells.append(Cell(CUT, "strong") if legal else Cell(NO_CUT, "error"))
        else:
            some = cuts.any_within(bounds[column], bounds[column + 1])
            cells.append(Cell(CUT if some else " ", "dim"))
    return tuple(cells)


def track_cells(inspection: Inspection, scale: Scale) -> Line:
    """The track: folded, cursor, not yet; hatched where the fold is not reliable.

    With an anchor the stretch between it and the cursor is shaded; where both are in one column
    the cursor is shown.
    """
    at = scale.column(inspection.cursor)
    timeline = inspection.timeline
    reliable = scale.width
    if timeline.reliable_to < timeline.events:
        reliable = scale.column(timeline.reliable_to)
    anchor = at if inspection.anchor is None else scale.column(inspection.anchor)
    start, stop = min(at, anchor), max(at, anchor)
    cells: list[Cell] = []
    for first, last, glyph, tone in (
        (0, start, FOLDED, "accent"),
        (start + 1, stop, BETWEEN, "accent" if anchor < at else "faint"),
        (stop + 1, scale.width, NOT_YET, "faint"),
    ):
        solid = max(first, min(last, reliable + 1))
        if solid > first:
            cells.append(Cell(glyph * (solid - first), tone))
        if last > solid:
            cells.append(Cell(UNRELIABLE * (last - solid), "notice"))
        end = start if first == 0 else stop
        if last < scale.width and (first == 0 or stop > start):
            cells.append(Cell(CURSOR, "strong") if end == at else Cell(ANCHOR, "notice"))
    return tuple(cells)
