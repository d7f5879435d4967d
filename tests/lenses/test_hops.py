"""What became of an event, against the plain lists of every cursor."""

from itertools import pairwise

from hypothesis import given

from inspector.lenses.hops import hops, stays_of
from inspector.timeline.words import SHOWN_BY_FORM
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
def test_each_stay_begins_in_the_form_in_which_the_event_is_visible(script: list[Event]) -> None:
    with small_tables():
        timeline = told(script, [3], quiet).timeline
        head = len(script)
        for event in range(head):
            stays = stays_of(timeline, event, head)
            for stay in stays:
                assert timeline.visibility(event, stay.born)[0] is SHOWN_BY_FORM[stay.form]
                assert (stay.by is None) == (stay.gone is None) == (stay.reason is None)
            for stay, following in pairwise(stays):
                assert stay.gone is not None
                assert stay.gone <= following.born


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
