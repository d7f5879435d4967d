"""The laws of plans, for transcripts that no writer would write, and for those of two writers."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.claude import FORMAT
from inspector.formats.contract import Options
from inspector.formats.planning import PlanKind
from inspector.plans.plan import Asked, Plan
from inspector.timeline.findings import Severity
from tests.folding import of_bytes
from tests.formats.claude.generated import transcripts
from tests.formats.claude.transcripts import Record
from tests.formats.claude.transcripts import written as text_of
from tests.formats.claude.writers import two_writers
from tests.plans.laws import (
    accounts_for_all,
    carried_out,
    cut_plans,
    gives_its_view,
    opened,
    planned,
)

LAW: Final = settings(max_examples=8, deadline=None)


def written(plan: Plan) -> list[bytes]:
    return [b"".join(write.content()) for write, _ in plan.writes]


def is_accepted(plan: Plan, folder: Path, options: Options) -> None:
    """The owner opens what is written, and nothing in it is an error."""
    with opened(carried_out(plan, folder)[-1], options) as made:
        assert made.verdict().opens is True
        assert [one for one in made.findings() if one.kind.severity is Severity.ERROR] == []


def keeps_the_laws(records: list[Record], share: float, policy: str) -> None:
    options = Options(policy=policy)
    with of_bytes(FORMAT, text_of(records), options) as tape, TemporaryDirectory() as folder:
        at = int(share * len(records))
        for number, plan in enumerate(cut_plans(tape, at)):
            accounts_for_all(tape, plan)
            if plan.kind is PlanKind.REWIND:
                # It is a fork.
                continue
            assert [one.message for one in plan.checks if one.rule == "read-again"] == [
                "read again it gives this history, and the owner's reader lists it"
            ]
            gives_its_view(tape, plan, Path(folder, str(number)), options)
            is_accepted(plan, Path(folder, f"accepted {number}"), options)
            assert written(planned(tape, plan.asked)) == written(plan)


@pytest.mark.parametrize("policy", ["sdk-js", "sdk-js:reload", "sdk-py"])
@LAW
@given(transcripts(), st.floats(0, 1))
def test_every_offered_view_is_given(policy: str, records: list[Record], share: float) -> None:
    keeps_the_laws(records, share, policy)


@LAW
@given(two_writers(), st.floats(0, 1))
def test_every_view_of_what_two_writers_wrote_is_given(records: list[Record], share: float) -> None:
    keeps_the_laws(records, share, "sdk-js")


@LAW
@given(transcripts())
def test_what_was_mended_needs_no_mending(records: list[Record]) -> None:
    with of_bytes(FORMAT, text_of(records)) as tape, TemporaryDirectory() as folder:
        plan = planned(tape, Asked(PlanKind.REPAIR))
        accounts_for_all(tape, plan)
        if plan.writes and plan.is_sound:
            with opened(carried_out(plan, Path(folder))[-1], Options()) as made:
                assert planned(made, Asked(PlanKind.REPAIR)).closers == ()
