"""Every verdict of the owner's own reader on its valid logs: surface, generation and messages at
every event.
"""

import json
from pathlib import Path

import pytest

from inspector.tape.source import SourceError
from tests.corpus.corpus import files, folded, needs_corpus, numbers

LEGACY = tuple(f"{number}.jsonl" for number in range(109, 117))
"""Logs of the shapes before v0 was settled, which this reader does not normalise yet."""

SHAPES = ("message-", "legacy-", "crash-on-null", "request-header-config")
"""Faults in the shape of messages and in old shapes, which this reader does not judge yet."""

NOT_YET = ("186.jsonl",)
"""A header whose createdAt is -0."""

pytestmark = needs_corpus


@pytest.mark.parametrize("path", files("oracle/dsh/valid/*.jsonl", without=LEGACY))
def test_every_prefix_is_as_the_owner_has_it(path: Path) -> None:
    verdicts = json.loads(path.with_suffix(".verdicts.json").read_bytes())
    tape = folded(path)
    timeline = tape.timeline
    assert timeline.events == verdicts[-1]["events"]
    for verdict in verdicts:
        cursor = verdict["events"]
        assert numbers(tape, cursor) == verdict["nodes"]
        assert timeline.count(cursor) == len(verdict["nodes"])
        assert timeline.generation(cursor) == verdict["generation"]
        assert timeline.surface.messages(cursor) == verdict["messages"]


@pytest.mark.parametrize("path", files("oracle/dsh/valid/*.jsonl", without=LEGACY))
def test_the_owner_opens_it_and_nothing_is_wrong(path: Path) -> None:
    tape = folded(path)
    assert tape.verdict().opens is True
    assert tape.timeline.reliable_to == tape.timeline.events
    assert {finding.kind.code for finding in tape.timeline.findings} <= {"unknown-ignorable"}


@pytest.mark.parametrize("path", files("oracle/dsh/damaged/*.jsonl", without=NOT_YET))
def test_damaged_logs_are_opened_and_refused_as_the_owner_does(path: Path) -> None:
    verdict = json.loads(path.with_suffix(".verdict.json").read_bytes())
    meaning = (verdict.get("error") or {}).get("meaning", "")
    try:
        tape = folded(path)
    except SourceError:
        assert not verdict["accepted"]
        return
    if meaning.startswith(SHAPES):
        # Nothing to compare yet, but whatever it is, it was folded to its end.
        return
    assert (tape.verdict().opens is not False) == verdict["accepted"]
    if verdict["accepted"]:
        kept = verdict["events"]
        assert numbers(tape, kept) == verdict["nodes"]
        assert tape.timeline.generation(kept) == verdict["generation"]
        assert tape.timeline.surface.messages(kept) == verdict["messages"]
