"""What else the history could be: behind a rollback, or without its compactions (RULES R1, R2).

Histories are told apart by their nodes. All that stand on the surface at a cursor have one order,
so a hash that knows no order finds the cursors of a history, and the nodes are compared then.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from operator import xor
from typing import Final, NamedTuple

from inspector.columns import NEVER
from inspector.formats.codex.history import OF_LOG, History
from inspector.formats.codex.items import BOUNDARY
from inspector.formats.codex.laid_aside import SUMMARISE, LaidAside
from inspector.formats.codex.segments import WHOLE
from inspector.formats.codex.stack import Stack
from inspector.timeline.lanes import BIRTHS
from inspector.timeline.timeline import Timeline

_WORK: Final = 2_000_000
_WORK_PER_EVENT: Final = 16
"""Items that are moved to find what rollbacks give, in all and for every event: a log may be made
in which every rollback gives another history."""


class _Known(NamedTuple):
    """A history, the hash of its first so many nodes, by their number, and how many boundaries are
    among the items that follow and were not put on it; None where none follow.
    """

    stack: Stack
    hashes: "array[int]"
    later: int | None = None


class Alternatives:
    """Answers about a history that is not changed by it.

    Args:
        history: at the head of a log.
        timeline: of the log.
    """

    def __init__(self, history: History, timeline: Timeline) -> None:
        self._history = history
        self._timeline = timeline
        self._written = history.written()
        self._room = _WORK + _WORK_PER_EVENT * timeline.events
        self._laid: dict[int, _Known | None] = {}
        self._whole: dict[int, _Known | None] = {}

    # Behind a rollback at the head.

    def turns_to(self, cursor: int) -> int | None:
        """How many turns are rolled back so that the surface is what it was at a cursor.

        0 where it is that already; None where no rollback gives it.
        """
        nodes = array("I", (row.node for row in self._timeline.rows(cursor)))
        found = 0
        for node in nodes:
            found ^= self._hashes[node]
        turns = self._rolled.get(found)
        return turns if turns is not None and self._behind(turns) == nodes else None

    def legal(self) -> Iterator[bool]:
        """Of every cursor whether a rollback gives its surface."""
        return map(self._rolled.__contains__, self._of_cursors())

    def _behind(self, turns: int) -> "array[int]":
        found = self._cut(turns)
        if found is None:
            return array("I")
        stack, place = found[0].stack, found[1]
        return stack.nodes[stack.first : place]

    @cached_property
    def _rolled(self) -> dict[int, int]:
        """By the hash of a history the fewest turns that are rolled back to come to it."""
        found: dict[int, int] = {}
        for turns in range(sum(map(BOUNDARY.__and__, self._written.traits)) + 2):
            cut = self._cut(turns)
            if cut is not None:
                known, place = cut
                found.setdefault(known.hashes[place - known.stack.first], turns)
        return found

    def _cut(self, turns: int) -> tuple[_Known, int] | None:
        """The history of which a rollback leaves the first places, and how many; None where that
        is not known.
        """
        base = self._history.segments.base_behind(turns)
        known = self._from(base, self._laid)
        if known is not None and known.later is not None:
            left = turns - known.later
            if left > 0 and known.stack.counted:
                return known, known.stack.place(left)
            known = self._from(base, self._whole)
        return None if known is None else (known, known.stack.place(turns))

    def _from(self, base: int, known: dict[int, _Known | None]) -> _Known | None:
        """The history if it were rebuilt from another compaction, as far as it is needed."""
        if base not in known:
            laid = self._history.rebuilt_from(base)
            if laid is None and base == WHOLE:
                laid = LaidAside(Stack(self._written.traits), -1)
            if laid is None:
                known[base] = None
            elif known is self._laid:
                known[base] = self._short(base, laid)
            else:
                known[base] = self._long(laid)
        return known[base]

    def _short(self, base: int, laid: LaidAside) -> _Known | None:
        """As it was laid aside, if nothing but items came since.

        A rollback that undoes a compaction nearly always cuts in front of it, so that what came
        since need not be put there.
        """
        stack, until = laid
        if bisect_right(self._written.at, until) < len(self._written.at):
            return self._from(base, self._whole)
        node = bisect_right(self._timeline.surface.nodes.born, until + 1)
        if node == len(self._written.traits):
            return self._known(stack)
        return self._known(stack, self._boundaries[-1] - self._boundaries[node])

    def _long(self, laid: LaidAside) -> _Known | None:
        """As it would be now; None where that is not known, or too much."""
        stack, until = laid
        born = self._timeline.surface.nodes.born
        self._room -= len(stack) + len(born) - bisect_right(born, until + 1) + 1
        if self._room < 0:
            return None
        now = self._replayed(stack.copy(), until, self._timeline.events, compacting=True)
        return None if now is None else self._known(now)

    def _known(self, stack: Stack, later: int | None = None) -> _Known:
        hashes = (self._hashes[node] for node in stack.nodes[stack.first :])
        return _Known(stack, array("q", accumulate(hashes, xor, initial=0)), later)

    @cached_property
    def _boundaries(self) -> "array[int]":
        """How many boundaries are among the first so many nodes, but for those of compactions."""
        of_log = OF_LOG | BOUNDARY
        counts = (trait & of_log == of_log for trait in self._written.traits)
        return array("I", accumulate(counts, initial=0))

    # Without compactions.

    def uncompacted(self, cursor: int) -> tuple[int, ...]:
        """The nodes of the history at a cursor if no compaction stood before it."""
        stack = self._replayed(Stack(self._written.traits), -1, cursor, compacting=False)
        return () if stack is None else tuple(stack.nodes)

    # Replaying.

    def _replayed(self, stack: Stack, until: int, stop: int, *, compacting: bool) -> Stack | None:
        """Bring a history up to a cursor that is as it was behind the event at ``until``."""
        written, born = self._written, self._timeline.surface.nodes.born
        node = bisect_right(born, until + 1)
        for at in range(bisect_right(written.at, until), bisect_left(written.at, stop)):
            event, turns = written.at[at], written.turns[at]
            behind = bisect_left(born, event + 1, node)
            self._put(stack, node, behind)
            node = behind
            if turns != SUMMARISE:
                stack.cut(turns)
            elif compacting:
                if not self._history.keeping.keep_as_known(stack):
                    return None
                stack.push(written.summaries[event])
        self._put(stack, node, bisect_right(born, stop))
        return stack

    def _put(self, stack: Stack, first: int, stop: int) -> None:
        traits = self._written.traits
        stack.extend(node for node in range(first, stop) if traits[node] & OF_LOG)

    # Hashes.

    @cached_property
    def _hashes(self) -> "array[int]":
        """By node a number that tells it, so that those of a set can be put together."""
        return array("q", map(hash, zip(range(len(self._timeline.surface.nodes.born)))))

    def _of_cursors(self) -> Iterator[int]:
        """The hash of every surface, from the cursor 0 on."""
        timeline, hashes = self._timeline, self._hashes
        nodes, runs = timeline.surface.nodes, timeline.surface.runs
        steps = array("q", bytes(8 * (timeline.events + 1)))
        for told, born, gone in zip(hashes, nodes.born, nodes.gone, strict=False):
            steps[born] ^= told
            if gone != NEVER:
                steps[gone] ^= told
        sums: array[int] | None = None
        for run in runs.born_within(0, timeline.events):
            first, length = runs.first[run], runs.length[run]
            if runs.lane[run] == BIRTHS:
                sums = sums or array("q", accumulate(hashes, xor, initial=0))
                told = sums[first + length] ^ sums[first]
            else:
                told = 0
                for node in runs.nodes_of(run):
                    told ^= hashes[node]
            steps[runs.born[run]] ^= told
            if runs.gone[run] != NEVER:
                steps[runs.gone[run]] ^= told
        return accumulate(steps, xor)
