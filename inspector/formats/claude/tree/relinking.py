"""Members of the forest that come to hang on others than before."""

from array import array
from contextlib import suppress

from inspector.formats.claude.tree.circles import Circles
from inspector.formats.claude.tree.depths import Depths
from inspector.formats.claude.tree.forms import Forms
from inspector.formats.claude.tree.links import Kept, Links
from inspector.formats.claude.tree.orphans import Orphans
from inspector.formats.claude.tree.store import NONE, REAL, Tree
from inspector.timeline.forest import Forest


class Relinking:
    """Links anew what compactions kept, and what came before its parent.

    Args:
        tree: the entries.
        links: their parents.
        forest: the members.
        member: the member that stands for each entry, `NONE` if there is none.
        orphans: what waits for its parent.
        circles: what hangs on itself.
        depths: what is counted along chains.
        forms: where rows stand once more, below others that are changed.
    """

    def __init__(
        self,
        tree: Tree,
        links: Links,
        forest: Forest,
        member: "array[int]",
        orphans: Orphans,
        circles: Circles,
        depths: Depths,
        forms: Forms,
    ) -> None:
        self._tree = tree
        self._links = links
        self._forest = forest
        self._member = member
        self._orphans = orphans
        self._circles = circles
        self._depths = depths
        self._forms = forms

    def over(self, entry: int) -> int | None:
        """The member that what hangs on an entry hangs on."""
        member = self._member[entry] if entry != NONE else NONE
        return None if member == NONE else member

    def keep(self, kept: Kept) -> None:
        """What a compaction kept hangs where it says."""
        self._links.add(kept)
        for entry in kept.chain:
            parent = self._links.parent(entry)
            if self._member[entry] == NONE or not self._tree.flags[entry] & REAL:
                continue
            self._depths.move(entry, parent)
            self._keep(self._member[entry], parent, self.over(parent))
            if parent != self._tree.parent[entry]:
                self._keep_again(entry, parent)
        self._circles.changed()

    def _keep(self, member: int, parent: int, over: int | None) -> None:
        try:
            self._forest.relink(member, over)
        except ValueError:
            # They would hang on each other.
            return
        if parent != NONE and over is None:
            self._orphans.wait(member, parent)

    def _keep_again(self, entry: int, parent: int) -> None:
        """The row of a kept record stands elsewhere too, where a record below changed others."""
        forest, lines = self._forest, self._tree.line
        above = self._forms.again(lines[parent]) if parent != NONE else ()
        for member in self._forms.again(lines[entry]):
            over = next((one for one in reversed(above) if forest.is_above(one, member)), None)
            self._keep(member, parent, self.over(parent) if over is None else over)

    def adopt(self, entry: int, old: int) -> None:
        """What hung on a record before it stood here hangs on it now.

        Args:
            entry: of the record.
            old: its member before, or `NONE`.
        """
        if self._links.waiting and self._links.arrived(entry):
            self._circles.changed()
        if old == NONE:
            self.take_in(entry)
        elif old != self._member[entry] and self._tree.named[entry]:
            for child in self._below(entry):
                if self._member[child] not in (NONE, self._member[entry]):
                    self._hang_on(self._member[child], entry)

    def take_in(self, entry: int) -> None:
        """What waited for an entry hangs on it now."""
        for member in self._orphans.take(entry):
            self._hang_on(member, entry)

    def _hang_on(self, member: int, entry: int) -> None:
        # A record that would come to hang on itself stays where it is.
        with suppress(ValueError):
            self._forest.relink(member, self.over(entry))

    def _below(self, entry: int) -> list[int]:
        found: list[int] = []
        at = -1
        while True:
            try:
                at = self._tree.parent.index(entry, at + 1)
            except ValueError:
                return found
            found.append(at)
