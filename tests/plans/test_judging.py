"""Every plan says what the owner makes of a tape that it does not open, and of what is made."""

from pathlib import Path

import pytest

from inspector.formats.contract import Verdict
from inspector.formats.planning import (
    OWNER_READS,
    VERDICT,
    Check,
    Closer,
    Draft,
    How,
    PlanKind,
    Repair,
    Write,
)
from inspector.plans import judging
from inspector.plans.plan import Asked, Plan, Seen
from inspector.plans.planning import plan
from inspector.plans.rehearsing import Rehearsal
from tests.plans.laws import MAKING
from tests.plans.planners import TARGET, Planned, content

SAID = "a \u241b[2Jbad line"
REFUSED = Verdict("the owner", opens=False, reason="a \x1b[2Jbad line")
PART = Verdict("the owner", "partly", "up to there", 1)
OPENS = Verdict("the owner", opens=True)


@pytest.fixture
def tape() -> Planned:
    made = Planned()
    for at in range(8):
        made.human(f"question {at}")
        made.assistant(f"answer {at}")
    return made


def planned(tape: Planned, kind: PlanKind, summary: str | None = None) -> Plan:
    return plan(tape.tape, Asked(kind, summary=summary), MAKING, lambda _path: False)


def verdicts(found: Plan) -> list[Check]:
    return [check for check in found.checks if check.rule == VERDICT]


@pytest.fixture
def foretold(monkeypatch: pytest.MonkeyPatch) -> list[Verdict | None]:
    """What the owner would say of what is made; None where that is not known."""
    said: list[Verdict | None] = [OPENS]

    def rehearsed(*_given: object) -> Rehearsal | None:
        return None if said[0] is None else Rehearsal(Seen(1, 1), said[0])

    monkeypatch.setattr(judging, "rehearsed", rehearsed)
    return said


@pytest.mark.parametrize("kind", [PlanKind.FORK, PlanKind.REWIND, PlanKind.COMPACT])
def test_of_a_tape_that_is_opened_only_a_repair_says_so(kind: PlanKind, tape: Planned) -> None:
    assert verdicts(planned(tape, kind)) == []
    assert verdicts(planned(tape, PlanKind.REPAIR)) == [
        Check(VERDICT, ok=True, message="the owner opens the tape")
    ]
    tape.judged = OPENS if kind is PlanKind.FORK else Verdict("the owner", True, "skips 2 lines")
    (found,) = verdicts(planned(tape, PlanKind.REPAIR))
    assert found.ok


@pytest.mark.parametrize("kind", [PlanKind.FORK, PlanKind.REWIND])
@pytest.mark.parametrize(
    ("made", "after", "blocks"),
    [
        (OPENS, "; it opens what is made", False),
        (PART, "; it opens a part of what is made", False),
        (REFUSED, f"; it would not open what is made either: {SAID}", True),
        (None, "", False),
    ],
)
def test_of_a_tape_that_is_not_opened_it_is_said_what_becomes_of_what_is_made(
    kind: PlanKind,
    made: Verdict | None,
    after: str,
    blocks: bool,
    tape: Planned,
    foretold: list[Verdict | None],
) -> None:
    tape.judged, foretold[0] = REFUSED, made
    message = f"the owner does not open the tape: {SAID}{after}"
    found = planned(tape, kind)
    assert verdicts(found) == [Check(VERDICT, ok=False, message=message, blocks=blocks)]
    assert found.is_sound is not blocks


def test_a_repair_of_which_nothing_is_written_does_not_hide_that_the_tape_is_refused(
    tape: Planned,
) -> None:
    tape.owner.mends = Repair((Closer("call", "added", "in memory"),), None, "in memory alone")
    for verdict, blocks in ((REFUSED, True), (PART, False)):
        tape.judged = verdict
        (found,) = verdicts(planned(tape, PlanKind.REPAIR))
        assert (found.ok, found.blocks) == (False, blocks)
        assert found.message.endswith("; nothing is written")


def test_a_repair_says_that_what_it_makes_is_opened(
    tape: Planned, foretold: list[Verdict | None], tmp_path: Path
) -> None:
    write = Write(tmp_path / "new.jsonl", How.CREATE, content)
    tape.judged = REFUSED
    tape.owner.mends = Repair((Closer("line", "dropped", "bad"),), Draft((write,), 16))
    (found,) = verdicts(planned(tape, PlanKind.REPAIR))
    assert (found.ok, found.blocks) == (False, False)
    assert found.message.endswith("; it opens what is made")
    foretold[0] = REFUSED
    assert not planned(tape, PlanKind.REPAIR).is_sound


def test_a_compaction_without_a_summary_says_so_and_is_not_stopped_by_it(
    tape: Planned, foretold: list[Verdict | None]
) -> None:
    tape.judged, foretold[0] = REFUSED, OPENS
    (found,) = verdicts(planned(tape, PlanKind.COMPACT))
    assert (found.ok, found.blocks) == (False, False)


def test_what_a_format_says_of_it_itself_is_not_said_twice(
    tape: Planned, foretold: list[Verdict | None]
) -> None:
    tape.judged, foretold[0] = REFUSED, OPENS
    own = Check(OWNER_READS, ok=False, message="it reads the copy alone", blocks=False)
    tape.owner.draft = Draft((Write(TARGET, How.CREATE, content),), 16, checks=(own,))
    found = planned(tape, PlanKind.FORK)
    assert verdicts(found) == []
    assert own in found.checks
