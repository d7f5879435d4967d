"""Every verdict of Claude Code's own reader on generated transcripts, by prefix of lines."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.claude import FORMAT
from inspector.formats.claude.reading import ClaudeTape
from inspector.formats.contract import Options
from inspector.tape.source import FileSource
from tests.corpus.corpus import ROOT, files, found, needs_corpus
from tests.folding import fold_on, keep
from tests.untouched import untouched

pytestmark = needs_corpus

ORACLE = ROOT / "oracle" / "claude"
READER = "sdk-js:reload"

CRASHES = {"112": "the owner's reader fails on a boundary that names no uuids"}
"""By file, why there is a verdict that is no list."""


def held(path: Path, policy: str = READER) -> ClaudeTape:
    """A transcript that may be too small to be recognised, folded."""
    tape = FORMAT.open(FileSource(path), Options(policy=policy))
    assert isinstance(tape, ClaudeTape)
    keep(tape)
    fold_on(tape)
    return tape


def listed(tape: ClaudeTape, cursor: int) -> list[str]:
    """The ids of what the person sees of the surface, as the owner's reader lists them."""
    nodes = tape.timeline.surface.nodes
    rows = [row.node for row in tape.timeline.rows(cursor) if not nodes.meta(row.node)]
    return [_id(tape.payload(nodes.origin(node))) for node in rows]


def _id(record: dict[str, Any]) -> str:
    """A command that was typed ahead goes by the id of the message that it became."""
    attachment = record.get("attachment", {})
    found: str = record.get("source_uuid") or attachment.get("source_uuid") or record["uuid"]
    return found


@pytest.mark.parametrize("path", files("oracle/claude/*.verdicts.json"))
def test_each_cursor_of_the_whole_transcript_is_one_that_ends_there(path: Path) -> None:
    name = path.name.split(".")[0]
    with untouched(ORACLE / f"{name}.jsonl"):
        tape = held(ORACLE / f"{name}.jsonl")
        for verdict in found(path):
            if verdict["ids"] is None:
                assert name in CRASHES
                continue
            cursor = tape.timeline.table.before_record(verdict["lines"])
            assert listed(tape, cursor) == verdict["ids"]


@pytest.mark.parametrize("path", files("oracle/claude/*.verdicts.json"))
def test_the_last_prefix_alone_is_what_the_owner_says(path: Path, tmp_path: Path) -> None:
    name = path.name.split(".")[0]
    lines = (ORACLE / f"{name}.jsonl").read_bytes().splitlines(keepends=True)
    verdicts = found(path)
    verdict = verdicts[len(verdicts) // 2]
    prefix = tmp_path / f"{name}.jsonl"
    prefix.write_bytes(b"".join(lines[: verdict["lines"]]))
    tape = held(prefix)
    if verdict["ids"] is not None:
        assert listed(tape, tape.timeline.events) == verdict["ids"]


@pytest.mark.parametrize("name", CRASHES)
def test_a_transcript_on_which_the_reader_fails_is_said_not_to_open(name: str) -> None:
    tape = held(ORACLE / f"{name}.jsonl")
    assert tape.verdict().opens is False
    assert "uuids" in (tape.verdict().reason or "")
    assert "reader-crash" in [finding.kind.code for finding in tape.findings()]
