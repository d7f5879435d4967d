from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dsh_tapes import user_data
from tests.formats.dsh.told import Telling, Told


def splice(start: Any = 0, removed: Any = None, *texts: str, target: str = "next-turn") -> Told:
    inserted = [user_data(text) for text in texts]
    data: dict[str, Any] = {"target": target, "start": start, "inserted": inserted}
    return "agent/inbox/spliced", data if removed is None else data | {"removedCount": removed}


def test_what_waits_for_the_next_turn_at_every_cursor() -> None:
    told = Telling([splice(0, None, "a", "b"), splice(1, 1, "c"), splice(0, 1), splice(0, 1)])
    assert told.values("inbox next turn") == [("a", "b"), ("a", "c"), ("c",), ()]


def test_the_two_inboxes_are_apart() -> None:
    told = Telling([splice(0, 0, "a"), splice(0, 0, "b", target="next-step"), splice(0, 1)])
    assert told.values("inbox next turn") == [("a",), ("a",), ()]
    assert told.values("inbox next step") == ["-", ("b",), ("b",)]


def test_a_message_that_no_person_wrote_says_where_it_is_from() -> None:
    inserted = [user_data("look", plugin="memory")]
    data = {"target": "next-turn", "start": 0, "inserted": inserted}
    told = Telling([("agent/inbox/spliced", data)])
    assert told.value("inbox next turn") == ("[memory] look",)


@pytest.mark.parametrize("target", [None, 7, "next-year", ["next-turn"]])
def test_a_splice_of_no_inbox_changes_neither(target: Any) -> None:
    told = Telling([("agent/inbox/spliced", {"target": target, "inserted": [user_data("a")]})])
    assert told.timeline.registers.state(1) == {}


splices = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 4)), max_size=12
)


@given(splices)
@settings(derandomize=True, deadline=None, max_examples=50)
def test_splices_are_what_a_list_does(script: list[tuple[int, int, int]]) -> None:
    plain: list[str] = []
    events: list[Told] = []
    wanted: list[tuple[str, ...]] = []
    for number, (start, removed, coming) in enumerate(script):
        texts = [f"{number}.{at}" for at in range(coming)]
        events.append(splice(start, removed, *texts))
        plain[start : start + removed] = texts
        behind = len(plain) - 12
        more = (f"and {behind} more",) if behind > 0 else ()
        wanted.append((*plain[:12], *more))
    assert Telling(events).values("inbox next turn") == wanted
