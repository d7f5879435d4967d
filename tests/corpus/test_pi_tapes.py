"""The tapes of Pi: the figures that stand beside them."""

from pathlib import Path
from typing import Final

import pytest

from inspector.formats.contract import Tape
from inspector.timeline.words import Visibility
from tests.corpus.corpus import ROOT, files, folded, needs_corpus
from tests.folding import keep
from tests.untouched import untouched

pytestmark = needs_corpus

TAPES: Final = ROOT / "tapes"

FIGURES: Final = {
    "pimono_before-compaction_v1": (1002, 1002, 446, 627),
    "jazzy_small_v3_two_compactions": (8, 8, 5, 7),
}
"""Entries, those on the path, rows, and the last compaction, from 0 behind the header."""


def held(path: Path) -> Tape:
    with untouched(path):
        return keep(folded(path))


@pytest.mark.parametrize("path", files("tapes/pi/*.jsonl"))
def test_entries_path_and_rows_are_as_counted(path: Path) -> None:
    tape = held(path)
    head = tape.timeline.events
    coverage = tape.coverage(head)
    assert coverage is not None
    found = (head, coverage.on_chain, tape.timeline.count(head), tape.timeline.replacements[-1])
    assert found == FIGURES[path.stem]


def test_the_first_kept_row_of_the_old_tape_is_where_its_index_says() -> None:
    tape = held(TAPES / "pi" / "pimono_before-compaction_v1.jsonl")
    nodes = tape.timeline.surface.nodes
    rows = [nodes.origin(row.node) for row in tape.timeline.rows(tape.timeline.events, 0, 2)]
    assert rows == [627, 550]


def test_the_branches_of_the_handmade_tape() -> None:
    tape = held(next(TAPES.glob("handmade/pi_*.jsonl")))
    head, nodes = tape.timeline.events, tape.timeline.surface.nodes
    rows = [nodes.origin(row.node) for row in tape.timeline.rows(head)]
    ids = [(tape.message_id(event) or "")[-2:] for event in rows]
    assert ids == ["0b", "09", "0a", "0c", "0d", "0e"]
    assert [one.note for one in tape.request(head)].count("dropped") == 1
    hidden: dict[Visibility, list[str]] = {}
    for event in range(head):
        said = tape.timeline.visibility(event, head)[0]
        hidden.setdefault(said, []).append((tape.message_id(event) or "")[-2:])
    assert hidden[Visibility.REWOUND] == ["02", "03", "04", "05"]
    assert hidden[Visibility.SHADOWED] == ["06", "07", "08"]


def test_a_session_of_the_same_shape_is_read() -> None:
    tape = held(TAPES / "other" / "jazzy_openclaw_small.jsonl")
    coverage = tape.coverage(tape.timeline.events)
    assert coverage is not None
    assert (coverage.records, coverage.on_chain) == (4, 1)
