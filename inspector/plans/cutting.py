"""Fork and rewind: a tape that is cut, and the history that goes on from there."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from inspector.formats.contract import Tape
from inspector.formats.planning import (
    Check,
    Cuts,
    Draft,
    How,
    Making,
    PlanError,
    PlanKind,
    Planner,
    Problem,
    View,
)
from inspector.lenses.naming import named
from inspector.plans import changes, checking
from inspector.plans.checking import Exists
from inspector.plans.effects import at_head, of_view, tokens
from inspector.plans.judging import of_refused
from inspector.plans.placing import placed
from inspector.plans.plan import Asked, Cut, Plan, ViewChoice
from inspector.plans.views import Views, default, views
from inspector.timeline.timeline import Timeline

UNDOES: Final = "undoes"

BEHIND: Final = "behind the cut"
"""Why most events of a tape that is cut are left behind."""

NOT_GIVEN: Final = "of a history that cannot be given"
"""Why all others are, where nothing would be made."""


def plan_cut(tape: Tape, asked: Asked, making: Making, exists: Exists) -> Plan:
    """A fork or a rewind of a tape that is folded to its head.

    Raises:
        PlanError: if there is no way of writing it, or no such cut.
        SourceError: if the tape cannot be read any more.
    """
    planner, timeline = tape.planner(), tape.timeline
    ways = planner.ways(asked.kind)
    how = way(ways, asked.how)
    head = timeline.events
    at = head if asked.cut is None else asked.cut
    if not 0 <= at <= head:
        code = planner.code(Problem.NO_SUCH_CUT)
        raise PlanError(f"there is no cursor {at}: the head is {head}", code)
    cuts = planner.cuts(asked.kind, how)
    found = views(timeline, at, partial(named, tape))
    own = planner.originals(at)
    if own is not None:
        found = found._replace(originals=tuple(own))
    offered = _offered(found, planner.views(asked.kind, how, at))
    choice = asked.view or default(offered, found)
    made = _draft(planner, asked.kind, how, at, choice, making, offered[choice])
    draft = placed(planner, made, asked.into)
    chosen = _choice(timeline, found, offered, choice)
    restorable = tuple(planner.restorable(at))
    return Plan(
        asked,
        how,
        ways,
        planner.owner,
        tape.identity.path,
        tape.seal(),
        making,
        kept=draft.kept + draft.behind,
        left=_left(draft.omitted, head - at - draft.behind),
        checks=(
            *checking.of_cut(cuts, at),
            *_undoes(asked.kind, at, head),
            *checking.of_tape(tape, at, how, passed=planner.passes_over()),
            checking.of_view(choice, offered[choice]),
            *checking.of_pairs(tape, chosen.after, found.as_of, chosen.before),
            *of_refused(tape, planner, draft, asked),
            *draft.checks,
            *checking.of_targets(planner, draft, exists),
        ),
        effect=of_view(timeline, chosen),
        cut=cut_of(cuts, at, asked.moved_from),
        view=chosen,
        registers=changes.registers(tape, at, draft.registers),
        not_undone=tuple(changes.not_undone(tape, planner, at, restorable)),
        restorable=restorable,
        writes=tuple((write, write.size()) for write in draft.writes),
        remarks=draft.remarks,
    )


def snapped(tape: Tape, asked: Asked, *, forward: bool) -> Asked:
    """The same question at the nearest cut that is allowed, where the one asked for is not.

    Raises:
        PlanError: if there is none on that side.
        SourceError: if the tape cannot be read any more.
    """
    if asked.kind not in (PlanKind.FORK, PlanKind.REWIND):
        return asked
    planner = tape.planner()
    how = way(planner.ways(asked.kind), asked.how)
    cuts = planner.cuts(asked.kind, how)
    at = tape.timeline.events if asked.cut is None else asked.cut
    if not 0 <= at <= cuts.head or cuts.legal(at):
        return asked
    found = cuts.after(at) if forward else cuts.before(at)
    if found is None:
        raise PlanError(f"no cut is allowed {'behind' if forward else 'before'} {at}")
    return replace(asked, cut=found, moved_from=at)


def way(ways: Mapping[How, str | None], asked: How | None) -> How:
    """The way that is taken.

    Raises:
        PlanError: if it is not open, or if none is.
    """
    if asked is not None:
        why = ways.get(asked, "is not known")
        if why is not None:
            raise PlanError(f"cannot be done by {asked.value}: {why}")
        return asked
    for how, why in ways.items():
        if why is None:
            return how
    raise PlanError("; ".join(dict.fromkeys(why for why in ways.values() if why)))


def cut_of(cuts: Cuts, at: int, moved_from: int | None = None) -> Cut:
    """A cut at a cursor, why it is not allowed, and the nearest that are.

    Args:
        cuts: where one is allowed.
        at: the cursor.
        moved_from: the one that was asked for instead, if it was moved.
    """
    asked = at if moved_from is None else moved_from
    why = "; ".join(stop.why for stop in cuts.stops(asked)) if asked <= cuts.head else ""
    return Cut(asked, at, cuts.before(at), cuts.after(at), why)


def _undoes(kind: PlanKind, at: int, head: int) -> Iterator[Check]:
    """Whether a rewind undoes anything at all."""
    if kind is PlanKind.REWIND and at == head:
        why = "the cut is the head: there is nothing behind it to undo"
        yield Check(UNDOES, ok=False, message=why, blocks=False)


def _offered(found: Views, refused: Mapping[View, str | None]) -> dict[View, str | None]:
    offered: dict[View, str | None] = {}
    for view in View:
        nodes = found.nodes(view)
        offered[view] = refused.get(view) or (nodes if isinstance(nodes, str) else None)
    return offered


def _draft(
    planner: Planner,
    kind: PlanKind,
    how: How,
    at: int,
    view: View,
    making: Making,
    refused: str | None,
) -> Draft:
    """What would be made; nothing where the history cannot be given."""
    if refused is not None:
        return Draft((), 0, {NOT_GIVEN: at})
    return planner.cut(kind, how, at, view, making)


def _choice(
    timeline: Timeline, found: Views, offered: Mapping[View, str | None], choice: View
) -> ViewChoice:
    nodes = found.nodes(choice)
    after = () if isinstance(nodes, str) else nodes
    before = at_head(timeline)
    weights = {
        view: tokens(timeline, known)
        for view in View
        if not isinstance(known := found.nodes(view), str)
    }
    leak = found.compacted if isinstance(found.compacted, str) else ""
    return ViewChoice(
        choice,
        offered,
        before,
        after,
        tokens(timeline, before),
        tokens(timeline, after),
        weights,
        leak if " covers " in leak else "",
    )


def _left(omitted: Mapping[str, int], behind: int) -> dict[str, int]:
    left = {why: number for why, number in omitted.items() if number}
    return {**left, BEHIND: behind} if behind else left


def target_of(plan: Plan) -> Path | None:
    """The file that would be made, or None where something is appended or nothing is written."""
    return next((write.to for write, _ in plan.writes if write.how is How.CREATE), None)
