"""What was wasted up to any cursor, kept up to date as a tape is folded.

The same sums as those of a ledger, without a look at the requests before.
"""

from bisect import bisect_left
from typing import Final

from inspector.columns import NEVER, NO_TIME, Column, unsigned, wide
from inspector.formats.contract import Tape
from inspector.lenses.requests import context_of
from inspector.lenses.summaries import summarised_within
from inspector.lenses.waste import Prompt, miss
from inspector.timeline.marks import Usage

_MOST: Final = (1 << 63) - 1
"""What a column holds: a tape may claim any number of tokens."""


class Losses:
    """Sums of misses by cursor; one thread advances it, any may ask."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._earliest = 0
        self._context = 0
        # Of each report, which request it is of.
        self._request: Column = unsigned()
        # Of each request, by its number: what was sent, and what of it was lost.
        self._tokens: Column = wide()
        self._read: Column = wide()
        self._time: Column = wide()
        self._anew = bytearray()
        self._lost: Column = wide()
        self._reports_from = NEVER
        # Where the sums changed, and what they are from there on.
        self._event: Column = unsigned()
        self._waste: Column = wide()
        self._misses: Column = unsigned()
        self._sums = (0, 0)

    def at(self, cursor: int) -> tuple[int, int]:
        """The tokens that were wasted up to a cursor, and in how many misses."""
        at = bisect_left(self._event, cursor)
        return (self._waste[at - 1], self._misses[at - 1]) if at else (0, 0)

    def advance(self) -> None:
        """Take what was reported since; as much work as that is."""
        timeline = self._tape.timeline
        for usage, of in timeline.usage.reports(len(self._request), timeline.events):
            self._take(usage, of)

    def _take(self, usage: Usage, of: int | None) -> None:
        request = self._new(usage.event) if of is None else self._request[of]
        self._request.append(request)
        self._tokens[request], self._read[request] = usage.context, usage.cache_read
        before = self._sums
        if usage.cache_read or usage.cache_write:
            # Those behind it count from now on; each comes to that once.
            for later in range(request, min(self._reports_from, len(self._lost))):
                self._weigh(later, reports=True)
            self._reports_from = min(self._reports_from, request)
        for one in (request, request + 1):
            if one < len(self._lost):
                self._weigh(one, reports=one >= self._reports_from)
        if self._sums != before:
            self._waste.append(min(self._sums[0], _MOST))
            self._misses.append(self._sums[1])
            # Published last: who asks looks here first.
            self._event.append(usage.event)

    def _new(self, event: int) -> int:
        timeline = self._tape.timeline
        context = context_of(timeline, event, self._earliest)
        time = timeline.table.time(event)
        self._anew.append(summarised_within(timeline, self._context, context))
        self._time.append(NO_TIME if time is None else time)
        for column in (self._tokens, self._read, self._lost):
            column.append(0)
        self._earliest, self._context = event + 1, context
        return len(self._lost) - 1

    def _weigh(self, request: int, *, reports: bool) -> None:
        found = None
        if reports and request:
            found = miss(self._prompt(request - 1), self._prompt(request))
        lost = 0 if found is None else found.tokens
        waste, misses = self._sums
        before = self._lost[request]
        self._sums = (waste + lost - before, misses + bool(lost) - bool(before))
        self._lost[request] = lost

    def _prompt(self, request: int) -> Prompt:
        time = self._time[request]
        return Prompt(
            self._tokens[request],
            self._read[request],
            0,
            None if time == NO_TIME else time,
            bool(self._anew[request]),
        )
