"""The rules by which events are what a person saw: entries of their own, or parts of others.

Told by the timeline alone, but for a few events that only their payload tells: every cursor is a
prefix of the same list. An entry is never moved and never taken back, whatever a compaction does.
"""

from bisect import bisect_left, bisect_right
from itertools import islice
from typing import Final

from inspector.columns import NEVER, Column, holds, unsigned
from inspector.formats.contract import Tape
from inspector.formats.parts import Call, Result
from inspector.lenses.notes import ALONE, Held, Notes
from inspector.timeline.spans import Span
from inspector.timeline.words import Kind, Mark, Role, SpanKind

_CHUNK: Final = 8_192
"""Events whose entries are told at a time."""

_FOLLOWED: Final = 32
"""Calls and workflows that are followed at once; a tape may leave any number open."""

_WORKFLOW: Final = "workflow"
_NAME: Final = 200

_OPENED: Final = (
    SpanKind.TOOL_CALL,
    SpanKind.CODE_DISPATCH,
    SpanKind.SUBAGENT,
    SpanKind.WORKFLOW,
    SpanKind.WORKFLOW_AGENT,
    SpanKind.COMMAND,
    SpanKind.APPROVAL,
)
"""Intervals whose beginning a person sees."""


class Outline:
    """Notes the events of a tape.

    Args:
        tape: of which; it may grow.

    Attributes:
        notes: what is known so far.
        batches: of each call's interval, the first one of those that ran together with it.
        done: how many events were looked at.
    """

    def __init__(self, tape: Tape) -> None:
        self.notes = Notes()
        self._tape = tape
        self._timeline = tape.timeline
        self.done = 0
        self._node = 0
        self._opened: dict[int, SpanKind] = {}
        self._errors: frozenset[int] = frozenset()
        self._compactions: frozenset[int] = frozenset()
        self._spoken: frozenset[int] = frozenset()
        self._hosted = ALONE
        self._speaker = ALONE
        self._divider = ALONE
        self._calls: list[tuple[int, int]] = []
        self._workflows: list[tuple[int, int]] = []
        self.batches: Column = unsigned()
        self._running: dict[bool, list[int]] = {False: [], True: []}

    def count(self, cursor: int) -> int:
        """How many entries there are that no other one holds."""
        self.grow()
        return self.notes.count(cursor)

    def window(self, cursor: int, start: int, stop: int) -> list[int]:
        """The notes of these entries."""
        return list(self.notes.top[max(0, start) : max(0, min(stop, self.count(cursor)))])

    def place(self, event: int, cursor: int) -> int | None:
        """Which of these entries an event is a part of, or None if it is a part of none."""
        self.grow()
        note = self.notes.of_event(event)
        return None if note is None else self.notes.place(note, cursor)

    def told_with(self, event: int, cursor: int) -> list[int]:
        """An event that has a note, and those that its note absorbs."""
        note = self.notes.of_event(event)
        held = () if note is None else self.notes.held(self.notes.holder(note), cursor)
        absorbed = (self.notes.event(child) for child, part in held if part is Held.ABSORBED)
        return [event, *islice(absorbed, _FOLLOWED)]

    # Growing.

    def grow(self) -> None:
        """Look at all events that were published since."""
        while self.advance():
            pass

    def advance(self) -> bool:
        """Look at the next of them, some thousands at the most; False where there are none."""
        start, stop = self.done, min(self._timeline.events, self.done + _CHUNK)
        if start >= stop:
            return False
        for event in self._candidates(start, stop):
            self._take(event)
        self.done = stop
        return True

    def _candidates(self, start: int, stop: int) -> list[int]:
        """The events from one to before another that may be an entry."""
        timeline = self._timeline
        born = timeline.surface.nodes.born
        self._node = bisect_right(born, start)
        found = {cursor - 1 for cursor in born[self._node : bisect_right(born, stop)]}
        self._opened = {}
        for kind in _OPENED:
            cursors = timeline.spans[kind].opened
            for cursor in cursors[bisect_right(cursors, start) : bisect_right(cursors, stop)]:
                self._opened.setdefault(cursor - 1, kind)
        again = timeline.retellings
        self._errors, self._compactions, self._spoken, retold = (
            frozenset(events[bisect_left(events, start) : bisect_left(events, stop)])
            for events in (
                *map(timeline.marks.events, (Mark.ERROR, Mark.COMPACTION)),
                again.spoken,
                again.events,
            )
        )
        return sorted(
            found.union(self._opened, self._errors, self._compactions, self._spoken, retold)
        )

    def _take(self, event: int) -> None:
        timeline = self._timeline
        nodes, own, others = timeline.surface.nodes, list[int](), list[int]()
        born, node = nodes.born, self._node
        while node < len(born) and born[node] == event + 1:
            origin = nodes.origin(node)
            if origin == event:
                own.append(node)
            else:
                others.append(origin)
            node += 1
        self._node = node
        if self._retells(event, own):
            pass
        elif own:
            self._message(event, own)
        elif event in self._spoken:
            self._says(event)
        else:
            self._beside(event)
        for origin in others:
            if self.notes.of_event(origin) is None:
                self.notes.add_late(event, origin)

    def _retells(self, event: int, own: list[int]) -> bool:
        """Whether an event tells what another one told: a person saw it once."""
        of = self._timeline.retellings.of(event)
        told = None if of is None else self.notes.of_event(of)
        if told is None:
            return False
        host = self.notes.holder(told)
        self.notes.add(event, host, Held.ABSORBED)
        if own and self._timeline.surface.nodes.role(own[0]) is Role.ASSISTANT:
            self._speaker = host
        self._opens_calls(event, host)
        return True

    def _says(self, event: int) -> None:
        """What somebody said stands only in a record for the person."""
        note = self.notes.add(event)
        if self._timeline.marks.within(Mark.USER, event, event + 1):
            self._speaker = ALONE
            self.notes.asks(note)
        else:
            self._speaker = note

    # Events that make rows.

    def _message(self, event: int, own: list[int]) -> None:
        nodes = self._timeline.surface.nodes
        role, kind = nodes.role(own[0]), nodes.kind(own[0])
        is_result = kind is Kind.TOOL_RESULT
        if self._is_divider(event, role, is_result=is_result):
            note = self._divides(event, is_result=is_result)
        elif is_result:
            call = self._timeline.pairs.call_of(event)
            host = self.notes.of_event(call) if call is not None and call < event else None
            host = None if host is None else self.notes.holder(host)
            held = Held.ENTRY if host is None else Held.ABSORBED
            note = self.notes.add(event, ALONE if host is None else host, held)
        elif kind is Kind.TOOL_CALL and (told := self._told_before(event)) is not None:
            note = self._speaker = told
            self.notes.add(event, note, Held.ABSORBED)
        else:
            note = self.notes.add(event)
            if role is Role.USER and kind is Kind.MESSAGE:
                self._speaker = ALONE
                self.notes.asks(note)
            elif role is Role.ASSISTANT:
                self._speaker = note
        self._opens_calls(event, note)

    def _told_before(self, event: int) -> int | None:
        """The note of the first record that told of a call before the message that makes it."""
        spans = self._timeline.spans[SpanKind.TOOL_CALL]
        claimed = spans.claimed_by(event)
        if not claimed or spans.opened_by(event) is not None:
            return None
        note = self.notes.of_event(spans.opened[claimed[0]] - 1)
        return None if note is None else self.notes.holder(note)

    def _divides(self, event: int, *, is_result: bool) -> int:
        """The note of a divider, which may be a part of the one just before."""
        last = self.notes.top[-1] if self.notes.top else ALONE
        if last == self._divider != ALONE and (is_result or self._holds_no_row(last)):
            return self.notes.add(event, last, Held.ABSORBED)
        self._divider = self.notes.add(event)
        return self._divider

    def _is_divider(self, event: int, role: Role, *, is_result: bool) -> bool:
        if role is Role.SUMMARY or event in self._compactions:
            return True
        return is_result and self._timeline.is_replacement(event)

    def _holds_no_row(self, note: int) -> bool:
        """Whether a divider stands for an event without a row: its summary may follow."""
        nodes, event = self._timeline.surface.nodes, self.notes.event(note)
        at = bisect_left(nodes.born, event + 1)
        return not self.notes.holds_any(note) and (
            at == len(nodes.born) or nodes.born[at] != event + 1 or nodes.origin(at) != event
        )

    # Events that make none.

    def _beside(self, event: int) -> None:
        kind = self._opened.get(event)
        if kind is SpanKind.TOOL_CALL:
            self._opens_calls(event, self.notes.add(event, self._caller(event)))
        elif kind is not None:
            self._began(event, kind)
        elif event in self._compactions:
            self._divider = self.notes.add(event)
        elif event in self._errors and self._is_error(event):
            self.notes.add(event)

    def _began(self, event: int, kind: SpanKind) -> None:
        if kind is SpanKind.CODE_DISPATCH:
            self.notes.add(event, self._caller_of_code(event))
        elif kind is SpanKind.WORKFLOW:
            self._runs(event)
        elif kind is SpanKind.WORKFLOW_AGENT:
            self.notes.add(event, self._workflow_of(event))
        elif kind is SpanKind.SUBAGENT:
            running = self._open_calls(event)
            self.notes.add(event, running[-1][1] if running else ALONE)
        elif kind is SpanKind.COMMAND or not self._open_calls(event):
            # A question about a call is told with the call.
            self.notes.add(event)

    def _runs(self, event: int) -> None:
        """A workflow runs: it is what its call does, if one made it."""
        span = self._timeline.spans[SpanKind.WORKFLOW].opened_by(event)
        call = self._call_of_workflow(event)
        note = self.notes.add(event, call, Held.ENTRY if call == ALONE else Held.ABSORBED)
        if call != ALONE:
            note = self._hosted = call
        if span is not None:
            known = self._still(self._workflows, SpanKind.WORKFLOW, event)
            self._workflows = [*known, (span, note)]

    def _call_of_workflow(self, event: int) -> int:
        """The note of the call that runs a workflow, which names no call: one of such a tool."""
        for _, note in reversed(self._open_calls(event)):
            made = self.notes.event(note)
            if note == self._hosted or self._timeline.surface.nodes.of_event(made) is not None:
                continue
            calls = [part for part in self._tape.parts(made) if isinstance(part, Call)]
            if any(_WORKFLOW in call.name[:_NAME].lower() for call in calls):
                return note
        return ALONE

    def _caller(self, event: int) -> int:
        """The note that holds a call which is no message: what made it, or the subagent's call."""
        if not holds(self._timeline.aside, event):
            return self._speaker
        agents = self._timeline.spans[SpanKind.SUBAGENT]
        for _, note in reversed(self._open_calls(event)):
            made = self.notes.event(note)
            if agents.opened_by(made) is not None and not holds(self._timeline.aside, made):
                return note
        return ALONE

    def _caller_of_code(self, event: int) -> int:
        running = self._open_calls(event)
        if len(running) < 2:
            return running[0][1] if running else ALONE
        calls = [part for part in self._tape.parts(event) if isinstance(part, Call)]
        parent = (calls[0].parent if calls else None) or ""
        for span, note in running:
            name = self._tape.span_id(self._timeline.spans[SpanKind.TOOL_CALL][span])
            if name and (parent == name or parent.startswith(f"{name}:")):
                return note
        return running[-1][1]

    def _workflow_of(self, event: int) -> int:
        running = self._still(self._workflows, SpanKind.WORKFLOW, event)
        if len(running) < 2:
            return running[0][1] if running else ALONE
        agents = self._timeline.spans[SpanKind.WORKFLOW_AGENT]
        number = agents.opened_by(event)
        own = None if number is None else self._tape.span_id(agents[number])
        for span, note in running:
            name = self._tape.span_id(self._timeline.spans[SpanKind.WORKFLOW][span])
            if own and name and own.startswith(f"{name}/"):
                return note
        return running[-1][1]

    def _is_error(self, event: int) -> bool:
        """Whether a person saw it as such, and not as the end of something that is told anyway."""
        timeline = self._timeline
        if any(timeline.spans[kind].opened_or_closed_by(event) for kind in _OPENED):
            return False
        return not any(isinstance(part, Call | Result) for part in self._tape.parts(event))

    # Calls that run.

    def _opens_calls(self, event: int, note: int) -> None:
        if self._opened.get(event) is not SpanKind.TOOL_CALL:
            return
        spans = self._timeline.spans[SpanKind.TOOL_CALL]
        number = len(self.batches)
        while spans.opened[number] <= event:
            # Numbers are given in the order of opening, so none is left out.
            self.batches.append(number)
            number += 1
        side = holds(self._timeline.aside, event)
        first = self._batch(event, side=side)
        while number < len(spans) and spans.opened[number] == event + 1:
            self.batches.append(number if first is None else first)
            self._running[side].append(number)
            if not side:
                self._calls.append((number, note))
            first = self.batches[number]
            number += 1
        if len(self._calls) > 2 * _FOLLOWED:
            self._open_calls(event)

    def _batch(self, event: int, *, side: bool) -> int | None:
        """The batch that goes on when an event makes calls: one of the turn's still runs."""
        spans, running = self._timeline.spans[SpanKind.TOOL_CALL], self._running[side]
        going = next((at for at in reversed(running) if _end(spans[at]) > event + 1), None)
        turn = self._timeline.turn
        if going is None or turn(event + 1) != turn(spans.opened[going]):
            running.clear()
            return None
        del running[: -2 * _FOLLOWED]
        return self.batches[going]

    def _open_calls(self, event: int) -> list[tuple[int, int]]:
        self._calls = self._still(self._calls, SpanKind.TOOL_CALL, event)
        return self._calls

    def _still(
        self, known: list[tuple[int, int]], kind: SpanKind, event: int
    ) -> list[tuple[int, int]]:
        """Those that are open just before an event, the last ones where there are too many."""
        spans = self._timeline.spans[kind]
        still = [(span, note) for span, note in known if _end(spans[span]) > event]
        return still[-_FOLLOWED:]


def _end(span: Span) -> int:
    """The cursor at which an interval ended; one that no tape reaches while it lasts."""
    return NEVER if span.closed is None else span.closed
