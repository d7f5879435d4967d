"""What is looked at before a plan may be applied, whatever the agent."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from inspector.formats.contract import Tape
from inspector.formats.planning import (
    OPEN_TURN,
    UNANSWERED,
    UNRELIABLE,
    Check,
    Cuts,
    Draft,
    How,
    PlanError,
    PlanKind,
    Planner,
    Problem,
    Stop,
    View,
)
from inspector.lenses.naming import named
from inspector.plans.pairing import apart, orphans_of
from inspector.text.labels import plural
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind

Exists = Callable[[Path], bool]
"""Whether something stands at a path; asks the file system."""

TORN_TAIL = "torn-tail"
_TORN = frozenset((TORN_TAIL, "torn-frame", "torn-stream"))
"""Codes of findings that tell of an end that is torn."""

STREAM = Path("-")
"""The path of a tape that came from the standard input."""

PROVENANCE = "provenance"
PAIRING = "pairing"
TARGET = "target"
VIEW = "view"


def of_cut(cuts: Cuts, at: int) -> Iterator[Check]:
    """The rules by which the tape may be cut at a cursor; of a kept one of several reasons once."""
    broken = cuts.stops(at)
    told = {stop.rule for stop in broken}
    for stop in cuts.rules:
        if stop in broken:
            yield Check(stop.rule, ok=False, message=stop.why, code=stop.code)
        elif stop.kept and stop.rule not in told:
            told.add(stop.rule)
            yield Check(stop.rule, ok=True, message=stop.kept)


def of_tape(
    tape: Tape, at: int, how: How, *, cut: bool = True, passed: str | None = None
) -> Iterator[Check]:
    """What the fold says of a tape up to a cursor, and what of it stands behind the last record.

    Args:
        tape: of which.
        at: the cursor.
        how: the way of writing; what is appended to a torn tape would not be read.
        cut: whether the cursor is one at which the tape is cut.
        passed: what the owner surely does with what was not read, if that is known.
    """
    timeline = tape.timeline
    stopped, torn = timeline.stopped_at, torn_end(tape)
    if stopped is not None and at > stopped:
        why = f"the fold stops at {named(tape, stopped)}: what is behind it is not known"
        yield Check(UNRELIABLE, ok=False, message=why)
    elif at > timeline.reliable_to:
        why = f"the fold went past something unread at cursor {timeline.reliable_to}"
        if passed is not None:
            why = f"{why}: {passed}"
        yield Check(UNRELIABLE, ok=False, message=why, blocks=how is How.APPEND and passed is None)
    else:
        read = "everything up to the cut" if cut else "every whole record" if torn else "everything"
        yield Check(UNRELIABLE, ok=True, message=f"{read} was read")
    if how is How.APPEND:
        message = "the tape ends with a whole record"
        if torn:
            message = f"{torn}: what is appended would not be read"
        yield Check(TORN_TAIL, not torn, message)
    elif torn:
        yield Check(TORN_TAIL, ok=False, message=f"{torn}: it is left behind", blocks=False)


def torn_end(tape: Tape) -> str:
    """What stands at the end of a tape and is no whole record, in words; empty where nothing is."""
    found = islice(tape.findings(), len(tape.timeline.findings), None)
    return next((one.message for one in found if one.kind.code in _TORN), "")


def of_view(choice: View, refused: str | None) -> Check:
    """Whether the history that is asked for can be given; why not stands beside the history."""
    can = "can" if refused is None else "cannot"
    return Check(VIEW, refused is None, f"{choice.value} {can} be given")


def of_pairs(tape: Tape, nodes: Sequence[int], *before: Sequence[int]) -> Iterator[Check]:
    """Whether calls and results of a surface stand together; no call is cut off by the plan.

    Args:
        tape: of which.
        nodes: the surface that the plan gives.
        before: surfaces of the tape: what stands alone there is not the plan's doing.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    found = apart(tape, nodes)
    stood: set[int] = set()
    if found.orphans:
        stood.update(*(orphans_of(tape, surface) for surface in before))
    made = [node for node in found.orphans if node not in stood]
    others = [node for node in found.orphans if node in stood] + found.strays
    results = "result stands", "results stand"
    if made:
        yield _not_paired(tape, made, *results, "without a call", blocks=True)
    if others:
        yield _not_paired(tape, others, *results, "without a call there already", blocks=False)
    if found.dangling:
        calls = "row makes a call", "rows make calls"
        why = "without a result (what the owner does of it: see repair)"
        yield _not_paired(tape, found.dangling, *calls, why, blocks=False)
    if not (made or others or found.dangling):
        yield Check(PAIRING, ok=True, message="every call has its result, every result its call")


