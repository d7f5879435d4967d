"""What was mended of a line says what the owner does with that line; each is told once."""

import json
from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.timeline.findings import Finding, Severity
from tests.commands import SAMPLES
from tests.folding import fold_on
from tests.guarding import guarded

MARK = b"\xef\xbb\xbf"
HEADER = {"id": "t", "timestamp": "2026-06-02T10:00:00.000Z", "cwd": "/w", "cli_version": "0.171.0"}
SAID = {"role": "user", "content": [{"type": "input_text", "text": "hi"}]}
CODEX = [("session_meta", HEADER), ("response_item", {"type": "message", **SAID})]
USER = {"type": "user", "sessionId": "s", "message": {"role": "user", "content": "hi"}}
CLAUDE = [USER | {"uuid": "u1", "parentUuid": None}, USER | {"uuid": "u2", "parentUuid": "u1"}]


def codex() -> list[bytes]:
    shells = [{"timestamp": HEADER["timestamp"], "type": kind, "payload": it} for kind, it in CODEX]
    return [json.dumps(shell).encode() for shell in shells]


def claude() -> list[bytes]:
    return [json.dumps(record).encode() for record in CLAUDE]


def findings(path: Path) -> list[Finding]:
    with guarded(path):
        tape = open_tape(path, Options())
        try:
            fold_on(tape)
            return list(tape.findings())
        finally:
            tape.close()


def told(lines: list[bytes], folder: Path) -> list[tuple[str, str]]:
    path = folder / "tape.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return [(found.kind.code, found.kind.effect) for found in findings(path)]


def test_a_mark_before_the_header_of_codex_costs_it_the_whole_log(tmp_path: Path) -> None:
    head, *rest = codex()
    assert told([MARK + head, *rest], tmp_path) == [
        ("bom", "none here; the owner skips the line, and refuses a log without its header")
    ]


def test_a_mark_in_another_line_costs_codex_the_line(tmp_path: Path) -> None:
    head, line = codex()
    found = dict(told([head, MARK + line], tmp_path))
    assert found["bom"] == "the owner skips the line, and so does the fold"


def test_bytes_that_are_no_utf8_cost_codex_the_log_and_are_told_once(tmp_path: Path) -> None:
    head, line = codex()
    path = tmp_path / "tape.jsonl"
    path.write_bytes(head + b"\n" + line.replace(b"hi", b"h\xff") + b"\n")
    (found,) = findings(path)
    assert (found.kind.code, found.kind.severity) == ("refused-text", Severity.ERROR)
    assert found.kind.effect == "the owner refuses the whole file"


def test_claude_code_passes_over_a_line_with_a_mark_and_replaces_bytes(tmp_path: Path) -> None:
    first, second = claude()
    assert told([MARK + first, second], tmp_path)[0] == (
        "bom",
        "none here; the owner passes over the line",
    )
    assert ("repaired-text", "none") in told([first.replace(b"u1", b"u\xff"), second], tmp_path)


@pytest.mark.parametrize("code", ["bom", "nul-padding", "glued", "raw-control", "torn-prefix"])
def test_the_owner_of_dsh_reads_up_to_a_line_that_is_no_json(code: str) -> None:
    found = {each.kind.code: each.kind.effect for each in findings(SAMPLES / "recovered.jsonl")}
    assert found[code].endswith("; the owner cannot read the line")


def test_zero_takes_no_mark_for_json(tmp_path: Path) -> None:
    line = {"id": "s:1", "sequence": 1, "type": "message", "createdAt": HEADER["timestamp"]}
    lines = [json.dumps(line | {"sessionId": "s", "payload": {"role": "user"}}).encode()] * 2
    found = dict(told([MARK + lines[0], lines[1]], tmp_path))
    assert found["bom"] == "none here; the owner does not take the line for JSON"
