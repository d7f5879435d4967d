"""The nodes that can stand on a surface, and what their stays there have in common with runs.

An *element* is what the surface's order holds: a number from 0 is a node in its first stay, a
negative number ``~k`` is run ``k``, a slice of nodes that were carried back.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from typing import Final, TypeAlias, TypedDict

from inspector.columns import NEVER, Column, small, unsigned
from inspector.timeline.sums import CHECKPOINT, Sums
from inspector.timeline.words import Form, Kind, Reason, Role

Element: TypeAlias = int

_SILENT: Final = 64
_META: Final = 128
_KIND: Final = 8

FILL: Final = 4_096
"""Entries by which a column grows that is filled in advance."""


def look(role: Role, kind: Kind) -> int:
    """Who speaks and what it is, in one number, for `NodeTable.add_all`."""
    return role | kind * _KIND


class NodeDetails(TypedDict, total=False):
    """What a node may say beside role, kind and tokens.

    Attributes:
        origin: the position of the event whose message it shows.
        part: which of the nodes of its origin it is, from 0.
        form: how much of the origin it shows.
        sources: positions of the events it was made from, as ranges in the order told.
        sources_of: a node made before that was made from these events too, which come first.
        silent: the owner derives no message from it.
        meta: the owner's interface hides it from the person.
    """

    origin: int
    part: int
    form: Form
    sources: Sequence[range]
    sources_of: int
    silent: bool
    meta: bool


class Stays:
    """Born, gone, reason and cause of elements: the part that nodes and runs share."""

    def __init__(self) -> None:
        self.born: Column = unsigned()
        self.gone: Column = unsigned()
        self.reason: Column = small()
        # What made stays end at a cursor, unless the event before it did; and of single stays.
        self._causes_at: dict[int, int] = {}
        self._causes: dict[int, int] = {}
        self._ended = 0, 0
        self._places: dict[int, Column] = {}

    def __len__(self) -> int:
        return len(self.born)

    def _there(self) -> None:
        """Make room for elements that have not left; rows beyond `born` are not in use yet."""
        self.reason.frombytes(bytes(FILL))
        self.gone.frombytes(b"\xff" * (FILL * self.gone.itemsize))

    def leave(self, number: int, cursor: int, reason: Reason, cause: int) -> None:
        """End a stay at ``cursor``; ``cause`` is the position of the event that made it end."""
        self.reason[number] = reason
        if (cursor, cause) != self._ended and self._is_other(cursor, cause):
            self._causes[number] = cause
        if cause != cursor - 1 and reason is Reason.COMPACTED:
            self._note_place(cause, cursor)
        self.gone[number] = cursor

    def leave_all(self, numbers: Sequence[int], cursor: int, reason: Reason, cause: int) -> None:
        """End many stays, as `leave` does."""
        gone, why = self.gone, self.reason
        if numbers and (cursor, cause) != self._ended and self._is_other(cursor, cause):
            self._causes.update(dict.fromkeys(numbers, cause))
        if numbers and cause != cursor - 1 and reason is Reason.COMPACTED:
            self._note_place(cause, cursor)
        for number in numbers:
            why[number] = reason
            gone[number] = cursor

    def cause(self, number: int) -> int:
        """The event that ended a stay, by position."""
        cause = self._causes.get(number)
        if cause is not None:
            return cause
        cursor = self.gone[number]
        return self._causes_at.get(cursor, cursor - 1)

    def places(self, cause: int) -> Sequence[int]:
        """The cursors at which an event compacted stays away that was not the one before them."""
        return self._places.get(cause, ())

    def _note_place(self, cause: int, cursor: int) -> None:
        found = self._places.get(cause)
        if found is None:
            found = self._places[cause] = unsigned()
        if not found or found[-1] != cursor:
            found.append(cursor)

    def _is_other(self, cursor: int, cause: int) -> bool:
        """Whether stays that end at a cursor have another cause than those that ended there first:
        nearly all that end at one cursor have the same.
        """
        if cursor <= self._ended[0]:
            return True
        self._ended = cursor, cause
        if cause != cursor - 1:
            self._causes_at[cursor] = cause
        return False


class NodeTable(Stays):
    """Every node ever made, numbered in the order of birth."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens: Column = unsigned()
        self._sums = Sums()
        self._summed = 0
        self.silent_nodes: Column = unsigned()
        self.silent_born: Column = unsigned()
        self.held: Column = unsigned()
        self._look: Column = small()
        self._parts: dict[int, tuple[int, Form]] = {}
        self._source_end: Column = unsigned()
        self._source_ranges: Column = unsigned()
        self._sources_of: dict[int, int] = {}
        self._origins: dict[int, int] = {}
        self._remade: dict[int, int] = {}
        self._earlier: dict[int, int] = {}

    def add(
        self,
        born: int,
        role: Role,
        kind: Kind,
        tokens: int,
        details: NodeDetails | None,
        sources: Sequence[range] | None = None,
    ) -> int:
        """Make a node; its origin is the event just before ``born`` unless the details tell."""
        number = len(self.born)
        look = role | kind * _KIND
        if sources:
            self._add_sources(sources)
        if details is not None:
            look |= self._add_details(number, born, details)
        self._source_end.append(len(self._source_ranges))
        if number >= len(self.gone):
            self._there()
        self._look.append(look)
        self.tokens.append(tokens if tokens < NEVER else NEVER)
        # Readers find nodes by their birth, so it is what publishes one.
        self.born.append(born)
        return number

    def add_all(
        self, born: range, looks: bytearray, tokens: Column, sources: Column, ends: bytearray
    ) -> None:
        """Make a node of each of several events, which has nothing else to tell.

        Args:
            born: the cursors, one behind the other.
            looks: by `look`, of each.
            tokens: of each.
            sources: the start and the stop of every range of sources.
            ends: how many numbers of ``sources`` belong to each.
        """
        self._source_end.extend(islice(accumulate(ends, initial=len(self._source_ranges)), 1, None))
        self._source_ranges.extend(sources)
        while len(self.born) + len(born) > len(self.gone):
            self._there()
        self._look.frombytes(looks)
        self.tokens.extend(tokens)
        self.born.extend(born)

    def _add_details(self, number: int, born: int, details: NodeDetails) -> int:
        look = 0
        sources = details.get("sources")
        if sources:
            self._add_sources(sources)
        if "sources_of" in details:
            # A node that adds nothing is no step on the way to the first.
            alike = details["sources_of"]
            own = self._source_end[alike] > (self._source_end[alike - 1] if alike else 0)
            self._sources_of[number] = alike if own else self._sources_of.get(alike, alike)
        if details.get("silent"):
            look |= _SILENT
            self.silent_nodes.append(number)
            self.silent_born.append(born)
        if details.get("meta"):
            look |= _META
        part, form = details.get("part", 0), details.get("form", Form.FULL)
        if part or form:
            self._parts[number] = (part, form)
        origin = details.get("origin", born - 1)
        if origin != born - 1:
            if origin in self._remade:
                self._earlier[number] = self._remade[origin]
            self._origins[number] = origin
            self._remade[origin] = number
        return look

    def _add_sources(self, sources: Sequence[range]) -> None:
        for span in sources:
            if span:
                self._source_ranges.append(span.start)
                self._source_ranges.append(span.stop)

    def origin(self, node: int) -> int:
        """The position of the event whose message the node shows."""
        return self._origins.get(node, self.born[node] - 1)

    def of_event(self, position: int) -> int | None:
        """The last node whose origin is this event, or None."""
        return next(self.all_of_event(position), None)

    def all_of_event(self, position: int) -> Iterator[int]:
        """Every node whose origin is this event, the latest first."""
        remade = self._remade.get(position)
        while remade is not None:
            yield remade
            remade = self._earlier.get(remade)
        born = position + 1
        node = bisect_right(self.born, born) - 1
        while node >= 0 and self.born[node] == born:
            if node not in self._origins:
                yield node
            node -= 1

    def sum_up(self) -> None:
        """Make the weights of new nodes cheap to add up."""
        self._sums.extend(self.tokens[self._summed :])
        self._summed = len(self.tokens)

    def tokens_up_to(self, stop: int) -> int:
        """The estimated tokens of all nodes below ``stop`` together."""
        total, covered = self._sums.checkpoint(stop)
        return total + sum(self.tokens[covered:stop])

    def tokens_of(self, start: int, stop: int) -> int:
        """The estimated tokens of consecutive nodes together."""
        if stop - start <= CHECKPOINT:
            return sum(self.tokens[start:stop])
        return self.tokens_up_to(stop) - self.tokens_up_to(start)

    def role(self, node: int) -> Role:
        """Who speaks."""
        return Role(self._look[node] % _KIND)

    def of_role(self, role: Role) -> list[int]:
        """The nodes of a role; looks at every node."""
        return [node for node, look in enumerate(self._look) if look % _KIND == role]

    def kind(self, node: int) -> Kind:
        """What the node is."""
        return Kind(self._look[node] % _SILENT // _KIND)

    def part(self, node: int) -> int:
        """Which of the nodes of its event this is, from 0."""
        return self._parts[node][0] if node in self._parts else 0

    def form(self, node: int) -> Form:
        """How much of its origin the node shows."""
        return self._parts[node][1] if node in self._parts else Form.FULL

    def sources(self, node: int) -> list[int]:
        """The positions that the node names as its sources, in the order told."""
        ranges, ends = self._source_ranges, self._source_end
        chain = [node]
        while (alike := self._sources_of.get(chain[-1])) is not None:
            chain.append(alike)
        found: list[int] = []
        for one in reversed(chain):
            for at in range(ends[one - 1] if one else 0, ends[one], 2):
                found.extend(range(ranges[at], ranges[at + 1]))
        return found

    def citing(self, position: int, cursor: int) -> list[int]:
        """The nodes born up to a cursor that name an event among their sources, by birth.

        Looks at every node that names any.
        """
        ranges = self._source_ranges
        stop = bisect_right(self.born, cursor)
        end = self._source_end[stop - 1] if stop else 0
        starts, stops = ranges[0:end:2], ranges[1:end:2]
        found = [
            bisect_right(self._source_end, 2 * at)
            for at, (first, behind) in enumerate(zip(starts, stops, strict=True))
            if first <= position < behind
        ]
        return self._with_alike(found, stop) if self._sources_of and found else found

    def _with_alike(self, found: list[int], stop: int) -> list[int]:
        """Nodes, and those below ``stop`` that were made from the same events and more."""
        known = set(found)
        # A node names an earlier one, and the builder may name more meanwhile.
        for node, alike in list(self._sources_of.items()):
            if alike in known and node < stop:
                known.add(node)
        return sorted(known)

    def silent(self, node: int) -> bool:
        """Whether the owner derives no message from the node."""
        return bool(self._look[node] & _SILENT)

    def meta(self, node: int) -> bool:
        """Whether the model sees the node and the owner's interface hides it from the person."""
        return bool(self._look[node] & _META)
