"""Every verdict of Pi's own reader on generated sessions and single rules, by prefix of lines."""

from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.contract import Options
from inspector.formats.pi import FORMAT
from inspector.formats.pi.reading import PiTape
from inspector.tape.source import FileSource
from tests.corpus.corpus import ROOT, files, found, needs_corpus
from tests.folding import fold_on, keep
from tests.untouched import untouched

pytestmark = needs_corpus

ORACLE: Final = ROOT / "oracle" / "pi"

LATER: Final = "what speaks to providers"
"""By this rule rows are left out that the verdicts, which end before that, still have."""

WORDS: Final = {"branch_summary": "branchSummary", "compaction": "compactionSummary"}


def held(path: Path) -> PiTape:
    """A session that may be too small to be recognised, folded."""
    tape = FORMAT.open(FileSource(path), Options())
    assert isinstance(tape, PiTape)
    return fold_on(keep(tape))


def said(tape: PiTape, cursor: int) -> dict[str, Any]:
    """What a verdict tells of a prefix, of a cursor."""
    timeline, nodes = tape.timeline, tape.timeline.surface.nodes
    rows = [row.node for row in timeline.rows(cursor)]
    ids = [tape.payload(nodes.origin(node)).get("id") for node in rows]
    dropped = (entry for entry in tape.request(cursor) if entry.note == "dropped")
    gone = {entry.node for entry in dropped if LATER not in entry.why}
    read = [event for event in range(cursor) if not timeline.is_rejected(event)]
    leaf = tape.payload(read[-1]).get("id") if read else None
    values = {
        name: None if (setting := timeline.registers.at(name, cursor)) is None else setting.value
        for name in ("provider", "model", "thinking")
    }
    model = values["model"] and f"{values['provider']}/{values['model']}"
    return {
        "leaf": leaf,
        "ids": ids,
        "roles": [role(tape, node) for node in rows],
        "texts": [words(tape, node) for node in rows],
        "llm": [one for node, one in zip(rows, ids, strict=True) if node not in gone],
        "thinking": values["thinking"] or "off",
        "model": model,
    }


def role(tape: PiTape, node: int) -> str:
    nodes = tape.timeline.surface.nodes
    entry = tape.payload(nodes.origin(node))
    if entry["type"] == "compaction" and nodes.role(node).label == "system":
        return "system"
    if entry["type"] == "custom_message":
        return "custom"
    return str(WORDS.get(entry["type"]) or entry["message"]["role"])


def words(tape: PiTape, node: int) -> str:
    """The text of a row as the verdicts have it, from what is told of it or of its record."""
    nodes = tape.timeline.surface.nodes
    entry = tape.payload(nodes.origin(node))
    if nodes.form(node).label == "rebuilt":
        return joined(tape.payload(nodes.sources(node)[-1])["replacement"]["content"])
    if entry["type"] == "compaction":
        if role(tape, node) == "system":
            return joined(entry["systemMessage"]["content"])
        return str(entry["summary"])
    if entry["type"] == "branch_summary":
        return str(entry["summary"])
    message = entry.get("message", entry)
    if message.get("role") == "bashExecution":
        return str(message["command"])
    return joined(message.get("content"))


def joined(content: Any) -> str:
    if not isinstance(content, list):
        return content or ""
    return "|".join(
        block.get("text") or block.get("thinking") or block.get("id") or "" for block in content
    )


@pytest.mark.parametrize("path", files("oracle/pi/*.verdicts.json"))
def test_each_cursor_of_the_whole_session_is_one_that_ends_there(path: Path) -> None:
    name = path.name.split(".")[0]
    with untouched(ORACLE / f"{name}.jsonl"):
        tape = held(ORACLE / f"{name}.jsonl")
        for verdict in found(path):
            if verdict["ids"] is None:
                continue
            cursor = tape.timeline.table.before_record(verdict["lines"])
            ours = said(tape, cursor)
            assert ours == {key: verdict[key] for key in ours}, verdict["lines"]


@pytest.mark.parametrize("path", files("oracle/pi/*.verdicts.json"))
def test_every_prefix_alone_is_what_the_owner_says(path: Path, tmp_path: Path) -> None:
    name = path.name.split(".")[0]
    lines = (ORACLE / f"{name}.jsonl").read_bytes().splitlines(keepends=True)
    prefix = tmp_path / f"{name}.jsonl"
    for verdict in found(path):
        prefix.write_bytes(b"".join(lines[: verdict["lines"]]))
        with untouched(prefix):
            tape = held(prefix)
            opens = tape.verdict().opens
            assert opens is (verdict["ids"] is not None), verdict["lines"]
            if opens:
                ours = said(tape, tape.timeline.events)
                assert ours == {key: verdict[key] for key in ours}, verdict["lines"]
            else:
                reason = verdict["message"].split(":")[0].removesuffix(" <file>")
                assert reason in (tape.verdict().reason or "")
            tape.close()
