"""What the dialog of a plan says: title, heads and rows, in words. Pure."""

from collections.abc import Iterator
from typing import Final

from inspector.actions import PLAN_LAYER, Action, by_id
from inspector.export import plan_text
from inspector.export.why import name
from inspector.formats.planning import PlanKind
from inspector.plans import checking
from inspector.plans.cutting import cut_of
from inspector.plans.differing import differences
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import count
from inspector.timeline.words import SpanKind
from inspector.ui.plans.made import check_row
from inspector.ui.plans.row import Row
from inspector.ui.plans.state import PlanState

NOTHING_YET: Final = f"{plan_text.NOTHING_CHANGED} yet"
"""What the dialog always says."""

ALWAYS: Final = tuple(one for one in PLAN_LAYER if one.id in ("plan.help", "plan.close"))
"""The keys that no footer cuts off."""

_OF_ALL: Final = ("plan.apply", "plan.copy", "plan.save")
_OF_A_CUT: Final = (
    *("cut.next", "cut.back", "cut.forward", "cut.exclude", *_OF_ALL),
    *("plan.undone", "plan.view", "plan.way", "plan.load"),
)
_USEFUL: Final = {
    PlanKind.FORK: _OF_A_CUT,
    PlanKind.REWIND: _OF_A_CUT,
    PlanKind.COMPACT: (
        *("plan.keep.more", "plan.keep.fewer", "plan.degraded", "plan.summary"),
        *(*_OF_ALL, "plan.prompt", "plan.load"),
    ),
    PlanKind.REPAIR: (*_OF_ALL, "plan.load"),
    PlanKind.RESUME: ("cut.next", *_OF_ALL, "plan.load"),
}
"""What a footer names of a kind of plan, the most important first."""

_NAME: Final = 80
_EVENT: Final = 50


def title(state: PlanState) -> tuple[Row, ...]:
    """What is planned, that nothing happened, and whether it could be; in pieces."""
    return (
        Row(f"PLAN {state.kind.value}", "strong"),
        Row(NOTHING_YET, "accent"),
        _standing(state),
        Row(clean_line(state.visit.tape.identity.path.name, _NAME), "dim"),
    )


def _standing(state: PlanState) -> Row:
    if state.out_of_date:
        return Row("out of date", "error")
    if not state.ready:
        return Row("waiting until the tape is read", "notice")
    if not state.answered:
        return Row("reading the tape", "notice")
    if state.shown is None:
        return Row("no plan", "error")
    if not state.shown.plan.is_sound:
        return Row("is not to be applied", "error")
    return Row("can be applied", "added") if state.shown.plan.writes else Row("writes nothing")


def heads(state: PlanState) -> list[Row]:
    """What stands above everything: that the plan is out of date, and where it cuts."""
    return [*_stale(state), *_where(state), *_broken(state)]


def _broken(state: PlanState) -> Iterator[Row]:
    """Why a plan is not to be applied, unless it is told by where it cuts."""
    if state.shown is None or state.out_of_date or not state.answered:
        return
    cuts, at = state.where.known, state.cut
    told = {stop.rule for stop in cuts.stops(at)} if cuts is not None and at is not None else set()
    broken = state.shown.plan.broken
    if broken and not any(check.rule in told for check in broken):
        more = f" (and {count(len(broken) - 1)} more, see below)" if len(broken) > 1 else ""
        yield Row(f"{plan_text.check_line(broken[0])}{more}", "error")


def _stale(state: PlanState) -> Iterator[Row]:
    made = state.made
    if made is None or not state.out_of_date:
        return
    was, now = made.question, state.question()
    what = f"the tape grew from {count(was.head)} to {count(now.head)}"
    if was.reading != now.reading:
        what = "the tape was read anew"
    turns = state.visit.timeline.spans[SpanKind.TURN]
    if next(turns.open_at(now.head), None) is not None:
        what = f"{what} (a turn is running)"
    more = "the new plan is being made" if state.offered is None else "r takes the new plan"
    yield Row(f"out of date: {what}, nothing was applied; {more}", "notice")


