"""From a command line to the visit that the program shows."""

import gc
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.inspection import Inspection
from inspector.places import PlaceError
from inspector.ui import start
from inspector.ui.app import InspectorApp
from tests.ui.following import session


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Inspection]]:
    """The visits with which the program was started; no screen is needed."""
    visits: list[Inspection] = []
    threshold = gc.get_threshold()
    monkeypatch.setattr(start, "painted", lambda _visit: nullcontext())
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.setattr(InspectorApp, "run", lambda app: visits.append(app.inspection))
    yield visits
    gc.set_threshold(*threshold)


@pytest.mark.parametrize(
    ("at", "follow", "cursor", "word"),
    [
        (None, False, 3, "HEAD"),
        ("1", False, 1, "REPLAY"),
        (None, True, 3, "LIVE"),
        ("1", True, 1, "LIVE (paused)"),
        ("head", True, 3, "LIVE"),
    ],
)
def test_a_visit_begins_where_and_as_it_was_asked_for(
    at: str | None, follow: bool, cursor: int, word: str, tmp_path: Path, shown: list[Inspection]
) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(session(3)))
    with closing(open_tape(path, Options())) as tape:
        start.run(tape, at, lambda _past: tape, follow=follow)
    (visit,) = shown
    assert (visit.cursor, visit.word) == (cursor, word)


def test_a_place_that_is_not_there_is_told_before_anything_is_shown(
    tmp_path: Path, shown: list[Inspection]
) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(session(3)))
    with (
        closing(open_tape(path, Options())) as tape,
        pytest.raises(PlaceError, match="beyond the head"),
    ):
        start.run(tape, "4", lambda _past: tape)
    assert shown == []
