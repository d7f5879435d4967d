"""Which parent a record has once what compactions kept is linked anew (rules page R3)."""

from bisect import bisect_left, bisect_right, insort
from operator import itemgetter
from typing import Any, Final

from inspector.formats.claude.tree.store import NONE, REAL, Tree
from inspector.formats.shapes import mapping, text

_CRASH: Final = "preservedMessages without uuids"


class Kept:
    """What a boundary says was kept: entries in order, and the one they hang on from then on.

    Attributes:
        event: the boundary's.
        anchor: what the first of them hangs on, and what nobody else hangs on any more.
        chain: the kept ones, each the parent of the next; of a segment only the first.
        members: the same, to be looked up.
        tail: what hung on the anchor hangs on this.
        strict: whether all of them must stand in the tape.
    """

    __slots__ = ("anchor", "chain", "event", "members", "strict", "tail")

    def __init__(self, event: int, anchor: int, chain: list[int], tail: int, strict: bool) -> None:
        self.event = event
        self.anchor = anchor
        self.chain = chain
        self.members = frozenset(chain)
        self.tail = tail
        self.strict = strict

    def says(self) -> tuple[int, list[int], int, bool]:
        """What it says, wherever it stands."""
        return self.anchor, self.chain, self.tail, self.strict


def kept_by(record: dict[str, Any], tree: Tree, event: int) -> Kept | None:
    """What a boundary kept, or None if it kept nothing.

    Raises:
        ValueError: if the owner's reader crashes on it; the message says why.
    """
    metadata = mapping(record.get("compactMetadata"))
    messages = metadata.get("preservedMessages")
    if messages is not None:
        uuids = mapping(messages).get("uuids")
        if not isinstance(uuids, list):
            raise ValueError(_CRASH)
        chain = [tree.entry(uuid, event) for uuid in uuids if isinstance(uuid, str)]
        if not chain or len(chain) < len(uuids):
            return None
        anchor = text(mapping(messages).get("anchorUuid"))
        return Kept(event, _named(tree, anchor, event), chain, chain[-1], strict=True)
    segment = mapping(metadata.get("preservedSegment"))
    if not segment:
        return None
    head, anchor, tail = (text(segment.get(f"{name}Uuid")) for name in ("head", "anchor", "tail"))
    chain = [tree.entry(head, event)] if head else []
    return Kept(event, _named(tree, anchor, event), chain, _named(tree, tail, event), strict=False)


def _named(tree: Tree, uuid: str, event: int) -> int:
    return tree.entry(uuid, event) if uuid else NONE


