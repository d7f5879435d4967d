"""Expected results of sample logs, through the documents of ``show`` and ``check``."""

import json
import re
from typing import Any

import pytest

from inspector.export import documents
from tests.corpus.corpus import ROOT, folded, needs_corpus, shown

pytestmark = needs_corpus

HANDMADE = ROOT / "tapes" / "dsh" / "handmade"
DERIVED = ROOT / "tapes" / "dsh" / "derived"


def expected() -> list[Any]:
    if not ROOT.is_dir():
        return []
    entries = json.loads((HANDMADE / "EXPECTED.json").read_bytes())
    return [
        pytest.param(name, entry, id=name.removesuffix(".session.jsonl"))
        for name, entry in entries.items()
        if name.endswith(".jsonl") and "/" not in name
    ]


@pytest.mark.parametrize(("name", "entry"), expected())
def test_handmade(name: str, entry: dict[str, Any]) -> None:
    document = shown(HANDMADE / name)
    if entry["events"] is not None:
        assert document["tape"]["events"] == entry["events"]
    if "nodes" in entry:
        assert [row["seq"] for row in document["surface"]] == entry["nodes"]
        assert document["generation"] == entry["replaceGeneration"]
        assert document["messages"] == entry["messages"]
        told = [[r["event"], r["start"], r["end"], r["hidden"]] for r in document["replacements"]]
        assert told == entry["replacements"]


@pytest.mark.parametrize(
    ("name", "opens", "reason", "codes"),
    [
        ("ok", True, None, []),
        ("torn-tail", True, "drops the torn last line", ["torn-tail"]),
        (
            "corrupt-committed",
            False,
            "corrupt session log: unparsable committed event at line 25",
            ["not-json", "sequence-gap"],
        ),
        (
            "seq-gap-committed",
            False,
            "corrupt session log: seq gap in committed region at line 25 (expected 31, got 34)",
            ["sequence-gap"],
        ),
        ("open-turn", True, None, []),
        ("open-compaction", True, None, []),
        ("unknown-ignorable", True, None, ["unknown-ignorable"]),
        (
            "future-version",
            False,
            "format version 99 is newer than the supported 0 - written by a newer harness",
            ["bad-header"],
        ),
        (
            "bad-missing-surfaceop",
            False,
            'invalid seed event at index 31: event type "user/message" requires a surfaceOp marker',
            ["bad-surface-op"],
        ),
        (
            "bad-op-on-ineligible",
            False,
            (
                'invalid seed event at index 31: event type "todo/write" is not '
                "surface-eligible and cannot carry surfaceOp"
            ),
            ["bad-surface-op"],
        ),
        (
            "bad-replace-start-missing",
            False,
            "invalid seed event at index 31: start seq 0 not found in surface",
            ["bad-surface-op"],
        ),
        (
            "bad-provenance-future",
            False,
            "invalid seed event at index 31: sourceEventSeqs must reference earlier events",
            ["bad-sources"],
        ),
        (
            "bad-provenance-empty",
            False,
            "invalid seed event at index 31: sourceEventSeqs must not be empty",
            ["bad-sources"],
        ),
        (
            "bad-tool-rewrite-changes-iserror",
            False,
            "invalid seed event at index 31: a tool/result replacement may change only content",
            ["bad-rewrite"],
        ),
    ],
)
def test_verdict_and_findings(name: str, opens: bool, reason: str | None, codes: list[str]) -> None:
    document = documents.check(folded(HANDMADE / f"{name}.session.jsonl"))
    assert document["verdict"]["opens"] is opens
    assert document["verdict"]["reason"] == reason
    assert [finding["code"] for finding in document["findings"]] == codes
    sums = document["sums"]
    parts = ("carriers", "bookkeeping", "blank", "pending", "damaged")
    assert sums["records"] == sum(sums[part] for part in parts)


def derived() -> list[Any]:
    """The table of the notes beside the logs."""
    if not ROOT.is_dir():
        return []
    notes = (ROOT / "tapes" / "dsh" / "NOTES.md").read_text()
    row = re.compile(
        r"^\| (\S+\.session\.jsonl) \| (\d+) \| (\d+) \| (\[[^\]]*\]) \| (\d+) \| (\d+) \|$", re.M
    )
    return [
        pytest.param(
            name,
            int(lines),
            int(events),
            json.loads(nodes),
            int(generation),
            int(messages),
            id=name,
        )
        for name, lines, events, nodes, generation, messages in row.findall(notes)
    ]


@pytest.mark.parametrize(("name", "lines", "events", "nodes", "generation", "messages"), derived())
def test_derived(
    name: str, lines: int, events: int, nodes: list[int], generation: int, messages: int
) -> None:
    tape = folded(DERIVED / name)
    document = documents.show(tape, tape.timeline.events)
    assert [row["seq"] for row in document["surface"]] == nodes
    assert document["generation"] == generation
    assert document["messages"] == messages
    sums = documents.check(tape)["sums"]
    assert sums["records"] == lines
    assert sums["events"] == events


def test_the_tables_were_found() -> None:
    assert len(expected()) == 20
    assert len(derived()) == 10
