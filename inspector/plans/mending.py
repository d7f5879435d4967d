"""Repair and resume as plans: what the owner would add to a tape, and what it would send next."""

from collections.abc import Iterable, Iterator
from typing import Final

from inspector.formats import cutting
from inspector.formats.contract import Tape
from inspector.formats.parts import Call
from inspector.formats.planning import (
    UNSETTLED,
    VERDICT,
    Check,
    Cuts,
    Draft,
    How,
    Making,
    PlanError,
    PlanKind,
    Planner,
    Problem,
    Repair,
    Stop,
)
from inspector.lenses.naming import named
from inspector.plans import changes, checking
from inspector.plans.checking import Exists
from inspector.plans.cutting import cut_of, way
from inspector.plans.effects import at_head, of_repair, of_request
from inspector.plans.judging import of_owner
from inspector.plans.pairing import apart
from inspector.plans.placing import placed
from inspector.plans.plan import Asked, Plan
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.timeline.timeline import Timeline

NEEDED = "needed"
AT_HEAD = "at-head"
RESUMABLE = "resumable"

_SAID: Final = 80
"""Characters of an id that a repair tells."""


def plan_repair(tape: Tape, asked: Asked, making: Making, exists: Exists) -> Plan:
    """What the owner would write if it opened the tape as it is; nothing on a whole one.

    Raises:
        PlanError: if nothing is known of the owner's repair.
        SourceError: if the tape cannot be read any more.
    """
    planner, timeline = tape.planner(), tape.timeline
    ways = planner.ways(asked.kind)
    found = planner.repair(making)
    draft = None if found.durable is None else placed(planner, found.durable, asked.into)
    how = way(ways, asked.how)
    if draft is not None and draft.writes:
        how = draft.writes[0].how
        if asked.how not in (None, how):
            raise PlanError(f"this is mended by {how.value} alone")
    return Plan(
        asked,
        how,
        ways,
        planner.owner,
        tape.identity.path,
        tape.seal(),
        making,
        kept=timeline.events if draft is None else draft.kept,
        left={} if draft is None else {why: n for why, n in draft.omitted.items() if n},
        checks=(
            _needed(found),
            *of_owner(tape, planner, Draft((), 0) if draft is None else draft, asked),
            *_of_tape(tape, draft, how),
            *_unanswered(tape, planner, found),
            *(() if draft is None else draft.checks),
            *(() if draft is None else checking.of_targets(planner, draft, exists)),
        ),
        effect=of_repair(tape, asked, draft, mends=bool(found.closers)),
        registers={}
        if draft is None
        else changes.registers(tape, timeline.events, draft.registers),
        closers=found.closers,
        writes=() if draft is None else tuple((write, write.size()) for write in draft.writes),
        remarks=(
            *((found.why_not,) if found.closers and found.why_not else ()),
            *(() if draft is None else draft.remarks),
        ),
    )


def _needed(found: Repair) -> Check:
    """Whether something is to be mended, or that nobody can mend what is wrong."""
    count = len(found.closers)
    if not count and found.why_not:
        return Check(NEEDED, ok=False, message=found.why_not)
    message = "nothing to repair" if not count else f"{count} to be mended"
    return Check(NEEDED, ok=True, message=message)


def _of_tape(tape: Tape, draft: Draft | None, how: How) -> Iterator[Check]:
    """What the fold says; a torn end is what is mended, unless something is appended behind it."""
    appends = draft is not None and how is How.APPEND
    head = tape.timeline.events
    for check in checking.of_tape(tape, head, how if appends else How.CREATE, cut=False):
        if appends or check.rule != checking.TORN_TAIL:
            yield check


