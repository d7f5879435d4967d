"""What happened to the surface between two cursors: rows by reason, and the text of a pair."""

from collections.abc import Iterator
from typing import Final

from inspector.export.difference import signed
from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.difference import Difference, around, difference
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens
from inspector.ui.cells import Cell, Line
from inspector.ui.lenses import diff_lines
from inspector.ui.lenses.diff_groups import Group, Item, groups
from inspector.ui.lenses.diff_lines import SHOWN, Node, exact
from inspector.ui.lenses.folds import Folds
from inspector.ui.lenses.lens import Asked, Lens
from inspector.ui.wrapping import wrapped

_WIDE: Final = 90
_COPIED: Final = 10_000
_COPIED_WIDTH: Final = 160


class DiffRows:
    """The rows of one difference, group by group.

    Args:
        tape: of which it is.
        found: the difference.
        about: what its two cursors are, in words.
        anchored: whether the later cursor is that of anchor A.
    """

    def __init__(
        self, tape: Tape, found: Difference, about: str, *, anchored: bool = False
    ) -> None:
        self._names = ("B", "A") if anchored else ("A", "B")
        self._tape = tape
        self._found = found
        self._about = about
        self._groups = groups(found, tape.timeline.surface.nodes.tokens)
        self._folds = Folds([len(group.items) for group in self._groups])

    # Above the rows.

    def heads(self) -> tuple[Line, ...]:
        """The two cursors, how many rows, the tokens; then the balance by reason."""
        found = self._found
        before, after = found.tokens
        first, second = self._names
        moved = f"  moved {count(len(found.moved))}" if found.moved else ""
        told: Line = (
            Cell(f"{first} = {count(found.a)}  {second} = {count(found.b)}", "strong"),
            Cell(f"  {self._about}", "dim"),
            Cell(f"   -{count(len(found.left))}", "removed" if found.left else "faint"),
            Cell(f" +{count(len(found.entered))}", "added" if found.entered else "faint"),
            Cell(f" ~{count(len(found.changed))}", "notice" if found.changed else "faint"),
            Cell(f" ={count(found.kept)}{moved}", "dim"),
            Cell(f"   {tokens(before)} → {tokens(after)}", "text"),
            Cell(f" ({signed(after - before)}) tokens, estimated", "dim"),
        )
        return told, self._balance()

    def _balance(self) -> Line:
        found = self._found
        if not found.by_reason:
            return (Cell("nothing entered and nothing left", "dim"),)
        cells: list[Cell] = [Cell("balance", "dim")]
        for reason, (entered, left, changed) in found.rows_by_reason.items():
            numbers = (("-", left), ("+", entered), ("~", changed))
            rows = "".join(f" {sign}{count(number)}" for sign, number in numbers if number)
            weight = found.by_reason.get(reason, 0)
            cells.append(Cell(f"   {reason}{rows}: ", "dim"))
            cells.append(Cell(exact(weight), "text"))
        total = found.tokens[1] - found.tokens[0]
        cells.append(Cell(f"   = {exact(total)}", "strong"))
        return tuple(cells)

    # The rows.

    def start(self) -> int:
        """The first row of a group, not its heading."""
        return 1 if len(self._folds) > 1 else 0

    def count(self) -> int:
        """How many rows there are."""
        return len(self._folds)

    def line(self, row: int, width: int) -> Line:
        """One row in ``width`` columns."""
        return self._line(self._folds, row, width)

    def _line(self, folds: Folds, row: int, width: int) -> Line:
        spot = folds[row]
        group = self._groups[spot.group]
        if spot.more is not None:
            return diff_lines.more(spot.more)
        if spot.row is None:
            return self._heading(group)
        item = group.items[spot.row]
        told = width >= _WIDE and group.by is None and item.by != self._event(item)
        by = f"by {name(self._tape, item.by)}  " if told and item.by is not None else ""
        digits = len(str(self._tape.timeline.events)) + 1
        return diff_lines.row(group, *self._nodes(item), digits, by)

    def _heading(self, group: Group) -> Line:
        return diff_lines.heading(
            group, f"{plural(len(group.items), 'row')} {self._happened(group, group.by)}"
        )

    def _happened(self, group: Group, by: int | None) -> str:
        """What happened, why and by which event."""
        reason = f": {group.reason}" if group.reason else ""
        doer = "" if by is None else f" by {name(self._tape, by)}"
        return f"{group.change.value}{reason}{doer}"

    def _nodes(self, item: Item) -> tuple[Node | None, Node]:
        before = None if item.before is None else Node(self._tape, item.before)
        return before, Node(self._tape, item.node)

    # One row in full.

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """One row in full: of a changed one what its two texts have apart."""
        spot = self._folds[row]
        group = self._groups[spot.group]
        if spot.row is None:
            yield from self._group_in_full(spot.group, width)
            return
        item = group.items[spot.row]
        before, node = self._nodes(item)
        event = name(self._tape, self._event(item))
        weight = f"{diff_lines.weights(before, node)} tokens, estimated"
        yield from wrapped(f"{event} {self._happened(group, item.by)} · {weight}", width, "dim")
        yield ()
        if before is None:
            yield from node.lines(width)
        else:
            yield from diff_lines.pair(before, node, width)

    def _group_in_full(self, at: int, width: int) -> Iterator[Line]:
        group = self._groups[at]
        yield self._heading(group)
        if group.by is not None:
            said = clean_line(self._tape.headline(group.by).text, SHOWN)
            yield from wrapped(f"{name(self._tape, group.by)}: {said}", width, "text")
        yield from diff_lines.what_enter_does(self._folds, at)

    # What a row leads to.

    def turns(self, row: int) -> bool:
        """Open or fold the group of a heading, or of a row that says how many more there are."""
        return self._folds.turns(row)

    def cursor(self, row: int) -> int | None:
        """The cursor just after the event of a row; of a heading after what did it."""
        spot = self._folds[row]
        group = self._groups[spot.group]
        if spot.row is None:
            return None if group.by is None else group.by + 1
        return self._event(group.items[spot.row]) + 1

    def _event(self, item: Item) -> int:
        """The event of a row; of a changed one that of what stood there first."""
        before, node = self._nodes(item)
        return (before or node).event

    def text(self) -> str:
        """The first rows as text for a clipboard, none of them folded."""
        whole = self._folds.opened()
        rows = (self._line(whole, row, _COPIED_WIDTH) for row in range(min(_COPIED, len(whole))))
        lines = (*self.heads(), *rows)
        return "\n".join("".join(cell.text for cell in line).rstrip() for line in lines)


