"""What a compaction of the older kind leaves of a history, against the rule read naively."""

from array import array

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.codex.items import BOUNDARY, CONTEXT, PERSON
from inspector.formats.codex.stack import Stack

BUDGET = 10

Made = tuple[int, int]
"""The traits of a node, and its tokens."""

MADE = st.tuples(st.sampled_from([0, CONTEXT, BOUNDARY, BOUNDARY | PERSON]), st.integers(0, 12))
STEPS = st.lists(st.one_of(MADE, st.sampled_from(["sum up", "back"])), max_size=30)


class Naive:
    """The same history, rebuilt from the start by every compaction."""

    def __init__(self) -> None:
        self.made: list[Made] = []
        self.nodes: list[int] = []

    def make(self, made: Made) -> int:
        self.made.append(made)
        return len(self.made) - 1

    def cut(self) -> None:
        places = [at for at, node in enumerate(self.nodes) if self.made[node][0] & BOUNDARY]
        if not places:
            return
        place = places[-1]
        while place - 1 > places[0] and self.made[self.nodes[place - 1]][0] & CONTEXT:
            place -= 1
        del self.nodes[place:]

    def kept(self) -> tuple[list[int], int | None]:
        """The messages that stay, and the tokens of the first one if it is to be cut."""
        found: list[int] = []
        left = BUDGET
        for node in reversed(self.nodes):
            traits, tokens = self.made[node]
            if not traits & PERSON:
                continue
            if not left:
                break
            found.insert(0, node)
            if tokens > left:
                return found, left
            left -= tokens
        return found, None


@settings(max_examples=50)
@given(STEPS)
def test_what_was_kept_before_need_not_be_looked_at_again(steps: list[Made | str]) -> None:
    naive, traits, tokens = Naive(), bytearray(), array("I")
    stack = Stack(traits)

    def make(made: Made) -> int:
        traits.append(made[0])
        tokens.append(made[1])
        return naive.make(made)

    for step in steps:
        if step == "back":
            naive.cut()
            stack.cut(1)
        elif step == "sum up":
            before = naive.nodes
            naive.nodes, room = naive.kept()
            leaving, _, room_of_stack = stack.condense(tokens, BUDGET)
            assert room_of_stack == room
            assert set(leaving) == set(before) - set(naive.nodes)
            if room is not None:
                # What is left of it weighs a little more than the room for it.
                naive.nodes[0] = make((BOUNDARY | PERSON, room + 1))
                stack.reform(stack.first, naive.nodes[0], room + 1)
        elif not isinstance(step, str):
            node = make(step)
            naive.nodes.append(node)
            stack.push(node)
        assert list(stack.living()) == naive.nodes
        assert len(stack) == len(naive.nodes)
        assert stack.counted == sum(traits[node] & BOUNDARY for node in naive.nodes)
