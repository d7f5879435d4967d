"""What was made goes to the trash if nobody wrote to it, and else stays as it is."""

from contextlib import closing, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from inspector.applying.carrying import carry_out
from inspector.applying.journal import Deed, Grown, State
from inspector.applying.refusal import ApplyError
from inspector.applying.undoing import undo, way_back
from inspector.applying.world import WriterError
from inspector.export.deed_text import would_go_back
from inspector.formats.planning import PlanKind, View
from inspector.plans.plan import Asked
from tests.applying.faults import FailingDisk, Killed
from tests.applying.stores import TAPES, Store, folded, planned


def forked(store: Store) -> Deed:
    with closing(folded(store.path)) as tape:
        cuts = tape.planner().cuts(PlanKind.FORK, planned(tape, Asked(PlanKind.FORK)).how)
        cut = cuts.before(tape.timeline.events + 1)
        return carry_out(tape, planned(tape, Asked(PlanKind.FORK, cut)), store.world())


@pytest.fixture(params=["dsh", "zero", "claude"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return Store.of(tmp_path, TAPES[request.param])


def test_a_session_that_went_on_is_left_alone(store: Store) -> None:
    deed = forked(store)
    with deed.made[0].path.open("ab") as other:
        other.write(b"{}\n")
    before = store.tree()
    with pytest.raises(ApplyError, match="was written to since: it is somebody's session by now"):
        undo(deed, store.world())
    assert store.tree() == before
    assert not (store.data / "trash").exists()


def test_a_changed_byte_is_noticed_whatever_the_size(store: Store) -> None:
    deed = forked(store)
    content = deed.made[-1].path.read_bytes()
    deed.made[-1].path.write_bytes(content[:-2] + b" " + content[-1:])
    with pytest.raises(ApplyError, match="was written to since"):
        undo(deed, store.world())


def test_what_is_gone_is_said(store: Store) -> None:
    deed = forked(store)
    deed.made[0].path.unlink()
    with pytest.raises(ApplyError, match="is not there any more"):
        undo(deed, store.world())


def test_a_link_in_its_place_is_not_what_was_made(store: Store) -> None:
    deed = forked(store)
    made = deed.made[0].path
    made.rename(made.with_suffix(".elsewhere"))
    made.symlink_to(made.with_suffix(".elsewhere"))
    with pytest.raises(ApplyError, match="was written to since"):
        undo(deed, store.world())
    assert made.is_symlink()


def test_what_is_undone_is_undone_once(store: Store) -> None:
    undone = undo(forked(store), store.world())
    with pytest.raises(ApplyError, match="it is undone already"):
        undo(undone, store.world())


def test_a_plan_may_be_carried_out_and_undone_again(store: Store) -> None:
    first = undo(forked(store), store.world())
    second = undo(forked(store), store.world())
    assert first.trash != second.trash
    assert first.trash is not None
    assert second.trash is not None
    assert first.trash.is_dir()
    assert second.trash.is_dir()


def test_what_was_broken_off_can_be_taken_away(store: Store) -> None:
    before = store.tree()
    deed = replace(forked(store), state=State.BEGUN)
    undo(deed, store.world())
    assert store.tree() == before | {
        name: content for name, content in store.tree().items() if content is None
    }


def test_what_was_appended_stays_and_the_way_back_is_a_new_tape(store: Store) -> None:
    deed = replace(forked(store), made=(), grown=Grown(store.path, 10, 3))
    assert way_back(deed) == Asked(PlanKind.FORK, cut=deed.events, view=View.AS_OF)
    with pytest.raises(ApplyError, match="the way back is a new tape at the old head"):
        undo(deed, store.world())


def test_where_what_was_seen_cannot_be_given_the_way_back_says_so(store: Store) -> None:
    deed = replace(forked(store), made=(), grown=Grown(store.path, 10, 3))
    asked = way_back(deed)
    assert asked is not None
    with closing(folded(store.path)) as tape:
        plan = planned(tape, asked)
        assert plan.view is not None
        assert not any("cannot be given" in line for line in would_go_back(deed, plan))
        refused = replace(plan.view, offered={**plan.view.offered, View.AS_OF: "it is too old"})
        *_, last = would_go_back(deed, replace(plan, view=refused))
    assert last == "but it cannot be given what was seen there: it is too old"


def test_whichever_call_fails_it_is_there_or_gone(store: Store) -> None:
    for at in count():
        deed = forked(store)
        before = store.tree()
        disk = FailingDisk(at)
        try:
            undo(deed, store.world(disk))
        except ApplyError as error:
            outcome = error.left, store.tree()
            undo(deed, store.world())
        else:
            outcome = (), before
        assert outcome == ((), before)
        assert not any(one.path.exists() for one in deed.made)
        if len(disk.calls) <= at:
            break
        if deed.own > 1 and deed.made[0].path.parent.exists():
            # The last thing that is done is to take away the folder, which is empty.
            deed.made[0].path.parent.rmdir()
    assert at > 20


@pytest.mark.parametrize("at", range(0, 40, 3))
def test_what_a_kill_left_is_swept_up_and_it_can_be_made_again(store: Store, at: int) -> None:
    before = store.tree()
    with closing(folded(store.path)) as tape:
        cuts = tape.planner().cuts(PlanKind.FORK, planned(tape, Asked(PlanKind.FORK)).how)
        plan = planned(tape, Asked(PlanKind.FORK, cuts.before(tape.timeline.events + 1)))
        with suppress(Killed):
            carry_out(tape, plan, store.world(FailingDisk(at, None)))
    deed = store.world().journal.find(plan.making.id)
    if deed is not None and deed.state is not State.UNDONE:
        undo(deed, store.world())
    assert store.tree() == before
    undo(forked(store), store.world())
    assert store.tree() == before


def test_what_a_kill_left_of_an_undo_is_finished_by_the_next_one(store: Store) -> None:
    before = store.tree()
    for at in range(60):
        deed = forked(store)
        with suppress(Killed):
            undo(deed, store.world(FailingDisk(at, None)))
        found = store.world().journal.find(deed.plan)
        assert found is not None
        if found.state is not State.UNDONE:
            undo(found, store.world())
        assert {name: one for name, one in store.tree().items() if one is not None} == {
            name: one for name, one in before.items() if one is not None
        }
        if deed.own > 1 and deed.made[0].path.parent.exists():
            # The very last thing that is done is to take away the folder.
            deed.made[0].path.parent.rmdir()


def test_what_somebody_writes_to_is_not_taken_away(store: Store) -> None:
    deed = forked(store)
    before = store.tree()
    with pytest.raises(WriterError, match=r"process 7 \(agent\) has .* open to write to it"):
        undo(deed, store.world(writers=["process 7 (agent)"]))
    assert store.tree() == before


def test_a_folder_that_holds_something_else_by_now_is_left_alone(store: Store) -> None:
    deed = forked(store)
    if deed.own == 1:
        return
    (deed.made[0].path.parent / "notes").write_bytes(b"mine")
    before = store.tree()
    with pytest.raises(ApplyError, match="holds something else by now: notes"):
        undo(deed, store.world())
    assert store.tree() == before


def test_folders_that_had_to_be_made_go_too(store: Store) -> None:
    before = store.tree()
    with closing(folded(store.path)) as tape:
        cuts = tape.planner().cuts(PlanKind.FORK, planned(tape, Asked(PlanKind.FORK)).how)
        cut = cuts.before(tape.timeline.events + 1)
        plan = planned(tape, Asked(PlanKind.FORK, cut))
        deeper = tuple(
            (replace(one, to=store.root.joinpath("2026", "11", *one.to.parts[-one.own :])), size)
            for one, size in plan.writes
        )
        deed = carry_out(tape, replace(plan, writes=deeper), store.world())
    assert deed.folders[0] == store.root / "2026"
    undo(deed, store.world())
    assert store.tree() == before