class Links:
    """The parents of entries, by all boundaries told so far.

    Boundaries count in the order of the tape, whenever what they name comes to stand in it.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._boundaries: list[Kept | None] = []
        # The boundary whose record is about to be another one, or `NONE`.
        self._leaving = NONE
        # By what they wait for: boundaries that name what does not stand in the tape.
        self._waiting: dict[int, list[int]] = {}
        self._forced: dict[int, list[tuple[int, int]]] = {}
        self._moved: dict[int, list[tuple[int, int]]] = {}
        # What a child of an entry came to hang on, and by which boundary last, by the same of
        # before: as far as was looked up.
        self._ahead: dict[tuple[int, int], tuple[int, int]] = {}
        # Entries that a boundary may spare although it does not say what they hang on.
        self._spared: set[int] = set()
        self._newest = -1

    @property
    def any(self) -> bool:
        """Whether anything is linked anew."""
        return bool(self._forced or self._moved)

    def moves(self, entry: int) -> bool:
        """Whether what comes to hang on an entry hangs on another one."""
        return entry in self._moved

    @property
    def waiting(self) -> bool:
        """Whether a boundary names records that do not stand in the tape."""
        return bool(self._waiting)

    def unmet(self) -> list[int]:
        """The events of boundaries that name records which do not stand in the tape."""
        waiting = sorted(number for numbers in self._waiting.values() for number in numbers)
        kept = (self._boundaries[number] for number in waiting)
        return [one.event for one in kept if one is not None]

    def moving(self, kept: Kept) -> list[tuple[int, int]] | None:
        """Which entries hang on others once a boundary counts, and on what each hangs now.

        Returns:
            None if more entries do than those that it names, or if not all of these are there.
        """
        flags, named = self._tree.flags, self._tree.named
        if self._waiting or kept.anchor == NONE or named[kept.anchor] or flags[kept.anchor]:
            return None
        if not all(flags[entry] & REAL for entry in kept.chain):
            return None
        if len(kept.members) < len(kept.chain):
            return None
        if any(self._tree.line[entry] == kept.event for entry in kept.chain):
            # The boundary itself, of which nobody knows so far.
            return None
        return [(entry, self.parent(entry)) for entry in kept.chain]

    def add(self, kept: Kept) -> bool:
        """A boundary kept something; returns whether that changes parents now."""
        number, self._leaving = self._leaving, NONE
        if number == NONE:
            self._boundaries.append(kept)
            return self._apply(len(self._boundaries) - 1)
        before = self._boundaries[number]
        self._boundaries[number] = kept
        if before is not None and before.says() == kept.says():
            return False
        self._apply_all()
        return True

    def leaving(self, event: int) -> None:
        """What stands in an event is about to stand in another one, by which it counts."""
        numbers = range(len(self._boundaries) - 1, -1, -1)
        self._leaving = next((number for number in numbers if self._tells(number, event)), NONE)

    def _tells(self, number: int, event: int) -> bool:
        kept = self._boundaries[number]
        return kept is not None and kept.event == event

    def left(self) -> bool:
        """It stands there; returns whether it was a boundary that kept something, and is none."""
        number, self._leaving = self._leaving, NONE
        if number == NONE:
            return False
        self._boundaries[number] = None
        self._apply_all()
        return True

    def _apply_all(self) -> None:
        for told in (self._waiting, self._forced, self._moved, self._ahead, self._spared):
            told.clear()
        self._newest = -1
        for number in range(len(self._boundaries)):
            self._apply(number)

    def waits_for(self, entry: int) -> bool:
        """Whether a boundary names an entry and waits for it to come."""
        return entry in self._waiting

    def arrived(self, entry: int) -> bool:
        """An entry came that boundaries may name; returns whether that changed parents."""
        changed = False
        for number in self._waiting.pop(entry, ()):
            changed |= self._apply(number)
        return changed

    def _apply(self, number: int) -> bool:
        kept, flags = self._boundaries[number], self._tree.flags
        if kept is None:
            return False
        if number < self._newest:
            # It counts before others that were told earlier.
            self._ahead.clear()
        self._newest = max(self._newest, number)
        missing = next((entry for entry in kept.chain if not flags[entry] & REAL), NONE)
        if missing != NONE:
            self._waiting.setdefault(missing, []).append(number)
            if kept.strict:
                return False
            self._spared |= kept.members
        changed = False
        if missing == NONE:
            before = kept.anchor
            for entry in kept.chain:
                # One that is named twice hangs on what it is named behind last.
                insort(self._forced.setdefault(entry, []), (number, before), key=itemgetter(0))
                self._tree.name(before)
                before = entry
            changed = bool(kept.chain)
        moves = self._moved.setdefault(kept.anchor, [])
        at = bisect_left(moves, number, key=itemgetter(0))
        if kept.anchor != NONE and (at == len(moves) or moves[at][0] != number):
            insort(moves, (number, kept.tail))
            self._tree.name(kept.tail)
            changed = True
        return changed

    def parent(self, entry: int) -> int:
        """The entry that an entry hangs on."""
        parent = self._tree.parent[entry]
        forced = self._forced.get(entry)
        if forced is None and parent not in self._moved:
            return parent
        last = -1
        if forced is not None:
            # Whatever was before the last time that it was kept is overwritten.
            last, parent = forced[-1]
        if entry not in self._spared:
            return self._end(parent, last)
        while (move := self._move(parent, last, entry)) is not None:
            last, parent = move
        return parent

    def _end(self, parent: int, last: int) -> int:
        """What an entry hangs on that came to hang on another one by a boundary, or by none."""
        ahead, passed = self._ahead, list[tuple[int, int]]()
        state = parent, last
        while True:
            following = ahead.get(state)
            if following is None:
                moves = self._moved.get(state[0], ())
                at = bisect_right(moves, state[1], key=itemgetter(0)) if moves else 0
                if at == len(moves):
                    break
                number, tail = moves[at]
                following = tail, number
            passed.append(state)
            state = following
        for one in passed:
            ahead[one] = state
        return state[0]

    def _move(self, parent: int, last: int, entry: int) -> tuple[int, int] | None:
        """The first boundary behind another one by which an entry leaves a parent, and for which
        one.
        """
        moves = self._moved.get(parent, ())
        for at in range(bisect_right(moves, last, key=itemgetter(0)), len(moves)):
            kept = self._boundaries[moves[at][0]]
            if kept is not None and entry not in kept.members:
                return moves[at]
        return None

    def behind(self, entry: int) -> int:
        """What a new child of an entry would hang on."""
        return self._end(entry, -1) if entry in self._moved else entry
