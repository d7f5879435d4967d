"""Repair and resume as plans: what the owner would add to a tape, and what it would send next."""

from collections.abc import Iterator

from inspector.formats import cutting
from inspector.formats.contract import Tape
from inspector.formats.planning import (
    OPEN_TURN,
    Check,
    Cuts,
    How,
    Making,
    PlanError,
    PlanKind,
    Planner,
    Problem,
    Repair,
)
from inspector.plans import checking
from inspector.plans.checking import Exists
from inspector.plans.cutting import cut_of, way
from inspector.plans.pairing import apart
from inspector.plans.placing import placed
from inspector.plans.plan import Asked, Plan
from inspector.text.labels import plural

NEEDED = "needed"
VERDICT = "verdict"


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
    count = len(found.closers)
    message = "nothing to repair" if not count else f"{count} to be mended"
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
            Check(NEEDED, ok=True, message=message),
            *checking.of_tape(tape, timeline.events, how if draft is not None else How.CREATE),
            *_unanswered(tape, planner, found),
            *(() if draft is None else draft.checks),
            *(() if draft is None else checking.of_targets(planner, draft, exists)),
        ),
        closers=found.closers,
        writes=() if draft is None else tuple((write, write.size()) for write in draft.writes),
        remarks=(
            *((found.why_not,) if found.why_not else ()),
            *(() if draft is None else draft.remarks),
        ),
    )


def _unanswered(tape: Tape, planner: Planner, found: Repair) -> Iterator[Check]:
    """Calls of the head that lack a result although nothing is done about any call."""
    if any(closer.call_id is not None for closer in found.closers):
        return
    timeline = tape.timeline
    dangling = apart(tape, tuple(row.node for row in timeline.rows(timeline.events))).dangling
    if dangling:
        event = min(map(timeline.surface.nodes.origin, dangling))
        rows = plural(len(dangling), "row makes a call", "rows make calls")
        why = f"{rows} without a result, the first of event {event}: {planner.owner} adds none"
        yield Check(checking.PAIRING, ok=False, message=why, blocks=False)


def plan_resume(tape: Tape, asked: Asked, making: Making) -> Plan:
    """What the owner would send next if the session were taken up at a cursor; writes nothing.

    Raises:
        PlanError: if there is no such cursor.
        SourceError: if the tape cannot be read any more.
    """
    planner, timeline = tape.planner(), tape.timeline
    head = timeline.events
    at = head if asked.cut is None else asked.cut
    if not 0 <= at <= head:
        code = planner.code(Problem.NO_SUCH_CUT)
        raise PlanError(f"there is no cursor {at}: the head is {head}", code)
    verdict = tape.verdict()
    refused = verdict.opens is False or (
        verdict.opens == "partly" and verdict.event is not None and at > verdict.event
    )
    settled = timeline.settled.at(at)
    requests = Cuts(head, ((cutting.HALF_WRITTEN, cutting.unsettled(timeline)),))
    return Plan(
        asked,
        How.APPEND,
        planner.ways(asked.kind),
        planner.owner,
        tape.identity.path,
        tape.seal(),
        making,
        kept=at,
        left={} if at == head else {"behind the cursor": head - at},
        cut=None if asked.cut is None else cut_of(requests, at),
        checks=(
            Check(
                VERDICT,
                ok=not refused,
                message=(verdict.reason or "the owner refuses the tape")
                if refused
                else f"{verdict.owner} opens the tape",
            ),
            Check(
                "settled",
                ok=settled,
                message="the owner could make a request there"
                if settled
                else "one write of the owner is half done there",
                blocks=False,
            ),
            *_open_turn(planner, at),
            *(
                check._replace(blocks=False)
                for check in checking.of_tape(tape, at, How.CREATE)
                if not check.ok
            ),
        ),
        request=tuple(tape.request(at)),
        remarks=tuple(_of_cursor(planner, at, head)),
    )


def _of_cursor(planner: Planner, at: int, head: int) -> Iterator[str]:
    """Whose request is shown, where it is not the next one."""
    if at != head:
        yield (
            f"the request is what {planner.owner} would have sent at cursor {at:,}; it goes on at "
            f"the head, {head:,}, alone"
        )


def _open_turn(planner: Planner, at: int) -> Iterator[Check]:
    """Whether a cursor is within a turn, by the format's own rule for cuts."""
    try:
        stops = planner.cuts(PlanKind.FORK, How.CREATE).stops(at)
    except PlanError:
        # A format of which nothing is planned has no such rule.
        return
    for stop in stops:
        if stop.rule == OPEN_TURN:
            yield Check(stop.rule, ok=False, message=stop.why, code=stop.code, blocks=False)
