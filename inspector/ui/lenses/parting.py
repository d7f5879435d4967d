"""Where this tape and another part: what each has since, and what their heads have apart."""

from collections.abc import Iterator
from typing import Final

from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.apart import Why
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens
from inspector.ui.cells import Cell, Line
from inspector.ui.lenses import diff_lines
from inspector.ui.lenses.diff_groups import AT_ONCE, Change, Group, Item, Told, grouped
from inspector.ui.lenses.diff_lines import SHOWN, Node
from inspector.ui.lenses.folds import Folds
from inspector.ui.lenses.parting_heads import Met, heads
from inspector.ui.wrapping import wrapped

_TOLD: Final = 200
"""Events since they part that are told one by one."""

_COPIED: Final = 10_000
_COPIED_WIDTH: Final = 160

_COMMON, _HERE = range(2)
_FIXED: Final = 3
"""Rows that stand before the groups: what is in common, and what each has since."""

_WORDS: Final = {
    Change.LEFT: "only here",
    Change.ENTERED: "only there",
    Change.CHANGED: "in another form there",
}


class PartingRows:
    """Two tapes from where they part."""

    def __init__(self, met: Met) -> None:
        self._met = met
        self._tapes = met.tapes
        self._groups = grouped(_told(met))
        self._folds = Folds([len(group.items) for group in self._groups])

    # Above the rows.

    def heads(self) -> tuple[Line, ...]:
        """The two tapes, where they part, what their surfaces have apart, and the command."""
        return heads(self._met)

    # The rows.

    def start(self) -> int:
        """What is in common, and so where they part."""
        return _COMMON

    def count(self) -> int:
        """How many rows there are."""
        return _FIXED + len(self._folds)

    def line(self, row: int, width: int) -> Line:
        """One row in ``width`` columns."""
        del width
        return self._line(self._folds, row)

    def _line(self, folds: Folds, row: int) -> Line:
        if row == _COMMON:
            return self._common()
        if row < _FIXED:
            return self._since(row - 1)
        spot = folds[row - _FIXED]
        group = self._groups[spot.group]
        if spot.more is not None:
            return diff_lines.more(spot.more)
        if spot.row is None:
            return self._heading(group)
        digits = len(str(max(self._met.found.heads))) + 1
        return diff_lines.row(group, *self._nodes(group, group.items[spot.row]), digits, "")

    def _common(self) -> Line:
        last = self._last()
        if last is None:
            return (Cell("= ", "dim"), Cell("no event in common", "strong"))
        here, there = last
        names = f"{name(self._met.here, here)} here, {name(self._met.there, there)} there"
        return (
            Cell("= ", "dim"),
            Cell(f"{plural(len(self._met.found.pairs), 'event')} in common", "strong"),
            Cell(f"   the last {names}  ", "dim"),
            Cell(_headline(self._met.here, here), "text"),
        )

    def _last(self) -> tuple[int, int] | None:
        found = self._met.found
        return (found.a - 1, found.b - 1) if len(found.pairs) else None

    def _since(self, side: int) -> Line:
        sign, tone, where = (("-", "removed", "here"), ("+", "added", "there"))[side]
        events = self._events_since(side)
        if not events:
            return (Cell(f"{sign} ", tone), Cell(f"no event {where} since", "strong"))
        tape = self._tapes[side]
        return (
            Cell(f"{sign} ", tone),
            Cell(f"{plural(len(events), 'event')} {where} since", "strong"),
            Cell(f"   {self._rows_since(side)}   {name(tape, events[0])} ", "dim"),
            Cell(_headline(tape, events[0]), "text"),
        )

    def _events_since(self, side: int) -> range:
        found = self._met.found
        return range((found.a, found.b)[side], found.heads[side])

    def _rows_since(self, side: int) -> str:
        """How many rows of the surface are of those events, and what they weigh."""
        tape = self._tapes[side]
        parted = self._events_since(side).start
        apart = self._met.apart
        rows = [row for row, _ in (apart.only_a, apart.only_b)[side]]
        rows += [pair.b if side else pair.a for pair in apart.changed]
        own = [one for one in (Node(tape, row.node) for row in rows) if one.event >= parted]
        return f"{plural(len(own), 'row')}, {tokens(sum(one.tokens for one in own))} tokens"

    def _heading(self, group: Group) -> Line:
        words = f"{plural(len(group.items), 'row')} {self._happened(group, group.by)}"
        return diff_lines.heading(group, words)

    def _happened(self, group: Group, by: int | None) -> str:
        """Where a row is, why not at the other head, and by which event of which tape."""
        reason = f": {group.reason}" if group.reason else ""
        doer = ""
        if by is not None:
            where = "there" if group.side else "here"
            doer = f" {where} by {name(self._tapes[group.side], by)}"
        return f"{_WORDS[group.change]}{reason}{doer}"

    def _nodes(self, group: Group, item: Item) -> tuple[Node | None, Node]:
        here, there = self._tapes
        before = None if item.before is None else Node(here, item.before)
        return before, Node(here if group.change is Change.LEFT else there, item.node)

    # One row in full.

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """One row in full; of a row in two forms what its two texts have apart."""
        if row == _COMMON:
            yield from self._last_in_full(width)
        elif row < _FIXED:
            yield from self._since_in_full(row - 1, width)
        else:
            yield from self._row_in_full(row - _FIXED, width)

    def _last_in_full(self, width: int) -> Iterator[Line]:
        last = self._last()
        if last is None:
            yield (Cell("no event of the one is an event of the other", "dim"),)
            return
        here = self._met.here
        yield (Cell(f"{name(here, last[0])} is the last that both have", "dim"),)
        yield ()
        for section in here.sections(last[0]):
            if section.heading:
                yield (Cell(clean_line(section.heading, 80), "dim"),)
            yield from wrapped(section.text, width, "dim" if section.tone == "dim" else "text")

    def _since_in_full(self, side: int, width: int) -> Iterator[Line]:
        tape, events = self._tapes[side], self._events_since(side)
        if not events:
            yield (Cell("it ends where they part", "dim"),)
        digits = len(str(events.stop)) + 1
        for event in events[:_TOLD]:
            yield (
                Cell(f"{name(tape, event):>{digits}} ", "dim"),
                Cell(clean_line(_headline(tape, event), max(8, width - digits - 1)), "text"),
            )
        if len(events) > _TOLD:
            yield (Cell(f"⋯ {count(len(events) - _TOLD)} more", "notice"),)

    def _row_in_full(self, line: int, width: int) -> Iterator[Line]:
        spot = self._folds[line]
        group = self._groups[spot.group]
        if spot.row is None:
            yield self._heading(group)
            if group.by is not None:
                tape = self._tapes[group.side]
                said = f"{name(tape, group.by)}: {_headline(tape, group.by)}"
                yield from wrapped(said, width, "text")
            yield from diff_lines.what_enter_does(self._folds, spot.group)
            return
        item = group.items[spot.row]
        before, node = self._nodes(group, item)
        weight = f"{diff_lines.weights(before, node)} tokens, estimated"
        first = (before or node).name
        yield from wrapped(f"{first} {self._happened(group, item.by)} · {weight}", width, "dim")
        yield ()
        if before is None:
            yield from node.lines(width)
        else:
            yield from diff_lines.pair(before, node, width)

    # What a row leads to.

    def turns(self, row: int) -> bool:
        """Open or fold the group of a heading, or of a row that says how many more there are."""
        return row >= _FIXED and self._folds.turns(row - _FIXED)

    def cursor(self, row: int) -> int | None:
        """The cursor of this tape just after the event of a row; None if only the other has it."""
        found = self._met.found
        if row < _FIXED:
            place = {_COMMON: found.a if len(found.pairs) else None}
            if self._events_since(0):
                place[_HERE] = found.a + 1
            return place.get(row)
        spot = self._folds[row - _FIXED]
        group = self._groups[spot.group]
        if spot.row is None:
            return None if group.by is None or group.side else group.by + 1
        before, node = self._nodes(group, group.items[spot.row])
        event: int | None = (before or node).event
        if group.change is Change.ENTERED:
            event = found.pairs.of_other(node.event)
        return None if event is None else event + 1

    def text(self) -> str:
        """The command and the first rows as text for a clipboard, none of them folded."""
        whole = self._folds.opened()
        rows = (self._line(whole, row) for row in range(min(_COPIED, _FIXED + len(whole))))
        lines = (*self.heads(), *rows)
        return "\n".join("".join(cell.text for cell in line).rstrip() for line in lines)


def _headline(tape: Tape, event: int) -> str:
    headline = tape.headline(event)
    return clean_line(f"{headline.kind}: {headline.text}", SHOWN)


def _told(met: Met) -> Iterator[Told]:
    """Every row that the heads have apart: only here, in another form, only there."""
    here, there = (tape.timeline.surface.nodes.tokens for tape in (met.here, met.there))
    for row, why in met.apart.only_a:
        yield _of(Change.LEFT, why, Item(row.node, None, why.by), -here[row.node])
    for one in met.apart.changed:
        gained = there[one.b.node] - here[one.a.node]
        yield _of(Change.CHANGED, one.why, Item(one.b.node, one.a.node, one.why.by), gained)
    for row, why in met.apart.only_b:
        yield _of(Change.ENTERED, why, Item(row.node, None, why.by), there[row.node])


def _of(change: Change, why: Why, item: Item, gained: int) -> Told:
    return Told(change, why.words, item, gained, why.departed in AT_ONCE, int(why.of_other))
