"""A compaction that would be appended, and cannot be: a new tape is made where one can be."""

import pytest

from inspector.formats.planning import Check, Draft, How, PlanError, PlanKind, Write
from inspector.plans.plan import Asked, Plan
from inspector.plans.planning import plan
from tests.plans.laws import MAKING
from tests.plans.planners import PATH, TARGET, Owner, Planned, content

LATER = "the owner appends it"


def planned(
    how: How | None, *, appended: bool, anew: tuple[bool, ...] = (), summary: str | None = "short"
) -> Plan:
    """A plan of a tape whose owner appends.

    Args:
        how: the way that is asked for.
        appended: whether what is appended is read again as it should be.
        anew: the same of a new tape; empty where none can be made.
        summary: what stands for the rows.
    """
    tape = Planned()
    for at in range(30):
        tape.human(f"message {at}, which says so much that it is worth to be told in short")
    append, create = (
        Draft((Write(to, way, content),), 30, checks=(Check("read-again", ok, "said"),))
        for to, way, ok in ((PATH, How.APPEND, appended), (TARGET, How.CREATE, anew == (True,)))
    )
    tape.owner.open = {How.APPEND: None, How.CREATE: LATER}
    tape.owner.draft, tape.owner.anew = append, create if anew else None
    asked = Asked(PlanKind.COMPACT, how=how, summary=summary)
    return plan(tape.tape, asked, MAKING, lambda _path: False)


def ways(found: Plan) -> tuple[How, dict[How, str | None]]:
    return found.how, dict(found.ways)


CLOSED = {How.APPEND: None, How.CREATE: LATER}
BOTH = {How.APPEND: None, How.CREATE: None}


def test_what_can_be_appended_is() -> None:
    assert ways(planned(None, appended=True, anew=(True,))) == (How.APPEND, CLOSED)
    with pytest.raises(PlanError, match=LATER):
        planned(How.CREATE, appended=True, anew=(True,))


@pytest.mark.parametrize("summary", ["short", None])
@pytest.mark.parametrize("how", [None, How.CREATE])
def test_what_cannot_be_is_made_as_a_new_tape(how: How | None, summary: str | None) -> None:
    found = planned(how, appended=False, anew=(True,), summary=summary)
    assert ways(found) == (How.CREATE, BOTH)
    assert found.is_sound == (summary is not None)
    assert found.remarks[-1] == "nothing is appended to the tape itself: said"


def test_who_asks_for_an_append_is_told_of_the_other_way() -> None:
    found = planned(How.APPEND, appended=False, anew=(True,))
    assert ways(found) == (How.APPEND, BOTH)
    assert not found.is_sound
    assert "(`--how create`)" in found.remarks[-1]


def test_what_lacks_a_summary_alone_is_planned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Owner, "compact_anew", None)
    assert planned(None, appended=True, summary=None).how is How.APPEND


@pytest.mark.parametrize("anew", [(), (False,)])
def test_where_no_new_tape_is_any_better_it_is_an_append_that_fails(anew: tuple[bool, ...]) -> None:
    assert ways(planned(None, appended=False, anew=anew)) == (How.APPEND, CLOSED)
    with pytest.raises(PlanError, match=LATER):
        planned(How.CREATE, appended=False, anew=anew)