def _not_paired(
    tape: Tape, nodes: Sequence[int], one: str, many: str, why: str, *, blocks: bool
) -> Check:
    event = named(tape, min(map(tape.timeline.surface.nodes.origin, nodes)))
    message = f"{plural(len(nodes), one, many)} {why}, the first of {event}"
    return Check(PAIRING, ok=False, message=message, blocks=blocks)


def of_head(
    tape: Tape, planner: Planner, drafted: Sequence[Check], mends: Callable[[], bool]
) -> Iterator[Check]:
    """Whether nothing is going on at the head of a tape of which another one is made whole.

    An open turn would never end in what is made. A call that waits may still be answered; what its
    owner does of it later it does of both tapes.

    Args:
        tape: of which.
        planner: what its format knows of it.
        drafted: what the format looked at: its words for the same rules are taken.
        mends: whether a repair of the tape would mend anything; asked only where it matters.
    """
    timeline = tape.timeline
    own = {check.rule: check for check in drafted if not check.ok}
    turns = list(_stops(planner, timeline.events, OPEN_TURN))
    if turns or OPEN_TURN in own:
        why = "a turn is open: see repair" if mends() else "a turn is open, which no repair ends"
        said = own.get(OPEN_TURN) or Check(OPEN_TURN, ok=False, message=why, code=_code(turns))
        yield said._replace(blocks=True)
    else:
        yield Check(OPEN_TURN, ok=True, message=_without_turn(timeline, planner))
    waiting = [
        span.opened - 1 for span in timeline.spans[SpanKind.TOOL_CALL].open_at(timeline.events)
    ]
    if waiting:
        how_many = plural(len(waiting), "call waits", "calls wait")
        why = f"{how_many} for a result, the first of {named(tape, min(waiting))}"
        if UNANSWERED not in own and mends():
            why = f"{why}: see repair"
        said = own.get(UNANSWERED) or Check(UNANSWERED, ok=False, message=why)
        yield said._replace(blocks=False)
    else:
        yield Check(UNANSWERED, ok=True, message="no call waits for a result")


def _without_turn(timeline: Timeline, planner: Planner) -> str:
    """Why no turn stands against a copy of the head."""
    if next(timeline.spans[SpanKind.TURN].open_at(timeline.events), None) is None:
        return "no turn is open"
    return f"whether a turn is open is not asked: {planner.owner} has no rule about turns"


def without_head(checks: Iterable[Check]) -> tuple[Check, ...]:
    """What a format looked at, without the rules of `of_head`."""
    return tuple(check for check in checks if check.rule not in (OPEN_TURN, UNANSWERED))


def _stops(planner: Planner, at: int, rule: str) -> Iterator[Stop]:
    """Why a fork may not be cut at a cursor by a rule."""
    try:
        stops = planner.cuts(PlanKind.FORK, How.CREATE).stops(at)
    except PlanError:
        # A format of which nothing is planned has no such rule.
        return
    yield from (stop for stop in stops if stop.rule == rule)


def _code(stops: Sequence[Stop]) -> str | None:
    return next((stop.code for stop in stops if stop.code), None)


def of_turn(planner: Planner, at: int) -> Iterator[Check]:
    """Whether a cursor is within a turn, by the format's own rule for cuts."""
    for stop in _stops(planner, at, OPEN_TURN):
        yield Check(stop.rule, ok=False, message=stop.why, code=stop.code, blocks=False)


def of_targets(planner: Planner, draft: Draft, exists: Exists) -> Iterator[Check]:
    """Whether what would be made does not stand there yet, and what is appended has a file."""
    for write in draft.writes:
        if write.how is How.APPEND and write.to == STREAM:
            why = "the tape came from the standard input: there is no file behind which to append"
            yield Check(TARGET, ok=False, message=why)
        if write.how is How.CREATE:
            taken = exists(write.to)
            what = "exists already" if taken else "is free"
            code = planner.code(Problem.EXISTS) if taken else None
            yield Check(TARGET, not taken, f"{write.to} {what}", code)


def broken(checks: Iterable[Check]) -> list[Check]:
    """The checks that block and are not kept; a plan is to be applied where there is none."""
    return [check for check in checks if check.blocks and not check.ok]


def all_kept(checks: Iterable[Check]) -> bool:
    """Whether every check that blocks is kept."""
    return not broken(checks)
