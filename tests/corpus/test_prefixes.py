"""Each tape of five formats, cut where it turns: the same as the whole one seen at that cursor."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.claude import FORMAT as CLAUDE
from inspector.formats.codex import FORMAT as CODEX
from inspector.formats.contract import Format, Options
from inspector.formats.deepchat import FORMAT as DEEPCHAT
from inspector.formats.opening import open_tape, session_entries
from inspector.formats.pi import FORMAT as PI
from inspector.formats.reina import FORMAT as REINA
from inspector.formats.zero import FORMAT as ZERO
from tests.corpus.corpus import ROOT, needs_corpus
from tests.folding import SAMPLES, folded
from tests.prefixes import answers, differences

pytestmark = needs_corpus

MOST = 16
"""Cuts of one tape, about, by the first reader of its agent."""

FEW = 6
"""The same, by each of the other readers."""

NO_TAPES = {"happy_pretty-printed-not-jsonl"}
"""Of the files there, which are no tapes."""

PLACES: dict[str, tuple[Format, tuple[str, ...], str]] = {
    "claude": (
        CLAUDE,
        ("tapes/claude/**/*.jsonl", "tapes/handmade/*claude*.jsonl", "claude/**/*.jsonl"),
        "Claude Code",
    ),
    "codex": (
        CODEX,
        ("tapes/codex/*.jsonl", "tapes/handmade/codex*.jsonl", "codex/*.jsonl"),
        "Codex rollout",
    ),
    "reina": (REINA, ("tapes/handmade/reina*.jsonl", "reina/*.jsonl"), "Reina"),
    "pi": (
        PI,
        ("tapes/pi/*.jsonl", "tapes/handmade/pi*.jsonl", "pi/*.jsonl", "oracle/pi/0*.jsonl"),
        "Pi",
    ),
    "zero": (ZERO, ("tapes/zero/*/*/events.jsonl", "zero/*/events.jsonl"), "Zero"),
}
"""By format: the places of its tapes, in the corpus and among the samples, and its cases."""


def texts() -> Iterator[Any]:
    for name, (form, places, agent) in PLACES.items():
        found = {path for root in (ROOT, SAMPLES) for place in places for path in root.glob(place)}
        for case in ROOT.glob("cases/*/case.md"):
            if f"\nFormat: {agent}" in case.read_text("utf-8"):
                found |= set(case.parent.rglob("*.jsonl"))
        for path in sorted(path for path in found if path.stem not in NO_TAPES):
            for policy in form.policies:
                yield pytest.param(
                    name, path, policy, id=f"{policy}-{path.parent.name}-{path.stem}"
                )


def lay_out(path: Path, folder: Path) -> None:
    """What a text needs beside it: other logs of its agent, and the data of its session."""
    for other in path.parent.iterdir():
        if other != path and other.is_file() and other.stat().st_size < 100_000:
            shutil.copy(other, folder)


@pytest.mark.parametrize(("name", "path", "policy"), texts())
def test_a_text_that_ends_early_is_the_whole_one_at_that_cursor(
    name: str, path: Path, policy: str, tmp_path: Path
) -> None:
    if name != "claude":
        lay_out(path, tmp_path)
    form = PLACES[name][0]
    most = MOST if policy == form.policies[0] else FEW
    assert differences(form, path, policy, tmp_path, most) == []


DATABASES = (ROOT / "tapes" / "deepchat" / "agent.db", SAMPLES / "deepchat.db")


def sessions() -> Iterator[Any]:
    for path in DATABASES:
        for entry in session_entries(path) if path.is_file() else ():
            for policy in DEEPCHAT.policies:
                yield pytest.param(path, entry.id, policy, id=f"{policy}-{path.stem}-{entry.id}")


@pytest.mark.parametrize(("path", "session", "policy"), sessions())
def test_a_session_that_ends_early_is_the_whole_one_at_that_cursor(
    path: Path, session: str, policy: str, tmp_path: Path
) -> None:
    copy = tmp_path / path.name
    shutil.copy(path, copy)
    options = Options(session=session, policy=policy)
    with closing(sqlite3.connect(copy)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    with folded(open_tape(copy, options)) as whole:
        entries = _own_entries(copy, session)
        inherited = whole.timeline.events - len(entries)
        # A fork whose start is not there yet is joined with nothing (format page 7).
        first = 2 if inherited else 1
        most = MOST if policy == DEEPCHAT.policies[0] else FEW
        for kept in range(len(entries) - 1, first - 1, -max(1, len(entries) // most)):
            with closing(sqlite3.connect(copy)) as database, database:
                database.execute(
                    "DELETE FROM deepchat_tape_entries WHERE session_id = ? AND entry_id > ?",
                    (session, entries[kept - 1]),
                )
            with folded(open_tape(copy, options)) as start:
                cursor = inherited + kept
                assert start.timeline.events == cursor
                assert answers(start, cursor) == answers(whole, cursor)


def _own_entries(path: Path, session: str) -> list[int]:
    with closing(sqlite3.connect(path)) as database:
        found = database.execute(
            "SELECT entry_id FROM deepchat_tape_entries WHERE session_id = ? ORDER BY entry_id",
            (session,),
        )
        return [entry for (entry,) in found]
