"""The slow reader of the tests is the owner's, with its notices and without; and so is ours."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.corpus import ROOT, files, found, needs_corpus
from tests.corpus.test_claude_oracle import CRASHES, held, listed
from tests.formats.claude.reference import Reader, is_aside, of_tree

pytestmark = needs_corpus

ORACLE = ROOT / "oracle" / "claude"
PADDING = bytes(range(0x21))


def records(content: bytes) -> list[dict[str, Any]]:
    """What a strict reader gets of a text (R1): a byte order mark costs the first line."""
    values = []
    for line in content.split(b"\n"):
        try:
            value = json.loads(line.lstrip(PADDING).decode(), parse_constant=_no_number)
        except (ValueError, RecursionError):
            continue
        values.append(value)
    return [value for value in values if isinstance(value, dict)]


def _no_number(word: str) -> None:
    raise ValueError(word)


@pytest.mark.parametrize("path", files("oracle/claude/*.verdicts.json"))
def test_both_lists_of_every_verdict(path: Path) -> None:
    """`ids_sys` is `ids` and the notices of the branch, which the model is not told: no rows."""
    name = path.name.split(".")[0]
    content = (ORACLE / f"{name}.jsonl").read_bytes()
    lines = content.split(b"\n")
    tape = held(ORACLE / f"{name}.jsonl")
    notices = {one["uuid"] for one in of_tree(records(content)) if one["type"] == "system"}
    for verdict in found(path):
        if verdict["ids"] is None:
            assert name in CRASHES
            continue
        reader = Reader(records(b"\n".join(lines[: verdict["lines"]])))
        assert reader.listed() == verdict["ids"]
        assert reader.listed(system=True) == verdict["ids_sys"]
        cursor = tape.timeline.table.before_record(verdict["lines"])
        shown = [one for one in verdict["ids_sys"] if one not in notices]
        assert listed(tape, cursor) == shown


@pytest.mark.parametrize("path", files("oracle/claude/*.verdicts.json"))
def test_the_branch_reaches_as_many_records_as_the_owners(path: Path) -> None:
    """Notices included: they are on the branch, though no rows."""
    name = path.name.split(".")[0]
    lines = (ORACLE / f"{name}.jsonl").read_bytes().split(b"\n")
    tape = held(ORACLE / f"{name}.jsonl")
    for verdict in found(path):
        if verdict["ids"] is None:
            continue
        reader = Reader(records(b"\n".join(lines[: verdict["lines"]])))
        reached = [one for one in reader.chain() if not is_aside(reader.records[one])]
        coverage = tape.coverage(tape.timeline.table.before_record(verdict["lines"]))
        assert coverage is not None
        assert coverage.on_chain == len(reached), verdict["lines"]
