"""What made each owner compact, in its words; nothing where it does not record it."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.deepchat.telling.triggers import trigger_of
from tests.formats.claude import transcripts as claude
from tests.formats.codex import tapes as codex
from tests.formats.zero import sessions as zero
from tests.lenses.tapes import opened


@pytest.mark.parametrize("word", ["auto", "manual"])
def test_a_boundary_says_it_of_itself_and_of_the_summary_behind_it(
    word: str, tmp_path: Path
) -> None:
    records = [
        claude.user("u0", None),
        claude.boundary("b", trigger=word),
        claude.summary("t", "b"),
    ]
    tape = claude.folded(tmp_path, records)
    assert [tape.trigger(event) for event in range(3)] == [None, word, word]
    tape.close()


@pytest.mark.parametrize("metadata", [None, {}, {"trigger": 7}, []])
def test_a_boundary_that_does_not_say_leaves_it_untold(metadata: Any, tmp_path: Path) -> None:
    records = [
        claude.user("u0", None),
        {**claude.boundary("b"), "compactMetadata": metadata},
        claude.summary("t", "b"),
    ]
    tape = claude.folded(tmp_path, records)
    assert tape.trigger(2) is None
    tape.close()


def test_codex_records_none(tmp_path: Path) -> None:
    kept = codex.compacted(codex.message("user", codex.PREFIX + "the sum"))
    tape = codex.folded(tmp_path, codex.user("q"), kept)
    assert tape.trigger(1) is None
    tape.close()


def test_zero_writes_one_only_when_told_to() -> None:
    with opened("zero/lantern") as tape:
        assert tape.trigger(30) == "manual, as only /compact writes one"
        assert tape.trigger(29) is None


def test_what_builds_on_zero_may_say_it(tmp_path: Path) -> None:
    refs = [{"id": "s:1", "sequence": 1, "type": "message", "createdAt": "2026-08-22T09:00:01Z"}]
    payload = {"summary": "short", "compactableEvents": refs, "trigger": "pressure"}
    tape = zero.session(zero.log(zero.user(), ("session_compaction", payload)), tmp_path)
    assert tape.trigger(1) == "pressure"
    tape.close()


@pytest.mark.parametrize(
    ("kind", "name", "word"),
    [
        ("anchor", "compaction/auto", "auto"),
        ("anchor", "compaction/context_pressure", "context_pressure"),
        ("anchor", "auto_handoff/context_overflow", "auto_handoff/context_overflow"),
        ("anchor", "handoff/night", "handoff/night"),
        ("anchor", "session/start", None),
        ("event", "compaction/auto", None),
        ("anchor", None, None),
    ],
)
def test_an_anchor_of_deepchat_has_it_in_its_name(
    kind: str, name: str | None, word: str | None
) -> None:
    assert trigger_of({"kind": kind, "name": name}) == word
    assert trigger_of({}) is None


def test_the_sample_of_deepchat_was_compacted_by_hand() -> None:
    with opened("deepchat.db", "sample-orchard") as tape:
        assert tape.trigger(23) == "manual"
