"""What Zero's own code did next with its test logs, against what is foretold of it."""

from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.contract import Options
from inspector.formats.zero import FORMAT
from inspector.formats.zero.reading import ZeroTape
from inspector.tape.source import FileSource
from tests.corpus.corpus import ROOT, files, found, needs_corpus
from tests.folding import fold_on, keep

pytestmark = needs_corpus

ORACLE = ROOT / "oracle" / "zero"

RUINED: Final = {"torn-tail", "unended-line", "passed-line"}
"""Findings that say that an append makes the log unreadable."""

COMPARED: Final = {"lines", "events", "rehydrated", "order", "error", "detail", "append", "fork"}
ELSEWHERE: Final = {
    "plans": "what a compaction or a rewind would do: plans are not made yet",
    "apply": "what a rewind did: plans are not made yet",
}
"""Keys of the last verdict of a log that no test compares, and why."""


def read_whole(path: Path) -> tuple[ZeroTape, dict[str, Any]] | None:
    """A log and the owner's last verdict; None where the owner reads nothing."""
    verdict = found(path)[-1]
    log = ORACLE / path.name.split(".")[0] / "events.jsonl"
    if verdict["events"] is None or not log.is_file():
        return None
    tape = FORMAT.open(FileSource(log), Options())
    assert isinstance(tape, ZeroTape)
    keep(tape)
    fold_on(tape)
    return tape, verdict


def codes(tape: ZeroTape) -> set[str]:
    return {finding.kind.code for finding in tape.findings()}


@pytest.mark.parametrize("path", files("oracle/zero/*.verdicts.json"))
def test_an_append_that_ruins_the_log_is_foretold(path: Path) -> None:
    read = read_whole(path)
    if read is None:
        return
    tape, verdict = read
    assert bool(codes(tape) & RUINED) == (verdict["append"]["error"] is not None)


@pytest.mark.parametrize("path", files("oracle/zero/*.verdicts.json"))
def test_an_append_whose_number_is_taken_is_foretold(path: Path) -> None:
    read = read_whole(path)
    if read is None:
        return
    tape, verdict = read
    numbers = {tape.number(event) for event in range(tape.timeline.events)}
    taken = verdict["append"]["sequence"] in numbers
    assert ("next-number-taken" in codes(tape)) == taken


@pytest.mark.parametrize("path", files("oracle/zero/*.verdicts.json"))
def test_a_fork_that_leaves_an_empty_session_is_foretold(path: Path) -> None:
    read = read_whole(path)
    if read is None:
        return
    tape, verdict = read
    assert ("cannot-be-forked" in codes(tape)) == bool(verdict["fork"]["leftBehind"])


@pytest.mark.parametrize("path", files("oracle/zero/*.verdicts.json"))
def test_a_fork_that_does_not_fold_is_one_of_a_log_that_does_not(path: Path) -> None:
    read = read_whole(path)
    if read is None:
        return
    tape, verdict = read
    error = verdict["fork"]["error"] or ""
    if not error.startswith("fork: "):
        folds = "decode compaction payload" not in (tape.verdict().reason or "")
        assert folds == (not error)


def test_every_key_of_a_last_verdict_is_compared_or_listed() -> None:
    keys = {key for path in ORACLE.glob("*.verdicts.json") for key in found(path)[-1]}
    assert keys <= COMPARED | ELSEWHERE.keys()
    assert ELSEWHERE.keys() <= keys
