"""The way back from a jump, and on again."""

from inspector.leaps import Leaps


def test_back_and_on_again() -> None:
    leaps = Leaps()
    leaps.leave(10)
    leaps.leave(20)
    assert (leaps.back(30), leaps.back(20), leaps.back(10)) == (20, 10, None)
    assert (leaps.on(10), leaps.on(20), leaps.on(30)) == (20, 30, None)


def test_a_new_leap_forgets_what_was_gone_back_from() -> None:
    leaps = Leaps()
    leaps.leave(10)
    assert leaps.back(20) == 10
    leaps.leave(10)
    assert leaps.on(50) is None
    assert leaps.back(50) == 10


def test_where_one_stands_is_no_place_to_go_to() -> None:
    leaps = Leaps()
    leaps.leave(10)
    assert leaps.back(10) is None


def test_no_more_than_some_places_are_kept() -> None:
    leaps = Leaps()
    for cursor in range(1_000):
        leaps.leave(cursor)
    found = 0
    at = 1_000
    while (cursor := leaps.back(at)) is not None:
        found, at = found + 1, cursor
    assert found == 200
