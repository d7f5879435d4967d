"""Tapes that a test opened are closed behind it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from inspector.formats.contract import Tape
from tests.formats.deepchat import databases
from tests.formats.deepchat.databases import Entry, Folded


@pytest.fixture
def folded(tmp_path: Path) -> Iterator[Folded]:
    """Makes a tape of rows and folds it."""
    tapes: list[Tape] = []

    def fold(entries: Sequence[Entry], policy: str | None = None) -> Tape:
        path = databases.made(tmp_path / f"{len(tapes)}.db", entries)
        tapes.append(databases.fold(path, policy=policy))
        return tapes[-1]

    yield fold
    for tape in tapes:
        tape.close()
