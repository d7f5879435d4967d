"""What is not carried out: a stale plan, one that fails a check, one whose writer may be there."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.applying.carrying import carry_out
from inspector.applying.journal import State
from inspector.applying.refusal import ApplyError
from inspector.applying.world import StaleError, WriterError
from inspector.formats.contract import Tape
from inspector.formats.planning import PlanKind
from inspector.plans.plan import Asked
from tests.applying.stores import TAPES, Store, folded, planned

FORK, REPAIR = Asked(PlanKind.FORK, 10), Asked(PlanKind.REPAIR)


@pytest.fixture
def whole(tmp_path: Path) -> Store:
    return Store.of(tmp_path, TAPES["dsh"])


@pytest.fixture
def broken_off(tmp_path: Path) -> Store:
    return Store.of(tmp_path, TAPES["dsh, open turn"])


@pytest.fixture
def tape(whole: Store) -> Iterator[Tape]:
    with closing(folded(whole.path)) as found:
        yield found


def test_a_tape_that_grew_is_another(whole: Store, tape: Tape) -> None:
    plan = planned(tape, FORK)
    lines = whole.path.read_bytes().splitlines(keepends=True)
    with whole.path.open("ab") as log:
        log.write(lines[-1].replace(b'"seq":9', b'"seq":10'))
    before = whole.tree()
    with pytest.raises(StaleError, match=r"the tape is another by now: its head was 10:\w+ and is"):
        carry_out(tape, plan, whole.world())
    assert whole.tree() == before
    assert whole.world().journal.deeds() == []


def test_a_tape_of_which_a_byte_changed_is_another(whole: Store, tape: Tape) -> None:
    plan = planned(tape, FORK)
    whole.path.write_bytes(whole.path.read_bytes().replace(b"e", b"f", 1))
    before = whole.tree()
    with pytest.raises(ApplyError):
        carry_out(tape, plan, whole.world())
    assert whole.tree() == before


def test_a_plan_that_fails_a_check_is_not_carried_out(whole: Store, tape: Tape) -> None:
    plan = planned(tape, Asked(PlanKind.FORK, 4))
    assert not plan.is_sound
    with pytest.raises(ApplyError, match="a check fails: "):
        carry_out(tape, plan, whole.world())


def test_a_plan_that_writes_nothing_is_none_to_carry_out(whole: Store, tape: Tape) -> None:
    with pytest.raises(ApplyError, match="it writes nothing"):
        carry_out(tape, planned(tape, REPAIR), whole.world())


def test_a_target_that_came_to_be_meanwhile_is_left_alone(whole: Store, tape: Tape) -> None:
    plan = planned(tape, FORK)
    target = plan.writes[0][0].to
    target.parent.mkdir()
    target.write_bytes(b"mine")
    with pytest.raises(ApplyError, match="exists already, and nothing is ever written over"):
        carry_out(tape, plan, whole.world())
    assert target.read_bytes() == b"mine"
    assert [deed.state for deed in whole.world().journal.deeds()] == [State.UNDONE]


def test_a_writer_that_may_be_there_must_be_said_to_be_stopped(broken_off: Store) -> None:
    before = broken_off.tree()
    with closing(folded(broken_off.path)) as tape:
        plan = planned(tape, REPAIR)
        with pytest.raises(WriterError, match=r"may be writing to the tape.*--writer-stopped"):
            carry_out(tape, plan, broken_off.world())
        assert broken_off.tree() == before
        carry_out(tape, plan, broken_off.world(), writer_stopped=True)
    assert broken_off.tree() != before


def test_a_writer_that_is_seen_is_there_whatever_is_said(broken_off: Store) -> None:
    with closing(folded(broken_off.path)) as tape:
        plan = planned(tape, REPAIR)
        world = broken_off.world(writers=["process 12 (agent\x1b[31m)"])
        with pytest.raises(WriterError, match=r"process 12 \(agent.*\) has the tape open") as found:
            carry_out(tape, plan, world, writer_stopped=True)
    assert "\x1b" not in str(found.value)


def test_a_result_that_is_not_what_was_foretold_is_taken_back(whole: Store, tape: Tape) -> None:
    plan = planned(tape, FORK)
    assert plan.view is not None
    other = replace(plan, view=replace(plan.view, after=plan.view.after[:-1]))
    before = whole.tree()
    with pytest.raises(ApplyError, match="3 rows were foretold, and there are 4"):
        carry_out(tape, other, whole.world())
    assert whole.tree() == before


def test_what_was_appended_and_is_not_what_was_foretold_is_taken_back(broken_off: Store) -> None:
    before = broken_off.tree()
    with closing(folded(broken_off.path)) as tape:
        plan = planned(tape, REPAIR)
        write, size = plan.writes[0]
        half = b"".join(write.content()).splitlines(keepends=True)[0]
        other = replace(plan, writes=((replace(write, content=lambda: iter((half,))), size),))
        with pytest.raises(ApplyError, match="there is still something to mend"):
            carry_out(tape, other, broken_off.world(), writer_stopped=True)
    assert broken_off.tree() == before


def test_without_a_journal_nothing_is_written(whole: Store, tape: Tape) -> None:
    whole.data.write_bytes(b"a file where the folder should be")
    before = whole.tree()
    with pytest.raises(ApplyError, match="the journal"):
        carry_out(tape, planned(tape, FORK), whole.world())
    assert whole.tree() == before
