"""Every verdict of codex-cli on generated logs and rule cases: what a resume would send."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.contract import Tape
from tests.corpus.corpus import ROOT, files, folded, found, needs_corpus
from tests.untouched import untouched

pytestmark = needs_corpus

ORACLE = ROOT / "oracle" / "codex"
RULES: dict[str, Any] = found(ORACLE / "rules" / "verdicts.json") or {}

DELIBERATE: Final = {
    "long-out": "long outputs are cut by the model's policy, which the log does not tell",
    "h-roles": "a picture that cannot be decoded is replaced by words; it is shown as what it is",
}
"""Verdicts from which the request differs, and why."""

_JSON: Final = {"local_shell_call", "web_search_call"}


def sent(tape: Tape, cursor: int) -> list[dict[str, Any]]:
    """What a request at a cursor holds, in the words of the verdicts."""
    return [
        {
            "type": entry.type,
            "role": entry.role,
            "call_id": entry.call_id,
            "text": said(entry.type, entry.text),
        }
        for entry in tape.request(cursor)
        if entry.note != "dropped"
    ]


def said(kind: str, text: str | None) -> Any:
    """A text, or the value of one that is JSON in the verdicts, which the two space apart."""
    if text is None or not (kind in _JSON or (kind.endswith("_output") and text[:1] == "[")):
        return text
    return json.loads(text)


def wanted(verdict: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**item, "text": said(item["type"], item["text"])} for item in verdict["items"]]


def cursor_behind(tape: Tape, lines: int) -> int:
    """The cursor after so many lines of the file."""
    return tape.timeline.table.before_record(min(lines, tape.records()))


@pytest.mark.parametrize("path", files("oracle/codex/*.jsonl"))
def test_every_verdict_is_what_the_whole_log_says_at_that_cursor(path: Path) -> None:
    verdicts = found(path.with_suffix(".verdicts.json"))
    with untouched(path):
        tape = folded(path)
        assert len(verdicts) == 6
        for verdict in verdicts:
            cursor = cursor_behind(tape, verdict["lines"])
            assert sent(tape, cursor) == wanted(verdict), verdict["lines"]


@pytest.mark.parametrize("path", files("oracle/codex/*.jsonl"))
def test_every_verdict_is_what_a_log_of_that_length_says(path: Path, tmp_path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    for verdict in found(path.with_suffix(".verdicts.json"))[:-1]:
        cut = tmp_path / f"{verdict['lines']}.jsonl"
        cut.write_bytes(b"".join(line + b"\n" for line in lines[: verdict["lines"]]))
        tape = folded(cut)
        assert sent(tape, tape.timeline.events) == wanted(verdict), verdict["lines"]


@pytest.mark.parametrize("name", [name for name in RULES if name not in DELIBERATE])
def test_every_rule_case_sends_what_the_owner_sends(name: str) -> None:
    tape = folded(ORACLE / "rules" / f"{name}.jsonl")
    verdict = RULES[name]
    if verdict["items"] is None:
        assert tape.verdict().opens is False
        assert "stream did not contain valid UTF-8" in str(tape.verdict().reason)
        assert "stream did not contain valid UTF-8" in verdict["error"]
        return
    assert tape.verdict().opens is True
    assert sent(tape, tape.timeline.events) == wanted(verdict)


@pytest.mark.parametrize("name", DELIBERATE)
def test_a_deliberate_difference_is_one_text(name: str) -> None:
    tape = folded(ORACLE / "rules" / f"{name}.jsonl")
    ours, theirs = sent(tape, tape.timeline.events), wanted(RULES[name])
    assert len(ours) == len(theirs)
    different = [at for at, item in enumerate(ours) if item != theirs[at]]
    assert len(different) == 1
    at = different[0]
    assert {**ours[at], "text": ""} == {**theirs[at], "text": ""}
