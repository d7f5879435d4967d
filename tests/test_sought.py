"""What is looked for: the column of hits and stepping along it."""

from array import array

from inspector.lenses.search import pattern
from inspector.sought import Sought


def looking() -> Sought:
    sought = Sought()
    sought.begin("x", pattern("x"))
    return sought


def test_hits_are_sorted_and_once_each_in_whatever_order_they_come() -> None:
    sought = looking()
    sought.add([4, 4, 9, None, 2, 9, 7], 10)
    assert sought.events == array("I", [2, 4, 7, 9])
    assert (sought.loose, sought.known) == (1, 10)


def test_a_hit_is_stood_on_just_after_its_event() -> None:
    sought = looking()
    sought.add([2, 7], 10)
    assert [sought.step(cursor, 1) for cursor in (0, 2, 3, 7, 8)] == [3, 3, 8, 8, None]
    assert [sought.step(cursor, -1) for cursor in (3, 4, 8, 9)] == [None, 3, 3, 8]
    assert [sought.number(cursor) for cursor in (0, 3, 4, 8)] == [None, 1, None, 2]


def test_steps_go_as_far_as_there_are_hits() -> None:
    sought = looking()
    sought.add([2, 7, 8], 10)
    assert sought.step(0, 2) == 8
    assert sought.step(0, 99) == 9
    assert sought.step(9, -99) == 3


def test_every_change_has_another_version() -> None:
    sought = Sought()
    seen = [sought.version]
    for change in (
        lambda: sought.begin("x", pattern("x")),
        lambda: sought.add([1], 2),
        lambda: sought.end("gone"),
        sought.renew,
        sought.clear,
    ):
        change()
        seen.append(sought.version)
    assert len(set(seen)) == len(seen)
    assert sought.wanted is None
    assert sought.problem is None


def test_a_tape_read_anew_keeps_what_is_looked_for_and_forgets_where_it_was() -> None:
    sought = looking()
    sought.add([1], 2)
    sought.renew()
    assert sought.wanted is not None
    assert (len(sought.events), sought.known) == (0, 0)
