"""Groups of rows of which the large ones are folded."""

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.ui.lenses.folds import Folds, Spot

SIZES = st.lists(st.integers(1, 40), max_size=8)


def test_a_large_group_lists_its_first_rows_and_how_many_more_there_are() -> None:
    folds = Folds([2, 9])
    assert [folds[line] for line in range(len(folds))] == [
        Spot(0),
        Spot(0, 0),
        Spot(0, 1),
        Spot(1),
        Spot(1, 0),
        Spot(1, 1),
        Spot(1, 2),
        Spot(1, None, 6),
    ]


def test_only_the_heading_of_a_large_group_and_its_rest_turn() -> None:
    folds = Folds([2, 9])
    assert [line for line in range(20) if Folds([2, 9]).turns(line)] == [3, 7]
    assert folds.turns(7)
    assert len(folds) == 3 + 10
    assert folds.turns(3)
    assert len(folds) == 8


@settings(max_examples=50, deadline=None)
@given(SIZES, st.sets(st.integers(0, 7)))
def test_every_row_is_listed_once_or_left_out_once(sizes: list[int], turned: set[int]) -> None:
    folds = Folds(sizes)
    for group in turned:
        headings = [line for line in range(len(folds)) if folds[line] == Spot(group)]
        for line in headings:
            folds.turns(line)
    spots = [folds[line] for line in range(len(folds))]
    for group, size in enumerate(sizes):
        own = [spot for spot in spots if spot.group == group]
        listed = [spot.row for spot in own if spot.row is not None]
        assert own[0] == Spot(group)
        assert listed == list(range(len(listed)))
        assert len(listed) + sum(spot.more or 0 for spot in own) == size
    assert len(folds.opened()) == sum(sizes) + len(sizes)
