"""What is known of the tree after every record, and what of the branch is outdated by it."""

from inspector.formats.claude.tree.arrival import Arrival
from inspector.formats.claude.tree.ends import Ends
from inspector.formats.claude.tree.links import Kept
from inspector.formats.claude.tree.siblings import Siblings
from inspector.formats.claude.tree.store import (
    ASSISTANT,
    BOUNDARY,
    NONE,
    QUEUED,
    RESULT,
    Tree,
)
from inspector.formats.claude.tree.written import Written


class News:
    """Takes records into everything that tells of the tree.

    Args:
        tree: the entries.
        ends: the reader's rule for where the conversation ends, with the chains and links.
        siblings: what the reader adds to a branch; None if it adds nothing.
        written: what stands of the paths to entries.

    Attributes:
        relinked: parents were changed since the record before.
    """

    def __init__(self, tree: Tree, ends: Ends, siblings: Siblings | None, written: Written) -> None:
        self._tree = tree
        self._links = ends.links
        self._ends = ends
        self._chains = ends.chains
        self._siblings = siblings
        self._written = written
        self._stood = (NONE, NONE, 0)
        self.relinked = False
        self._unknown = False
        # Entries that hang on others by the record that comes.
        self._moved: list[int] = []

    def leaving(self, entry: int) -> None:
        """An entry is about to stand in another record."""
        tree = self._tree
        self._stood = entry, tree.parent[entry], tree.flags[entry]
        if self._siblings is not None:
            self._siblings.leaving(entry)
        if tree.flags[entry] & BOUNDARY:
            self._links.leaving(tree.line[entry])

    def kept(self, kept: Kept) -> None:
        """A boundary that arrives next kept records."""
        moves = self._links.moving(kept)
        if not self._links.add(kept):
            return
        self.relinked = True
        if moves is None or not self._chains.moved(moves):
            self._relink()
            return
        self._ends.moved(moves)
        if self._siblings is not None:
            self._siblings.forget_whole()
        for entry, before in moves:
            if self._links.parent(entry) != before:
                if self._tree.flags[entry] & RESULT:
                    self._adopt(entry)
                self._moved.append(entry)

    def came(self, arrival: Arrival) -> None:
        """A record comes that boundaries may have named."""
        links = self._links
        if links.left():
            self._relink()
        if not arrival.fresh and links.waiting and links.arrived(arrival.entry):
            self._relink()

    def _relink(self) -> None:
        self.relinked = self._unknown = True
        if self._siblings is not None:
            for entry in range(len(self._tree.flags)):
                if self._tree.flags[entry] & RESULT:
                    self._adopt(entry)

    def _adopt(self, result: int) -> None:
        above = self._links.parent(result)
        if self._siblings is not None and above not in (NONE, self._tree.parent[result]):
            self._siblings.adopt(above, [result])

    def keeps(self, arrival: Arrival) -> bool:
        """Whether a record comes again as it was; if so, it only stands elsewhere."""
        entry, tree = arrival.entry, self._tree
        same = (entry, tree.parent[entry], tree.flags[entry]) == self._stood
        if arrival.again is None or not same or not arrival.unchanged or self.relinked:
            return False
        self._ends.renewed(entry, arrival.again)
        return True

    def know(self, arrival: Arrival) -> list[int]:
        """Know where an entry stands, and what hangs on it.

        Returns:
            The entries of which the paths through them are outdated by it.
        """
        entry, chains, ends, moved = arrival.entry, self._chains, self._ends, self._moved
        self._moved = []
        if not self.relinked and self._is_only_said(arrival):
            ends.renewed(entry, arrival.again or 0)
            moved = [0 if chains.round else entry]
        elif self._unknown or arrival.again is not None:
            self._unknown = False
            chains.recount()
            ends.recount()
            moved = [0]
        elif self._tree.named[entry]:
            ends.below(chains.arrived_late(entry))
            ends.arrived(entry)
            moved.append(0 if chains.round else entry)
        else:
            chains.arrived(entry)
            ends.arrived(entry)
        if self._siblings is not None and moved:
            self._siblings.forget_whole()
        return moved

    def _is_only_said(self, arrival: Arrival) -> bool:
        """Whether a record comes again and hangs where it hung, and nothing belongs to it that did
        not before.
        """
        entry, tree, siblings = arrival.entry, self._tree, self._siblings
        flags = tree.flags[entry]
        if arrival.again is None or (entry, tree.parent[entry], flags) != self._stood:
            return False
        if flags & (RESULT | QUEUED):
            return False
        return siblings is None or siblings.message_of(entry) == arrival.message

    def outdate(self, entry: int, event: int) -> None:
        """What was written of the paths through an entry before an event is not right any more."""
        if entry == NONE:
            return
        lowest, highest = self._chains.inverted
        if entry <= highest:
            entry = min(entry, lowest)
        self._written.outdate(entry, event)

    def join(self, arrival: Arrival) -> set[int]:
        """The messages of the API that a record has to do with."""
        siblings = self._siblings
        if siblings is None:
            return set()
        entry, flags = arrival.entry, self._tree.flags[arrival.entry]
        touched: set[int] = set()
        if arrival.again is not None:
            siblings.changes(entry, arrival.message)
        if flags & ASSISTANT and arrival.message != NONE:
            siblings.line(entry, arrival.message, arrival.calls)
            if siblings.message_of(entry) == arrival.message:
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
        while self._tree.named[entry]:
            try:
                at = parents.index(entry, at + 1)
            except ValueError:
                break
            if flags[at] & RESULT:
                found.append(at)
        return found
