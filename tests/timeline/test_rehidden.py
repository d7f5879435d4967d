"""Which event hides a node by now, of many that hid it one after the other."""

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.timeline.rehidden import Rehidden
from inspector.timeline.words import Reason

NODES = 12


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.integers(0, NODES), st.integers(1, NODES), st.integers(0, 3))))
def test_the_last_stretch_up_to_a_cursor_tells_however_often_it_is_asked(
    stretches: list[tuple[int, int, int]],
) -> None:
    rehidden, told = Rehidden(), list[tuple[range, int, int]]()
    for number, (first, length, by) in enumerate(stretches):
        nodes, cursor = range(first, first + length), 1 + number // 2
        told.append((nodes, cursor, by))
        rehidden.add(nodes, cursor, Reason.COMPACTED, by)
    for cursor in (0, 1, 3, len(stretches), 0):
        wanted = {
            node: (at, Reason.COMPACTED, by)
            for nodes, at, by in told
            if at <= cursor
            for node in nodes
        }
        # More often than it takes to look at all nodes together.
        for node in [*range(2 * NODES + 1)] * 4:
            assert rehidden.of(node, 0, cursor) == wanted.get(node)
            if node in wanted:
                assert rehidden.of(node, wanted[node][0] + 1, cursor) is None


def test_an_event_knows_where_it_came_to_hide_what_others_hid() -> None:
    rehidden = Rehidden()
    for cursor, first, by in ((3, 0, 2), (5, 4, 2), (5, 8, 4), (5, 6, 2), (9, 0, 2)):
        rehidden.add(range(first, first + 2), cursor, Reason.COMPACTED, by)
    assert [rehidden.places(2, cursor) for cursor in (2, 3, 8, 9)] == [
        set(),
        {3},
        {3, 5},
        {3, 5, 9},
    ]
    assert list(rehidden.told_at(5, 2)) == [range(4, 6), range(6, 8)]
    assert list(rehidden.told_at(5, 7)) == []
