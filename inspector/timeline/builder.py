"""Effects: the only words in which a format tells what an event does.

A format sets `Builder.event` to the event's position and calls effects; the cursor of what they do
is that position + 1. It publishes decoded events with `Builder.publish` when a batch is folded.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from inspector.columns import Column
from inspector.timeline.findings import FindingKind, Severity
from inspector.timeline.marks import Kin
from inspector.timeline.nodes import Element, NodeDetails
from inspector.timeline.registers import InPayload, Scalar
from inspector.timeline.sequences import common_end, common_start
from inspector.timeline.standing import Slice, Standing
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form, Kind, Mark, Outcome, Reason, Role, SpanKind

_KIN: Final = 1_000
"""Other tapes that are remembered: a tape may name any number."""

_KNOWN_OPEN: Final = 65_536
"""Spans of a kind whose identity is remembered until they end: a tape may open any number."""


class Builder:
    """Folds effects into a timeline, one event after the other.

    Attributes:
        event: the position of the event whose effects are told.
        alterations: how often the surface changed otherwise than at its end.

    Raises:
        ValueError: from effects on nodes that are not on the surface; a format checks its rules
            first and rejects the event instead.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.event = 0
        self.alterations = 0
        self._nodes = timeline.surface.nodes
        self._standing = Standing(timeline.surface)
        self._spans = [timeline.spans[kind] for kind in SpanKind]
        self._open: list[dict[str, int]] = [{} for _ in SpanKind]

    # Decoded events.

    def publish(self, records: "array[int]", types: "array[int]", times: "array[int]") -> None:
        """Make the events of a batch readable, after their effects were told."""
        self._standing.place()
        self.timeline.table.extend(records, types, times)

    def reject(self) -> None:
        """The event breaks a rule of its format: it changes nothing on the surface."""
        self.timeline.rejected.append(self.event)
        self.doubt(self.event)

    def stop(self, *, passable: bool = False) -> None:
        """The fold ends before this event: it and all later ones are rows that are not applied.

        Args:
            passable: whether the tape can be folded past it if somebody asks for that.
        """
        self.timeline.stopped_at, self.timeline.passable = self.event, passable
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

    def append_all(
        self, events: range, looks: bytearray, tokens: Column, sources: Column, ends: bytearray
    ) -> None:
        """A new node of each of several events enters at the end; see `NodeTable.add_all`."""
        cursors = range(events.start + 1, events.stop + 1)
        self._nodes.add_all(cursors, looks, tokens, sources, ends)

    def hold(
        self,
        role: Role,
        kind: Kind,
        tokens: int,
        details: NodeDetails | None = None,
        reason: Reason = Reason.UNLINKED,
        cause: int | None = None,
    ) -> int:
        """A new node is made that is not on the surface, for now: `resurface` may carry it there.

        The words are those of `append`; ``reason`` tells why it is not there, and ``cause`` by
        which event, this one unless told.
        """
        self._standing.link()
        node = self.append(role, kind, tokens, details)
        self._standing.held(node, self.event + 1, reason, self._cause(cause))
        self._nodes.held.append(node)
        return node

    def aside(self) -> None:
        """The event belongs to a side branch in the same tape, such as a subagent's."""
        self.timeline.aside.append(self.event)

    def insert(
        self, before: int, role: Role, kind: Kind, tokens: int, details: NodeDetails | None = None
    ) -> int:
        """A new node enters before a node that is there; the words are those of `append`."""
        element = self._taken([before])[0]
        return self._make(element, role, kind, tokens, details)

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
        leaving = self._taken(nodes)
        self.timeline.replacements.append(self.event)
        node = self._make(leaving[0], role, kind, tokens, details)
        self._leave(leaving, reason, None)
        return node

    def replaced(self, of: int | None = None) -> None:
        """The event put a node in the place of others, by other effects than `replace`.

        Args:
            of: the event that the node is of and that hides the others, which came in force only
                now, or again; None where it is this event.
        """
        replacements = self.timeline.replacements
        if of is None:
            replacements.append(self.event)
            return
        places = self.timeline.came.setdefault(of, [])
        at = bisect_left(replacements, of)
        if at == len(replacements) or replacements[at] != of:
            replacements.insert(at, of)
        elif not places:
            places.append(of)
        if places[-1:] != [self.event]:
            places.append(self.event)
        self.timeline.brought.setdefault(self.event, of)

    def sums_up_branch(self) -> None:
        """The summary that the event brings is of a branch that was left: it hides nothing."""
        self.timeline.farewells.append(self.event)

    def hidden_at_once(self, node: int, cause: int) -> None:
        """A node that the event made left by another event: it is hidden, and was never shown.

        It takes nothing away: that is told as for any other node.
        """
        self._nodes.held.append(node)
        self.rehide(range(node, node + 1), Reason.COMPACTED, cause)

    def rehide(self, nodes: range, reason: Reason, cause: int) -> None:
        """Nodes that are not on the surface are hidden by another event from now on."""
        self.timeline.surface.rehidden.add(nodes, self.event + 1, reason, cause)
        if cause == self.event and reason is Reason.COMPACTED:
            self.timeline.came.setdefault(cause, [cause])

    def undo(self, replacement: int) -> None:
        """The event takes back what another one hid, given by its position, for good or for now.

        What is not carried back is hidden by this event from now on, as rewound.
        """
        self.timeline.surface.undone.toggle(replacement, self.event)

    def redo(self, replacement: int) -> None:
        """What was undone holds again."""
        self.timeline.surface.undone.toggle(replacement, self.event)

    def reform(self, node: int, form: Form, tokens: int, reason: Reason = Reason.PRUNED) -> int:
        """A node leaves and its origin is shown in another form in its place.

        Args:
            node: which.
            form: how much of the origin is shown from now on.
            tokens: what that weighs.
            reason: why the node leaves.

        Returns:
            The number of the new node.
        """
        element = self._taken([node])[0]
        nodes = self._nodes
        details: NodeDetails = {
            "origin": nodes.origin(node),
            "part": nodes.part(node),
            "form": form,
            "meta": nodes.meta(node),
            "silent": nodes.silent(node),
        }
        made = self._make(element, nodes.role(node), nodes.kind(node), tokens, details)
        self._leave([element], reason, None)
        return made

    def remove(self, nodes: Iterable[int], reason: Reason, cause: int | None = None) -> None:
        """Nodes leave; ``cause`` is the event that made them, by position, this one unless told.

        Of a range those that were carried back together cost what one does.
        """
        self._leave(self._taken(nodes), reason, cause)

    def resurface(self, sequence: Sequence[int], reason: Reason, cause: int | None = None) -> None:
        """The surface becomes this sequence of nodes, each made before and named once.

        The longest common subsequence stays; the rest leaves, and what is missing is carried back
        as runs of consecutive nodes.
        """
        self._standing.place()
        self.alterations += 1
        wanted = array("I", sequence)
        self._rewinds(reason, cause)
        self._standing.become(wanted, self.event + 1, reason, self._cause(cause))

    def exchange(
        self,
        leaving: Column,
        entering: Column,
        before: int | None,
        reason: Reason,
        cause: int | None = None,
    ) -> None:
        """Nodes that stand together become others: `resurface` for a part of the surface.

        Args:
            leaving: the nodes that stand there, in order.
            entering: what is to stand there, each made before and named once.
            before: the node behind them; None at the end.
            reason: why nodes leave.
            cause: as in `remove`.
        """
        self._standing.place()
        self.alterations += 1
        same = common_start(leaving, entering)
        end = common_end(leaving[same:], entering[same:])
        if end:
            before = leaving[len(leaving) - end]
        self._standing.exchange(
            leaving[same : len(leaving) - end],
            entering[same : len(entering) - end],
            before,
            self.event + 1,
            reason,
            self._cause(cause),
        )

    def carry(self, nodes: Iterable[int], before: int | None) -> None:
        """Nodes that were made before and are not on the surface enter again, as they are told.

        Args:
            nodes: in the order in which they are to stand; a range of them costs what one does.
            before: the node on the surface before which they enter; None for its end.
        """
        self._standing.place()
        self.alterations += 1
        told = nodes if isinstance(nodes, range) else array("I", nodes)
        self._standing.carry(told, self.event + 1, before)

    def leading(self, node: int | None) -> list[tuple[int, int]]:
        """What stands before a node on the surface, all there is for None.

        Returns:
            Of each node its number, twice; of nodes that were carried back together those of the
            first and the last one.
        """
        self._standing.place()
        surface = self.timeline.surface
        found: list[tuple[int, int]] = []
        for element in self._standing.leading(node):
            shown = (element,) if element >= 0 else surface.nodes_of(element)
            found.append((shown[0], shown[-1]))
        return found

    def remove_before(self, node: int | None, reason: Reason, cause: int | None = None) -> None:
        """All that stands before a node leaves; what was carried back together costs as one."""
        self._standing.place()
        self.alterations += 1
        self._leave(self._standing.leading(node), reason, cause)

    def replace_before(
        self,
        node: int | None,
        reason: Reason,
        role: Role,
        kind: Kind,
        tokens: int,
        details: NodeDetails | None = None,
    ) -> int:
        """What stands before a node, at least one, leaves for a new one, as by `replace`."""
        self._standing.place()
        self.alterations += 1
        leaving = self._standing.leading(node)
        self.timeline.replacements.append(self.event)
        made = self._make(leaving[0], role, kind, tokens, details)
        self._leave(leaving, reason, None)
        return made

    def carry_slices(self, slices: Sequence[Slice], before: int | None) -> None:
        """Slices of lanes that are not on the surface enter again, in the order told.

        Args:
            slices: see `inspector.timeline.lanes`; each costs what one node does.
            before: as in `carry`.
        """
        self._standing.place()
        self.alterations += 1
        if slices:
            self._standing.carry_slices(slices, self.event + 1, before)

    def turn(
        self, first: int | None, slices: Iterable[Slice], reason: Reason, cause: int | None = None
    ) -> None:
        """The end of the surface is exchanged: see `inspector.timeline.forest`, whose effect it is.

        Args:
            first: the first of the rows at the end that leave, or None.
            slices: of lanes, in order, that are carried there instead.
            reason: why rows leave.
            cause: as in `remove`.
        """
        if first is not None:
            self._rewinds(reason, cause)
        self._standing.turn(first, slices, self.event + 1, reason, self._cause(cause))

    def sequence(self) -> Column:
        """The nodes on the surface now, in order; not to be changed."""
        return self._standing.sequence()

    def left(self) -> list[int]:
        """The nodes that left the surface in this event, perhaps to enter it again."""
        return self.timeline.surface.left_at(self.event + 1)

    def is_live(self, node: int) -> bool:
        """Whether a node is on the surface now."""
        return self._standing.holds(node)

    def between(self, first: int, last: int) -> list[int] | None:
        """The nodes from one to another, both on the surface; None if they stand the other way."""
        self._standing.place()
        return self._standing.between(first, last)

    @property
    def rows(self) -> int:
        """How many rows the surface has now."""
        return len(self._standing)

    def _taken(self, nodes: Iterable[int]) -> list[int]:
        """The elements of nodes, for a change that is not at the end."""
        self._standing.place()
        self.alterations += 1
        return self._standing.elements(nodes)

    def _make(
        self, before: Element, role: Role, kind: Kind, tokens: int, details: NodeDetails | None
    ) -> int:
        node = self._nodes.add(self.event + 1, role, kind, tokens, details)
        self._standing.made_before(node, self.event + 1, before)
        return node

    def _leave(self, elements: Sequence[Element], reason: Reason, cause: int | None) -> None:
        self._rewinds(reason, cause)
        self._standing.leave(elements, self.event + 1, reason, self._cause(cause))

    def _cause(self, cause: int | None) -> int:
        return self.event if cause is None else cause

    def _rewinds(self, reason: Reason, cause: int | None) -> None:
        """Where the tape goes back behind itself it branches."""
        if reason is Reason.REWOUND:
            self.timeline.branchings.add(self._cause(cause))

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

    def amend(self, kind: SpanKind, span: int, outcome: Outcome, word: str | None = None) -> None:
        """The outcome of a span that has ended, given by its number, is told anew."""
        self._spans[kind].amend(span, self.event + 1, outcome, word)

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
        self,
        cached: int,
        uncached: int,
        written: int,
        output: int,
        *,
        aside: bool = False,
        of: int | None = None,
    ) -> int:
        """The provider reported the tokens of one request.

        Args:
            cached: input tokens that were read from a cache.
            uncached: input tokens that were not.
            written: input tokens that were written to a cache.
            output: tokens that came back.
            aside: the request was not made of the surface: a compaction's, a title's.
            of: the last report of the same request, which this one says more fully.

        Returns:
            The number of the report, for a later one of the same request.
        """
        table = self.timeline.side_usage if aside else self.timeline.usage
        return table.note(self.event, uncached, cached, written, output, of)

    def pair(self, call: int, result: int | None = None) -> None:
        """A result answers a call, by the positions of their events.

        The result is this event unless told, and the call is this one or stands before it.
        """
        self.timeline.pairs.add(call, self.event if result is None else result)

    def inherit(self, events: int) -> None:
        """So many events at the beginning were written by the tape that this one came from."""
        self.timeline.lives.inherited = events

    def live(self) -> None:
        """The owner took the tape up again: a new life begins at this event."""
        self.timeline.lives.begin(self.event)

    def kin(self, relation: str, tape: str, boundary: int | None, *, origin: bool = False) -> None:
        """The tape belongs to another: a fork, a resume, a subagent, an import.

        The first thousand are kept: the events of others tell of them.

        Args:
            relation: what the one that came later is to the other.
            tape: the other, by its id.
            boundary: how many events they share, where that is told.
            origin: whether this one came from the other, where the tape's parent does not tell it.
        """
        if len(self.timeline.kin) < _KIN:
            self.timeline.kin.append(Kin(relation, tape, boundary))
            if origin:
                self.timeline.origins.append(tape)
        # What stands before all events, or beside the tape, is told by none of them.
        if self.event > 0:
            self.timeline.branchings.tell(self.event, tape)

    def tell_of(self, tape: str) -> None:
        """The event tells of another tape that is known to belong to this one."""
        self.timeline.branchings.tell(self.event, tape)

    def branch(self) -> None:
        """The event tells that the tape goes back, of which nothing else on the tape may tell."""
        self.timeline.branchings.add(self.event)

    def retell(self, of: int) -> None:
        """The event tells again, word for word, what an earlier one told."""
        self.timeline.retellings.add(self.event, of)

    def speak(self) -> None:
        """The event makes no row and tells the person what somebody said."""
        self.timeline.retellings.speak(self.event)

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
