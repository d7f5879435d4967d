"""What a list of the shared corpus tells as exact is what the open tapes hold."""

from contextlib import closing
from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.library.finding import find
from inspector.library.roots import given
from inspector.library.row import Row
from tests.corpus.corpus import ROOT, needs_corpus
from tests.folding import SAMPLES
from tests.glances import last_time

MOST = 2_000_000
"""Bytes of a tape that is folded here."""


def wrong(row: Row) -> list[str]:
    """Where a row says something else than the open tape."""
    with closing(open_tape(row.path, Options(session=row.session))) as tape:
        while tape.advance():
            pass
        events, last = tape.timeline.events, last_time(tape)
    said = []
    if not row.estimated and row.events not in (None, events):
        said.append(f"{row.path}: {row.events} events and {events}")
    # Where no record at the end tells a time it is that of the last change.
    changed = row.path.stat().st_mtime_ns // 1_000_000
    if last is not None and row.last not in (last, changed):
        said.append(f"{row.path}: {row.last} and {last}")
    return said


@needs_corpus
@pytest.mark.parametrize("folder", [ROOT / "tapes", ROOT / "cases", SAMPLES], ids=str)
def test_what_is_told_as_exact_is_so_and_the_last_time_is_that_of_the_last_event(
    folder: Path,
) -> None:
    rows = [row for row in find(given([folder])) if row.problem is None]
    assert len(rows) > 20
    assert [said for row in rows if (row.bytes or 0) < MOST for said in wrong(row)] == []