def _answer(
    tape: Tape, a: int, b: int, about: str, nothing: str, *, anchored: bool = False
) -> DiffRows | str:
    found = difference(tape.timeline, a, b)
    if not (found.by_reason or found.moved):
        return nothing
    return DiffRows(tape, found, about, anchored=anchored)


def ask(asked: Asked) -> DiffRows | str:
    """What the selected event did to the surface; of one of a compaction, what all of that did."""
    if asked.event is None:
        return "nothing is before the first event"
    tape, event = asked.tape, asked.event
    this = name(tape, event)
    pair = around(tape.timeline, event)
    if pair is None:
        nothing = f"nothing changed at {this}: {_said(tape, event)}"
        return _answer(tape, event, event + 1, f"what {this} did", nothing)
    about = f"around what {name(tape, pair[1] - 1)} replaced"
    nothing = f"nothing changed around {this}: {_said(tape, event)}"
    return _answer(tape, *pair, about, nothing)


def _said(tape: Tape, event: int) -> str:
    headline = tape.headline(event)
    return clean_line(f"{headline.kind}: {headline.text}", SHOWN)


def ask_anchor(asked: Asked) -> DiffRows | str:
    """What lies between anchor A and the cursor, whichever is the earlier."""
    if asked.anchor is None:
        return "no anchor: a sets one"
    a, b = sorted((asked.anchor, asked.cursor))
    about = "anchor to cursor" if asked.anchor <= asked.cursor else "cursor to anchor"
    nothing = f"nothing changed between {count(a)} and {count(b)}: the model sees the same"
    return _answer(asked.tape, a, b, about, nothing, anchored=asked.anchor > asked.cursor)


LENS: Final = Lens("Surface diff", "comparing the surfaces", ask)
ANCHORED: Final = Lens("Surface diff", "comparing the surfaces", ask_anchor)
