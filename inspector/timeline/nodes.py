"""The rows that can stand on a surface: nodes, and runs of nodes that were carried back.

An *element* is what the surface's order holds: a number from 0 is a node in its first stay, a
negative number ``~k`` is run ``k``. A run is one ``born`` and one ``gone`` for a slice of
consecutive node numbers, so carrying back a thousand rows costs one run.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias, TypedDict

from inspector.columns import NEVER, Column, small, unsigned
from inspector.timeline.words import Form, Kind, Reason, Role

Element: TypeAlias = int

_SILENT: Final = 64
_META: Final = 128
_KIND: Final = 8

FILL: Final = 4_096
"""Entries by which a column grows that is filled in advance."""


class NodeDetails(TypedDict, total=False):
    """What a node may say beside role, kind and tokens.

    Attributes:
        origin: the position of the event whose message it shows.
        part: which of the nodes of its origin it is, from 0.
        form: how much of the origin it shows.
        sources: positions of the events it was made from, as ranges in the order told.
        silent: the owner derives no message from it.
        meta: the owner's interface hides it from the person.
    """

    origin: int
    part: int
    form: Form
    sources: Sequence[range]
    silent: bool
    meta: bool


class Stays:
    """Born, gone, reason and cause of elements: the part that nodes and runs share."""

    def __init__(self) -> None:
        self.born: Column = unsigned()
        self.gone: Column = unsigned()
        self.reason: Column = small()
        self._causes: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.born)

    def _there(self) -> None:
        """Make room for elements that have not left; rows beyond `born` are not in use yet."""
        self.reason.frombytes(bytes(FILL))
        self.gone.frombytes(b"\xff" * (FILL * self.gone.itemsize))

    def leave(self, number: int, cursor: int, reason: Reason, cause: int) -> None:
        """End a stay at ``cursor``; ``cause`` is the position of the event that made it end."""
        self.reason[number] = reason
        if cause != cursor - 1:
            self._causes[number] = cause
        self.gone[number] = cursor

    def leave_all(self, numbers: Sequence[int], cursor: int, reason: Reason, cause: int) -> None:
        """End many stays, as `leave` does."""
        gone, why = self.gone, self.reason
        if cause != cursor - 1:
            self._causes.update(dict.fromkeys(numbers, cause))
        for number in numbers:
            why[number] = reason
            gone[number] = cursor

    def cause(self, number: int) -> int:
        """The event that ended a stay, by position."""
        return self._causes.get(number, self.gone[number] - 1)


class NodeTable(Stays):
    """Every node ever made, numbered in the order of birth."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens: Column = unsigned()
        self.silent_born: Column = unsigned()
        self.held: Column = unsigned()
        self._look: Column = small()
        self._parts: dict[int, tuple[int, Form]] = {}
        self._source_end: Column = unsigned()
        self._source_ranges: Column = unsigned()
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

    def _add_details(self, number: int, born: int, details: NodeDetails) -> int:
        look = 0
        sources = details.get("sources")
        if sources:
            self._add_sources(sources)
        if details.get("silent"):
            look |= _SILENT
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

    def role(self, node: int) -> Role:
        """Who speaks."""
        return Role(self._look[node] % _KIND)

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
        ranges = self._source_ranges
        start = self._source_end[node - 1] if node else 0
        found: list[int] = []
        for at in range(start, self._source_end[node], 2):
            found.extend(range(ranges[at], ranges[at + 1]))
        return found

    def silent(self, node: int) -> bool:
        """Whether the owner derives no message from the node."""
        return bool(self._look[node] & _SILENT)

    def meta(self, node: int) -> bool:
        """Whether the model sees the node and the owner's interface hides it from the person."""
        return bool(self._look[node] & _META)


class RunTable(Stays):
    """Slices of consecutive nodes that were carried back to the surface.

    Part of a run may leave. The run is then *dissolved* into pieces that stand for it since it was
    born: the surface of no cursor changes by it, and rows that stay neither leave nor return.
    """

    def __init__(self) -> None:
        super().__init__()
        self.first: Column = unsigned()
        self.length: Column = unsigned()
        self._whole: list[int] = []
        self._whole_born: Column = unsigned()
        self._pieces: dict[int, list[int]] = {}

    def add(self, born: int, first: int, length: int) -> int:
        """Carry back the nodes ``first`` to ``first + length - 1`` at cursor ``born``."""
        number = self._add(born, first, length)
        self._whole.append(number)
        self._whole_born.append(born)
        return number

    def _add(self, born: int, first: int, length: int) -> int:
        number = len(self.born)
        if number >= len(self.gone):
            self._there()
        self.first.append(first)
        self.length.append(length)
        self.born.append(born)
        return number

    def dissolve(self, number: int, lengths: Iterable[int]) -> list[int]:
        """Pieces of the given lengths, which stand for the run from now on."""
        pieces: list[int] = []
        first = self.first[number]
        for length in lengths:
            if length:
                pieces.append(self._add(self.born[number], first, length))
                first += length
        self._pieces[number] = pieces
        return pieces

    def born_within(self, after: int, until: int) -> Iterator[int]:
        """The runs with ``after < born <= until``, dissolved ones as their pieces."""
        start = bisect_right(self._whole_born, after)
        stop = bisect_right(self._whole_born, until)
        for number in self._whole[start:stop]:
            yield from self._standing(number)

    def _standing(self, number: int) -> Iterator[int]:
        pieces = self._pieces.get(number)
        if pieces is None:
            yield number
        else:
            for piece in pieces:
                yield from self._standing(piece)

    def covering(self, node: int, cursor: int) -> tuple[int | None, int | None]:
        """The run that shows a node at a cursor, and else the last one that showed it before."""
        last: int | None = None
        for number in self.born_within(-1, cursor):
            start = self.first[number]
            if not start <= node < start + self.length[number]:
                continue
            if cursor < self.gone[number]:
                return number, None
            if self.born[number] < self.gone[number] and (
                last is None or self.gone[number] >= self.gone[last]
            ):
                last = number
        return None, last
