"""Which parent a record has once what compactions kept is linked anew (rules page R3)."""

from bisect import insort
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
        tail: what hung on the anchor hangs on this.
        strict: whether all of them must stand in the tape.
    """

    __slots__ = ("anchor", "chain", "event", "strict", "tail")

    def __init__(self, event: int, anchor: int, chain: list[int], tail: int, strict: bool) -> None:
        self.event = event
        self.anchor = anchor
        self.chain = chain
        self.tail = tail
        self.strict = strict


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
        self._boundaries: list[Kept] = []
        self._waiting: set[int] = set()
        self._forced: dict[int, list[tuple[int, int]]] = {}
        self._moved: dict[int, list[tuple[int, int]]] = {}

    @property
    def any(self) -> bool:
        """Whether anything is linked anew."""
        return bool(self._forced or self._moved)

    @property
    def waiting(self) -> bool:
        """Whether a boundary names records that do not stand in the tape."""
        return bool(self._waiting)

    def unmet(self) -> list[int]:
        """The events of boundaries that name records which do not stand in the tape."""
        return [self._boundaries[number].event for number in sorted(self._waiting)]

    def add(self, kept: Kept) -> bool:
        """A boundary kept something; returns whether that changes parents now."""
        number = len(self._boundaries)
        self._boundaries.append(kept)
        self._waiting.add(number)
        return self.try_again()

    def try_again(self) -> bool:
        """Look again for what boundaries name; returns whether that changed parents."""
        changed = False
        for number in sorted(self._waiting):
            changed |= self._apply(number)
        return changed

    def _apply(self, number: int) -> bool:
        kept, flags = self._boundaries[number], self._tree.flags
        standing = all(flags[entry] & REAL for entry in kept.chain)
        if not standing and kept.strict:
            return False
        changed = False
        if standing:
            self._waiting.discard(number)
            before = kept.anchor
            for entry in kept.chain:
                insort(self._forced.setdefault(entry, []), (number, before))
                before = entry
            changed = bool(kept.chain)
        moves = self._moved.setdefault(kept.anchor, [])
        if kept.anchor != NONE and all(known != number for known, _ in moves):
            insort(moves, (number, kept.tail))
            changed = True
        return changed

    def parent(self, entry: int) -> int:
        """The entry that an entry hangs on."""
        parent = self._tree.parent[entry]
        forced = self._forced.get(entry)
        if forced is None and parent not in self._moved:
            return parent
        last = -1
        while True:
            step = _next(forced, last)
            move = _next(self._moved.get(parent), last)
            while move is not None and entry in self._boundaries[move[0]].chain:
                move = _next(self._moved[parent], move[0])
            if step is None and move is None:
                return parent
            last, parent = min(filter(None, (step, move)))

    def behind(self, entry: int) -> int:
        """What a new child of an entry would hang on."""
        last = -1
        while (move := _next(self._moved.get(entry), last)) is not None:
            last, entry = move
        return entry


def _next(steps: list[tuple[int, int]] | None, last: int) -> tuple[int, int] | None:
    return next((step for step in steps if step[0] > last), None) if steps else None
