"""The summary and the tool rows of every verdict of DeepChat's own code."""

from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.contract import Tape
from tests.corpus.corpus import ROOT, files, found, needs_corpus
from tests.corpus.test_deepchat_oracle import at, number, whole

pytestmark = needs_corpus

VERDICTS = files("oracle/deepchat/verdicts/*.json")

COMPARED: Final = {
    *("entry", "pending", "sent", "anchor", "cursor", "summary", "summary_at", "manifest_anchor"),
    *("checkpoint", "context", "context_tools", "context_ids", "context_left_out"),
    "context_error",
}


def anchor_of(tape: Tape, cursor: int) -> dict[str, Any] | None:
    """The row of the latest reconstruction anchor."""
    setting = tape.timeline.registers.at("checkpoint", cursor)
    return None if setting is None else tape.payload(setting.event)


@pytest.mark.parametrize("path", VERDICTS)
def test_the_summary_is_that_of_the_anchor(path: Path) -> None:
    """Where the context is null too: there the summary is on the surface all the same."""
    tape = whole(path)
    nodes = tape.timeline.surface.nodes
    for cursor, verdict in at(path, tape):
        summaries = [
            row.node
            for row in tape.timeline.rows(cursor)
            if nodes.kind(row.node).label == "summary"
        ]
        text = (verdict["summary"] or "").strip("\ufeff\u00a0 \n\t\r")
        if not text:
            # A handoff without a summary has a block of its own (RULES A4).
            assert len(summaries) == verdict["checkpoint"] or verdict["context"] is None, cursor
            continue
        [node] = summaries
        told = "\n".join(section.text for section in tape.node_sections(node))
        assert text.split("\n")[0][:60] in told, cursor
        setting = tape.timeline.registers.at("checkpoint", cursor)
        assert setting is not None
        assert tape.timeline.table.time(setting.event) == verdict["summary_at"], cursor


@pytest.mark.parametrize("path", VERDICTS)
def test_the_anchor_of_the_manifest_is_told_by_exact_prefixes(path: Path) -> None:
    """Another rule than the builder's (RULES A2): of its anchors, those of exact names."""
    tape = whole(path)
    for cursor, verdict in at(path, tape):
        rows = [(number(tape, at), tape.payload(at)) for at in range(cursor)]
        named = [
            entry for entry, row in rows if row["kind"] == "anchor" and is_exact(row["name"] or "")
        ]
        assert verdict["manifest_anchor"] == (max(named) if named else None), cursor


EXACT: Final = {
    *("compaction/auto", "compaction/manual", "compaction/context_pressure", "compaction/resume"),
    *("compaction/migrated_summary", "auto_handoff/context_overflow", "summary/reset"),
}


def is_exact(name: str) -> bool:
    return name in EXACT or name.startswith(("handoff/", "auto_handoff/"))


@pytest.mark.parametrize("path", VERDICTS)
@pytest.mark.parametrize(("policy", "key"), [("deepchat", "pending"), ("deepchat:sent", "sent")])
def test_the_tool_rows_are_those_of_effective_messages(path: Path, policy: str, key: str) -> None:
    """Their place is that of the message as it stands, whatever the row says."""
    tape = whole(path, policy)
    for cursor, verdict in at(path, tape):
        places = {}
        for entry in verdict[key]["message_entries"]:
            [event] = tape.numbered(entry)
            record = tape.payload(event)["payload"]["record"]
            places[record["id"]] = record["orderSeq"]
        for entry, order in verdict[key]["tools"]:
            [event] = tape.numbered(entry)
            if order is not None:
                assert places[tape.payload(event)["payload"]["messageId"]] == order, cursor


def test_every_key_of_a_verdict_is_compared() -> None:
    paths = (ROOT / "oracle" / "deepchat" / "verdicts").glob("*.json")
    assert {key for path in paths for verdict in found(path) for key in verdict} == COMPARED
