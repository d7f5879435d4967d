"""Effects: the only words in which a format tells what an event does.

A format sets `Builder.event` to the event's position and calls effects; the cursor of what they do
is that position + 1. It publishes decoded events with `Builder.publish` when a batch is folded.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from inspector.columns import NEVER
from inspector.timeline.findings import FindingKind, Severity
from inspector.timeline.live import LiveList
from inspector.timeline.marks import Kin, Usage
from inspector.timeline.nodes import Element, NodeDetails
from inspector.timeline.registers import InPayload, Scalar
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form, Kind, Mark, Outcome, Reason, Role, SpanKind

_KNOWN_OPEN: Final = 65_536
"""Spans of a kind whose identity is remembered until they end: a tape may open any number."""


class Builder:
    """Folds effects into a timeline, one event after the other.

    Raises:
        ValueError: from effects on nodes that are not on the surface; a format checks its rules
            first and rejects the event instead.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.event = 0
        self._surface = timeline.surface
        self._nodes = timeline.surface.nodes
        self._runs = timeline.surface.runs
        self._live = LiveList()
        self._placed = 0
        self._spans = [timeline.spans[kind] for kind in SpanKind]
        self._open: list[dict[str, int]] = [{} for _ in SpanKind]

    # Decoded events.

    def publish(self, records: "array[int]", types: "array[int]", times: "array[int]") -> None:
        """Make the events of a batch readable, after their effects were told."""
        self._place()
        self.timeline.table.extend(records, types, times)

    def reject(self) -> None:
        """The event breaks a rule of its format: it changes nothing on the surface."""
        self.timeline.rejected.append(self.event)
        self.doubt(self.event)

    def stop(self) -> None:
        """The fold ends before this event: it and all later ones are rows that are not applied."""
        self.timeline.stopped_at = self.event
        self.doubt(self.event)

    def doubt(self, cursor: int) -> None:
        """Beyond this cursor the fold went past something that nobody could read."""
        self.timeline.doubtful_from = min(self.timeline.doubtful_from, cursor)

    # The surface.

    def append(
        self,
        role: Role,
        kind: Kind,
        tokens: int,
        details: NodeDetails | None = None,
        sources: Sequence[range] | None = None,
    ) -> int:
        """A new node enters at the end.

        Args:
            role: who speaks.
            kind: what it is.
            tokens: its estimated tokens by the format's rule.
            details: see `NodeDetails`; the origin is this event unless told.
            sources: the same as in the details, for the many nodes that have nothing else there.

        Returns:
            The node's number.
        """
        return self._nodes.add(self.event + 1, role, kind, tokens, details, sources)

    def hold(
        self,
        role: Role,
        kind: Kind,
        tokens: int,
        details: NodeDetails | None = None,
        reason: Reason = Reason.UNLINKED,
    ) -> int:
        """A new node is made that is not on the surface, for now: `resurface` may carry it there.

        The words are those of `append`; ``reason`` tells why it is not there.
        """
        self._place()
        node = self.append(role, kind, tokens, details)
        self._place()
        self._leave(node, reason, None)
        self._nodes.held.append(node)
        return node

    def aside(self) -> None:
        """The event belongs to a side branch in the same tape, such as a subagent's."""
        self.timeline.aside.append(self.event)

    def insert(
        self, before: int, role: Role, kind: Kind, tokens: int, details: NodeDetails | None = None
    ) -> int:
        """A new node enters before a node that is there; the words are those of `append`."""
        self._place()
        return self._make(self._elements([before])[0], role, kind, tokens, details)

    def replace(
        self,
        nodes: Sequence[int],
        reason: Reason,
        role: Role,
        kind: Kind,
        tokens: int,
        details: NodeDetails | None = None,
    ) -> int:
        """Nodes leave and a new one enters in the place of the first."""
        self._place()
        leaving = self._elements(nodes)
        self.timeline.replacements.append(self.event)
        node = self._make(leaving[0], role, kind, tokens, details)
        self._leave_all(leaving, reason, None)
        return node

    def reform(self, node: int, form: Form, tokens: int) -> int:
        """A node leaves and its origin is shown in another form in its place.

        Returns:
            The number of the new node.
        """
        self._place()
        element = self._elements([node])[0]
        nodes = self._nodes
        details: NodeDetails = {
            "origin": nodes.origin(node),
            "part": nodes.part(node),
            "form": form,
            "meta": nodes.meta(node),
            "silent": nodes.silent(node),
        }
        made = self._make(element, nodes.role(node), nodes.kind(node), tokens, details)
        self._leave(element, Reason.PRUNED, None)
        return made

    def remove(self, nodes: Iterable[int], reason: Reason, cause: int | None = None) -> None:
        """Nodes leave; ``cause`` is the event that made them, by position, this one unless told."""
        self._place()
        self._leave_all(self._elements(nodes), reason, cause)

    def resurface(self, sequence: Sequence[int], reason: Reason, cause: int | None = None) -> None:
        """The surface becomes this sequence of nodes, each made before and named once.

        The longest common subsequence stays; the rest leaves, and what is missing is carried back
        as runs of consecutive nodes.
        """
        self._place()
        current = [node for element in self._live for node in self._surface.nodes_of(element)]
        start, stop, wanted = _differing(current, sequence)
        staying = _longest_common(current[start:stop], wanted)
        kept = set(staying)
        self.remove([node for node in current[start:stop] if node not in kept], reason, cause)
        following = self._first_element(current[stop:])
        run: list[int] = []
        for node in reversed(wanted):
            if node in kept:
                self._carry(run, following)
                run = []
                following = self._first_element([node])
            elif run and node == run[-1] - 1:
                run.append(node)
            else:
                following = self._carry(run, following)
                run = [node]
        self._carry(run, following)

    def is_live(self, node: int) -> bool:
        """Whether a node is on the surface now."""
        return self._nodes.gone[node] == NEVER or self._live_run(node) is not None

    def between(self, first: int, last: int) -> list[int] | None:
        """The nodes from one to another, both on the surface; None if they stand the other way."""
        self._place()
        start, end = self._elements([first])[0], self._elements([last])[0]
        if start != end and not self._surface.order.precedes(start, end):
            return None
        found: list[int] = []
        for element in self._live.walk(start):
            found.extend(self._surface.nodes_of(element))
            if element == end:
                break
        return found

    def _place(self) -> None:
        """Put the nodes that were appended since the last call at the end, all at once."""
        made = len(self._nodes)
        if made > self._placed:
            self._surface.append_nodes(self._placed)
            self._live.append_nodes(self._placed, made - self._placed)
            self._placed = made

    def _make(
        self,
        before: Element,
        role: Role,
        kind: Kind,
        tokens: int,
        details: NodeDetails | None,
    ) -> int:
        node = self._nodes.add(self.event + 1, role, kind, tokens, details)
        self._placed = node + 1
        self._enter(node, before)
        return node

    def _enter(self, element: Element, before: Element | None) -> None:
        self._surface.enter(element, self.event + 1, before)
        self._live.insert(element, before)

    def _leave(self, element: Element, reason: Reason, cause: int | None) -> None:
        self._live.remove(element)
        self._surface.leave(element, self.event + 1, reason, self.event if cause is None else cause)

    def _leave_all(self, elements: Sequence[Element], reason: Reason, cause: int | None) -> None:
        if not elements or min(elements) < 0:
            for element in elements:
                self._leave(element, reason, cause)
            return
        self._live.remove_nodes(elements)
        cause = self.event if cause is None else cause
        self._surface.leave_nodes(elements, self.event + 1, reason, cause)

    def _carry(self, falling: list[int], before: Element | None) -> Element | None:
        """Carry back nodes that are listed last first and consecutive; the new first element."""
        if not falling:
            return before
        run = self._runs.add(self.event + 1, falling[-1], len(falling))
        self._enter(~run, before)
        return ~run

    def _first_element(self, nodes: Sequence[int]) -> Element | None:
        return self._elements(nodes[:1])[0] if nodes else None

    def _live_run(self, node: int) -> Element | None:
        for element in self._live.runs:
            if node in self._surface.nodes_of(element):
                return element
        return None

    def _elements(self, nodes: Iterable[int]) -> list[Element]:
        """The live elements that show exactly these nodes; runs are taken apart where needed."""
        found: list[Element] = []
        run: list[int] = []
        element: Element | None = None
        for node in nodes:
            if (
                run
                and element is not None
                and node == run[-1] + 1
                and node in self._surface.nodes_of(element)
            ):
                run.append(node)
                continue
            if run and element is not None:
                found.append(self._cut_out(element, run[0], len(run)))
                run, element = [], None
            if self._nodes.gone[node] == NEVER:
                found.append(node)
                continue
            element = self._live_run(node)
            if element is None:
                raise ValueError(f"node {node} is not on the surface")
            run = [node]
        if run and element is not None:
            found.append(self._cut_out(element, run[0], len(run)))
        return found

    def _cut_out(self, element: Element, first: int, length: int) -> Element:
        """The element that shows just these nodes of a run, which is dissolved for it."""
        nodes = self._surface.nodes_of(element)
        if len(nodes) == length:
            return element
        lengths = (first - nodes.start, length, nodes.stop - first - length)
        pieces = [~piece for piece in self._runs.dissolve(~element, lengths)]
        self._surface.order.substitute(element, pieces)
        for piece in pieces:
            self._live.insert(piece, element)
        self._live.remove(element)
        return pieces[1 if lengths[0] else 0]

    # Everything beside the surface.

    def set(self, register: str, value: Scalar | InPayload) -> None:
        """A register changes."""
        self.timeline.registers.set(register, value, self.event + 1)

    def open(self, kind: SpanKind, identity: str, number: int | None = None) -> None:
        """A span begins; one that is open under the same identity ends with outcome unknown.

        Where too many of a kind are open, those opened first are let go: they stay open for ever.
        """
        open_now = self._open[kind]
        if identity in open_now:
            self.close(kind, identity, Outcome.UNKNOWN)
        elif len(open_now) >= _KNOWN_OPEN:
            for forgotten in tuple(islice(open_now, _KNOWN_OPEN // 2)):
                del open_now[forgotten]
        open_now[identity] = self._spans[kind].open(self.event + 1, number)

    def close(
        self, kind: SpanKind, identity: str, outcome: Outcome, word: str | None = None
    ) -> bool:
        """A span ends; returns whether it was open.

        Args:
            kind: what it is.
            identity: under which it was opened.
            outcome: how it ended.
            word: the outcome in the owner's words, if they say more.
        """
        span = self._open[kind].pop(identity, None)
        if span is None:
            return False
        self._spans[kind].close(span, self.event + 1, outcome, word)
        return True

    def close_all(self, kind: SpanKind, outcome: Outcome, word: str | None = None) -> None:
        """Every open span of a kind ends."""
        if self._open[kind]:
            for identity in tuple(self._open[kind]):
                self.close(kind, identity, outcome, word)

    def is_open(self, kind: SpanKind, identity: str) -> bool:
        """Whether a span is open under an identity."""
        return identity in self._open[kind]

    def open_ones(self, kind: SpanKind) -> tuple[str, ...]:
        """The identities of the spans of a kind that are open, the first opened first."""
        return tuple(self._open[kind])

    def spend(
        self, cached: int, uncached: int, written: int, output: int, *, aside: bool = False
    ) -> None:
        """The provider reported the tokens of one request.

        Args:
            cached: input tokens that were read from a cache.
            uncached: input tokens that were not.
            written: input tokens that were written to a cache.
            output: tokens that came back.
            aside: the request was not made of the surface: a compaction's, a title's.
        """
        table = self.timeline.side_usage if aside else self.timeline.usage
        table.add(Usage(self.event, uncached, cached, written, output))

    def pair(self, call: int) -> None:
        """The event is the result of a call, told by the position of the call's event."""
        self.timeline.pairs.add(call, self.event)

    def inherit(self, events: int) -> None:
        """So many events at the beginning were written by the tape that this one came from."""
        self.timeline.lives.inherited = events

    def live(self) -> None:
        """The owner took the tape up again: a new life begins at this event."""
        self.timeline.lives.begin(self.event)

    def kin(self, relation: str, tape: str, boundary: int | None) -> None:
        """The tape belongs to another: a fork, a resume, a subagent, an import."""
        self.timeline.kin.append(Kin(relation, tape, boundary))

    def mark(self, mark: Mark) -> None:
        """The event is one that a person steps to."""
        self.timeline.marks.add(mark, self.event)

    def settle(self, settled: bool) -> None:
        """From here on the owner could make a request, or could not."""
        self.timeline.settled.set(self.event + 1, settled)

    def find(
        self, kind: FindingKind, message: str, *, record: int | None, event: int | None
    ) -> None:
        """A finding, at a record or an event or both."""
        self.timeline.findings.add(kind, record, event, message)
        if event is not None and kind.severity is not Severity.INFO:
            self.mark_damage(event)

    def mark_damage(self, event: int) -> None:
        """Mark the place of damage: the event, or the first one behind it."""
        self.timeline.marks.add(Mark.DAMAGE, event)


def _differing(current: Sequence[int], wanted: Sequence[int]) -> tuple[int, int, Sequence[int]]:
    """Where the current sequence differs from the wanted one, and what stands there instead."""
    start = 0
    shorter = min(len(current), len(wanted))
    while start < shorter and current[start] == wanted[start]:
        start += 1
    tail = 0
    while tail < shorter - start and current[-1 - tail] == wanted[-1 - tail]:
        tail += 1
    return start, len(current) - tail, wanted[start : len(wanted) - tail]


def _longest_common(current: Sequence[int], wanted: Sequence[int]) -> list[int]:
    """The longest common subsequence of two sequences of unique numbers."""
    place = {node: at for at, node in enumerate(current)}
    common = [(place[node], node) for node in wanted if node in place]
    ends: list[int] = []
    chain: list[int] = []
    previous: list[int] = [-1] * len(common)
    for at, (where, _) in enumerate(common):
        length = bisect_left(ends, where)
        if length == len(ends):
            ends.append(where)
            chain.append(at)
        else:
            ends[length] = where
            chain[length] = at
        previous[at] = chain[length - 1] if length else -1
    staying: list[int] = []
    at = chain[-1] if chain else -1
    while at >= 0:
        staying.append(common[at][1])
        at = previous[at]
    staying.reverse()
    return staying
