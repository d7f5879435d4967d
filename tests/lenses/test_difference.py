"""What two cursors have apart, against the plain lists of their rows."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.lenses.difference import difference
from tests.timeline.reference import longest_common
from tests.timeline.telling import LAW, Event, quiet, scripts, small_tables, told

cursors = st.tuples(st.integers(0, 24), st.integers(0, 24))


@given(scripts, st.lists(cursors, min_size=1, max_size=6))
@LAW
def test_a_difference_is_that_of_the_plain_lists(
    script: list[Event], pairs: list[tuple[int, int]]
) -> None:
    with small_tables():
        both = told(script, [3], quiet)
        timeline = both.timeline
        for pair in pairs:
            a, b = sorted(min(cursor, len(script)) for cursor in pair)
            before = [row.node for row in both.reference.surfaces[a]]
            after = [row.node for row in both.reference.surfaces[b]]
            found = difference(timeline, a, b)
            entered = [arrival.row.node for arrival in found.entered]
            into = {change.entered.row.node for change in found.changed}
            out = {change.left.node for change in found.changed}
            left = [departure.node for departure in found.left]
            assert entered == [n for n in after if n not in set(before) and n not in into]
            assert left == [n for n in before if n not in set(after) and n not in out]
            assert into <= set(after) - set(before)
            assert out <= set(before) - set(after)
            stayed = [node for node in after if node in set(before)]
            assert found.kept == len(stayed)
            still = longest_common([n for n in before if n in set(after)], stayed)
            assert len(found.moved) == len(stayed) - still


@given(scripts, st.lists(cursors, min_size=1, max_size=6))
@LAW
def test_the_balance_adds_up(script: list[Event], pairs: list[tuple[int, int]]) -> None:
    with small_tables():
        both = told(script, [3], quiet)
        for pair in pairs:
            a, b = sorted(min(cursor, len(script)) for cursor in pair)
            found = difference(both.timeline, a, b)
            before, after = found.tokens
            assert sum(found.by_reason.values()) == after - before
            rows = len(both.reference.surfaces[b]) - len(both.reference.surfaces[a])
            assert len(found.entered) - len(found.left) == rows
