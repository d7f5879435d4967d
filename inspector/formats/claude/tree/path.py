"""The path to an entry, as far up as it has to be written anew."""

from collections.abc import Callable, Iterator

from inspector.formats.claude.tree.chains import ENDLESS, Chains
from inspector.formats.claude.tree.siblings import Siblings
from inspector.formats.claude.tree.store import ASSISTANT, NONE, RESULT, Tree


class Path:
    """Which entries are on a path, and where.

    Attributes:
        above: the last entry of what is not written anew, `NONE` if all of it is.
        entries: those below it, the uppermost first.
    """

    def __init__(self, tree: Tree, chains: Chains) -> None:
        self._tree = tree
        self._chains = chains
        self._places: dict[int, int] = {}
        self._between: set[int] = set()
        self.above = NONE
        self.entries: list[int] = []

    def __getitem__(self, entry: int) -> int:
        """The place of an entry on the path, `NONE` if it is not on it."""
        place = self._places.get(entry)
        if place is not None:
            return place
        if self.above == NONE or not self._chains.holds(entry, self.above):
            return NONE
        return self._chains.depth[entry]

    def end_at(self, entry: int) -> None:
        """The path is that to an entry, and nothing of it is written anew."""
        self.above = entry
        self.entries = []
        self._places = {}

    def lead_to(self, entry: int, stands: Callable[[int], bool], siblings: Siblings | None) -> None:
        """The path is that to an entry.

        Args:
            entry: a message.
            stands: whether what was written of the path to an entry is right as it is.
            siblings: what belongs together, and is written anew together.
        """
        found = _Found(self._tree, self._chains, entry, siblings)
        while True:
            found.climb_to(stands)
            if not found.climb_above_members():
                break
        found.entries.reverse()
        self.above, self.entries = found.above, found.entries
        first = 1 + (self._chains.depth[self.above] if self.above != NONE else 0)
        self._places = {one: place for place, one in enumerate(self.entries, first)}
        self._between = self._parted(found.messages, siblings)

    def ends_whole(self, entry: int) -> bool:
        """Whether the rows of the path to one of the entries are the first of those to the last:
        no message has members both above and below it.
        """
        return self._places[entry] not in self._between

    def _parted(self, messages: set[int], siblings: Siblings | None) -> set[int]:
        """The places between members of one message."""
        found: set[int] = set()
        for message in messages if siblings is not None else ():
            if siblings is None or siblings.is_single(message):
                continue
            places = [self._places[one] for one in siblings.members(message) if one in self._places]
            if places:
                found.update(range(min(places), max(places)))
        return found


class _Found:
    """Climbs up a path."""

    def __init__(self, tree: Tree, chains: Chains, entry: int, siblings: Siblings | None) -> None:
        self._flags = tree.flags
        self._chains = chains
        self._siblings = siblings
        self._seen: set[int] = set()
        self.messages: set[int] = set()
        self._open: list[int] = []
        self.above = entry
        self.entries: list[int] = []

    def _climb(self) -> None:
        """One entry more is written anew."""
        entry, flags = self.above, self._flags[self.above]
        self._seen.add(entry)
        self.entries.append(entry)
        above = self._chains.above(entry)
        self.above = NONE if above in self._seen else above
        if self._siblings is None:
            return
        if flags & ASSISTANT:
            self._ask(self._siblings.message_of(entry))
        elif flags & RESULT:
            for message in self._siblings.ties_of(entry):
                self._ask(message)

    def _ask(self, message: int) -> None:
        if message != NONE and message not in self.messages:
            self.messages.add(message)
            self._open.append(message)

    def climb_to(self, stands: Callable[[int], bool]) -> None:
        """Climb to what stands already."""
        endless = self._chains.depth
        while self.above != NONE and (endless[self.above] == ENDLESS or not stands(self.above)):
            self._climb()

    def climb_above_members(self) -> bool:
        """Climb above all that belongs to what is written anew; False if nothing more does."""
        siblings, chains, climbed = self._siblings, self._chains, False
        while siblings is not None and self._open:
            for member in self._members(siblings, self._open.pop()):
                if member in self._seen or self.above == NONE:
                    continue
                if chains.holds(member, self.above):
                    while member not in self._seen and self.above != NONE:
                        self._climb()
                    climbed = True
        return climbed

    def _members(self, siblings: Siblings, message: int) -> Iterator[int]:
        for member in siblings.members(message):
            yield member
            if self._flags[member] & RESULT and not siblings.has_one_tie(member):
                # It may be added to another message instead.
                for other in siblings.ties_of(member):
                    self._ask(other)
