"""The rows of the lists: how an event is called, what became of it, and what hid it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.inspection import Inspection
from inspector.ui.cells import Line
from inspector.ui.rows import HIDER_WORDS, HIDERS, EventRows, SurfaceRows
from tests.commands import SAMPLES
from tests.guarding import guarded

ZERO = SAMPLES / "zero" / "lantern"
(CLAUDE,) = (SAMPLES / "claude").glob("*.jsonl")
ORCHARD = SAMPLES / "deepchat.db"

AT_120, AT_80 = 61, 77
"""Columns of a row of the event list on a terminal of 120 and of 80 columns."""


@contextmanager
def visit(path: Path, session: str | None = None) -> Iterator[Inspection]:
    """A visit at the head."""
    with guarded(path):
        tape = open_tape(path, Options(session=session))
        while tape.advance():
            pass
        inspection = Inspection(tape)
        inspection.seek(inspection.head)
        yield inspection
        tape.close()


def plain(line: Line) -> str:
    return "".join(cell.text for cell in line)


@pytest.mark.parametrize("width", [AT_120, AT_80, 200])
def test_words_that_begin_alike_are_told_apart(width: int) -> None:
    with visit(ZERO) as inspection:
        lines = [plain(EventRows(inspection).line(row, width)) for row in range(inspection.head)]
    for row, word in (
        (8, "checkpoint"),
        (9, "approval asked"),
        (10, "approval"),
        (22, "specialist"),
        (23, "specialist done"),
    ):
        assert lines[row][6:].startswith(f"{word} ")


def test_a_word_is_whole_where_there_is_room_and_shows_where_it_is_cut() -> None:
    with visit(ZERO) as inspection:
        rows = EventRows(inspection)
        assert "  future_event_type  " in plain(rows.line(35, AT_80))
        assert "  future_event_t… ·" in plain(rows.line(35, AT_120))
        assert "  future_eve… ·" in plain(rows.line(35, 50))
        assert "  future_… · " in plain(rows.line(35, 39))


@pytest.mark.parametrize(
    ("path", "session", "row", "said"),
    [
        (ORCHARD, "sample-orchard", 1, "◌ shadowed    ✂@24 "),
        (ORCHARD, "sample-orchard", 13, "◌ superseded  ↻@15 "),
        (ORCHARD, "sample-orchard", 15, "✕ retracted   ✕@17 "),
        (CLAUDE, None, 11, "✕ rewound     ↶#15 "),
        (CLAUDE, None, 25, "◌ cleared     ✂#28 "),
    ],
)
def test_the_sign_before_what_hid_an_event_says_how(
    path: Path, session: str | None, row: int, said: str
) -> None:
    with visit(path, session) as inspection:
        assert said in plain(EventRows(inspection).line(row, AT_80))


def test_every_sign_has_its_words() -> None:
    assert set(HIDERS.values()) == HIDER_WORDS.keys()


def test_only_a_compaction_hides_and_an_edit_replaces() -> None:
    with visit(ORCHARD, "sample-orchard") as inspection:
        lines = [plain(SurfaceRows(inspection).line(row, 200)) for row in range(2)]
    assert "✂ hides 4 · They plan" in lines[0]
    assert "↻ replaces 1 · (compaction order shifted)" in lines[1]


def test_a_row_without_a_message_is_no_visible_one() -> None:
    with visit(ORCHARD, "sample-orchard") as inspection:
        events, surface = EventRows(inspection), SurfaceRows(inspection)
        assert "◐ silent " in plain(events.line(30, AT_80))
        assert "◐ " in plain(events.line(30, 40))
        assert "● visible " in plain(events.line(26, AT_80))
        assert "(silent) (pending)" in plain(surface.line(4, 200))
