"""What is asked before a plan is carried out or a deed is taken back."""

import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.applying.carrying import carry_out
from inspector.applying.journal import Deed, Grown, State
from inspector.applying.refusal import ApplyError
from inspector.formats.planning import PlanKind
from inspector.plans.foretelling import at_head
from inspector.plans.plan import Asked
from inspector.ui.deeds.asked import last_of, to_apply, to_undo
from inspector.ui.deeds.question import Question
from tests.applying.stores import TAPES, Store, folded, planned
from tests.formats.pi import sessions as pi
from tests.plans.laws import MAKING


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.of(tmp_path, TAPES["dsh"])


def back_of(store: Store, deed: Deed) -> Question | str:
    with closing(folded(store.path)) as tape:
        return to_undo(tape, deed, store.world())


def question(store: Store, asked: Asked) -> Question | str:
    with closing(folded(store.path)) as tape:
        return to_apply(tape, planned(tape, asked), store.world())


def test_a_fork_names_what_it_makes_and_wants_no_agent_stopped(store: Store) -> None:
    found = question(store, Asked(PlanKind.FORK))
    assert isinstance(found, Question)
    assert found.title == "APPLY fork plan 0c9e6d0e"
    assert found.lines[0].startswith("makes 1 new file with ")
    assert any(line.startswith(f"create  {store.root}") for line in found.lines)
    assert found.agent == ""


def test_an_append_wants_its_agent_stopped(tmp_path: Path) -> None:
    store = Store.of(tmp_path, TAPES["dsh, open turn"])
    found = question(store, Asked(PlanKind.REPAIR))
    assert isinstance(found, Question)
    assert found.lines[0].endswith("bytes at 11, behind the last event; none is removed")
    assert found.agent == "dsh"


def test_what_cannot_be_carried_out_says_why(store: Store) -> None:
    assert question(store, Asked(PlanKind.FORK, 4)) == "not to be applied: a turn is open there"
    assert question(store, Asked(PlanKind.REPAIR)) == (
        "it writes nothing: there is nothing to apply"
    )


def test_it_is_done_and_taken_back_by_what_is_asked(store: Store) -> None:
    before = store.tree()
    with closing(folded(store.path)) as tape:
        found = to_apply(tape, planned(tape, Asked(PlanKind.FORK)), store.world())
        assert isinstance(found, Question)
        said = found.act(False)
    assert said[-1] == "read again: it is what the plan foretold"
    deeds = store.world().journal.deeds()
    deed = last_of(deeds, store.path, os.path.lexists)
    assert deed is not None
    assert last_of(deeds, deed.made[0].path, os.path.lexists) == deed
    assert last_of(deeds, store.root / "another", os.path.lexists) is None
    back = back_of(store, deed)
    assert isinstance(back, Question)
    assert back.act(False)[0] == f"took away {deed.made[0].path}"
    assert store.tree() == before
    assert last_of(store.world().journal.deeds(), store.path, os.path.lexists) is None


def test_what_was_appended_stays_and_a_tape_is_made_as_it_was(tmp_path: Path) -> None:
    store = Store.of(tmp_path, TAPES["dsh, open turn"])
    with closing(folded(store.path)) as tape:
        before = at_head(tape)
        found = to_apply(tape, planned(tape, Asked(PlanKind.REPAIR)), store.world())
        assert isinstance(found, Question)
        found.act(True)
    [deed] = store.world().journal.deeds()
    new = store.path.read_bytes()
    with closing(folded(store.path)) as tape:
        back = to_undo(tape, deed, store.world())
        assert isinstance(back, Question)
        assert "makes a new tape that ends at 11, where the tape ended" in back.lines
        back.act(False)
    assert store.path.read_bytes() == new
    repair, made = store.world().journal.deeds()
    assert repair.state is State.UNDONE
    with closing(folded(made.made[0].path)) as tape:
        assert at_head(tape) == before
    assert last_of([repair, made], store.path, os.path.lexists) == made


def test_an_append_that_was_broken_off_before_it_was_written_is_none(store: Store) -> None:
    size = store.path.stat().st_size
    with closing(folded(store.path)) as tape:
        found = to_apply(tape, planned(tape, Asked(PlanKind.FORK)), store.world())
        assert isinstance(found, Question)
        found.act(False)
    [deed] = store.world().journal.deeds()
    begun = replace(deed, made=(), state=State.BEGUN, grown=Grown(store.path, size, 3))
    assert back_of(store, begun) == "it is undone already, or nothing came of it"


def test_what_was_undone_or_written_to_says_so(store: Store) -> None:
    with closing(folded(store.path)) as tape:
        found = to_apply(tape, planned(tape, Asked(PlanKind.FORK)), store.world())
        assert isinstance(found, Question)
        found.act(False)
    [deed] = store.world().journal.deeds()
    assert back_of(store, replace(deed, state=State.UNDONE)) == (
        "it is undone already, or nothing came of it"
    )
    back = back_of(store, deed)
    assert isinstance(back, Question)
    deed.made[0].path.write_bytes(b"")
    with pytest.raises(ApplyError, match="was written to since"):
        back.act(False)


def test_a_tape_that_somebody_deleted_is_offered_no_more(store: Store) -> None:
    with closing(folded(store.path)) as tape:
        for number in (1, 2):
            making = MAKING._replace(id=f"tape-{number}")
            found = to_apply(tape, planned(tape, Asked(PlanKind.FORK), making), store.world())
            assert isinstance(found, Question)
            found.act(False)
    first, second = store.world().journal.deeds()
    second.made[0].path.unlink()
    assert last_of([first, second], store.path, os.path.lexists) == first


def told_before_undoing(store: Store, asked: Asked) -> list[str]:
    """What else is said before what a plan appended is undone."""
    with closing(folded(store.path)) as tape:
        carry_out(tape, planned(tape, asked), store.world(), writer_stopped=True)
    [deed] = store.world().journal.deeds()
    with closing(folded(store.path)) as tape:
        back = to_undo(tape, deed, store.world())
        assert isinstance(back, Question)
        assert back.more is not None
        return list(back.more())


@pytest.mark.parametrize("kind", [PlanKind.REWIND, PlanKind.COMPACT])
def test_what_the_agent_takes_back_in_its_own_file_is_the_better_way(
    tmp_path: Path, kind: PlanKind
) -> None:
    store = Store.of(tmp_path, TAPES["pi"])
    said = [
        pi.user("u0", None),
        *(pi.user(f"u{at}", f"u{at - 1}", "words " * 99) for at in range(1, 20)),
    ]
    store.path.write_bytes(pi.text_of(said))
    asked = Asked(kind, summary="In short.") if kind is PlanKind.COMPACT else Asked(kind, 3)
    told = told_before_undoing(store, asked)
    assert told[0].startswith(
        "better: a rewind to 20 (`inspector plan rewind --after 20`) gives back"
    )
    assert sum("plan rewind" in line for line in told) == 1


def test_where_the_agent_knows_no_such_way_none_is_told(tmp_path: Path) -> None:
    store = Store.of(tmp_path, TAPES["dsh, open turn"])
    told = told_before_undoing(store, Asked(PlanKind.REPAIR))
    assert told
    assert not any("rewind" in line for line in told)
