"""When a node was on the surface, and which nodes were made of an event, against a plain list."""

from hypothesis import given

from inspector.timeline.surface import Stay
from tests.timeline.telling import LAW, Both, Event, quiet, scripts, small_tables, told


def _plain_stays(both: Both, node: int, cursor: int) -> list[tuple[int, int | None]]:
    found: list[tuple[int, int | None]] = []
    begun: int | None = None
    for at in range(cursor + 1):
        there = any(row.node == node for row in both.reference.surfaces[at])
        if there and begun is None:
            begun = at
        elif not there and begun is not None:
            found.append((begun, at))
            begun = None
    return found if begun is None else [*found, (begun, None)]


@given(scripts)
@LAW
def test_stays_are_the_cursors_at_which_a_node_is_a_row(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [3], quiet)
        for node in range(len(both.reference.nodes)):
            for cursor in {0, len(script) // 2, len(script)}:
                stays = both.timeline.surface.stays(node, cursor)
                told_of = [(stay.born, stay.gone) for stay in stays]
                assert told_of == _plain_stays(both, node, cursor)


@given(scripts)
@LAW
def test_a_stay_that_ended_last_tells_what_the_departure_tells(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [3], quiet)
        surface = both.timeline.surface
        for node in range(len(both.reference.nodes)):
            for cursor in range(len(script) + 1):
                stays = surface.stays(node, cursor)
                if not stays:
                    continue
                departure = surface.departure(node, cursor)
                last: Stay = stays[-1]
                if departure is None:
                    assert (last.gone, last.reason, last.by) == (None, None, None)
                else:
                    assert (last.reason, last.by) == (departure.reason, departure.by)


@given(scripts)
@LAW
def test_what_cites_an_event_is_every_node_that_names_it(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [3], quiet)
        nodes = both.timeline.surface.nodes
        for cursor in {0, len(script) // 2, len(script)}:
            for event in range(len(script)):
                expected = [
                    number
                    for number in range(len(both.reference.nodes))
                    if nodes.born[number] <= cursor and event in both.reference.cited(number)
                ]
                assert sorted(set(nodes.citing(event, cursor))) == expected
