"""What happened to the surface between two cursors: rows by reason, and the text of a pair."""

from collections.abc import Iterator
from typing import Final

from inspector.export.difference import signed
from inspector.export.fitting import fit
from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.difference import Difference, around, difference
from inspector.lenses.text_difference import Piece, text_difference
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens
from inspector.timeline.words import Kind
from inspector.ui.cells import Cell, Line
from inspector.ui.lenses.diff_groups import SIGNS, Group, Item, groups
from inspector.ui.lenses.lens import Asked, Lens
from inspector.ui.wrapping import wrapped

_FEW: Final = 6
"""Rows of a group that are listed whole unless somebody opens it."""

_FIRST: Final = 3
"""Rows of a larger group that are listed until then."""

_SHOWN: Final = 300
_WIDE: Final = 90
_COPIED: Final = 10_000
_COPIED_WIDTH: Final = 160


class DiffRows:
    """The rows of one difference, group by group.

    Args:
        tape: of which it is.
        found: the difference.
        about: what its two cursors are, in words.
    """

    def __init__(self, tape: Tape, found: Difference, about: str) -> None:
        self._tape = tape
        self._found = found
        self._about = about
        self._groups = groups(found, tape.timeline.surface.nodes.tokens)
        self._open: set[int] = set()
        self._rows: list[tuple[int, int]] = []
        self._list()

    def _list(self) -> None:
        """Every row as its group and its place there: -1 is the heading, what is past the listed
        ones says how many more there are.
        """
        self._rows = []
        for at, group in enumerate(self._groups):
            self._rows.append((at, -1))
            listed = len(group.items) if self._is_open(at) else _FIRST
            self._rows += [(at, item) for item in range(listed)]
            if listed < len(group.items):
                self._rows.append((at, listed))

    def _is_open(self, group: int) -> bool:
        return group in self._open or len(self._groups[group].items) <= _FEW

    def _folded(self, row: int) -> int | None:
        """How many more there are, of a row that says so and of no other."""
        at, item = self._rows[row]
        if item < 0 or self._is_open(at) or item < _FIRST:
            return None
        return len(self._groups[at].items) - _FIRST

    # Above the rows.

    def heads(self) -> tuple[Line, ...]:
        """The two cursors, how many rows, the tokens; then the balance by reason."""
        found = self._found
        before, after = found.tokens
        moved = f"  moved {count(len(found.moved))}" if found.moved else ""
        first: Line = (
            Cell(f"A = {count(found.a)}  B = {count(found.b)}", "strong"),
            Cell(f"  {self._about}", "dim"),
            Cell(f"   -{count(len(found.left))}", "removed" if found.left else "faint"),
            Cell(f" +{count(len(found.entered))}", "added" if found.entered else "faint"),
            Cell(f" ~{count(len(found.changed))}", "notice" if found.changed else "faint"),
            Cell(f" ={count(found.kept)}{moved}", "dim"),
            Cell(f"   {tokens(before)} → {tokens(after)}", "text"),
            Cell(f" ({signed(after - before)}) tokens, estimated", "dim"),
        )
        return first, self._balance()

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
            cells.append(Cell(_exact(weight), "text"))
        total = found.tokens[1] - found.tokens[0]
        cells.append(Cell(f"   = {_exact(total)}", "strong"))
        return tuple(cells)

    # The rows.

    def start(self) -> int:
        """The first row of a group, not its heading."""
        return 1 if len(self._rows) > 1 else 0

    def count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def line(self, row: int, width: int) -> Line:
        """One row in ``width`` columns."""
        at, item = self._rows[row]
        group = self._groups[at]
        if item < 0:
            return self._heading(group)
        more = self._folded(row)
        if more is not None:
            return (Cell(f"  ⋯ {count(more)} more", "notice"), Cell("   Enter lists them", "faint"))
        return self._item(group, group.items[item], width)

    def _heading(self, group: Group) -> Line:
        sign, tone = SIGNS[group.change]
        words = f"{plural(len(group.items), 'row')} {group.change.value}"
        reason = f": {group.reason}" if group.reason else ""
        by = "" if group.by is None else f" by {name(self._tape, group.by)}"
        weight = f"   {_exact(group.tokens)}" if group.tokens else ""
        return (
            Cell(f"{sign} ", tone),
            Cell(f"{words}{reason}{by}", "strong"),
            Cell(weight, "dim"),
        )

    def _item(self, group: Group, item: Item, width: int) -> Line:
        sign, tone = SIGNS[group.change]
        timeline = self._tape.timeline
        nodes = timeline.surface.nodes
        digits = len(str(timeline.events)) + 1
        kind = nodes.kind(item.node)
        role = "context" if kind is Kind.CONTEXT else nodes.role(item.node).label
        weight = tokens(nodes.tokens[item.node])
        if item.before is not None:
            weight = f"{tokens(nodes.tokens[item.before])} → {weight}"
        event = self._event(item)
        told = width >= _WIDE and group.by is None and item.by != event
        by = f"by {name(self._tape, item.by)}  " if told and item.by is not None else ""
        return (
            Cell(f"  {sign} ", tone),
            Cell(fit(name(self._tape, event), digits, right=True), "dim"),
            Cell(f"  {fit(role, 9)}  "),
            Cell(fit(weight, 13 if group.weighs_pairs else 6, right=True), "dim"),
            Cell("  "),
            Cell(by, "faint"),
            Cell(clean_line(self._tape.node_headline(item.node).text, _SHOWN), "text"),
        )

    # One row in full.

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """One row in full: of a changed one what its two texts have apart."""
        if row >= len(self._rows):
            yield (Cell("the model sees the same at both", "dim"),)
            return
        at, place = self._rows[row]
        group = self._groups[at]
        if place < 0 or self._folded(row) is not None:
            yield from self._group_in_full(group, width, opens=not self._is_open(at))
            return
        item = group.items[place]
        yield from wrapped(self._words(group, item), width, "dim")
        yield ()
        if item.before is None:
            yield from self._text(item.node, width)
        else:
            yield from self._pair(item.before, item.node, width)

    def _group_in_full(self, group: Group, width: int, *, opens: bool) -> Iterator[Line]:
        yield self._heading(group)
        if group.by is not None:
            said = clean_line(self._tape.headline(group.by).text, _SHOWN)
            yield from wrapped(f"{name(self._tape, group.by)}: {said}", width, "text")
        if opens:
            yield (Cell("Enter lists all of them", "dim"),)
        elif len(group.items) > _FEW:
            yield (Cell("Enter folds them", "dim"),)

    def _words(self, group: Group, item: Item) -> str:
        nodes = self._tape.timeline.surface.nodes
        reason = f": {group.reason}" if group.reason else ""
        by = "" if item.by is None else f" by {name(self._tape, item.by)}"
        event = name(self._tape, self._event(item))
        weight = tokens(nodes.tokens[item.node])
        if item.before is not None:
            weight = f"{tokens(nodes.tokens[item.before])} → {weight}"
        return f"{event} {group.change.value}{reason}{by} · {weight} tokens, estimated"

    def _text(self, node: int, width: int) -> Iterator[Line]:
        for section in self._tape.node_sections(node):
            if section.heading:
                yield (Cell(clean_line(section.heading, 80), "dim"),)
            yield from wrapped(section.text, width, "dim" if section.tone == "dim" else "text")

    def _pair(self, before: int, after: int, width: int) -> Iterator[Line]:
        old, new = _said(self._tape, before), _said(self._tape, after)
        if old == new:
            yield (Cell("the tape holds the same text for both forms", "dim"),)
            yield from wrapped(new, width, "text")
            return
        for piece in text_difference(old, new):
            yield from _piece(piece, width)

    # What a row leads to.

    def turns(self, row: int) -> bool:
        """Open or fold the group of a heading, or of a row that says how many more there are."""
        if row >= len(self._rows):
            return False
        at, item = self._rows[row]
        if len(self._groups[at].items) <= _FEW or (item >= 0 and self._folded(row) is None):
            return False
        self._open ^= {at}
        self._list()
        return True

    def cursor(self, row: int) -> int | None:
        """The cursor just after the event of a row; of a heading after what did it."""
        if row >= len(self._rows):
            return None
        at, item = self._rows[row]
        group = self._groups[at]
        if item < 0:
            return None if group.by is None else group.by + 1
        return self._event(group.items[item]) + 1

    def _event(self, item: Item) -> int:
        """The event of a row; of a changed one that of what stood there first."""
        return self._tape.timeline.surface.nodes.origin(
            item.node if item.before is None else item.before
        )

    def text(self) -> str:
        """The first rows as text for a clipboard, none of them folded."""
        whole = DiffRows(self._tape, self._found, self._about)
        whole._open = set(range(len(whole._groups)))
        whole._list()
        rows = (whole.line(row, _COPIED_WIDTH) for row in range(min(_COPIED, whole.count())))
        lines = (*self.heads(), *rows)
        return "\n".join("".join(cell.text for cell in line).rstrip() for line in lines)


