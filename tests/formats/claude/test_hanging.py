"""Chains that change in the middle, against plain walks."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.claude.tree.hanging import Hanging
from inspector.formats.claude.tree.store import NONE

ENTRIES = 40


def chain(parents: list[int], entry: int) -> list[int]:
    found = []
    while entry != NONE:
        found.append(entry)
        entry = parents[entry]
    return found


@settings(deadline=None, max_examples=20)
@given(throw=st.randoms(use_true_random=True))
def test_lengths_tops_and_what_is_above_are_those_of_a_walk(throw: random.Random) -> None:
    hanging, parents, counts = Hanging(), [NONE] * ENTRIES, [False] * ENTRIES
    hanging.make_room(ENTRIES)
    for _ in range(200):
        entry, above = throw.randrange(ENTRIES), throw.randrange(-1, ENTRIES)
        if throw.random() < 0.3:
            counts[entry] = throw.random() < 0.7
            hanging.count(entry, counts=counts[entry])
        elif above != NONE and entry in chain(parents, above):
            with pytest.raises(ValueError, match="hangs on"):
                hanging.hang(entry, above)
        else:
            hanging.hang(entry, above)
            parents[entry] = above
        asked, other = throw.randrange(ENTRIES), throw.randrange(ENTRIES)
        walked = chain(parents, asked)
        assert hanging.length(asked) == sum(counts[one] for one in walked)
        assert hanging.top(asked) == walked[-1]
        assert hanging.is_above(other, asked) == (other in walked)
