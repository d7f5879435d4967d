"""The branch that the writer stood on, after every record.

What a record hangs on here is settled when it arrives: its parent, linked anew where a compaction
kept records (rules page R3), and within one message of the API, whose lines and results name each
other crosswise, the member that was written last. So a batch of parallel calls only ever grows.
"""

from array import array
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from inspector.formats.claude.tree.arrival import Arrival, Shape, details_of, hidden_by
from inspector.formats.claude.tree.batches import Batches
from inspector.formats.claude.tree.forms import Forms
from inspector.formats.claude.tree.links import Kept, Links
from inspector.formats.claude.tree.store import (
    MESSAGE,
    NONE,
    REAL,
    SIDE,
    Tree,
    is_main,
)
from inspector.timeline.builder import Builder
from inspector.timeline.forest import Forest
from inspector.timeline.words import Form, Kind, Reason

_ORPHANS: Final = 65_536
"""Records without a parent that are remembered until it comes."""


class LiveBranch:
    """Tells the builder of the surface after every record.

    Args:
        builder: takes the effects.
        tree: the entries.
        links: their parents.
        batches: whether the reader recovers what belongs to one message of the API.

    Attributes:
        turned: the record placed last hangs on another than the last one of the branch.
    """

    def __init__(self, builder: Builder, tree: Tree, links: Links, *, batches: bool) -> None:
        self._builder = builder
        self._tree = tree
        self._links = links
        self._forest = Forest(builder)
        self._batches = Batches(tree) if batches else None
        self._member = array("i")
        self._depth = array("I")
        self._spoken = array("B")
        self._orphans: dict[int, list[int]] = {}
        self._tops: dict[int, int] = {}
        self._endless: set[int] = set()
        self._pending: list[Kept] = []
        self._end = NONE
        self._stale = False
        self._forms = Forms(builder)
        self.turned = False

    # What the tape says of itself.

    @property
    def reached(self) -> int:
        """How many records of the main line the branch reaches."""
        return self._depth[self._end] if self._end != NONE else 0

    @property
    def end(self) -> int:
        """The entry at which the branch ends, or `NONE`."""
        return self._end

    @property
    def message(self) -> int:
        """The last message of the branch, or `NONE`."""
        entry, flags = self._end, self._tree.flags
        seen: set[int] = set()
        while entry != NONE and not flags[entry] & MESSAGE and entry not in seen:
            seen.add(entry)
            entry = self._links.parent(entry)
        return entry

    @property
    def endless(self) -> set[int]:
        """The records with a circle above them."""
        return self._endless

    def recorded(self, entry: int | None, explicit: bool) -> None:
        """The tape says where the writer stands."""
        del explicit
        self._room()
        if entry is None or entry in self._endless or entry == self._end:
            return
        if self._member[entry] != NONE and self._spoken[entry]:
            self._move(entry, Reason.REWOUND, None)

    def leaving(self, entry: int) -> None:
        """An entry is about to stand in another record."""

    def kept(self, kept: Kept) -> None:
        """A boundary kept records; that counts once a record behind it is on the branch."""
        self._pending.append(kept)

    def clear(self, entry: int, events: Iterable[int], form: Form, reason: Reason) -> None:
        """A record says that some rows are shown in another form from here on."""
        member = self._member[entry] if entry != NONE else NONE
        self._forms.change(member, events, form, reason)

    # Records.

    def place(self, arrival: Arrival, reason: Reason, cause: int | None) -> None:
        """A record arrives; rows that leave on its account do so for a reason."""
        entry, flags = arrival.entry, self._tree.flags[arrival.entry]
        self._room()
        self.turned = False
        if flags & SIDE:
            self._builder.aside()
            return
        main = is_main(flags)
        if main and self._pending and flags & MESSAGE:
            self._link_kept()
        if not arrival.fresh:
            if arrival.again is not None and self._same(arrival):
                if main and entry not in self._endless:
                    self._move(entry, reason, cause)
                return
            if self._closes_circle(entry):
                self._tangle(arrival)
                return
        above = self._above(arrival)
        if above == entry or above in self._endless:
            if arrival.fresh:
                self._unlinked(arrival)
            else:
                self._tangle(arrival)
            return
        spoken = flags & MESSAGE != 0 or (above != NONE and self._spoken[above] != 0)
        self._spoken[entry] = spoken
        self._depth[entry] = 1 + (self._depth[above] if above != NONE else 0)
        old = self._member[entry]
        if main and (spoken or self._end == NONE):
            self._grow(arrival, above, reason, cause)
        else:
            self._hang(arrival, above)
        if not arrival.fresh:
            self._adopt(entry, old, reason, cause)

    def _room(self) -> None:
        missing = len(self._tree.flags) - len(self._member)
        if missing > 0:
            self._member.extend(array("i", [NONE]) * missing)
            self._depth.frombytes(bytes(4 * missing))
            self._spoken.frombytes(bytes(missing))

    def _above(self, arrival: Arrival) -> int:
        """The entry that a record hangs on here, `NONE` at a root or below a missing parent."""
        entry, flags = arrival.entry, self._tree.flags
        parent = self._links.parent(entry)
        if self._batches is not None:
            behind = self._batches.above(arrival, parent)
            # One that comes again is above what came between.
            parent = behind if arrival.again is None else parent
        if parent in (NONE, entry):
            return parent
        if not flags[parent] & REAL or (flags[parent] & SIDE):
            self._tops[entry] = parent
            return NONE
        return parent

    def _grow(self, arrival: Arrival, above: int, reason: Reason, cause: int | None) -> None:
        """A record is the end of the branch."""
        entry, forest = arrival.entry, self._forest
        over = None if above == NONE else self._top_of(above)
        behind = self._links.behind(entry)
        if behind != entry and self._member[behind] != NONE:
            self._insert(arrival, over, behind, reason, cause)
            return
        if arrival.shape is None:
            self._member[entry] = NONE if over is None else over
            if over != forest.leaf:
                self._forest.move(over, reason, cause)
                self._forms.renew(forest)
        else:
            if over != forest.leaf:
                self.turned = True
                self._turn(arrival, over, reason, cause)
                self._forms.renew(forest)
            self._member[entry] = forest.grow(over, reason, cause)
            forest.attach(self._append(arrival, arrival.shape))
            self._orphan(entry, above)
        self._end = entry
        self._walk()

    def _turn(self, arrival: Arrival, over: int | None, reason: Reason, cause: int | None) -> None:
        """The branch is left for another one; a summary tells what it stands for."""
        builder, forest = self._builder, self._forest
        if reason is not Reason.COMPACTED:
            forest.move(over, reason, cause)
            return
        before = tuple(builder.sequence())
        forest.move(over, reason, cause)
        hidden = hidden_by(builder, before)
        if hidden:
            builder.replaced()
        if arrival.shape is not None and arrival.shape.kind is Kind.SUMMARY:
            arrival.sources = hidden or None

    def _insert(
        self, arrival: Arrival, over: int | None, behind: int, reason: Reason, cause: int | None
    ) -> None:
        """What hangs on a record was there before: the record enters above it."""
        entry, forest = arrival.entry, self._forest
        member = self._member[entry] = forest.add(over)
        self._orphan(entry, NONE)
        self._take_in(entry)
        before = len(forest.rows(member))
        self._turn(arrival, self._member[behind], reason, cause)
        self._end = behind
        if arrival.shape is not None:
            shape = arrival.shape
            rows = forest.rows(self._member[behind])
            details = details_of(arrival, shape)
            if before < len(rows):
                kind, tokens = shape.kind, shape.tokens
                node = self._builder.insert(rows[before], shape.role, kind, tokens, details)
            else:
                node = self._append(arrival, arrival.shape)
            forest.attach(node, member)
            forest.take_up(self._member[behind])
        self._stale = True
        self._walk()

    def _hang(self, arrival: Arrival, above: int) -> None:
        """A record is not on the branch, but others may come to hang on it."""
        entry = arrival.entry
        over = None if above == NONE else self._top_of(above)
        if arrival.shape is None:
            self._member[entry] = NONE if over is None else over
            return
        self._member[entry] = self._forest.add(over)
        self._forest.attach(self._held(arrival, arrival.shape))
        self._orphan(entry, above)

    def _top_of(self, entry: int) -> int | None:
        member = self._member[entry]
        return None if member == NONE else member

    def _orphan(self, entry: int, above: int) -> None:
        """Remember a record that hangs on nothing until its parent comes."""
        top = self._tops.pop(entry, None)
        if top is None and above != NONE and self._member[above] == NONE:
            top = self._tops.get(above)
        if top is not None and len(self._orphans) < _ORPHANS:
            self._orphans.setdefault(top, []).append(self._member[entry])

    def _append(self, arrival: Arrival, shape: Shape) -> int:
        details = details_of(arrival, shape)
        return self._builder.append(shape.role, shape.kind, shape.tokens, details)

    def _held(self, arrival: Arrival, shape: Shape) -> int:
        details = details_of(arrival, shape)
        return self._builder.hold(shape.role, shape.kind, shape.tokens, details)

    def _unlinked(self, arrival: Arrival) -> None:
        """A record has no root above it; it is listed and never on the branch."""
        entry = arrival.entry
        self._endless.add(entry)
        if arrival.shape is not None:
            self._member[entry] = self._forest.add(None)
            self._forest.attach(self._held(arrival, arrival.shape))

    def _move(self, entry: int, reason: Reason, cause: int | None) -> None:
        self._end = entry
        self._forest.move(self._top_of(entry), reason, cause)
        self._forms.renew(self._forest)
        self._stale = True
        self._walk()

    def _walk(self) -> None:
        """Count the records of the branch anew after it was linked anew."""
        if not self._stale:
            return
        self._stale = False
        path: list[int] = []
        seen: set[int] = set()
        entry = self._end
        while entry != NONE and entry not in seen and self._tree.flags[entry] & REAL:
            path.append(entry)
            seen.add(entry)
            entry = self._links.parent(entry)
        for depth, other in enumerate(reversed(path), 1):
            self._depth[other] = depth

    # What compactions kept.

    def _link_kept(self) -> None:
        for kept in self._pending:
            self._links.add(kept)
            self._relink(kept)
        self._pending = []

    def _relink(self, kept: Kept) -> None:
        for entry in kept.chain:
            parent = self._links.parent(entry)
            if self._member[entry] == NONE or not self._tree.flags[entry] & REAL:
                continue
            over = self._top_of(parent) if parent != NONE else None
            try:
                self._forest.relink(self._member[entry], over)
            except ValueError:
                # They would hang on each other.
                continue
            if parent != NONE and over is None:
                self._orphans.setdefault(parent, []).append(self._member[entry])
        self._stale = True

    # Records that others named before they came, and those that come again.

    def _adopt(self, entry: int, old: int, reason: Reason, cause: int | None) -> None:
        """What hung on a record before it stood here hangs on it now."""
        if self._links.waiting and self._links.try_again():
            self._stale = True
        if old == NONE:
            self._take_in(entry)
        elif old != self._member[entry]:
            for child in self._below(entry):
                if self._member[child] not in (NONE, self._member[entry]):
                    self._hang_on(self._member[child], entry)
        self._move(self._end if self._end != NONE else entry, reason, cause)

    def _take_in(self, entry: int) -> None:
        for member in self._orphans.pop(entry, ()):
            self._hang_on(member, entry)
        if entry in self._tops.values():
            for child in [child for child, top in self._tops.items() if top == entry]:
                del self._tops[child]
                self._member[child] = self._member[entry]

    def _hang_on(self, member: int, entry: int) -> None:
        # A record that would come to hang on itself stays where it is.
        with suppress(ValueError):
            self._forest.relink(member, self._top_of(entry))

    def _below(self, entry: int) -> list[int]:
        found: list[int] = []
        at = -1
        while True:
            try:
                at = self._tree.parent.index(entry, at + 1)
            except ValueError:
                return found
            found.append(at)

    def _same(self, arrival: Arrival) -> bool:
        """Whether a record that comes again says what it said."""
        return arrival.unchanged and self._member[arrival.entry] != NONE

    def _closes_circle(self, entry: int) -> bool:
        """Whether a record comes to hang on itself."""
        seen: set[int] = set()
        above = self._links.parent(entry)
        while above != NONE and above not in seen and above not in self._endless:
            if above == entry:
                return True
            if not self._is_main_line(above):
                return False
            seen.add(above)
            above = self._links.parent(above)
        return False

    def _is_main_line(self, entry: int) -> bool:
        return self._tree.flags[entry] & (REAL | SIDE) == REAL

    def _linked(self, entry: int) -> int:
        """What an entry hangs on, `NONE` if that is not on the main line."""
        above = self._links.parent(entry)
        return above if above != NONE and self._is_main_line(above) else NONE

    def _tangle(self, arrival: Arrival) -> None:
        """Records hang on each other: none of them, nor what is below, is on the branch."""
        self._unlinked(arrival)
        parents = [self._linked(entry) for entry in range(len(self._tree.flags))]
        known: dict[int, bool] = {}
        for first in range(len(parents)):
            path: list[int] = []
            entry = first
            while entry != NONE and entry not in known:
                known[entry] = True
                path.append(entry)
                entry = parents[entry]
            endless = entry != NONE and known[entry]
            for other in path:
                known[other] = endless
        self._endless = {entry for entry, endless in known.items() if endless}
        if self._end in self._endless:
            self._fall_back()

    def _fall_back(self) -> None:
        """The branch ends at the last record that has a root."""
        flags, line = self._tree.flags, self._tree.line
        whole = [
            entry
            for entry in range(len(flags))
            if is_main(flags[entry]) and self._spoken[entry] and entry not in self._endless
        ]
        if whole:
            self._move(max(whole, key=line.__getitem__), Reason.UNLINKED, None)
        else:
            self._end = NONE
            self._forest.move(None, Reason.UNLINKED, None)