def _unanswered(tape: Tape, planner: Planner, found: Repair) -> Iterator[Check]:
    """Calls and results of the head that lack the other and about which nothing is done."""
    origin = tape.timeline.surface.nodes.origin
    mended = {closer.call_id for closer in found.closers if closer.call_id is not None}
    alone = apart(tape, at_head(tape.timeline))
    events = sorted(map(origin, alone.dangling))
    left = [event for event in events if not (mended and _calls(tape, event) & mended)]
    if left:
        rows = plural(len(left), "row makes a call", "rows make calls")
        first = named(tape, left[0])
        why = f"{rows} without a result, the first of {first}: {planner.owner} adds none"
        yield Check(checking.PAIRING, ok=False, message=why, blocks=False)
    done = {closer.event for closer in found.closers}
    results = sorted(set(map(origin, (*alone.orphans, *alone.strays))) - done)
    if results:
        rows = plural(len(results), "result stands", "results stand")
        first = named(tape, results[0])
        why = f"{rows} without a call, the first of {first}: nothing is done about that"
        yield Check(checking.PAIRING, ok=False, message=why, blocks=False)


def _calls(tape: Tape, event: int) -> set[str]:
    """The ids of the calls that an event makes, as a repair tells them."""
    parts = (part for part in tape.parts(event) if isinstance(part, Call))
    return {said for part in parts for said in (part.id or "", clean_line(part.id or "", _SAID))}


def plan_resume(tape: Tape, asked: Asked, making: Making) -> Plan:
    """What the owner would send next if the session were taken up at a cursor; writes nothing.

    Raises:
        PlanError: if there is no such cursor, or no such way.
        SourceError: if the tape cannot be read any more.
    """
    planner, timeline = tape.planner(), tape.timeline
    ways = planner.ways(asked.kind)
    if asked.how is not None:
        way(ways, asked.how)
    head = timeline.events
    at = head if asked.cut is None else asked.cut
    if not 0 <= at <= head:
        code = planner.code(Problem.NO_SUCH_CUT)
        raise PlanError(f"there is no cursor {at}: the head is {head}", code)
    verdict = tape.verdict()
    refused = verdict.opens is False or (
        verdict.opens == "partly" and verdict.event is not None and at > verdict.event
    )
    entries = tuple(tape.request(at))
    requests = _requests(planner, timeline)
    return Plan(
        asked,
        How.APPEND,
        ways,
        planner.owner,
        tape.identity.path,
        tape.seal(),
        making,
        kept=at,
        left={} if at == head else {"behind the cursor": head - at},
        cut=cut_of(requests, at),
        checks=(
            Check(
                VERDICT,
                ok=not refused,
                message=(verdict.reason or "the owner refuses the tape")
                if refused
                else f"{verdict.owner} opens the tape",
            ),
            *_resumable(ways[How.APPEND]),
            *(check._replace(blocks=False) for check in checking.of_cut(requests, at)),
            *_of_cursor(planner, at, head),
            *checking.of_turn(planner, at),
            *(
                check._replace(blocks=False)
                for check in checking.of_tape(tape, at, How.CREATE, cut=False)
                if not check.ok
            ),
        ),
        effect=of_request(tape, entries, at),
        request=entries,
    )


def _resumable(why_not: str | None) -> Iterator[Check]:
    """Whether the owner takes the session up at all; it does so in its own log."""
    if why_not is not None:
        why = f"{why_not}; the request is what would be sent otherwise"
        yield Check(RESUMABLE, ok=False, message=why)


def _of_cursor(planner: Planner, at: int, head: int) -> Iterator[Check]:
    """Whether the session is taken up where it ends: nowhere else any agent can."""
    if at == head:
        return
    why = (
        f"cursor {at:,} is past: {planner.owner} goes on at the head, {head:,}, alone; to go on "
        f"from {at:,} make a fork there. The request is the one it would have sent then"
    )
    yield Check(AT_HEAD, ok=False, message=why, blocks=False)


def _requests(planner: Planner, timeline: Timeline) -> Cuts:
    """At which cursors the owner could make a request: by the format's own rule, where it has one.

    A format of which nothing is planned has none.
    """
    stops: list[tuple[Stop, Iterable[tuple[int, int]]]] = [*cutting.settling(timeline)]
    try:
        cuts = planner.cuts(PlanKind.FORK, How.CREATE)
    except PlanError:
        return Cuts(timeline.events, stops)
    if cutting.WITHIN_MESSAGE in cuts.rules:
        stops.append((cutting.ANSWERING, cuts.where(cutting.WITHIN_MESSAGE)))
    return cuts.by(UNSETTLED) or Cuts(timeline.events, stops)
