"""The owner chooses its reader by the name of the file (format page 0.2)."""

from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.dsh.header import Header, name_problem
from inspector.formats.opening import open_tape
from tests.dsh_tapes import HEADER, Log
from tests.folding import fold_on

NEWER = "format version {} is newer than the supported {} - written by a newer harness"
OLDER = "format version {} is older than the supported {}: no upgrade path"


@pytest.mark.parametrize(
    ("version", "name", "problem"),
    [
        (0, "session.jsonl", None),
        (0, "session.jsonl.zstd", None),
        (0, "anything.jsonl", None),
        (3, "session.v3.jsonl", None),
        (3, "session.v3.jsonl.zstd", None),
        (3, "copy-of.session.v3.jsonl", None),
        (1, "session.jsonl", NEWER.format(1, 0)),
        (3, "anything.jsonl", NEWER.format(3, 0)),
        (5, "session.v4.jsonl", NEWER.format(5, 4)),
        (0, "session.v2.jsonl", OLDER.format(0, 2)),
        (3, "mysession.v3.jsonl", NEWER.format(3, 0)),
    ],
)
def test_a_version_belongs_under_its_name(version: int, name: str, problem: str | None) -> None:
    assert name_problem(Header(version=version), name) == problem


def test_a_version_that_nobody_reads_is_told_as_that() -> None:
    assert name_problem(Header(version=7), "session.jsonl") is None


def test_a_log_under_another_name_is_refused_and_shown(tmp_path: Path) -> None:
    log = Log(HEADER | {"version": 1})
    log.user("one")
    path = tmp_path / "session.jsonl"
    path.write_bytes(bytes(log))
    tape = open_tape(path, Options())
    fold_on(tape)
    assert tape.timeline.count(1) == 1
    assert tape.verdict().reason == NEWER.format(1, 0)
    tape.close()
