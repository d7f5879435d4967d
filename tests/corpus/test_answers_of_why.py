"""The shared tapes: evidence of requests, and whether their owners would compact."""

from pathlib import Path

import pytest

from inspector.export.pressure import document
from inspector.formats.contract import EVIDENCE, Grounds
from inspector.lenses.pressure import pressure_at
from inspector.lenses.summaries import summaries
from tests.corpus.corpus import ROOT, folded, found, needs_corpus

DATABASE = ROOT / "tapes" / "deepchat" / "agent.db"
MANIFESTS = found(ROOT / "tapes" / "deepchat" / "expected" / "manifests.json") or []

HANDMADE = "handmade/codex_rollout-2026-06-02T10-00-00-019f0000-0000-7000-8000-000000000001.jsonl"

pytestmark = needs_corpus


@pytest.mark.parametrize("recorded", MANIFESTS, ids=lambda one: str(one["entryId"]))
def test_every_entry_that_a_manifest_names_was_requested(recorded: dict) -> None:  # type: ignore[type-arg]
    tape = folded(DATABASE, session=recorded["sessionId"])
    [manifest] = tape.numbered(recorded["entryId"])
    named = [one["entryId"] for one in recorded["manifest"]["included"] if one["entryId"]]
    assert named
    for entry in named:
        [event] = tape.numbered(entry)
        grounds = tape.grounds(event, manifest + 1)
        assert grounds.grade == EVIDENCE[0]
        assert grounds.by is not None
        assert grounds.by <= manifest
        assert tape.grounds(event, event + 1) == Grounds(EVIDENCE[2])


def test_deepchat_keeps_free_what_its_manifest_says() -> None:
    tape = folded(DATABASE, session="sess_main")
    found_at = pressure_at(tape, 12)
    assert (found_at.window, found_at.threshold) == (128_000, 80_000)


@pytest.mark.parametrize(
    ("name", "window", "threshold"),
    [
        ("codex/loupe_codex_session.jsonl", 258_400, 244_800),
        (
            "handmade/codex_rollout-2026-06-02T10-00-00-019f0000-0000-7000-8000-000000000001.jsonl",
            200_000,
            189_473,
        ),
    ],
)
def test_codex_tells_its_window(name: str, window: int, threshold: int) -> None:
    tape = folded(ROOT / "tapes" / name)
    head = pressure_at(tape, tape.timeline.events)
    assert (head.window, head.threshold) == (window, threshold)


@pytest.mark.parametrize("path", sorted((ROOT / "cases").glob("case-32/input.jsonl")), ids=str)
def test_claude_tells_at_how_many_tokens_it_compacted(path: Path) -> None:
    tape = folded(path)
    told = [tape.compacted_at(event) for event in summaries(tape.timeline, tape.timeline.events)]
    assert told == [100_000, None, None]
    assert document(tape, tape.timeline.events)["compacted_at"] == {"event": 3, "tokens": 100_000}
