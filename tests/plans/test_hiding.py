"""A plan shows no secret of its tape, whatever it quotes it in."""

import pytest

from inspector.export import plan_text
from inspector.export.documents import dumps
from inspector.export.plan import document
from inspector.formats.parts import Call
from inspector.formats.planning import (
    Check,
    Closer,
    Draft,
    How,
    PlanKind,
    Repair,
    Restorable,
    View,
    Write,
)
from inspector.plans.plan import Asked
from tests.plans.laws import planned
from tests.plans.planners import TARGET, Planned, content
from tests.plans.test_changes import calls

MAKERS = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


def told(tape: Planned, asked: Asked) -> str:
    """All that a person or a script is told of a plan."""
    plan = planned(tape.tape, asked)
    lines = [*plan_text.text(tape.tape, plan), dumps(document(tape.tape, plan))]
    return "\n".join(lines)


@pytest.mark.parametrize("kind", [PlanKind.FORK, PlanKind.REWIND])
def test_a_cut_shows_none(kind: PlanKind) -> None:
    tape = Planned()
    tape.human("please")
    calls(tape, Call("one", f"tool {MAKERS}", {"command": f"login {MAKERS}"}))
    tape.owner.files = [
        Restorable(f"/x/{MAKERS}", 1, f"could not be read: {MAKERS}", back=False, folder=MAKERS),
        Restorable(f"/y/{MAKERS}", 1, "put back"),
    ]
    tape.owner.refused = {View.ORIGINALS: f"no: {MAKERS}"}
    tape.owner.open = {How.CREATE: None, How.APPEND: f"no: {MAKERS}"}
    remark = f"its title is “deploy with {MAKERS}”"
    check = Check("own", ok=False, message=f"a file {MAKERS}", blocks=False)
    write = Write(TARGET, How.CREATE, content)
    tape.owner.draft = Draft((write,), 1, {f"of {MAKERS}": 0}, (check,), (remark,))
    found = told(tape, Asked(kind, 1))
    assert MAKERS not in found
    assert "its title is “deploy with [REDACTED]”" in found
    assert "/x/[REDACTED]" in found
    assert "tool [REDACTED]" in found
    assert plan_text.MASKED in found


def test_a_repair_shows_none() -> None:
    tape = Planned()
    tape.human("please")
    closer = Closer(f"end {MAKERS}", "added", f"ends {MAKERS}", MAKERS, f"CODE {MAKERS}")
    tape.owner.mends = Repair((closer,), None, f"in memory: {MAKERS}")
    found = told(tape, Asked(PlanKind.REPAIR))
    assert MAKERS not in found
    assert "added: end [REDACTED] <[REDACTED]>: ends [REDACTED] [CODE [REDACTED]]" in found


def test_a_remark_that_hides_one_says_so() -> None:
    tape = Planned()
    tape.human("please")
    tape.owner.draft = Draft((), 1, remarks=(f"its title is {MAKERS}",))
    assert plan_text.MASKED in told(tape, Asked(PlanKind.FORK))
    tape.owner.draft = Draft((), 1, remarks=("its title is none",))
    assert plan_text.MASKED not in told(tape, Asked(PlanKind.FORK))


def test_where_something_is_made_stays_as_it_is() -> None:
    tape = Planned()
    tape.human("please")
    target = TARGET.parent / "token=hunter2xyz.jsonl"
    tape.owner.draft = Draft((Write(target, How.CREATE, content),), 1)
    found = told(tape, Asked(PlanKind.FORK))
    assert f"would create {target}: " in found
    assert f"target: {target} is free" in found