def _where(state: PlanState) -> Iterator[Row]:
    tape, at, head = state.visit.tape, state.cut, state.where.head
    if at is None:
        yield Row(f"of the head, {count(head)}", "strong")
        return
    cuts = state.where.known
    if cuts is not None:
        line = plan_text.cut_line(tape, cut_of(cuts, at))
        yield Row(line, "strong" if cuts.legal(at) else "error")
    elif state.made is not None and state.made.where:
        yield from (Row(line, "strong") for line in state.made.where)
    else:
        behind = f"behind {name(tape, at - 1)}" if at else "before the first event"
        yield Row(f"at {count(at)}, {behind}", "strong")
    if state.where.moved:
        yield Row(state.where.moved, "notice")
    kept = _event(state, at - 1) if at else "no event"
    left = _event(state, at) if at < head else "no event"
    yield Row(f"before the cut: {kept}   behind it: {left}", "dim")


def _event(state: PlanState, event: int) -> str:
    tape = state.visit.tape
    try:
        headline = tape.headline(event)
    except SourceError:
        return name(tape, event)
    return f"{name(tape, event)} {clean_line(f'{headline.kind}: {headline.text}', _EVENT)}"


def rows(state: PlanState, *, faint: bool = True) -> list[Row]:
    """The plan, line for line, without the lists that are folded.

    While another one is made, what can be told at once is of that, and the rest of the one before.

    Args:
        state: of the dialog.
        faint: whether what is of the one before is drawn so.
    """
    shown, late = state.shown, not state.answered
    found = [*_changes(state), *_compared(state)]
    fresh = _fresh(state)
    if shown is None:
        if state.refused is not None and not late:
            found.append(Row(f"no plan: {state.refused.why}", "error"))
        return [*found, *fresh.values()]
    for row in shown.rows:
        if not row.fold or state.shows(row.fold):
            before = row._replace(tone="faint") if faint else row
            now = fresh.get(row.key, before) if late else row
            found.append(_signed(state, now))
    return found


def _signed(state: PlanState, row: Row) -> Row:
    """A row with the sign of the list that it stands for."""
    kind, _, fold = row.act.partition(":")
    if kind != "fold":
        return row
    if fold in state.open:
        return row._replace(text=f"▾ {row.text}", hint="")
    return row._replace(text=f"▸ {row.text}")


def _fresh(state: PlanState) -> dict[str, Row]:
    """The checks that need no reading, by their keys."""
    cuts, at = state.where.known, state.cut
    if cuts is None or at is None:
        return {}
    return {row.key: row for row in map(check_row, checking.of_cut(cuts, at))}


def _changes(state: PlanState) -> Iterator[Row]:
    """What the new plan says that this one does not."""
    if state.offered is not None and state.out_of_date:
        yield from (Row(f"changed: {clean_line(one, 200)}", "notice") for one in state.changes)
        yield Row("take the new plan: r", "notice", act="anew")


def _compared(state: PlanState) -> Iterator[Row]:
    """What is another than in a saved plan."""
    if state.loaded is None or state.made is None:
        return
    file, saved, asked = state.loaded
    if state.made.question.asked != asked:
        return
    found = list(differences(saved.document, state.made.document))
    yield Row(f"compared with {file}", "dim")
    for line in plan_text.compared(found):
        yield Row(line, "notice" if found else "added")


def text(state: PlanState) -> str:
    """All of it for a clipboard, as the command prints it; nothing before there is a plan."""
    return "" if state.made is None else state.made.text


def useful(state: PlanState) -> list[Action]:
    """What can be done with the plan, the most important first, but for what every one has."""
    first = ("plan.anew",) if state.out_of_date else ()
    return [by_id(one) for one in (*first, *_USEFUL[state.kind])]
