"""Cards of the calls that the events of a tape make, as of a cursor."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from inspector.formats.contract import Tape
from inspector.formats.parts import Call, Part, Result
from inspector.lenses.cards import Card, Ending, Evidence, Return, card, ending_of
from inspector.lenses.outline import Outline
from inspector.lenses.sayings import Sayings
from inspector.lenses.tools import CardKind
from inspector.timeline.spans import Span
from inspector.timeline.words import Outcome, SpanKind

_ANSWERS: Final = 200
"""Answers that are read to find that of a call, the latest first."""
_CALLS: Final = 200
"""Calls of one event that become cards."""
_LOOKED_AT: Final = 256
"""Intervals that are looked through for a question about a call, or for others of its batch."""


class Calls:
    """Makes cards of calls.

    Args:
        tape: whose calls.
        outline: of the same tape; knows which calls ran together.
        sayings: what its events say.
    """

    def __init__(self, tape: Tape, outline: Outline, sayings: Sayings) -> None:
        self._sayings = sayings
        self._tape = tape
        self._timeline = tape.timeline
        self._outline = outline

    def made(
        self, event: int, absorbed: Iterable[int], parts: list[Part], cursor: int
    ) -> list[Card]:
        """The calls that an event makes and of which the tape tells intervals.

        Args:
            event: which.
            absorbed: the events that may answer them.
            parts: what the event says.
            cursor: as of which; behind the event.
        """
        spans = self._timeline.spans[SpanKind.TOOL_CALL]
        number = spans.opened_by(event)
        if number is None:
            return []
        numbers = [number]
        while number + 1 < len(spans) and spans.opened[number + 1] == event + 1:
            number += 1
            numbers.append(number)
        maker = spans.claimant(number, cursor)
        if maker is not None:
            return [self._claimed(number, maker, absorbed, cursor)]
        answers = self._answers(absorbed, event, numbers, cursor)
        calls = self._unclaimed(event, parts)
        calls = calls or [Call(None, self._sayings.headline(event).text)]
        # Where one of them has no interval, nobody knows which.
        known: list[int | None] = [*numbers] if len(numbers) == len(calls) else [None] * len(calls)
        pairs = zip(calls[:_CALLS], known, strict=False)
        return [self._card(call, span, event, answers, cursor) for call, span in pairs]

    def maker(self, event: int, cursor: int) -> int | None:
        """The message up to a cursor that makes the call of which an event told first, or None."""
        spans = self._timeline.spans[SpanKind.TOOL_CALL]
        number = spans.opened_by(event)
        return None if number is None else spans.claimant(number, cursor)

    def _claimed(self, number: int, maker: int, absorbed: Iterable[int], cursor: int) -> Card:
        """A call of which a record told first, as the message tells it that makes it."""
        told = [*absorbed, *self._outline.told_with(maker, cursor)]
        answers = self._answers(told, maker, [number], cursor)
        name = self._sayings.call_id(number)
        calls = (part for part in self._sayings.parts(maker) if isinstance(part, Call))
        call = next((part for part in calls if part.id == name), Call(name, ""))
        return self._card(call, number, maker, answers, cursor)

    def _unclaimed(self, event: int, parts: list[Part]) -> list[Call]:
        """The calls that an event makes, but for those of which a record told before."""
        calls = [part for part in parts if isinstance(part, Call)]
        for number in self._timeline.spans[SpanKind.TOOL_CALL].claimed_by(event):
            name = self._sayings.call_id(number)
            known = next((call for call in calls if call.id == name), None)
            if known is not None:
                calls.remove(known)
        return calls

    def within(self, event: int, span: Span) -> Card:
        """A call within a call, or a subagent that a call started.

        Args:
            event: which began it.
            span: its interval as it stood at a cursor.
        """
        is_agent = span.kind is SpanKind.SUBAGENT
        calls = [part for part in self._sayings.parts(event) if isinstance(part, Call)]
        call = calls[0] if calls else Call(None, self._sayings.headline(event).text)
        result, answer = None, None
        if span.closed is not None:
            answer = span.closed - 1
            results = (part for part in self._sayings.parts(answer) if isinstance(part, Result))
            result = next((part for part in results if part.call == call.id), None)
        ending = ending_of(span, None, result, answered=is_agent or result is not None)
        kind = CardKind.SUBAGENT if is_agent else None
        return card(call, event, ending, result, answer, kind=kind)

    def only_named(
        self, event: int, parts: list[Part], known: Iterable[str | None], cursor: int
    ) -> list[Card]:
        """The calls that a message names and nothing else tells of up to a cursor.

        Args:
            event: of the message.
            parts: what it says.
            known: the ids of calls that others tell of.
            cursor: as of which; behind the event.
        """
        calls = self._unclaimed(event, parts)
        told = {*known}
        if all(call.id in told for call in calls):
            return []
        told |= self._made_before(event)
        results = {part.call: part for part in parts if isinstance(part, Result)}
        found: list[Card] = []
        for call in calls[:_CALLS]:
            if call.id is None or call.id not in told:
                result = results.get(call.id)
                ending = ending_of(None, None, result, answered=result is not None)
                if result is None and self._goes_on(event, cursor):
                    ending = Ending(Outcome.RUNNING, None, Evidence.RULE)
                answer = None if result is None else event
                found.append(card(call, event, ending, result, answer))
        return found

    def _card(
        self,
        call: Call,
        number: int | None,
        event: int,
        answers: dict[str | None, tuple[Result, int]],
        cursor: int,
    ) -> Card:
        spans = self._timeline.spans[SpanKind.TOOL_CALL]
        span = None if number is None else spans.at(number, cursor)
        result, answer = answers.get(call.id, (None, None))
        if result is None and len(answers) == 1 and None in (call.id, *answers):
            result, answer = next(iter(answers.values()))
        returned = None if number is None else self._returned(number, cursor)
        if returned is not None and answer is None:
            # It may be over, but nothing came back.
            returned = Return(None, returned.calls)
        alone = returned is None
        asked = None if span is None else self._asked(span, call, cursor, alone=alone)
        closed = None if span is None else span.closed
        late = answer is not None and closed is not None and answer >= closed
        noted = answer is not None and self._tape.tells_end(answer)
        ending = ending_of(span, asked, result, answered=answer is not None, late=late, noted=noted)
        if call.arguments is None and answer is not None:
            call = self._in_full(call, answer)
        return card(call, event, ending, result, answer, returned)

    def _answers(
        self, absorbed: Iterable[int], event: int, numbers: list[int], cursor: int
    ) -> dict[str | None, tuple[Result, int]]:
        """What came back up to a cursor by the ids of calls, the latest that says something."""
        spans, pairs = self._timeline.spans[SpanKind.TOOL_CALL], self._timeline.pairs
        closed = [end - 1 for number in numbers if (end := spans[number].closed) is not None]
        paired = pairs.result_of(event)
        events = {*absorbed, *closed, *([] if paired is None else [paired])}
        found: dict[str | None, tuple[Result, int]] = {}
        latest = sorted((at for at in events if at < cursor), reverse=True)
        for at in latest[:_ANSWERS]:
            for part in self._sayings.parts(at):
                if isinstance(part, Result) and part.call not in found:
                    found[part.call] = part, at
        return found

    def _in_full(self, call: Call, answer: int) -> Call:
        """A call of which its event tells only the name, as the row tells that its answer names."""
        made = self._timeline.pairs.call_of(answer)
        for part in self._sayings.parts(made) if made is not None else ():
            if isinstance(part, Call) and part.id == call.id:
                return replace(part, name=part.name or call.name)
        return call

    def _returned(self, number: int, cursor: int) -> Return | None:
        """When a call came back among those that ran together; None if it ran alone."""
        spans, batches = self._timeline.spans[SpanKind.TOOL_CALL], self._outline.batches
        first = batches[number]
        stop = min(len(batches), first + _LOOKED_AT, bisect_right(spans.opened, cursor))
        if batches[first:stop].count(first) < 2:
            return None
        batch = [spans.at(at, cursor) for at in range(first, stop) if batches[at] == first]
        end = spans.at(number, cursor).closed
        if end is None:
            return Return(None, len(batch))
        earlier = sum(span.closed is not None and span.closed < end for span in batch)
        return Return(earlier + 1, len(batch))

    def _asked(self, span: Span, call: Call, cursor: int, *, alone: bool) -> Span | None:
        """The last question about a call; one that names no call is about the only one."""
        approvals = self._timeline.spans[SpanKind.APPROVAL]
        if not len(approvals):
            return None
        first = bisect_left(approvals.opened, span.opened)
        behind = bisect_right(approvals.opened, cursor if span.closed is None else span.closed)
        for number in range(behind - 1, max(first, behind - _LOOKED_AT) - 1, -1):
            about = self._sayings.asked_about(approvals.opened[number] - 1)
            if about == call.id if about is not None else alone:
                return approvals.at(number, cursor)
        return None

    def _made_before(self, event: int) -> set[str | None]:
        """The ids of the calls that the turn of a message made before it."""
        timeline = self._timeline
        spans, turns = timeline.spans[SpanKind.TOOL_CALL], timeline.spans[SpanKind.TURN]
        turn = turns.last(event + 1)
        first = 0 if turn is None else bisect_left(spans.opened, turns.opened[turn])
        behind = bisect_right(spans.opened, event + 1)
        numbers = range(max(first, behind - _LOOKED_AT), behind)
        return {self._sayings.call_id(number) for number in numbers}

    def _goes_on(self, event: int, cursor: int) -> bool:
        """Whether the turn of an event is not over at a cursor."""
        turns = self._timeline.spans[SpanKind.TURN]
        turn = turns.last(event + 1)
        return turn is not None and turns.at(turn, cursor).closed is None
