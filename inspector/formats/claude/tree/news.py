"""What is known of the tree after every record, and what of the branch is outdated by it."""

from inspector.formats.claude.tree.arrival import Arrival
from inspector.formats.claude.tree.ends import Ends
from inspector.formats.claude.tree.links import Kept
from inspector.formats.claude.tree.siblings import Siblings
from inspector.formats.claude.tree.store import ASSISTANT, NONE, RESULT, Tree
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

    def leaving(self, entry: int) -> None:
        """An entry is about to stand in another record."""
        tree = self._tree
        self._stood = entry, tree.parent[entry], tree.flags[entry]

    def kept(self, kept: Kept) -> None:
        """A boundary that arrives next kept records."""
        if self._links.add(kept):
            self._relink()

    def came(self, arrival: Arrival) -> None:
        """A record comes that boundaries may have named."""
        links = self._links
        if not arrival.fresh and links.waiting and links.arrived(arrival.entry):
            self._relink()

    def _relink(self) -> None:
        self.relinked = True
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

    def know(self, arrival: Arrival) -> bool:
        """Know where an entry stands, and what hangs on it; whether this outdates what was written
        of any path.
        """
        entry, chains, ends = arrival.entry, self._chains, self._ends
        if self.relinked or arrival.again is not None:
            chains.recount()
            ends.recount()
        elif self._tree.named[entry]:
            ends.below(chains.arrived_late(entry))
            ends.arrived(entry)
        else:
            chains.arrived(entry)
            ends.arrived(entry)
            return False
        if self._siblings is not None:
            self._siblings.forget_whole()
        return True

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
        while self._tree.named[entry]:
            try:
                at = parents.index(entry, at + 1)
            except ValueError:
                break
            if flags[at] & RESULT:
                found.append(at)
        return found
