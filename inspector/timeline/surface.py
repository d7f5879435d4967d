"""The surface at every cursor: which rows are there, in order, what they weigh and what changed."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from inspector.columns import Column, after, before, holds
from inspector.timeline.nodes import Element, Stays
from inspector.timeline.order import Block
from inspector.timeline.placing import Placing
from inspector.timeline.words import HIDDEN_BY_REASON, SHOWN_BY_FORM, Reason, Visibility


class Row(NamedTuple):
    """One row of the surface: a node, the cursor at which this stay of it began, and whether it
    was carried back rather than new.
    """

    node: int
    born: int
    carried: bool


class Departure(NamedTuple):
    """A node that left the surface, why, and by which event."""

    node: int
    reason: Reason
    by: int


class Stay(NamedTuple):
    """A node's time on the surface, from one cursor until just before another.

    ``gone``, ``reason`` and ``by``, the position of the event that hid it, are None while it lasts.
    """

    node: int
    born: int
    gone: int | None
    reason: Reason | None
    by: int | None


@dataclass(frozen=True, slots=True)
class Changes:
    """What two cursors have apart: rows only at the later one, and rows only at the earlier one."""

    entered: tuple[Row, ...]
    left: tuple[Departure, ...]


class Surface(Placing):
    """What was on the surface at a cursor: right for every published one while the builder goes
    on in another thread.
    """

    def count(self, cursor: int) -> int:
        """How many rows the surface has."""
        present = bisect_right(self.nodes.born, cursor) - bisect_right(self._left_at, cursor)
        if self._extra_at:
            at = bisect_right(self._extra_at, cursor)
            if at:
                present += self._extra_rows[at - 1]
        return present

    def messages(self, cursor: int) -> int:
        """How many messages the owner derives from the surface: silent rows do not count."""
        silent = bisect_right(self.nodes.silent_born, cursor)
        at = bisect_right(self._silent_at, cursor)
        return self.count(cursor) - silent - (self._silent_rows[at - 1] if at else 0)

    def hidden(self, cursor: int) -> int:
        """How many nodes were there before and are not now."""
        return bisect_right(self.nodes.born, cursor) - self.count(cursor)

    def tokens(self, cursor: int) -> int:
        """The estimated tokens of all rows."""
        total = self.nodes.tokens_up_to(bisect_right(self.nodes.born, cursor))
        gone = bisect_right(self._left_at, cursor)
        left, covered = self._left_weights.checkpoint(gone)
        total -= left + sum(self.tokens_of(element) for element in self._left[covered:gone])
        if self._extra_at:
            at = bisect_right(self._extra_at, cursor)
            if at:
                total += self._extra_tokens[at - 1]
        return total

    def rows(self, cursor: int, start: int = 0, stop: int | None = None) -> list[Row]:
        """The rows ``start`` to ``stop`` of the surface, in order."""
        total = self.count(cursor)
        stop = total if stop is None else min(stop, total)
        if start >= stop:
            return []
        skip, blocks = self._blocks_from(cursor, start, total)
        found: list[Row] = []
        for block in blocks:
            for element in self._elements_of_block(block, cursor):
                here = self.rows_of(element)
                if skip >= here:
                    skip -= here
                    continue
                self._add_rows(found, element, skip, stop - start)
                skip = 0
                if len(found) == stop - start:
                    return found
        return found

    def last_rows(self, cursor: int, count: int) -> list[Row]:
        """The last so many rows of the surface, in order; walks no further than they reach."""
        found: list[Row] = []
        for block in reversed(self.order.blocks):
            if len(found) >= count:
                break
            if not block.count(cursor):
                continue
            for element in self._elements_of_block(block, cursor, backwards=True):
                if len(found) >= count:
                    break
                here: list[Row] = []
                skip = max(0, self.rows_of(element) - (count - len(found)))
                self._add_rows(here, element, skip, count)
                found += reversed(here)
        found.reverse()
        return found

    def _add_rows(self, found: list[Row], element: Element, skip: int, most: int) -> None:
        """Add rows of an element, behind the first ``skip``, until there are so many."""
        if element >= 0:
            found.append(Row(element, self.nodes.born[element], carried=False))
            return
        since = self.runs.born[~element]
        nodes = self.nodes_of(element)[skip : skip + most - len(found)]
        found.extend(Row(node, since, carried=True) for node in nodes)

    def _blocks_from(self, cursor: int, row: int, total: int) -> tuple[int, tuple[Block, ...]]:
        """The blocks from the one that holds a row, and the rows to skip in it."""
        blocks = self.order.blocks
        if row > total // 2:
            behind = total - row
            for at in range(len(blocks) - 1, -1, -1):
                here = blocks[at].count(cursor)
                if behind <= here:
                    return here - behind, blocks[at:]
                behind -= here
            return 0, blocks
        for at, block in enumerate(blocks):
            here = block.count(cursor)
            if row < here:
                return row, blocks[at:]
            row -= here
        return 0, ()

    def _elements_of_block(
        self, block: Block, cursor: int, *, backwards: bool = False
    ) -> Iterator[Element]:
        """The elements of a block that are there."""
        born, gone = self.nodes.born, self.nodes.gone
        # A copy, because the builder may insert into the block meanwhile.
        elements = block.elements[:]
        for element in reversed(elements) if backwards else elements:
            if element >= 0:
                if born[element] <= cursor < gone[element]:
                    yield element
            elif self.runs.born[~element] <= cursor < self.runs.gone[~element]:
                yield element

    def rank(self, node: int, cursor: int) -> int | None:
        """The place of a node among the rows, or None if it is not there."""
        element = self._element_at(node, cursor)
        if element is None:
            return None
        block = self.order.block_of(element)
        rank = 0
        for other in self.order.blocks:
            if other.number == block.number:
                break
            rank += other.count(cursor)
        for other_element in self._elements_of_block(block, cursor):
            if other_element == element:
                return rank + self.nodes_of(element).index(node)
            rank += self.rows_of(other_element)
        return None

    def _element_at(self, node: int, cursor: int) -> Element | None:
        if self.nodes.born[node] <= cursor < self.nodes.gone[node]:
            return node
        run, _ = self.runs.covering(node, cursor)
        return None if run is None else ~run

    def is_there(self, node: int, cursor: int) -> bool:
        """Whether a node is among the rows."""
        return self._element_at(node, cursor) is not None

    def departure(self, node: int, cursor: int) -> Departure | None:
        """How a node left the surface for the last time; None if it is there or never was.

        What an event hid that was undone since is hidden by the event that undid it.
        """
        if self.is_there(node, cursor):
            return None
        found = self._last_departure(node, cursor)
        return None if found is None else found[1]

    def hidden_since(self, event: int, cursor: int) -> tuple[int, Departure] | None:
        """Since when what an event made is hidden as it is now, and how: by what `visibility` says.

        That may be later than when it left: another event may hide it by now, or what hid it may
        be undone. None if some of it is there, or none ever was.
        """
        last: tuple[int, Departure] | None = None
        for node in self.nodes.all_of_event(event):
            if self.is_there(node, cursor):
                return None
            found = self._last_departure(node, cursor)
            if found is not None and (last is None or found[0] > last[0]):
                last = found
        return None if last is None else (max(last[0], last[1].by + 1), last[1])

    def _last_departure(self, node: int, cursor: int) -> tuple[int, Departure] | None:
        """The cursor at which a node that is not there left, and how, as `departure` has it."""
        _, last = self.runs.covering(node, cursor)
        stays, number = (self.nodes, node) if last is None else (self.runs, last)
        born, gone = stays.born[number], stays.gone[number]
        if last is None and (born > cursor or (born == gone and not holds(self.nodes.held, node))):
            return None
        since, reason, by = gone, Reason(stays.reason[number]), stays.cause(number)
        again = self.rehidden.of(node, gone, cursor)
        if again is not None:
            since, reason, by = again
        undoing = self.undone.by(by, cursor)
        if undoing is not None:
            reason, by = Reason.REWOUND, undoing
        return since, Departure(node, reason, by)

    def stays(self, node: int, cursor: int) -> list[Stay]:
        """The stays of a node that began up to a cursor, in order, as they stood there.

        A stay that goes on in another place, or in a run, is one stay; one that the event that
        began it ended again is none.
        """
        found = [
            self._stay(node, stays, number, cursor)
            for stays, number in (
                (self.nodes, node),
                *((self.runs, run) for run in self.runs.all_of(node, cursor)),
            )
            if stays.born[number] <= cursor and stays.born[number] < stays.gone[number]
        ]
        found.sort(key=lambda stay: stay.born)
        merged: list[Stay] = []
        for stay in found:
            if merged and merged[-1].gone == stay.born:
                merged[-1] = stay._replace(born=merged[-1].born)
            else:
                merged.append(stay)
        return merged

    @staticmethod
    def _stay(node: int, stays: Stays, number: int, cursor: int) -> Stay:
        born, gone = stays.born[number], stays.gone[number]
        if gone > cursor:
            return Stay(node, born, None, None, None)
        return Stay(node, born, gone, Reason(stays.reason[number]), stays.cause(number))

    def visibility(self, event: int, cursor: int) -> tuple[Visibility, int | None]:
        """What became of the nodes that an event made, and the event that hid them.

        An event is visible while any of its nodes is there; in another form than the full one the
        event counts that gave it this form. Else the node that was there last tells, of several
        the one made last. An event that made no node is log-only; whether it is folded at all, the
        timeline knows.
        """
        last: tuple[int, Departure] | None = None
        for node in self.nodes.all_of_event(event):
            if self.is_there(node, cursor):
                shown = SHOWN_BY_FORM[self.nodes.form(node)]
                formed = self.nodes.born[node] - 1
                return shown, None if shown is Visibility.VISIBLE or formed == event else formed
            found = self._last_departure(node, cursor)
            if found is not None and (last is None or found[0] > last[0]):
                last = found
        if last is None:
            return Visibility.LOG_ONLY, None
        return HIDDEN_BY_REASON[last[1].reason], last[1].by

    def changes(self, earlier: int, later: int) -> Changes:
        """What entered and left between two cursors, at a cost of what changed between them.

        A row that came and went in between is in neither list; one that left and was carried
        back is in both.
        """
        nodes, runs = self.nodes, self.runs
        entered: list[Row] = []
        start, stop = bisect_right(nodes.born, earlier), bisect_right(nodes.born, later)
        entered.extend(
            Row(node, nodes.born[node], carried=False)
            for node in range(start, stop)
            if nodes.gone[node] > later
        )
        for run in runs.born_within(earlier, later):
            if runs.gone[run] > later:
                entered.extend(
                    Row(node, runs.born[run], carried=True) for node in self.nodes_of(~run)
                )
        left: list[Departure] = []
        for element in self._left[
            bisect_right(self._left_at, earlier) : bisect_right(self._left_at, later)
        ]:
            stays, number = (nodes, element) if element >= 0 else (runs, ~element)
            if stays.born[number] <= earlier:
                reason, by = Reason(stays.reason[number]), stays.cause(number)
                left.extend(Departure(node, reason, by) for node in self.nodes_of(element))
        return Changes(tuple(entered), tuple(left))

    def took(self, event: int, by: int | None = None) -> Iterator[tuple[int, int]]:
        """The nodes that left at an event, or came to be hidden otherwise, each with what hid it.

        Args:
            event: its position.
            by: what hid them; None for what left by anything and was hidden otherwise by the event.
        """
        nodes, runs = self.nodes, self.runs
        start, stop = (bisect_right(self._left_at, at) for at in (event, event + 1))
        for element in self._left[start:stop]:
            stays, number = (nodes, element) if element >= 0 else (runs, ~element)
            if stays.born[number] > event and not (element >= 0 and holds(nodes.held, element)):
                continue
            cause = stays.cause(number)
            if by is None or cause == by:
                yield from ((node, cause) for node in self.nodes_of(element))
        hides = event if by is None else by
        for again in self.rehidden.told_at(event + 1, hides):
            yield from ((node, hides) for node in again)

    def elsewhere(self, event: int, cursor: int) -> list[int]:
        """The events up to a cursor at which an event hid something, but for itself, in order."""
        logs = self.nodes.places(event), self.runs.places(event)
        found = {at - 1 for log in logs for at in log[: bisect_right(log, cursor)]}
        found.update(at - 1 for at in self.rehidden.places(event, cursor))
        return sorted(found)

    def next_change(self, cursor: int) -> int | None:
        """The first cursor after this one at which a row entered or left."""
        while True:
            found = min(
                (at for column in self._logs() if (at := after(column, cursor)) is not None),
                default=None,
            )
            if found is None or self._changes_at(found):
                return found
            cursor = found

    def previous_change(self, cursor: int) -> int | None:
        """The last cursor before this one at which a row entered or left."""
        while True:
            found = max(
                (at for column in self._logs() if (at := before(column, cursor)) is not None),
                default=None,
            )
            if found is None or self._changes_at(found):
                return found
            cursor = found

    def _logs(self) -> tuple[Column, ...]:
        return self.nodes.born, self._left_at, self._extra_at

    def _changes_at(self, cursor: int) -> bool:
        """Whether anything is left of what one event did, when what it undid itself is netted."""
        changes = self.changes(cursor - 1, cursor)
        return bool(changes.entered or changes.left)
