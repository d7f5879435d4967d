"""The branch that the writer stood on, after every record.

What a record hangs on here is settled when it arrives: its parent, linked anew where a compaction
kept records (rules page R3), and within one message of the API, whose lines and results name each
other crosswise, the member that was written last. So a batch of parallel calls only ever grows.
"""

from array import array
from collections.abc import Iterable

from inspector.formats.claude.tree.arrival import Arrival, Shape, details_of, hidden_by
from inspector.formats.claude.tree.batches import Batches
from inspector.formats.claude.tree.circles import Circles
from inspector.formats.claude.tree.depths import Depths
from inspector.formats.claude.tree.forms import Forms
from inspector.formats.claude.tree.links import Kept, Links
from inspector.formats.claude.tree.orphans import Orphans
from inspector.formats.claude.tree.relinking import Relinking
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


class LiveBranch:
    """Tells the builder of the surface after every record.

    Args:
        builder: takes the effects.
        tree: the entries.
        links: their parents.
        batches: whether the reader recovers what belongs to one message of the API.

    Attributes:
        tip: the end of the branch, if a new record that hangs on it has no other effect than to be
            there; else `NONE`.
        turned: the record placed last hangs on another than the last one of the branch.
        batches: what belongs to one message of the API, if the reader recovers that.
        recovered: no row; what is recovered hangs on the branch.
    """

    recovered = 0

    def __init__(self, builder: Builder, tree: Tree, links: Links, *, batches: bool) -> None:
        self._builder = builder
        self._tree = tree
        self._links = links
        self._forest = Forest(builder)
        self.batches = Batches(tree) if batches else None
        self._member = array("i")
        self._spoken = array("B")
        self._depths = depths = Depths()
        self._orphans = orphans = Orphans(self._member)
        self._circles = circles = Circles(tree, links, self._spoken)
        self._forms = forms = Forms(builder, self._forest)
        self._relinking = Relinking(
            tree, links, self._forest, self._member, orphans, circles, depths, forms
        )
        self._pending: list[Kept] = []
        self._end = NONE
        # Where the tape said last that the branch ends, and where it had ended by what was written.
        self._pointed = self._newest = NONE
        # The entry that is about to stand in another record, what it hung on, and what it was.
        self._stood = NONE, NONE, 0
        self.tip = NONE
        self.turned = False

    # What the tape says of itself.

    @property
    def reached(self) -> int:
        """How many records of the main line the branch reaches."""
        return self._depths.length(self._end)

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

    def stays(self, entry: int, most: int) -> tuple[int | None, int]:
        """How many records of the branch stay if it goes on from an entry, or from `NONE`.

        Args:
            entry: stands in the tape.
            most: records above it that are looked at for one on the branch.

        Returns:
            The number, None if none of these is on it; and how many steps up the first one is.
        """
        for step in range(most):
            if entry == NONE or not self._tree.flags[entry] & REAL:
                return 0, step
            member = self._member[entry] if entry < len(self._member) else NONE
            if member != NONE and self._forest.on_path(member):
                return self._depths.length(entry), step
            entry = self._links.parent(entry)
        return None, most

    @property
    def endless(self) -> set[int]:
        """The records with a circle above them."""
        return self._circles.endless

    @property
    def crowded(self) -> list[int]:
        """None: a message may have any number of lines and results."""
        return []

    def recorded(self, entry: int | None, explicit: bool) -> None:
        """The tape says where the writer stands, or takes it back."""
        self._room(len(self._tree.flags))
        if entry is None and explicit and self._end == self._pointed:
            entry = self._newest
        if entry in (None, NONE) or entry in self._circles.endless or entry == self._end:
            return
        if self._member[entry] != NONE and self._spoken[entry]:
            if self._end != self._pointed:
                self._newest = self._end
            self._pointed = entry
            self._move(entry, Reason.REWOUND, None)
            self._find_tip()

    def leaving(self, entry: int) -> None:
        """An entry is about to stand in another record."""
        self._stood = entry, self._tree.parent[entry], self._tree.flags[entry]

    def kept(self, kept: Kept) -> None:
        """A boundary kept records; that counts once a record behind it is on the branch."""
        self._pending.append(kept)
        self.tip = NONE

    def clear(self, entry: int, events: Iterable[int], form: Form, reason: Reason) -> None:
        """A record says that some rows are shown in another form from here on."""
        member = self._member[entry]
        if member != NONE and self._forest.on_path(member):
            self._forms.change(member, events, form, reason)

    def replace(self, events: Iterable[int], form: Form, reason: Reason) -> None:
        """Some rows are shown in another form behind the end of the branch."""
        end, forest = self._end, self._forest
        if end == NONE or self._member[end] != forest.leaf or forest.leaf is None:
            return
        member = self._member[end] = forest.grow(forest.leaf, reason)
        self._forms.change(member, events, form, reason)
        self._find_tip()

    # Records.

    def place(self, arrival: Arrival, reason: Reason, cause: int | None) -> None:
        """A record arrives; rows that leave on its account do so for a reason."""
        self._place(arrival, reason, cause)
        self._find_tip()

    def _place(self, arrival: Arrival, reason: Reason, cause: int | None) -> None:
        entry, flags = arrival.entry, self._tree.flags[arrival.entry]
        self._room(len(self._tree.flags))
        self.turned = False
        if arrival.again is None:
            self._circles.arrived(entry)
        else:
            elsewhere = (flags ^ self._stood[2]) & SIDE != 0
            self._circles.came_again(entry, elsewhere=elsewhere)
        if flags & SIDE:
            self._builder.aside()
            return
        main = is_main(flags)
        if main and self._pending and flags & MESSAGE:
            for kept in self._pending:
                self._relinking.keep(kept)
            self._pending = []
        late = not arrival.fresh and self._is_late(arrival)
        if late:
            if arrival.again is not None and self._same(arrival):
                if main and entry not in self._circles.endless:
                    self._circles.stands(entry)
                    self._move(entry, reason, cause)
                return
            if self._may_close(arrival) and self._circles.closes(entry):
                self._tangle(arrival)
                return
        above = self._above(arrival)
        if late and above != NONE and self._is_cut(entry, above):
            above = NONE
        if above == entry or above in self._circles.endless:
            if late:
                self._tangle(arrival)
            else:
                self._unlinked(arrival)
            return
        spoken = flags & MESSAGE != 0 or (above != NONE and self._spoken[above] != 0)
        self._spoken[entry] = spoken
        self._circles.stands(entry)
        self._settle(entry, above)
        old = self._member[entry]
        if main and (spoken or self._end == NONE):
            self._grow(arrival, above, reason, cause)
        else:
            self._hang(arrival, above)
        if late:
            self._relinking.adopt(entry, old)
            self._move(self._end if self._end != NONE else entry, reason, cause)

    def _settle(self, entry: int, above: int) -> None:
        if above != NONE:
            self._depths.settle(entry, above, there=True)
            return
        named = self._links.parent(entry)
        self._depths.settle(entry, NONE if named == entry else named, there=False)

    def _may_close(self, arrival: Arrival) -> bool:
        """Whether a record may come to hang on itself: not if nothing hangs on it, nor if it comes
        again and hung there.
        """
        entry = arrival.entry
        if not self._tree.named[entry]:
            return False
        stands = arrival.again is not None and entry not in self._circles.endless
        return not stands or self._stood[:2] != (entry, self._tree.parent[entry])

    def _is_cut(self, entry: int, above: int) -> bool:
        """Whether a record hangs on itself only by what a compaction kept: the walk up from what
        comes next ends at it (rules page R5).
        """
        if above == entry:
            return self._tree.parent[entry] != entry
        return self._circles.closes_by_links(entry)

    def _is_late(self, arrival: Arrival) -> bool:
        """Whether something may hang on a record already, or on what it brings."""
        entry = arrival.entry
        named = self._tree.named[entry] or self._links.waits_for(entry)
        return arrival.again is not None or bool(named)

    # Records that hang on the end of the branch, with nothing odd about them.

    def _find_tip(self) -> None:
        """Know whether a new record that hangs on the end of the branch only goes on."""
        end = self._end
        if (
            end != NONE
            and self._spoken[end] != 0
            and self._member[end] == self._forest.leaf
            and not self._pending
            and not self._circles.endless
            and not self._links.moves(end)
        ):
            self.tip = end
        else:
            self.tip = NONE

    def begin(self, messages: int) -> bool:
        """Whether new records may follow that hang on `tip`, each on the one before.

        Args:
            messages: how many of the API there are.
        """
        entries = len(self._tree.flags)
        if not self._forest.goes_on(len(self._builder.timeline.surface.nodes)):
            return False
        self._room(entries)
        if self.batches is not None:
            self.batches.begin(entries, messages)
        return True

    def line_up(self, count: int) -> None:
        """So many of them came, each with one row, which was appended."""
        entry, member = len(self._member), self._forest.follow_all(count)
        self._member.extend(range(member, member + count))
        self._depths.line_up(self.tip, count)
        self._spoken.extend(b"\1" * count)
        # Nothing is endless, and what is not known of these is looked for when something is.
        self._circles.changed()
        self._end = self.tip = entry + count - 1
        self.turned = False

    def _room(self, entries: int) -> None:
        missing = entries - len(self._member)
        if missing > 0:
            self._member.extend(array("i", [NONE]) * missing)
            self._depths.make_room(missing)
            self._spoken.frombytes(bytes(missing))

    def _above(self, arrival: Arrival) -> int:
        """The entry that a record hangs on here, `NONE` at a root or below a missing parent."""
        entry, flags = arrival.entry, self._tree.flags
        parent = self._links.parent(entry)
        if self.batches is not None:
            behind = self.batches.above(arrival, parent)
            # One that comes again is above what came between.
            parent = behind if arrival.again is None else parent
        if parent in (NONE, entry):
            return parent
        if not flags[parent] & REAL or (flags[parent] & SIDE):
            self._orphans.miss(entry, parent)
            return NONE
        return parent

    def _grow(self, arrival: Arrival, above: int, reason: Reason, cause: int | None) -> None:
        """A record is the end of the branch."""
        entry, forest = arrival.entry, self._forest
        over = self._relinking.over(above)
        behind = self._links.behind(entry)
        if behind != entry and self._member[behind] != NONE:
            self._insert(arrival, over, behind, reason, cause)
            return
        if arrival.shape is None:
            if over != forest.leaf:
                self._forest.move(over, reason, cause)
            if arrival.clears:
                # What it says holds behind it only.
                over = forest.grow(over, reason, cause)
            self._member[entry] = NONE if over is None else over
        else:
            if over != forest.leaf or not forest.in_step:
                self.turned = True
                self._turn(arrival, over, reason, cause)
            self._member[entry] = forest.grow(over, reason, cause)
            forest.attach(self._append(arrival, arrival.shape))
            self._orphans.placed(entry, above)
        self._end = entry

    def _turn(self, arrival: Arrival, over: int | None, reason: Reason, cause: int | None) -> None:
        """The branch is left for another one; a summary tells what it stands for."""
        builder, forest = self._builder, self._forest
        if reason is not Reason.COMPACTED:
            forest.move(over, reason, cause)
            return
        forest.move(over, reason, cause)
        hidden = hidden_by(builder, builder.left())
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
        self._orphans.placed(entry, NONE)
        self._relinking.take_in(entry)
        before = len(forest.rows(member))
        self._turn(arrival, self._member[behind], reason, cause)
        self._end = behind
        if arrival.shape is not None and not forest.is_above(member, self._member[behind]):
            # What was kept does not begin with what the boundary says (rules page R3).
            forest.attach(self._held(arrival, arrival.shape), member)
        elif arrival.shape is not None:
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

    def _hang(self, arrival: Arrival, above: int) -> None:
        """A record is not on the branch, but others may come to hang on it."""
        entry = arrival.entry
        over = self._relinking.over(above)
        if arrival.shape is None:
            if arrival.clears:
                over = self._forest.add(over)
            self._member[entry] = NONE if over is None else over
            return
        self._member[entry] = self._forest.add(over)
        self._forest.attach(self._held(arrival, arrival.shape))
        self._orphans.placed(entry, above)

    def _append(self, arrival: Arrival, shape: Shape) -> int:
        details = details_of(arrival, shape)
        return self._builder.append(shape.role, shape.kind, shape.tokens, details)

    def _held(self, arrival: Arrival, shape: Shape) -> int:
        details = details_of(arrival, shape)
        return self._builder.hold(shape.role, shape.kind, shape.tokens, details)

    def _unlinked(self, arrival: Arrival) -> None:
        """A record has no root above it; it is listed and never on the branch."""
        entry = arrival.entry
        self._circles.endless.add(entry)
        if arrival.shape is not None:
            self._member[entry] = self._forest.add(None)
            self._forest.attach(self._held(arrival, arrival.shape))

    def _move(self, entry: int, reason: Reason, cause: int | None) -> None:
        self._end = entry
        self._forest.move(self._relinking.over(entry), reason, cause)

    def _same(self, arrival: Arrival) -> bool:
        """Whether a record that comes again says what it said."""
        return arrival.unchanged and self._member[arrival.entry] != NONE

    def _tangle(self, arrival: Arrival) -> None:
        """Records hang on each other: none of them, nor what is below, is on the branch."""
        before = arrival.entry in self._circles.endless
        self._unlinked(arrival)
        self._circles.close(arrival.entry, before=before)
        if self._end in self._circles.endless:
            self._fall_back()

    def _fall_back(self) -> None:
        """The branch ends at the last record that has a root."""
        whole = self._circles.last_whole()
        if whole != NONE:
            self._move(whole, Reason.UNLINKED, None)
        else:
            self._end = NONE
            self._forest.move(None, Reason.UNLINKED, None)
