"""The branch that a reader would open if the tape ended here, after every record.

The rules are those of the rules page, R3 to R7.

The branch is kept as a list of entries, the surface as a list of nodes. A record changes the ends
of both, from the first place that it has to do with.
"""

from array import array
from collections.abc import Callable, Iterable
from typing import Any, Final

from inspector.formats.claude.tree.arrival import Arrival, Shape, details_of, hidden_by
from inspector.formats.claude.tree.ends import Ends
from inspector.formats.claude.tree.links import Kept, Links
from inspector.formats.claude.tree.siblings import Siblings
from inspector.formats.claude.tree.store import (
    ASSISTANT,
    BOUNDARY,
    MESSAGE,
    NONE,
    QUEUED,
    REAL,
    REMINDER,
    RESULT,
    SIDE,
    Tree,
)
from inspector.formats.shapes import mapping, text
from inspector.timeline.builder import Builder
from inspector.timeline.words import Form, Kind, Reason

_NEW: Final = -2
"""The node of the record that arrives, which is not made yet."""


class ReloadBranch:
    """Tells the builder of the surface after every record.

    Args:
        builder: takes the effects.
        tree: the entries.
        links: their parents.
        ends: the reader's rule for where the conversation ends.
        siblings: what the reader adds to a branch; None if it adds nothing.
        read: an event again, by position.
        chain: the place of each entry on the branch; `siblings` looks at it too.

    Attributes:
        turned: never; which branch is another's is told by what the tape holds at the end.
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
        chain: "array[int]",
    ) -> None:
        self._builder = builder
        self._tree = tree
        self._links = links
        self._ends = ends
        self._siblings = siblings
        self._read = read
        self._at = chain
        self._node = array("i")
        self._branch = array("i")
        self._rows_before = array("I")
        self._rows = array("i")
        self._messages = 0
        self._sides = 0
        self._any_side = False
        self._relink = False
        self._hidden: list[range] | None = None

    # What the tape says of itself.

    @property
    def reached(self) -> int:
        """How many records of the main line the branch reaches."""
        return self._messages - self._sides

    @property
    def end(self) -> int:
        """The last message of the branch, or `NONE`."""
        return self._branch[self._messages - 1] if self._messages else NONE

    @property
    def length(self) -> int:
        """How many records it walks up, those behind the last message included."""
        return len(self._branch)

    @property
    def message(self) -> int:
        """The last message of the branch, or `NONE`."""
        return self.end

    @property
    def endless(self) -> set[int]:
        """The reader knows of no circles."""
        return set()

    def recorded(self, entry: int | None, explicit: bool) -> None:
        """The tape says where the conversation ends."""
        self._ends.recorded(entry, explicit)
        self._follow(None, Reason.REWOUND, fresh=True)

    def clear(self, entry: int, events: Iterable[int], form: Form, reason: Reason) -> None:
        """A record says that rows are shown in another form; the reader does not listen."""
        del entry, events, form, reason

    def leaving(self, entry: int) -> None:
        """An entry is about to stand in another record."""
        self._ends.forget(entry)

    def kept(self, kept: Kept) -> None:
        """A boundary that arrives next kept records."""
        if self._links.add(kept):
            self._relinked()

    def _relinked(self) -> None:
        self._relink = True
        self._ends.recount()
        if self._siblings is not None:
            for entry in range(len(self._tree.flags)):
                if self._tree.flags[entry] & RESULT:
                    self._adopt(entry)

    def _adopt(self, result: int) -> None:
        above = self._links.parent(result)
        if self._siblings is not None and above not in (NONE, self._tree.parent[result]):
            self._siblings.adopt(above, [result])

    # Records.

    def place(self, arrival: Arrival, reason: Reason, cause: int | None) -> None:
        """A record arrives; rows that leave on its account do so for a reason."""
        entry = arrival.entry
        missing = len(self._tree.flags) - len(self._at)
        if missing > 0:
            more = array("i", [NONE]) * missing
            self._at.extend(more)
            self._node.extend(more)
        if self._tree.flags[entry] & SIDE:
            self._any_side = True
            self._builder.aside()
        fresh = arrival.fresh
        if not fresh and self._links.waiting and self._links.try_again():
            self._relinked()
        if self._tree.flags[entry] & BOUNDARY:
            self._ends.recorded(None, explicit=True)
        if not self._relink:
            self._ends.arrived(entry)
        touched = self._join(arrival)
        before = self._node[entry] if arrival.again is not None else NONE
        if arrival.shape is None:
            self._node[entry] = NONE
        else:
            self._node[entry] = _NEW
        if before >= 0 and self._builder.is_live(before):
            self._builder.remove([before], Reason.SUPERSEDED)
            self._rows.remove(before)
        self._follow(arrival, reason, cause, touched, fresh=fresh)

    def _join(self, arrival: Arrival) -> set[int]:
        """The messages of the API that a record has to do with."""
        siblings = self._siblings
        if siblings is None:
            return set()
        entry, flags = arrival.entry, self._tree.flags[arrival.entry]
        touched: set[int] = set()
        if flags & ASSISTANT and arrival.message != NONE:
            siblings.line(entry, arrival.message, arrival.calls)
            touched.add(arrival.message)
            if not arrival.fresh:
                siblings.adopt(entry, self._results_below(entry))
        if flags & RESULT:
            touched |= siblings.result(entry, arrival.record)
        return touched

    def _results_below(self, entry: int) -> list[int]:
        """The results that named an entry before it came."""
        found: list[int] = []
        parents, flags, at = self._tree.parent, self._tree.flags, -1
        while True:
            try:
                at = parents.index(entry, at + 1)
            except ValueError:
                return found
            if flags[at] & RESULT:
                found.append(at)

    # The branch.

    def _follow(
        self,
        arrival: Arrival | None,
        reason: Reason,
        cause: int | None = None,
        touched: set[int] | None = None,
        *,
        fresh: bool,
    ) -> None:
        source, message = self._ends.found()
        entry = NONE if arrival is None else arrival.entry
        whole = self._relink or not fresh
        if arrival is not None and not whole and self._is_next(entry, source, touched):
            self._extend(arrival)
            return
        self._relink = False
        start = self._rebranch(source, message, touched or set(), whole=whole)
        self._rewrite(start, arrival, reason, cause)

    def _is_next(self, entry: int, source: int, touched: set[int] | None) -> bool:
        """Whether a record hangs on the end of the branch, and nothing else changes by it."""
        branch = self._branch
        if (
            entry == NONE
            or source != entry
            or not self._tree.flags[entry] & MESSAGE
            or self._messages != len(branch)
            or self._links.parent(entry) != (branch[-1] if branch else NONE)
        ):
            return False
        siblings = self._siblings
        if siblings is None or not touched:
            return True
        # Of a message that is all on the branch nothing is added.
        self._at[entry] = len(branch)
        plain = all(siblings.plain(message) for message in touched)
        self._at[entry] = NONE
        return plain

    def _extend(self, arrival: Arrival) -> None:
        entry = arrival.entry
        self._at[entry] = len(self._branch)
        self._branch.append(entry)
        self._rows_before.append(len(self._rows))
        self._messages = len(self._branch)
        self._sides += self._tree.flags[entry] & SIDE != 0
        if arrival.shape is not None and self._shown(entry):
            self._rows.append(self._make(arrival, arrival.shape, None))
        else:
            self._hold(arrival)

    def _shown(self, entry: int) -> bool:
        return not self._tree.flags[entry] & SIDE and self._node[entry] != NONE

    def _rebranch(self, source: int, message: int, touched: set[int], *, whole: bool) -> int:
        """Make the branch end at an entry; the place from which the surface may be another one.

        ``whole`` if parents in the middle of the branch may be others than they were.
        """
        at, old = self._at, self._branch
        if whole:
            for entry in old:
                at[entry] = NONE
        joint, path = self._path(source)
        left = old[joint:]
        for entry in left:
            at[entry] = NONE
        self._branch = old[:joint]
        self._branch.extend(path)
        for place, entry in enumerate(path, joint):
            at[entry] = place
        before = self._messages
        self._messages = at[message] + 1 if message != NONE else 0
        if self._any_side:
            flags = self._tree.flags
            reached = self._branch[: self._messages]
            self._sides = sum(flags[entry] & SIDE != 0 for entry in reached)
        if whole:
            return 0
        affected = self._affected(old[joint:], self._branch[joint:]) | touched
        return self._first_place(min(joint, before, self._messages), affected)

    def _path(self, source: int) -> tuple[int, "array[int]"]:
        """How much of the branch stays, and what comes behind it up to an entry."""
        at, flags, parent = self._at, self._tree.flags, self._links.parent
        path = array("i")
        seen: set[int] = set()
        entry = source
        while entry != NONE and flags[entry] & REAL and entry not in seen:
            if at[entry] != NONE:
                path.reverse()
                return at[entry] + 1, path
            path.append(entry)
            seen.add(entry)
            entry = parent(entry)
        path.reverse()
        return 0, path

    def _affected(self, left: Iterable[int], entered: Iterable[int]) -> set[int]:
        """The messages of the API of which lines or results left or entered the branch."""
        siblings, flags = self._siblings, self._tree.flags
        if siblings is None:
            return set()
        found: set[int] = set()
        for entry in (*left, *entered):
            if flags[entry] & ASSISTANT:
                found.add(siblings.message_of(entry))
            elif flags[entry] & RESULT:
                found |= siblings.ties_of(entry)
        return found - {NONE}

    def _first_place(self, start: int, affected: set[int]) -> int:
        """The first place of the branch that is to be written again."""
        for message in affected:
            first = None if self._siblings is None else self._siblings.first_line(message)
            if first is not None:
                start = min(start, first)
        flags = self._tree.flags
        # What was typed ahead depends on what follows it.
        while start and not flags[self._branch[start - 1]] & MESSAGE:
            start -= 1
        return start

    # The surface.

    def _rewrite(
        self, start: int, arrival: Arrival | None, reason: Reason, cause: int | None
    ) -> None:
        first = self._rows_before[start] if start < len(self._rows_before) else len(self._rows)
        del self._rows_before[start:]
        rows = self._rows[:first]
        for place in range(start, len(self._branch)):
            self._rows_before.append(len(rows))
            self._write(place, rows)
        if rows == self._rows:
            self._hold(arrival)
            return
        made = rows.index(_NEW, first) if _NEW in rows[first:] else None
        others = rows if made is None else rows[:made] + rows[made + 1 :]
        if others != self._rows:
            before = self._rows
            self._builder.resurface(others, reason, cause)
            if reason is Reason.COMPACTED:
                self._compacted(before)
        if arrival is not None and arrival.shape and arrival.shape.kind is Kind.SUMMARY:
            arrival.sources, self._hidden = self._hidden, None
        if made is None or arrival is None or arrival.shape is None:
            self._hold(arrival)
        else:
            following = None if made + 1 == len(rows) else rows[made + 1]
            rows[made] = self._make(arrival, arrival.shape, following)
        self._rows = rows

    def _compacted(self, before: "array[int]") -> None:
        """Rows left for a compaction, at its boundary or at its summary."""
        hidden = hidden_by(self._builder, before)
        if hidden:
            self._builder.replaced()
            self._hidden = hidden

    def _write(self, place: int, rows: "array[int]") -> None:
        """The rows of one place of the branch."""
        entry = self._branch[place]
        flags = self._tree.flags[entry]
        if flags & MESSAGE:
            if self._shown(entry):
                rows.append(self._node[entry])
            siblings = self._siblings
            if siblings is not None and flags & ASSISTANT:
                message = siblings.message_of(entry)
                if message != NONE and siblings.last_line(message) == place:
                    rows.extend(
                        self._node[added] for added in siblings.added(message) if self._shown(added)
                    )
        elif flags & QUEUED:
            if self._listed(place) and self._shown(entry):
                rows.append(self._node[entry])
        elif flags & REMINDER and place < self._messages and self._shown(entry):
            rows.append(self._node[entry])

    def _listed(self, place: int) -> bool:
        """Whether what was typed ahead is listed: nobody sent it as a prompt (rules page R7)."""
        flags, branch = self._tree.flags, self._branch
        for behind in range(place + 1, len(branch)):
            if flags[branch[behind]] & MESSAGE:
                if not flags[branch[behind]] & (ASSISTANT | RESULT):
                    return False
                break
        record = self._read(self._tree.line[branch[place]])
        source = text(record.get("source_uuid")) or text(
            mapping(record.get("attachment")).get("source_uuid")
        )
        known = self._tree.ids.find(source) if source else None
        return known is None or self._at[known] == NONE or not flags[known] & MESSAGE

    # Nodes.

    def _make(self, arrival: Arrival, shape: Shape, before: int | None) -> int:
        builder = self._builder
        details = details_of(arrival, shape)
        if before is None:
            node = builder.append(shape.role, shape.kind, shape.tokens, details)
        else:
            node = builder.insert(before, shape.role, shape.kind, shape.tokens, details)
        self._node[arrival.entry] = node
        return node

    def _hold(self, arrival: Arrival | None) -> None:
        """The record that arrives is not on the surface."""
        if arrival is None or arrival.shape is None or self._node[arrival.entry] != _NEW:
            return
        shape = arrival.shape
        if self._tree.flags[arrival.entry] & SIDE:
            self._node[arrival.entry] = NONE
            return
        details = details_of(arrival, shape)
        node = self._builder.hold(shape.role, shape.kind, shape.tokens, details)
        self._node[arrival.entry] = node
