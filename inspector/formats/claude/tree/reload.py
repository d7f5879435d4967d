"""The branch that a reader would open if the tape ended here, after every record.

The rules are those of the rules page, R3 to R7. A record that hangs on the end of the branch is
only added; else the path to the end is written anew from the first place where anything may be
another, and what was written further up stays (see `written`).
"""

from array import array
from collections.abc import Callable, Iterable
from typing import Any

from inspector.formats.claude.tree.arrival import Arrival, Shape, details_of, hidden_by
from inspector.formats.claude.tree.chains import ENDLESS
from inspector.formats.claude.tree.ends import Ends
from inspector.formats.claude.tree.links import Kept, Links
from inspector.formats.claude.tree.news import News
from inspector.formats.claude.tree.path import Path
from inspector.formats.claude.tree.placing import NEW, Placed, source_of
from inspector.formats.claude.tree.rows import Rows
from inspector.formats.claude.tree.siblings import Siblings
from inspector.formats.claude.tree.store import (
    BOUNDARY,
    MESSAGE,
    NONE,
    QUEUED,
    RESULT,
    SIDE,
    Tree,
)
from inspector.formats.claude.tree.written import Written
from inspector.timeline.builder import Builder
from inspector.timeline.words import Form, Kind, Reason


class ReloadBranch:
    """Tells the builder of the surface after every record.

    Args:
        builder: takes the effects.
        tree: the entries.
        links: their parents.
        ends: the reader's rule for where the conversation ends.
        siblings: what the reader adds to a branch; None if it adds nothing.
        read: an event again, by position.
        path: the path that `siblings` looks at.

    Attributes:
        turned: never; which branch is another's is told by what the tape holds at the end.
        recovered: how many rows stand on no chain: the reader adds them.
    """

    turned = False

    def __init__(
        self,
        builder: Builder,
        tree: Tree,
        links: Links,
        ends: Ends,
        siblings: Siblings | None,
        read: Callable[[int], dict[str, Any]],
        path: Path,
    ) -> None:
        self._builder = builder
        self._tree = tree
        self._links = links
        self._ends = ends
        self._chains = ends.chains
        self._siblings = siblings
        self._path = path
        self._placed = Placed(tree, self._chains, path, siblings, read)
        self._written = Written()
        self._rows = Rows(builder)
        self._source = NONE
        self._message = NONE
        self._top = NONE
        self.recovered = 0
        self._news = News(tree, ends, siblings, self._written)
        self._hidden: list[range] | None = None
        # Commands typed ahead that became messages, by the ids of these.
        self._sent: dict[str, int] = {}

    # What the tape says of itself.

    @property
    def reached(self) -> int:
        """How many records of the main line the branch reaches."""
        return self._chains.reached(self._message, self._top) if self._message != NONE else 0

    @property
    def end(self) -> int:
        """The last message of the branch, or `NONE`."""
        return self._message

    @property
    def length(self) -> int:
        """How many records it walks up, those behind the last message included; no circle."""
        if self._source == NONE:
            return 0
        return self._chains.depth[self._source] - self._chains.depth[self._top] + 1

    @property
    def message(self) -> int:
        """The last message of the branch, or `NONE`."""
        return self._message

    @property
    def endless(self) -> set[int]:
        """The reader knows of no circles."""
        return set()

    @property
    def crowded(self) -> list[int]:
        """Of messages with too many lines and results to put together, the first one left out."""
        return list(self._siblings.crowded.values()) if self._siblings is not None else []

    def recorded(self, entry: int | None, explicit: bool) -> None:
        """The tape says where the conversation ends."""
        self._make_room()
        self._ends.recorded(entry, explicit)
        self._follow(None, Reason.REWOUND, None, NONE)

    def clear(self, entry: int, events: Iterable[int], form: Form, reason: Reason) -> None:
        """A record says that rows are shown in another form; the reader does not listen."""
        del entry, events, form, reason

    def leaving(self, entry: int) -> None:
        """An entry is about to stand in another record."""
        self._news.leaving(entry)

    def kept(self, kept: Kept) -> None:
        """A boundary that arrives next kept records."""
        self._news.kept(kept)

    # Records.

    def place(self, arrival: Arrival, reason: Reason, cause: int | None) -> None:
        """A record arrives; rows that leave on its account do so for a reason."""
        flags = self._tree.flags[arrival.entry]
        news, event = self._news, self._builder.event
        self._make_room()
        if flags & SIDE:
            self._builder.aside()
        news.came(arrival)
        if flags & BOUNDARY:
            self._ends.recorded(None, explicit=True)
        gone = NONE
        late: list[int] = []
        if not news.keeps(arrival):
            late = news.know(arrival)
            gone = self._exchange(arrival)
        touched = news.join(arrival)
        if late and self._is_above_all(arrival, touched):
            self._precede(arrival)
            return
        for entry in late:
            news.outdate(entry, event)
        self._typed_ahead(arrival, flags, event)
        plain = gone == NONE and not news.relinked and self._is_next(arrival, touched)
        if self._siblings is not None:
            for message in touched:
                if not self._siblings.is_single(message):
                    news.outdate(self._siblings.lowest(message), event)
        if plain:
            self._extend(arrival)
            return
        news.relinked = False
        self._follow(arrival, reason, cause, gone)

    def _exchange(self, arrival: Arrival) -> int:
        """A record is to be a row of its own; returns the node that it had before and that leaves,
        or `NONE`.
        """
        node, entry = self._placed.node, arrival.entry
        before, node[entry] = node[entry], NONE if arrival.shape is None else NEW
        if arrival.again is None or before < 0 or not self._builder.is_live(before):
            return NONE
        self._builder.remove([before], Reason.SUPERSEDED)
        return before

    def _typed_ahead(self, arrival: Arrival, flags: int, event: int) -> None:
        """A command typed ahead is not listed where the message that it became is."""
        if flags & QUEUED:
            source = source_of(arrival.record)
            if source:
                self._sent[source] = arrival.entry
        elif self._sent and flags & MESSAGE:
            queued = self._sent.get(str(arrival.record.get("uuid")), NONE)
            if queued != NONE:
                self._news.outdate(queued, event)

    def _make_room(self) -> None:
        missing = len(self._tree.flags) - len(self._placed.node)
        if missing > 0:
            self._placed.node.extend(array("i", [NONE]) * missing)
            self._written.make_room(len(self._tree.flags))
            self._chains.make_room()

    # The branch.

    def _is_next(self, arrival: Arrival, touched: set[int]) -> bool:
        """Whether a record hangs on the end of the branch, and nothing else changes by it."""
        entry, source = arrival.entry, self._source
        if (
            self._ends.found()[0] != entry
            or self._links.parent(entry) != source
            or source == NONE
            or self._chains.depth[entry] == ENDLESS
            or not self._stands(self._message)
        ):
            return False
        flags = self._tree.flags[entry]
        if not flags & MESSAGE:
            return not flags & QUEUED or not source_of(arrival.record)
        if source != self._message:
            return False
        if not touched:
            return True
        siblings = self._siblings
        self._path.end_at(source)
        return siblings is not None and all(siblings.plain(one, entry) for one in touched)

    def _is_above_all(self, arrival: Arrival, touched: set[int]) -> bool:
        """Whether a record came behind the branch, of which the first record hangs on it, and
        nothing else changes by it.
        """
        entry, top, siblings = arrival.entry, self._top, self._siblings
        flags = self._tree.flags
        return (
            top != NONE
            and arrival.again is None
            and self._chains.is_only(entry, top)
            and flags[entry] & (MESSAGE | RESULT | SIDE) == MESSAGE
            and flags[top] & (MESSAGE | SIDE) == MESSAGE
            and arrival.shape is not None
            and not self._news.relinked
            and self._chains.above(entry) == NONE
            and (siblings is None or all(map(siblings.is_single, touched)))
            and self._stands(self._message)
            and self._ends.found()[0] == self._source
        )

    def _precede(self, arrival: Arrival) -> None:
        """A record stands above the whole branch."""
        entry, top, self._top = arrival.entry, self._top, arrival.entry
        if arrival.shape is not None:
            node = self._make(arrival, arrival.shape, self._placed.node[top])
            self._written.write(entry, self._rows.precede(node), self._builder.event)

    def _extend(self, arrival: Arrival) -> None:
        entry = self._source = arrival.entry
        if self._tree.flags[entry] & QUEUED and arrival.shape is not None:
            # Nobody sent it so far.
            self._rows.follow(self._make(arrival, arrival.shape, None))
            self.recovered += 1
            return
        if not self._tree.flags[entry] & MESSAGE:
            self._hold(arrival)
            return
        end, added = self._written.end(self._message), self._written.added(self._message)
        self._message = entry
        if arrival.shape is not None and self._placed.is_shown(entry):
            end = self._rows.follow(self._make(arrival, arrival.shape, None))
        else:
            self._hold(arrival)
        self._written.write(entry, end, self._builder.event, added)

    def _follow(
        self, arrival: Arrival | None, reason: Reason, cause: int | None, gone: int
    ) -> None:
        """The branch is that to the end of the conversation."""
        source, message = self._ends.found()
        same = source == self._source and gone == NONE
        self._source, self._message = source, message
        self._top = self._chains.top(message) if message != NONE else NONE
        if same and (source == NONE or self._stands(message)):
            self._hold(arrival)
            return
        path, nodes, ends, added = self._path, list[int](), list[int](), list[int]()
        start, self.recovered = NONE, 0
        if source != NONE:
            path.lead_to(message, self._stands, self._siblings)
            nodes, ends = self._placed.rows()
            before = 0
            if path.above != NONE:
                start, before = self._written.end(path.above), self._written.added(path.above)
            added = [before + more for more in self._placed.added]
            waiting = self._placed.waiting(source, message) if source != message else []
            if waiting:
                # Of a circle they may be on the path as well.
                shown = set(nodes)
                waiting = [node for node in waiting if node not in shown]
            nodes += waiting
            self.recovered = (added[-1] if added else before) + len(waiting)
        self._show(start, nodes, arrival, reason, cause, gone)
        steps = self._rows.reach(start, nodes)
        if source != NONE:
            self._note(start, ends, steps, added)

    def _stands(self, entry: int) -> bool:
        return self._written.stands(entry)

    def _note(self, start: int, ends: list[int], steps: list[int], added: list[int]) -> None:
        """Note where the rows up to every entry that was written end."""
        chains, event = self._chains, self._builder.event
        for entry, end, more in zip(self._path.entries, ends, added, strict=True):
            if chains.depth[entry] == ENDLESS or chains.queued[entry] != NONE:
                # How these are shown depends on what follows them.
                continue
            if not self._path.ends_whole(entry):
                continue
            self._written.write(entry, steps[end - 1] if end else start, event, more)

    # The surface.

    def _show(
        self,
        start: int,
        nodes: list[int],
        arrival: Arrival | None,
        reason: Reason,
        cause: int | None,
        gone: int,
    ) -> None:
        """The surface becomes a sequence with nodes behind it, that of the arrival among them."""
        made = nodes.index(NEW) if NEW in nodes else None
        others = nodes if made is None else nodes[:made] + nodes[made + 1 :]
        before = self._rows.become(start, others, reason, cause, gone)
        if before is not None and reason is Reason.COMPACTED:
            self._compacted(before)
        shape = None if arrival is None else arrival.shape
        changed = made is not None or before is not None
        if arrival is not None and shape is not None and changed and shape.kind is Kind.SUMMARY:
            arrival.sources, self._hidden = self._hidden, None
        if made is None or arrival is None or shape is None:
            self._hold(arrival)
        else:
            following = None if made + 1 == len(nodes) else nodes[made + 1]
            nodes[made] = self._make(arrival, shape, following)

    def _compacted(self, before: "array[int]") -> None:
        """Rows left for a compaction, at its boundary or at its summary."""
        hidden = hidden_by(self._builder, before)
        if hidden:
            self._builder.replaced()
            self._hidden = hidden

    # Nodes.

    def _make(self, arrival: Arrival, shape: Shape, before: int | None) -> int:
        builder = self._builder
        details = details_of(arrival, shape)
        if before is None:
            node = builder.append(shape.role, shape.kind, shape.tokens, details)
        else:
            node = builder.insert(before, shape.role, shape.kind, shape.tokens, details)
        self._placed.node[arrival.entry] = node
        return node

    def _hold(self, arrival: Arrival | None) -> None:
        """The record that arrives is not on the surface."""
        node = self._placed.node
        if arrival is None or arrival.shape is None or node[arrival.entry] != NEW:
            return
        shape = arrival.shape
        if self._tree.flags[arrival.entry] & SIDE:
            node[arrival.entry] = NONE
            return
        details = details_of(arrival, shape)
        node[arrival.entry] = self._builder.hold(shape.role, shape.kind, shape.tokens, details)
