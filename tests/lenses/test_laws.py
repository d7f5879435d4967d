"""Why and diff on generated logs of every format, against logs that are cut and opened anew."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.export.why import sentence
from inspector.formats.contract import Tape
from inspector.lenses.difference import Difference, difference
from inspector.lenses.hops import Hop
from inspector.lenses.links import Links
from inspector.lenses.why import Why, why
from inspector.text.labels import count
from inspector.timeline.words import Visibility
from tests.lenses.logs import LOGS
from tests.lenses.plain import PlainLog, PlainStay, key_of

LAW: Final = settings(deadline=None, max_examples=20)


@pytest.mark.parametrize("agent", LOGS)
@given(data=st.data())
@LAW
def test_why_says_of_every_event_at_every_cursor_what_the_plain_fold_says(
    agent: str, data: st.DataObject
) -> None:
    with data.draw(LOGS[agent]).both() as (tape, plain):
        assert tape.timeline.events == plain.head
        for cursor in range(plain.head + 1):
            for event in range(plain.head):
                found = why(tape.timeline, event, cursor)
                if event < cursor:
                    same_stays(plain, found)
                    same_end(plain, found)
                    same_relations(plain, found)
                    same_sentence(tape, plain, found)
                else:
                    assert (found.visibility, found.chain) == (Visibility.NOT_YET, ())


def same_stays(plain: PlainLog, found: Why) -> None:
    """Since when and until when an event and what stood for it were there, and what hid them."""
    event, cursor = found.event, found.cursor
    assert (found.visibility, found.by) == plain.surfaces[cursor].told[event]
    events = dict.fromkeys(hop.event for hop in found.chain)
    assert in_any_form(found.chain) == [stay for one in events for stay in plain.stays(one, cursor)]
    for hop, seen in zip(found.chain, found.seen, strict=True):
        assert hop.form in plain.forms(hop.event, hop.born)
        assert seen == plain.requests_with(PlainStay(hop.born, hop.gone), cursor)
        if hop.gone is not None and plain.hides(hop.event, hop.gone):
            assert (hop.reason, hop.by) == plain.hidden(hop.event, hop.gone)
    assert found.seen_in == sum(
        plain.requests_with(stay, cursor) for stay in plain.stays(event, cursor)
    )


def in_any_form(chain: Sequence[Hop]) -> list[PlainStay]:
    """The stays of a chain; one that goes on in another form is one stay."""
    found: list[tuple[int, PlainStay]] = []
    for hop in chain:
        if found and found[-1] == (hop.event, PlainStay(found[-1][1].born, hop.born)):
            found[-1] = hop.event, PlainStay(found[-1][1].born, hop.gone)
        else:
            found.append((hop.event, PlainStay(hop.born, hop.gone)))
    return [stay for _, stay in found]


def same_end(plain: PlainLog, found: Why) -> None:
    """The chain ends with what is there, or where nothing tells of what left."""
    cursor = found.cursor
    events = list(dict.fromkeys(hop.event for hop in found.chain))
    for one, other in pairwise(events):
        assert other in plain.stands_for(one, cursor)
    if events and events[-1] in plain.surfaces[cursor].there:
        assert found.now == events[-1]
    else:
        assert found.now is None
        assert not events or plain.stands_for(events[-1], cursor) <= set(events)


def same_relations(plain: PlainLog, found: Why) -> None:
    assert plain.citing(found.event, found.cursor) <= set(found.cited_by)


def same_sentence(tape: Tape, plain: PlainLog, found: Why) -> None:
    """The sentence says whether the model sees it, and since when."""
    said = sentence(tape, found, None, Links(), None)
    if found.event in plain.surfaces[found.cursor].there:
        own = [hop for hop in found.chain if hop.event == found.event]
        assert f", since {count(own[-1].born)}" in said
    else:
        assert " the model does not see this: " in said


@pytest.mark.parametrize("agent", LOGS)
@given(data=st.data())
@LAW
def test_diff_of_any_two_cursors_is_that_of_their_plain_surfaces(
    agent: str, data: st.DataObject
) -> None:
    with data.draw(LOGS[agent]).both() as (tape, plain):
        cursors = st.integers(0, plain.head)
        for a, b in data.draw(st.lists(st.tuples(cursors, cursors), min_size=8, max_size=8)):
            found = difference(tape.timeline, *sorted((a, b)))
            same_rows(tape, plain, found)
            same_balance(plain, found)


def same_rows(tape: Tape, plain: PlainLog, found: Difference) -> None:
    """What entered, left and changed, each in the order of its surface; what stayed and moved."""
    a, b = found.a, found.b
    into = {key_of(tape, change.entered.row.node) for change in found.changed}
    out = {key_of(tape, change.left.node) for change in found.changed}
    entered = [key_of(tape, arrival.row.node) for arrival in found.entered]
    left = [key_of(tape, departure.node) for departure in found.left]
    assert entered == [key for key in plain.only(b, a) if key not in into]
    assert left == [key for key in plain.only(a, b) if key not in out]
    assert into <= set(plain.only(b, a))
    assert out <= set(plain.only(a, b))
    assert found.kept == len(plain.both(a, b))
    moved = [key_of(tape, node) for node in found.moved]
    assert len(moved) == plain.moved(a, b)
    still = [key for key in plain.both(b, a) if key not in moved]
    assert still == [key for key in plain.both(a, b) if key not in moved]


def same_balance(plain: PlainLog, found: Difference) -> None:
    before, after = plain.surfaces[found.a], plain.surfaces[found.b]
    assert found.tokens == (before.tokens, after.tokens)
    assert sum(found.by_reason.values()) == after.tokens - before.tokens
    counted = found.rows_by_reason.values()
    entered, left, changed = (
        (sum(some) for some in zip(*counted, strict=True)) if counted else (0, 0, 0)
    )
    assert (entered, left, changed) == (len(found.entered), len(found.left), len(found.changed))
    assert len(after.rows) - len(before.rows) == entered - left
