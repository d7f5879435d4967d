"""What became of an event, against the plain lists of every cursor."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given

from inspector.lenses.hops import Hop, Later, hops, stays_of
from inspector.timeline.words import HIDDEN_BY_REASON, SHOWN_BY_FORM, Reason
from tests.formats.pi import sessions
from tests.formats.pi.generated import session
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


@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("seed", [0, 4, 6])
def test_how_a_chain_says_that_an_event_is_hidden_is_how_it_is(
    seed: int, bare: bool, tmp_path: Path
) -> None:
    timeline = sessions.opened(session(seed, 60, odd=False, bare=bare), tmp_path).timeline
    later = 0
    for cursor in range(1, timeline.events + 1):
        for event in range(cursor):
            own = [hop for hop in hops(timeline, event, cursor) if hop.event == event]
            if not own or own[-1].gone is None:
                continue
            hop = own[-1]
            assert hop.reason is not None
            told = hop.reason, hop.by
            if hop.later is not None:
                assert hop.gone < hop.later.since <= cursor
                told = hop.later.reason, hop.later.by
                later += 1
            assert (HIDDEN_BY_REASON[told[0]], told[1]) == timeline.visibility(event, cursor)
    assert later


def test_a_compaction_of_another_branch_stands_for_what_had_left_with_that(tmp_path: Path) -> None:
    first = [sessions.user("a", None), sessions.answer("b", "a"), sessions.user("c", "b")]
    kept = sessions.compaction("k", "c", "c")
    tape = sessions.folded(tmp_path, *first, sessions.user("x", None), kept)
    left = Hop(0, 1, 4, Reason.REWOUND, 3, later=Later(5, Reason.COMPACTED, 4))
    assert hops(tape.timeline, 0, 5) == [left, Hop(4, 5, None, None, None)]
    assert hops(tape.timeline, 0, 4) == [left._replace(later=None)]
