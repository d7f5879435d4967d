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
from inspector.lenses.holding import holder_of
from inspector.text.labels import plural
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind

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


def of_pairs(timeline: Timeline, nodes: Sequence[int]) -> Iterator[Check]:
    """Whether calls and results of a surface stand together."""
    orphans, dangling = pairing(timeline, nodes)
    if orphans:
        event = timeline.surface.nodes.origin(orphans[0])
        counted = plural(len(orphans), "result stands", "results stand")
        yield Check(
            PAIRING, ok=False, message=f"{counted} without a call, the first of event {event}"
        )
    elif dangling:
        event = timeline.surface.nodes.origin(dangling[0])
        counted = plural(len(dangling), "call has", "calls have")
        why = f"{counted} no result, the first of event {event}: the owner closes it, see repair"
        yield Check(PAIRING, ok=False, message=why, blocks=False)
    else:
        yield Check(PAIRING, ok=True, message="every call has its result, every result its call")


def pairing(timeline: Timeline, nodes: Sequence[int]) -> tuple[list[int], list[int]]:
    """The results of a surface whose call is not on it, and the calls whose result is not."""
    table, pairs = timeline.surface.nodes, timeline.pairs
    there = {table.origin(node) for node in nodes}
    orphans: list[int] = []
    dangling: list[int] = []
    for node in nodes:
        event = table.origin(node)
        if table.kind(node) is Kind.TOOL_RESULT:
            call = pairs.call_of(event)
            holder = None if call is None else holder_of(timeline, call)
            if holder is not None and holder not in there:
                orphans.append(node)
        elif (result := pairs.result_of(event)) is not None and result not in there:
            dangling.append(node)
    return orphans, dangling


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
