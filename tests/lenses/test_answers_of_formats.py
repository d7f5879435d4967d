"""Why and diff on the tapes of every format, at every cursor, against the rows of the fold."""

import random

import pytest

from inspector.lenses.difference import difference
from inspector.lenses.why import why
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Visibility
from tests.lenses.tapes import TAPES, opened


def _events_there(timeline: Timeline, cursor: int) -> set[int]:
    origin = timeline.surface.nodes.origin
    return {origin(row.node) for row in timeline.rows(cursor)}


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_why_agrees_with_the_fold_at_every_cursor(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        timeline = tape.timeline
        head = timeline.events
        there = [_events_there(timeline, cursor) for cursor in range(head + 1)]
        for event in range(head):
            for cursor in {head, head // 2, event, event + 1, min(head, event + 7)}:
                found = why(timeline, event, cursor)
                own = [hop for hop in found.chain if hop.event == event]
                for at in range(cursor + 1):
                    told = any(
                        hop.born <= at and (hop.gone is None or at < hop.gone) for hop in own
                    )
                    assert told == (event in there[at])
                if found.now is not None:
                    assert found.now in there[cursor]
                if event >= cursor:
                    assert (found.visibility, found.chain) == (Visibility.NOT_YET, ())
                if found.by is not None:
                    assert found.by < cursor


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_why_of_a_cursor_knows_nothing_of_what_is_behind_it(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        timeline = tape.timeline
        for event in range(0, timeline.events, 3):
            for cursor in (event + 1, (event + timeline.events) // 2):
                for hop in why(timeline, event, cursor).chain:
                    assert hop.born <= cursor
                    assert hop.gone is None or hop.gone <= cursor


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_a_diff_of_any_two_cursors_agrees_with_the_fold(name: str, session: str | None) -> None:
    chance = random.Random(name)  # noqa: S311 - the same at every run
    with opened(name, session) as tape:
        timeline = tape.timeline
        for _ in range(200):
            a, b = sorted(chance.randint(0, timeline.events) for _ in "ab")
            before = [row.node for row in timeline.rows(a)]
            after = [row.node for row in timeline.rows(b)]
            found = difference(timeline, a, b)
            entered = {arrival.row.node for arrival in found.entered}
            entered |= {change.entered.row.node for change in (*found.changed, *found.copied)}
            left = {departure.node for departure in found.left}
            left |= {change.left.node for change in (*found.changed, *found.copied)}
            assert entered == set(after) - set(before)
            assert left == set(before) - set(after)
            assert found.kept == len(set(before) & set(after)) + len(found.copied)
            assert sum(found.by_reason.values()) == timeline.tokens(b) - timeline.tokens(a)
            copies = {change.entered.row.node for change in found.copied}
            assert copies <= set(found.moved) <= set(before) & set(after) | copies
