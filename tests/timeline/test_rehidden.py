"""Which event hides a node by now, of many that hid it one after the other."""

import random

from inspector.timeline.rehidden import Rehidden
from inspector.timeline.words import Reason

NODES, STRETCHES = 40, 60


def test_the_last_stretch_up_to_a_cursor_tells_however_often_it_is_asked() -> None:
    throw = random.Random(5)
    rehidden, told = Rehidden(), list[tuple[range, int, int]]()
    for at in range(STRETCHES):
        first = throw.randrange(NODES)
        nodes = range(first, throw.randrange(first, NODES) + 1)
        told.append((nodes, 1 + at // 2, at % 7))
        rehidden.add(nodes, 1 + at // 2, Reason.COMPACTED, at % 7)
    for cursor in (0, 3, 17, 30):
        wanted = {
            node: (at, Reason.COMPACTED, by)
            for nodes, at, by in told
            if at <= cursor
            for node in nodes
        }
        # More often than it takes to look at all nodes together.
        for node in [*range(NODES + 3)] * 3:
            assert rehidden.of(node, 0, cursor) == wanted.get(node)
            if node in wanted:
                since = wanted[node][0]
                assert rehidden.of(node, since + 1, cursor) is None


def test_an_event_knows_where_it_came_to_hide_what_others_hid() -> None:
    rehidden = Rehidden()
    for cursor, first, by in ((3, 0, 2), (5, 4, 2), (5, 8, 4), (5, 6, 2), (9, 0, 2)):
        rehidden.add(range(first, first + 2), cursor, Reason.COMPACTED, by)
    assert [rehidden.places(2, cursor) for cursor in (2, 3, 8, 9)] == [set(), {3}, {3, 5}, {3, 5, 9}]
    assert list(rehidden.told_at(5, 2)) == [range(4, 6), range(6, 8)]
    assert list(rehidden.told_at(5, 7)) == []
