"""The end that a tape records itself, and what takes it back (format page 1.8)."""

from pathlib import Path

import pytest

from tests.formats.claude.transcripts import Record, answer, boundary, folded, line, summary, user

FIRST = "u1 a1 u2 a2"
NEWEST = "u1 a1 u3 a3"


def pointed(leaf: str, *, explicit: bool = True) -> Record:
    return {"type": "last-prompt", "leafUuid": leaf, "explicit": explicit}


def tried() -> list[Record]:
    """Two tries behind one answer."""
    return [
        user("u1", None),
        answer("a1", "u1"),
        user("u2", "a1"),
        answer("a2", "u2"),
        user("u3", "a1"),
        answer("a3", "u3"),
    ]


@pytest.mark.parametrize("policy", ["cli-leaf", "cli-leaf:reload"])
@pytest.mark.parametrize(
    ("ends", "branch"),
    [
        ([], NEWEST),
        ([pointed("a2")], FIRST),
        ([pointed("a2"), pointed("a2", explicit=False)], FIRST),
        ([pointed("a2"), pointed("a3", explicit=False)], NEWEST),
        ([pointed("a2"), pointed("", explicit=False)], FIRST),
        ([pointed("a2"), pointed("")], NEWEST),
        ([pointed("a2"), pointed("u1"), pointed("")], NEWEST),
        ([pointed("")], NEWEST),
        ([pointed("ghost")], NEWEST),
    ],
)
def test_the_last_word_counts(tmp_path: Path, policy: str, ends: list[Record], branch: str) -> None:
    assert line(folded(tmp_path, [*tried(), *ends], policy)) == branch


@pytest.mark.parametrize("policy", ["cli-leaf", "cli-leaf:reload"])
def test_a_compaction_takes_it_back(tmp_path: Path, policy: str) -> None:
    records = [*tried(), pointed("a2"), boundary("b"), summary("s", "b")]
    assert line(folded(tmp_path, records, policy)) == "s"


def test_what_is_written_behind_it_goes_on_from_there(tmp_path: Path) -> None:
    records = [*tried(), pointed("a2"), user("u4", "a2"), pointed("")]
    assert line(folded(tmp_path, records, "cli-leaf")) == f"{FIRST} u4"
