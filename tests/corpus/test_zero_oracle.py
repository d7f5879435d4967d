"""Every verdict of Zero's own code on generated logs, by prefix of lines and by cut of bytes."""

from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options, Tape
from inspector.formats.zero import FORMAT
from inspector.formats.zero.reading import ZeroTape
from inspector.formats.zero.request import rehydrated
from inspector.tape.source import FileSource
from tests.corpus.corpus import ROOT, files, found, needs_corpus
from tests.folding import fold_on, keep
from tests.untouched import untouched

pytestmark = needs_corpus

ORACLE = ROOT / "oracle" / "zero"

SURFACE = {"message", "tool_call", "tool_result", "session_compaction"}


def session(content: bytes, folder: Path) -> ZeroTape:
    """A session of its own with this log, folded."""
    path = folder / "events.jsonl"
    path.write_bytes(content)
    return held(path)


def held(path: Path) -> ZeroTape:
    """A log that may be too damaged to be recognised, folded."""
    tape = FORMAT.open(FileSource(path), Options())
    assert isinstance(tape, ZeroTape)
    keep(tape)
    fold_on(tape)
    return tape


def read_positions(tape: Tape, cursor: int) -> list[int]:
    """The positions of the events that the owner reads: those it refuses are rows of ours."""
    return [at for at in range(cursor) if not tape.timeline.is_rejected(at)]


def surface(tape: Tape, cursor: int) -> list[int]:
    nodes = tape.timeline.surface.nodes
    return [nodes.origin(row.node) for row in tape.timeline.rows(cursor)]


def compare(tape: ZeroTape, cursor: int, verdict: dict[str, Any]) -> None:
    """The first events of a tape against the owner's answer for a log that holds no more."""
    table = tape.timeline.table
    read = read_positions(tape, cursor)
    assert len(read) == verdict["events"]
    numbers = [[tape.number(at), table.type(at)] for at in read]
    raw = [at for at in read if table.type(at) in SURFACE]
    if verdict["rehydrated"] is None:
        assert surface(tape, cursor) == raw, "the raw events, where the owner folds nothing"
        return
    order = [read[place - 1] for place in verdict["order"]]
    assert [[tape.number(at), table.type(at)] for at in order] == verdict["rehydrated"]
    assert list(chain.from_iterable(rehydrated(tape, cursor))) == order
    assert surface(tape, cursor) == [at for at in order if table.type(at) in SURFACE]
    assert len(numbers) == len(read)


def compare_file(content: bytes, verdict: dict[str, Any], folder: Path) -> None:
    """A file of its own against the owner's answer."""
    tape = session(content, folder)
    detail, said = verdict["detail"], tape.verdict()
    if verdict["events"] is None:
        assert said.opens is False
        assert f"events.jsonl at line {detail['line']}: " in (said.reason or "")
        words = {"not_json": "not JSON", "wrong_type": "the wrong type", "too_deep": "too deep"}
        assert words[detail["kind"]] in (said.reason or "")
        return
    assert said.opens is True
    compare(tape, tape.timeline.events, verdict)
    if verdict["rehydrated"] is None:
        assert f"decode compaction payload seq {detail['sequence']}: " in (said.reason or "")
        words = {
            "not_json": "not JSON",
            "wrong_type": "the wrong type",
            "blank_summary": "summary is required",
        }
        assert words[detail["kind"]] in (said.reason or "")
        (span,) = [
            tape.timeline.spans[kind] for kind in tape.timeline.spans if kind.label == "compaction"
        ]
        assert span[len(span) - 1].outcome.label == "failed"
    else:
        assert said.reason is None


@pytest.mark.parametrize("path", files("oracle/zero/*.verdicts.json"))
def test_each_prefix_of_lines_is_what_the_owner_says(path: Path, tmp_path: Path) -> None:
    name = path.name.split(".")[0]
    content = (ORACLE / name / "events.jsonl").read_bytes()
    pieces = _pieces(content)
    for verdict in found(path):
        compare_file(b"".join(pieces[: verdict["lines"]]), verdict, tmp_path)


@pytest.mark.parametrize("path", files("oracle/zero/*.torn.json"))
def test_each_cut_of_bytes_is_what_the_owner_says(path: Path, tmp_path: Path) -> None:
    name = path.name.split(".")[0]
    content = (ORACLE / name / "events.jsonl").read_bytes()
    for verdict in found(path):
        compare_file(content[: verdict["bytes"]], verdict, tmp_path)


@pytest.mark.parametrize("path", files("oracle/zero/*.verdicts.json"))
def test_each_cursor_of_the_whole_log_is_a_log_that_ends_there(path: Path) -> None:
    name = path.name.split(".")[0]
    folder = ORACLE / name
    with untouched(folder):
        tape = held(folder / "events.jsonl")
        for verdict in found(path):
            if verdict["events"] is None:
                continue
            cursor = tape.timeline.table.before_record(verdict["lines"])
            compare(tape, cursor, verdict)


@pytest.mark.parametrize("path", files("oracle/zero/*.verdicts.json"))
def test_a_fork_that_leaves_an_empty_session_behind_is_foretold(path: Path) -> None:
    forked = found(path)[-1].get("fork") or {}
    tape = held(ORACLE / path.name.split(".")[0] / "events.jsonl")
    foretold = any(one.kind.code == "cannot-be-forked" for one in tape.findings())
    assert foretold == bool(forked.get("leftBehind"))


def _pieces(content: bytes) -> list[bytes]:
    parts = content.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
