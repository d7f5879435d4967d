"""No shape of a transcript takes more work for a record than another one, however long it is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.claude.tree.chains import Chains
from inspector.formats.claude.tree.links import Links
from inspector.formats.claude.tree.written import Written
from inspector.timeline.branches import Branches
from inspector.timeline.nodes import NodeTable
from inspector.timeline.runs import RunTable
from tests.formats.claude.shapes import SHAPES
from tests.formats.claude.transcripts import codes, folded, ids, line

READER: Final = "sdk-js:reload"
RECORDS: Final = 5_000
MOST: Final = 20
"""Steps for a record."""

STEPS: Final = (
    (Links, "parent"),
    (Chains, "_settle"),
    (Written, "write"),
    (Branches, "slice"),
    (Branches, "nodes"),
    (NodeTable, "leave"),
    (RunTable, "add"),
)
"""What is done for every record, branch or row that is gone through."""


class Steps:
    """Counts steps."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.count = 0
        for owner, name in STEPS:
            patch.setattr(owner, name, self._counted(getattr(owner, name)))

    def _counted(self, step: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any) -> Any:
            self.count += 1
            return step(*given)

        return counted


@pytest.mark.parametrize(
    ("shape", "policy"),
    [
        ("two writers", "sdk-js:reload"),
        ("two writers", "sdk-py:reload"),
        ("two writers of batches", "sdk-js:reload"),
        ("silent", "sdk-js:reload"),
        ("circles", "sdk-js"),
        ("circles", "sdk-js:reload"),
        ("on themselves", "sdk-js:reload"),
        ("twice", "sdk-js:reload"),
        ("backwards", "sdk-js:reload"),
    ],
)
def test_a_long_transcript_costs_no_more_for_a_record(
    shape: str, policy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Steps(monkeypatch)
    tape = folded(tmp_path, SHAPES[shape](RECORDS), policy)
    assert tape.timeline.events == RECORDS
    assert 0 < steps.count / RECORDS < MOST


@pytest.mark.parametrize(
    ("shape", "policy"),
    [
        ("cleared", "sdk-js"),
        ("cleared often", "sdk-js"),
        ("kept from the start", "sdk-js"),
        ("kept at the end", "sdk-js"),
        ("kept at the end", "sdk-js:reload"),
        ("changed", "sdk-js"),
        ("one message", "sdk-js:reload"),
        ("one message on branches", "sdk-js"),
        ("caterpillar", "sdk-js"),
    ],
)
def test_four_times_the_records_take_four_times_the_steps(
    shape: str, policy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []
    for records in (500, 2_000):
        with monkeypatch.context() as patch:
            steps = Steps(patch)
            tape = folded(tmp_path, SHAPES[shape](records), policy)
            assert tape.timeline.events == records
            taken.append(steps.count)
    assert 0 < taken[1] < 6 * taken[0]


@pytest.mark.parametrize("policy", ["sdk-js", "sdk-js:reload", "sdk-py:reload"])
def test_two_writers_see_what_the_one_that_wrote_last_sees(policy: str, tmp_path: Path) -> None:
    tape = folded(tmp_path, SHAPES["two writers"](9), policy)
    assert line(tape, 8) == "0 1 3 5 7"
    assert line(tape, 9) == "0 2 4 6 8"


def test_going_back_to_a_branch_brings_its_batches_back_as_they_were(tmp_path: Path) -> None:
    records = SHAPES["two writers of batches"](12)
    for policy in ("sdk-js", "sdk-js:reload"):
        tape = folded(tmp_path, records, policy)
        assert line(tape, 9) == "0 b1.1 b1.2 rb1.2 rb1.1"
        assert line(tape, 10) == "0 a1.1 a1.2 ra1.2 ra1.1 a2.1"
        assert line(tape, 11) == "0 b1.1 b1.2 rb1.2 rb1.1 b2.1"


def test_what_is_not_put_together_is_told(tmp_path: Path) -> None:
    assert "crowded-message" not in codes(folded(tmp_path, SHAPES["one message"](250), READER))
    assert codes(folded(tmp_path, SHAPES["one message"](600), READER)).count("crowded-message") == 1


def test_records_written_backwards_are_found_again(tmp_path: Path) -> None:
    tape = folded(tmp_path, SHAPES["backwards"](60), "sdk-js:reload")
    assert ids(tape) == [str(number) for number in range(60)]
    assert tape.coverage(60) is not None
    assert [tape.timeline.count(cursor) for cursor in range(61)] == list(range(61))
