"""The work that compactions take: none of it grows by the square, whatever their order."""

import random
from typing import Final

import pytest

from inspector.columns import signed
from inspector.formats.reina import splices
from inspector.formats.reina.splices import Exercise, OverworkedError, Rewrite, Sequential, Splice
from tests.formats.reina.sessions import codes, compacted, log, user
from tests.formats.reina.test_laws import opened

MESSAGES: Final = 40_000
COMPACTIONS: Final = 4_000


@pytest.fixture
def lists_made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many messages there were each time that a list was computed anew."""
    made: list[int] = []
    plain = splices._Making.__init__

    def counted(self: splices._Making, messages: int) -> None:
        made.append(messages)
        plain(self, messages)

    monkeypatch.setattr(splices._Making, "__init__", counted)
    return made


@pytest.mark.parametrize("order", ["rising", "falling", "any"])
def test_ranges_that_are_apart_never_have_the_list_computed_anew(
    order: str, lists_made: list[int]
) -> None:
    exercise = Exercise(MESSAGES)
    firsts = [at * 10 for at in range(COMPACTIONS)]
    if order == "falling":
        firsts.reverse()
    elif order == "any":
        random.Random(1).shuffle(firsts)  # noqa: S311 - the same at every run
    for number, first in enumerate(firsts):
        change = exercise.compact(~number, first, first + 5)
        assert isinstance(change, Splice)
        assert list(change.hidden) == list(range(first, first + 6))
    assert len(exercise.elements) == MESSAGES - 5 * COMPACTIONS
    assert lists_made == []


def test_neither_do_ranges_that_begin_where_the_summary_stands(lists_made: list[int]) -> None:
    exercise, sequential = Exercise(0), Sequential(0)
    number = 0
    for at in range(MESSAGES):
        assert exercise.message(at) is None
        assert sequential.message(at) is None
        if len(sequential.elements) == 20:
            one, other = (each.compact(~number, 0, 11) for each in (exercise, sequential))
            assert isinstance(one, Splice)
            assert one == other
            number += 1
    assert exercise.elements == sequential.elements
    assert lists_made == []


def test_messages_cost_nothing_while_none_of_them_makes_a_range_hold(lists_made: list[int]) -> None:
    exercise = Exercise(0)
    for number in range(100):
        assert exercise.compact(~number, 5, 2_000 + number) is None
    for at in range(2_000):
        assert exercise.message(at) is None
    assert lists_made == []
    assert isinstance(exercise.message(2_000), Rewrite)
    assert len(lists_made) == 1


def test_where_it_would_take_too_much_the_list_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(splices, "_ORDINARY", 1_000)
    monkeypatch.setattr(splices, "_PER_MESSAGE", 0)
    exercise = Exercise(1_000)
    exercise.compact(~0, 0, 20)
    exercise.compact(~1, 600, 900)
    with pytest.raises(OverworkedError):
        _overlap(exercise)


def _overlap(exercise: Exercise) -> None:
    for number in range(2, 200):
        exercise.compact(~number, 10 + number, 30 + number)


def test_then_the_fold_stops_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splices, "_ORDINARY", 30)
    monkeypatch.setattr(splices, "_PER_MESSAGE", 0)
    records = [*(user() for _ in range(30)), compacted(0, 5), compacted(20, 25)]
    overlapping = [compacted(3 + at, 8 + at) for at in range(9)]
    with opened(log(*records, *overlapping, user())) as tape:
        assert "too-much-work" in codes(tape)
        assert tape.timeline.stopped_at is not None
        assert tape.timeline.events == len(records) + 10
        assert tape.timeline.reliable_to == tape.timeline.stopped_at
    with opened(log(*records, *overlapping, user()), "sequential") as tape:
        assert tape.timeline.stopped_at is None
        assert codes(tape).count("not-compared") == 1
        assert not tape.fold.surface.compared


def test_the_start_of_a_list_is_told_in_stretches() -> None:
    elements = signed()
    elements.extend([0, 1, 2, ~0, ~1, 7, 8])
    assert splices.blocks_of(elements, 2) == ([range(3), range(-1, 0)], True)
    found, more = splices.blocks_of(elements, 4)
    assert found == [range(3), range(-1, 0), range(-2, -1), range(7, 9)]
    assert not more
