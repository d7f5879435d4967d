from typing import Any

import pytest

from inspector.timeline.words import SpanKind
from tests.formats.dsh.told import NEW_LIFE, TURN, Telling, Told, turn_end, user

LOCK = "compaction lock"


def start(name: str = "cmp-1") -> Told:
    return "compaction/start", {"compactionId": name, "turn": None}


def end(name: str = "cmp-1", **more: Any) -> Told:
    return "compaction/end", {"compactionId": name, "turn": None, **more}


@pytest.mark.parametrize(
    ("more", "outcome", "word"),
    [
        ({}, "ok", "done"),
        ({"error": "the summary is too big"}, "failed", "failed: the summary is too big"),
        ({"error": None}, "failed", "failed"),
    ],
)
def test_a_compaction_ends_in_words(more: dict[str, Any], outcome: str, word: str) -> None:
    told = Telling([start(), end(**more)])
    assert told.spans(SpanKind.COMPACTION) == [(1, 2, outcome, word)]


def test_a_new_life_makes_it_stale() -> None:
    told = Telling([start(), NEW_LIFE])
    assert told.spans(SpanKind.COMPACTION) == [(1, 2, "interrupted", "stale")]
    assert told.values(LOCK) == ["-", "-"]


@pytest.mark.parametrize("boundary", [TURN, turn_end()])
def test_an_orphan_behind_a_turn_boundary_is_a_lock_until_the_next_life(boundary: Told) -> None:
    told = Telling([start(), boundary, user(), NEW_LIFE])
    assert told.spans(SpanKind.COMPACTION) == [(1, 2, "interrupted", "lock")]
    assert told.values(LOCK) == ["-", "cmp-1", "cmp-1", None]


def test_an_end_that_comes_late_takes_the_lock_away() -> None:
    told = Telling([start("a"), start("b"), TURN, end("b"), end("a")])
    assert told.values(LOCK) == ["-", "-", "b", "a", None]


def test_an_orphan_without_an_id_is_a_lock_as_well() -> None:
    told = Telling([("compaction/start", {}), TURN])
    assert told.value(LOCK) == "a compaction without an id"


def test_a_compaction_that_is_open_at_the_head_is_running_and_no_lock() -> None:
    told = Telling([TURN, start()])
    assert told.spans(SpanKind.COMPACTION) == [(2, None, "running", None)]
    assert told.values(LOCK) == ["-", "-"]
