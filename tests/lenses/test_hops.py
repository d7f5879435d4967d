"""What became of an event, against the plain lists of every cursor."""

from hypothesis import given

from inspector.lenses.hops import hops, stays_of
from tests.timeline.telling import LAW, Both, Event, quiet, scripts, small_tables, told


def _there(both: Both, event: int, cursor: int) -> bool:
    nodes = both.reference.nodes
    return any(nodes[row.node].origin == event for row in both.reference.surfaces[cursor])


@given(scripts)
@LAW
def test_an_event_is_there_just_in_its_stays(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [3], quiet)
        for cursor in {len(script) // 2, len(script)}:
            for event in range(len(script)):
                stays = stays_of(both.timeline, event, cursor)
                for at in range(cursor + 1):
                    told_of = any(
                        stay.born <= at and (stay.gone is None or at < stay.gone) for stay in stays
                    )
                    assert told_of == _there(both, event, at)


@given(scripts)
@LAW
def test_a_chain_ends_with_what_is_there_or_with_nothing(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [3], quiet)
        for cursor in {len(script) // 2, len(script)}:
            for event in range(cursor):
                chain = hops(both.timeline, event, cursor)
                if chain and chain[-1].gone is None:
                    assert _there(both, chain[-1].event, cursor)
                visited = list(dict.fromkeys(hop.event for hop in chain))
                assert visited[:1] in ([event], [])
                assert [hop.event for hop in chain] == [
                    hop.event for at in visited for hop in chain if hop.event == at
                ]
