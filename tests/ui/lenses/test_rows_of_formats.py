"""The rows of the surface diff and the why card on the tapes of every format."""

import random

import pytest

from inspector.formats.contract import Tape
from inspector.lenses.difference import around
from inspector.ui.cells import Line
from inspector.ui.lenses import diff, why
from inspector.ui.lenses.diff import DiffRows
from inspector.ui.lenses.lens import Asked
from inspector.ui.lenses.why import WhyRows
from tests.lenses.tapes import TAPES, opened


def said(line: Line) -> str:
    return "".join(cell.text for cell in line)


def assert_same(said: str, tape: Tape, a: int, b: int) -> None:
    """Nothing is said to have changed, and the surface has the same rows at both."""
    assert said.startswith("nothing changed ")
    before, after = ([row.node for row in tape.timeline.rows(cursor)] for cursor in (a, b))
    assert before == after


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_the_rows_of_a_difference_are_as_many_as_its_heads_say(
    name: str, session: str | None
) -> None:
    chance = random.Random(name)  # noqa: S311 - the same at every run
    with opened(name, session) as tape:
        head = tape.timeline.events
        for _ in range(20):
            a, b = chance.randint(0, head), chance.randint(0, head)
            rows = diff.ask_anchor(Asked(tape, b, None, a))
            if not isinstance(rows, DiffRows):
                assert_same(rows, tape, min(a, b), max(a, b))
                continue
            listed = rows.text().splitlines()[2:]
            numbers = said(rows.heads()[0]).split()
            for sign in "-+~":
                told = next(int(word[1:]) for word in numbers if word[0] == sign and word[1:])
                assert sum(line.startswith(f"  {sign} ") for line in listed) == told
            for row in range(rows.count()):
                assert list(rows.lines(row, 60))
                cursor = rows.cursor(row)
                assert cursor is None or 0 < cursor <= head


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_the_weights_of_the_groups_are_the_balance(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        timeline = tape.timeline
        for cursor in range(0, timeline.events + 1, 7):
            rows = diff.ask_anchor(Asked(tape, timeline.events, None, cursor))
            if not isinstance(rows, DiffRows):
                assert_same(rows, tape, cursor, timeline.events)
                continue
            change = timeline.tokens(timeline.events) - timeline.tokens(cursor)
            assert sum(group.tokens for group in rows._groups) == change


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_every_event_has_a_card_whose_rows_lead_somewhere(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        head = tape.timeline.events
        for event in range(0, head, 2):
            for cursor in (event, head):
                rows = why.ask(Asked(tape, cursor, event, None))
                assert isinstance(rows, WhyRows)
                assert 0 <= rows.start() < rows.count()
                for row in range(rows.count()):
                    assert said(rows.line(row, 80))
                    assert list(rows.lines(row, 60))
                    assert rows.cursor(row) in range(1, head + 1)


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_what_each_event_did_adds_up_to_the_surface(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        timeline = tape.timeline
        for event in range(timeline.events):
            rows = diff.ask(Asked(tape, timeline.events, event, None))
            if not isinstance(rows, DiffRows):
                assert_same(rows, tape, *(around(timeline, event) or (event, event + 1)))
                continue
            found = rows._found
            # The end of a compaction stands behind its replacement.
            assert (found.a, found.b) == (around(timeline, event) or (event, event + 1))
            assert found.a <= event
            assert sum(found.by_reason.values()) == found.tokens[1] - found.tokens[0]
