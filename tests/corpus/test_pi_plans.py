"""Plans for the shared sessions of Pi: what is made has the context that Pi had at the cut."""

from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.pi.reading import PiTape
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked
from tests.corpus.corpus import ROOT, files, found, needs_corpus
from tests.corpus.test_pi_oracle import held
from tests.formats.pi.planning.planned import chain, content, fork, lines, move
from tests.formats.pi.sessions import surface
from tests.plans.laws import accounts_for_all, allowed_cuts_give_a_history, carried_out, planned
from tests.untouched import untouched

pytestmark = needs_corpus

CASES: Final = ROOT / "cases"
_STEP: Final = 5


def settings(tape: PiTape) -> tuple[str | None, str]:
    state = tape.timeline.registers.state(tape.timeline.events)
    told = {name: setting.value for name, setting in state.items()}
    model = told.get("model") and f"{told.get('provider')}/{told['model']}"
    return model, told.get("thinking") or "off"


def shows(tape: PiTape, verdict: dict[str, Any]) -> None:
    """A session has the context of a verdict; an entry without an id was given one."""
    ids = [str(tape.payload(event).get("id")) for event in events(tape)]
    wanted = [
        own if named is None else named for own, named in zip(ids, verdict["ids"], strict=True)
    ]
    assert ids == wanted
    assert settings(tape) == (verdict["model"], verdict["thinking"])


def events(tape: PiTape) -> list[int]:
    nodes = tape.timeline.surface.nodes
    return [nodes.origin(row.node) for row in tape.timeline.rows(tape.timeline.events)]


@pytest.mark.parametrize("path", files("oracle/pi/*.verdicts.json"))
def test_a_fork_and_a_move_have_the_context_that_pi_had_there(path: Path, tmp_path: Path) -> None:
    source = path.with_name(path.name.replace(".verdicts.json", ".jsonl"))
    tape = held(source)
    with untouched(source):
        for verdict in found(path)[::-_STEP]:
            if verdict["ids"] is None:
                continue
            at = tape.timeline.table.before_record(verdict["lines"])
            asks = [Asked(PlanKind.FORK, at, How.CREATE, View.AS_OF)]
            if tape.planner().ways(PlanKind.REWIND)[How.APPEND] is None:
                asks.append(Asked(PlanKind.REWIND, at, How.APPEND, View.AS_OF))
            for asked in asks:
                plan = planned(tape, asked)
                accounts_for_all(tape, plan)
                if not plan.writes:
                    continue
                made = carried_out(plan, tmp_path / f"{at}")[0]
                shows(held(made), verdict)


@pytest.mark.parametrize("path", [*files("tapes/pi/*.jsonl"), *files("tapes/handmade/pi_*.jsonl")])
def test_every_shared_session_can_be_cut(path: Path) -> None:
    with untouched(path):
        tape = held(path)
        head = tape.timeline.events
        allowed_cuts_give_a_history(tape, range(0, head + 1, 1 + head // 12))


def test_a_fork_of_a_branch_has_what_pi_shows_at_its_leaf(tmp_path: Path) -> None:
    tape = held(CASES / "case-44" / "input.jsonl")
    cursors = {tape.message_id(event): event + 1 for event in range(tape.timeline.events)}
    for leaf, rows in (("bbbb000f", 4), ("bbbb0009", 3), ("bbbb0004", 4)):
        plan = fork(tape, cursors[leaf], View.AS_OF)
        new = held(carried_out(plan, tmp_path / leaf)[0])
        assert len(surface(new)) == rows
    branch_a = fork(tape, cursors["bbbb0004"], View.AS_OF)
    assert chain(branch_a)[:4] == ["bbbb0001", "bbbb0002", "bbbb0003", "bbbb0004"]
    assert lines(branch_a)[-1]["label"] == "keep-A"


def test_a_move_to_another_branch_is_one_line(tmp_path: Path) -> None:
    tape = held(CASES / "case-44" / "input.jsonl")
    cursors = {tape.message_id(event): event + 1 for event in range(tape.timeline.events)}
    plan = move(tape, cursors["bbbb0004"])
    assert content(plan).count(b"\n") == 1
    (line,) = lines(plan)
    assert (line["parentId"], line["label"]) == ("bbbb0004", "keep-A")
    assert len(surface(held(carried_out(plan, tmp_path)[0]))) == 4


def test_an_old_version_is_forked_and_never_appended_to(tmp_path: Path) -> None:
    path = CASES / "case-46" / "input.jsonl"
    with untouched(path):
        tape = held(path)
        ways = tape.planner().ways(PlanKind.REWIND)
        assert "would rewrite the file" in str(ways[How.APPEND])
        plan = fork(tape, None, View.AS_OF)
    new = held(carried_out(plan, tmp_path)[0])
    said = [new.node_headline(row.node).text for row in new.timeline.rows(new.timeline.events)]
    assert said == ["Said hello.", "kept prompt", "kept reply", "after compaction"]
    assert new.verdict().reason is None


def test_an_entry_in_a_damaged_line_does_not_travel() -> None:
    tape = held(CASES / "case-02" / "input.jsonl")
    plan = fork(tape)
    assert chain(plan) == ["aaaa0005", "aaaa0006"]
    assert plan.left == {"not read by Pi": 1, "on other branches": 2}
