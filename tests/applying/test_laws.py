"""What is carried out is what was planned, changes no byte that was there, and can be undone."""

from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from inspector.applying.carrying import carry_out
from inspector.applying.journal import Deed
from inspector.applying.refusal import ApplyError
from inspector.applying.undoing import going_back, undo, way_back
from inspector.formats.contract import Tape
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.foretelling import Row, at_head, told
from inspector.plans.plan import Asked, Plan
from tests.applying.faults import FailingDisk, Killed
from tests.applying.stores import TAPES, Store, folded, planned

_CUTS = 5
"""So many cuts of a sample tape are looked at, all over it."""


def sound_plans(tape: Tape) -> Iterator[Asked]:
    """Every plan that can be carried out: each kind, way and history, at cuts all over the tape."""
    planner, head = tape.planner(), tape.timeline.events
    for kind in (PlanKind.FORK, PlanKind.REWIND):
        for how, why in planner.ways(kind).items():
            if why is None:
                cuts = planner.cuts(kind, how)
                legal = [at for at in range(head + 1) if cuts.legal(at)]
                for at in legal[:: -max(1, len(legal) // _CUTS)]:
                    yield from _views(tape, Asked(kind, at, how))
    for asked in (Asked(PlanKind.COMPACT, degraded=True), Asked(PlanKind.REPAIR)):
        if planned(tape, asked).is_sound:
            yield asked


def _views(tape: Tape, asked: Asked) -> Iterator[Asked]:
    first = planned(tape, asked)
    assert first.view is not None
    for view, refused in first.view.offered.items():
        one = Asked(asked.kind, asked.cut, asked.how, view)
        if refused is None and planned(tape, one).is_sound:
            yield one


def wanted(store: Store) -> list[Asked]:
    with closing(folded(store.path)) as tape:
        return [asked for asked in sound_plans(tape) if planned(tape, asked).writes]


@pytest.fixture(params=TAPES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return Store.of(tmp_path, TAPES[request.param])


def finds_nothing_to_do(store: Store, plan: Plan) -> None:
    """The same question again: what was to be made is there, what was to be mended is whole."""
    with closing(folded(store.path)) as tape:
        again = planned(tape, plan.asked)
        if plan.how is How.CREATE:
            assert not again.is_sound
            assert [one.message for one in again.checks if not one.ok and one.blocks] == [
                f"{write.to} exists already" for write, _ in plan.writes
            ]
        elif plan.kind is PlanKind.REPAIR:
            assert again.closers == again.writes == ()
        elif plan.kind is PlanKind.COMPACT:
            assert "worth-it" in [one.rule for one in again.broken]
        else:
            assert again.view is not None
            assert told(tape, again.view.after) == told(tape, again.view.before)


def test_what_is_made_is_what_was_planned_and_goes_again(store: Store) -> None:
    before = store.tree()
    asks = [one for one in wanted(store) if one.how is not How.APPEND]
    for asked in asks:
        with closing(folded(store.path)) as tape:
            plan = planned(tape, asked)
            if plan.how is How.APPEND:
                continue
            deed = carry_out(tape, plan, store.world())
            after = store.tree()
            assert {name: after[name] for name in before} == before
            with closing(folded(plan.writes[0][0].to)) as made:
                if plan.view is not None:
                    assert at_head(made) == told(tape, plan.view.after)
                assert made.verdict().opens is True
            finds_nothing_to_do(store, plan)
        assert store.world().journal.find(deed.plan) == deed
        undone = undo(deed, store.world())
        assert store.tree() == before
        assert store.world().journal.find(deed.plan) == undone
        assert undone.trash is not None
        kept = [undone.trash.joinpath(*one.path.parts[-deed.own :]) for one in deed.made]
        assert [one.stat().st_size for one in kept] == [one.size for one in deed.made]


def test_what_is_appended_stands_behind_every_byte_that_was_there(store: Store) -> None:
    before = store.tree()
    for asked in wanted(store):
        with closing(folded(store.path)) as tape:
            plan = planned(tape, asked)
            if plan.how is How.CREATE:
                continue
            old, seen = store.path.read_bytes(), at_head(tape)
            deed = carry_out(tape, plan, store.world(), writer_stopped=True)
        new = store.path.read_bytes()
        assert new.startswith(old)
        assert len(new) - len(old) == plan.writes[0][1]
        assert set(store.tree()) == set(before)
        finds_nothing_to_do(store, plan)
        assert way_back(deed) == Asked(PlanKind.FORK, cut=plan.seal.events, view=View.AS_OF)
        leads_back(store, deed, seen)
        put_back(store, before)


def leads_back(store: Store, deed: Deed, seen: list[Row]) -> None:
    """The way back ends at what was seen at the old head: a compaction is not put back."""
    asked = way_back(deed)
    assert asked is not None
    with closing(folded(store.path)) as tape:
        plan = planned(tape, asked, going_back(deed))
        assert plan.view is not None
        assert plan.view.offered[View.AS_OF] is None
        carry_out(tape, plan, store.world(), back=True)
    with closing(folded(plan.writes[0][0].to)) as made:
        assert at_head(made) == seen


_FAULTS = {
    How.CREATE: ("dsh", "dsh, packed", "zero", "claude"),
    How.APPEND: ("dsh, open turn", "codex", "reina"),
}


@pytest.mark.parametrize("code", [5, None], ids=["broken", "killed"])
@pytest.mark.parametrize(("how", "name"), [(how, one) for how in How for one in _FAULTS[how]])
def test_whichever_call_fails_it_is_old_or_new(
    tmp_path: Path, how: How, name: str, code: int | None
) -> None:
    store = Store.of(tmp_path, TAPES[name])
    before = store.tree()
    with closing(folded(store.path)) as tape:
        plan = next(one for one in _plans(tape) if one.how is how)
        for at in count():
            disk = FailingDisk(at, code)
            try:
                carry_out(tape, plan, store.world(disk), writer_stopped=True)
            except (ApplyError, Killed) as error:
                is_old_or_new(store, before, plan, error)
            if len(disk.calls) <= at:
                break
            put_back(store, before)
        assert at > 10


def _plans(tape: Tape) -> Iterator[Plan]:
    for asked in sound_plans(tape):
        plan = planned(tape, asked)
        if plan.writes:
            yield plan


def is_old_or_new(
    store: Store, before: dict[str, bytes | None], plan: Plan, error: BaseException
) -> None:
    found = store.tree()
    if isinstance(error, ApplyError):
        assert error.left == ()
        assert found == before
        return
    for write, _ in plan.writes:
        name = str(write.to.relative_to(store.root))
        content = b"".join(write.content())
        if write.how is How.APPEND:
            old = before[name]
            assert old is not None
            assert found[name] in (old, old + content)
        elif name in found:
            assert found[name] == content


def put_back(store: Store, before: dict[str, bytes | None]) -> None:
    for name in sorted(set(store.tree()) - set(before), reverse=True):
        path = store.root / name
        path.rmdir() if path.is_dir() else path.unlink()
    for name, content in before.items():
        if content is not None:
            (store.root / name).write_bytes(content)
