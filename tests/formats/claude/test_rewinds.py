"""What is a rewind and what is not."""

from pathlib import Path

import pytest

from tests.formats.claude.test_readers import batch
from tests.formats.claude.transcripts import answer, call, codes, folded, result, seen, user


@pytest.mark.parametrize("policy", ["sdk-js", "sdk-py", "sdk-py:reload", "cli-leaf"])
def test_results_of_parallel_calls_are_none(tmp_path: Path, policy: str) -> None:
    tape = folded(tmp_path, batch(), policy)
    assert "rewound" not in codes(tape)
    assert "rewound" not in {state for cursor in range(7) for state in seen(tape, cursor)}


def test_what_a_plain_walk_loses_is_unlinked(tmp_path: Path) -> None:
    states = seen(folded(tmp_path, batch(), "sdk-py"))
    assert states == ["visible", "visible", "unlinked", "unlinked", "visible", "visible"]


def test_lines_of_one_message_that_hang_side_by_side_are_none(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1", call("c1"), of="m"),
        result("r1", "a1", "c1"),
        answer("a2", "u1", call("c2"), of="m"),
    ]
    assert "rewound" not in codes(folded(tmp_path, records, "sdk-py"))


def told(tmp_path: Path, parent: str) -> list[str]:
    records = [
        user("u1", None),
        answer("a1", "u1"),
        user("u2", "a1"),
        answer("a2", "u2"),
        user("u3", "a1"),
        user("u4", parent),
    ]
    tape = folded(tmp_path, records)
    return [one.message for one in tape.findings() if one.kind.code == "rewound"]


def test_what_was_left_is_counted(tmp_path: Path) -> None:
    first = "the writer went back to line 2: 2 records left behind"
    assert told(tmp_path, "u1") == [first, "the writer went back to line 1: 2 records left behind"]


def test_a_branch_left_before_is_gone_over_to(tmp_path: Path) -> None:
    message = "the writer went over to line 4, on a branch left before: 1 record left behind"
    assert told(tmp_path, "a2")[1] == message


def test_a_record_that_hangs_on_the_end_leaves_nothing(tmp_path: Path) -> None:
    assert len(told(tmp_path, "u3")) == 1
