"""What is looked at before a plan may be applied, whatever the agent."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from inspector.formats.contract import Tape
from inspector.formats.planning import (
    UNRELIABLE,
    Check,
    Cuts,
    Draft,
    How,
    Planner,
    Problem,
    View,
)
from inspector.plans.pairing import apart, orphans_of
from inspector.text.labels import plural

Exists = Callable[[Path], bool]
"""Whether something stands at a path; asks the file system."""

TORN_TAIL = "torn-tail"
PROVENANCE = "provenance"
PAIRING = "pairing"
TARGET = "target"
VIEW = "view"


def of_cut(cuts: Cuts, at: int) -> Iterator[Check]:
    """The rules by which the tape may be cut at a cursor."""
    broken = cuts.stops(at)
    for stop in cuts.rules:
        ok = stop not in broken
        yield Check(stop.rule, ok, stop.kept if ok else stop.why, None if ok else stop.code)


def of_tape(tape: Tape, at: int, how: How) -> Iterator[Check]:
    """What the fold says of a tape up to a cursor."""
    timeline = tape.timeline
    stopped = timeline.stopped_at
    if stopped is not None and at > stopped:
        why = f"the fold stops at event {stopped}: what is behind it is not known"
        yield Check(UNRELIABLE, ok=False, message=why)
    elif at > timeline.reliable_to:
        why = f"the fold went past something unread at cursor {timeline.reliable_to}"
        yield Check(UNRELIABLE, ok=False, message=why, blocks=how is How.APPEND)
    else:
        yield Check(UNRELIABLE, ok=True, message="everything up to the cut was read")
    if how is How.APPEND:
        torn = tape.sums().pending > 0
        why = (
            "the tape ends inside a record: what is appended would not be read"
            if torn
            else "the tape ends with a whole record"
        )
        yield Check(TORN_TAIL, not torn, why)


def of_view(choice: View, refused: str | None) -> Check:
    """Whether the history that is asked for can be given."""
    message = f"{choice.value} can be given" if refused is None else f"{choice.value}: {refused}"
    return Check(VIEW, refused is None, message)


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
        stood.update(*(orphans_of(tape.timeline, surface) for surface in before))
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
    event = min(map(tape.timeline.surface.nodes.origin, nodes))
    message = f"{plural(len(nodes), one, many)} {why}, the first of event {event}"
    return Check(PAIRING, ok=False, message=message, blocks=blocks)


def of_targets(planner: Planner, draft: Draft, exists: Exists) -> Iterator[Check]:
    """Whether what would be made does not stand there yet."""
    for write in draft.writes:
        if write.how is How.CREATE:
            taken = exists(write.to)
            what = "exists already" if taken else "is free"
            code = planner.code(Problem.EXISTS) if taken else None
            yield Check(TARGET, not taken, f"{write.to} {what}", code)


def all_kept(checks: Iterable[Check]) -> bool:
    """Whether every check that blocks is kept."""
    return all(check.ok for check in checks if check.blocks)