def _exact(number: int) -> str:
    return f"{'-' if number < 0 else '+'}{count(abs(number))}"


def _said(tape: Tape, node: int) -> str:
    return "\n".join(
        section.text
        for section in tape.node_sections(node)
        if section.tone != "dim" and not section.remark
    )


def _piece(piece: Piece, width: int) -> Iterator[Line]:
    if piece.sign == "…":
        yield (Cell(f"  ⋯ {plural(piece.number, 'line')} in common", "faint"),)
        return
    tone = {"-": "removed", "+": "added"}.get(piece.sign, "dim")
    for line in piece.lines:
        for at, (cell,) in enumerate(wrapped(line, width - 2, tone)):
            yield (Cell(f"{piece.sign if at == 0 else ' '} ", tone), cell)


def _answer(tape: Tape, a: int, b: int, about: str) -> DiffRows:
    return DiffRows(tape, difference(tape.timeline, a, b), about)


def ask(asked: Asked) -> DiffRows | str:
    """What the selected event did to the surface; of one of a compaction, what all of that did."""
    if asked.event is None:
        return "nothing is before the first event"
    tape, event = asked.tape, asked.event
    pair = around(tape.timeline, event)
    if pair is None:
        return _answer(tape, event, event + 1, f"what {name(tape, event)} did")
    return _answer(tape, *pair, f"around what {name(tape, pair[1] - 1)} replaced")


def ask_anchor(asked: Asked) -> DiffRows | str:
    """What lies between anchor A and the cursor, whichever is the earlier."""
    if asked.anchor is None:
        return "no anchor: a sets one"
    a, b = sorted((asked.anchor, asked.cursor))
    if asked.anchor <= asked.cursor:
        return _answer(asked.tape, a, b, "anchor to cursor")
    return _answer(asked.tape, a, b, "cursor to anchor")


LENS: Final = Lens("Surface diff", "comparing the surfaces", ask)
ANCHORED: Final = Lens("Surface diff", "comparing the surfaces", ask_anchor)
