"""What is appended to a session is one write behind all that was there, and is read as foretold."""

from contextlib import closing
from pathlib import Path

from inspector.applying.carrying import carry_out
from inspector.applying.undoing import way_back
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.foretelling import at_head
from inspector.plans.plan import Asked
from tests.applying.stores import Store, folded, planned
from tests.formats.pi import sessions
from tests.formats.pi.planning.test_compaction import turns
from tests.formats.pi.sessions import text_of


def store(folder: Path, *, ended: bool = True) -> Store:
    root = folder / "store"
    root.mkdir()
    content = text_of(turns(5))
    (root / sessions.NAME).write_bytes(content if ended else content[:-1])
    return Store(root, sessions.NAME)


def applied(there: Store, asked: Asked) -> bytes:
    """What a plan appends."""
    before = there.path.read_bytes()
    with closing(folded(there.path)) as tape:
        plan = planned(tape, asked)
        assert (plan.how, plan.is_sound) == (How.APPEND, True)
        deed = carry_out(tape, plan, there.world(), writer_stopped=True)
    after = there.path.read_bytes()
    assert after.startswith(before)
    assert way_back(deed) == Asked(PlanKind.FORK, cut=plan.seal.events, view=View.AS_OF)
    assert len(there.tree()) == 1
    return after[len(before) :]


def test_a_compaction_is_appended_and_then_there_is_nothing_to_compact(tmp_path: Path) -> None:
    there = store(tmp_path)
    asked = Asked(PlanKind.COMPACT, degraded=True)
    assert applied(there, asked).count(b"\n") == 1
    with closing(folded(there.path)) as tape:
        assert len(at_head(tape)) == 9
        assert "worth-it" in [check.rule for check in planned(tape, asked).broken]


def test_a_move_is_appended_and_then_one_stands_there(tmp_path: Path) -> None:
    there = store(tmp_path)
    with closing(folded(there.path)) as tape:
        seen = [tape.message_id(event) for event in range(8)]
    asked = Asked(PlanKind.REWIND, 8)
    assert applied(there, asked).count(b"\n") == 1
    with closing(folded(there.path)) as tape:
        nodes = tape.timeline.surface.nodes
        rows = [nodes.origin(row.node) for row in tape.timeline.rows(tape.timeline.events)]
        assert [tape.message_id(event) for event in rows] == seen
        assert planned(tape, asked).writes == ()


def test_a_line_end_that_is_missing_is_written_in_the_same_write(tmp_path: Path) -> None:
    there = store(tmp_path, ended=False)
    written = applied(there, Asked(PlanKind.REWIND, 8))
    assert (written[:1], written.count(b"\n")) == (b"\n", 2)


def test_a_move_is_moved_back_by_another_one(tmp_path: Path) -> None:
    there = store(tmp_path)
    with closing(folded(there.path)) as tape:
        before = at_head(tape)
    applied(there, Asked(PlanKind.REWIND, 8))
    applied(there, Asked(PlanKind.REWIND, 20))
    with closing(folded(there.path)) as tape:
        assert at_head(tape) == before
