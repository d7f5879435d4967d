"""Messages in order, and ids by their hashes, against lists and dicts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.deepchat.effects import identities, standing
from inspector.formats.deepchat.effects.identities import Identities
from inspector.formats.deepchat.effects.standing import Standing
from inspector.formats.deepchat.values import order_bytes

_IDS = st.sampled_from(
    ["", "a", "aa", "b", "ä", "a-long-name-1", "a-long-name-2", "\ud800", "\ufffd"]
)
_PLACES = st.sampled_from([-1.0, 0.0, 1.0, 2.0, 2.5, 1e300])


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["put", "take", "move"]), _PLACES, _IDS), max_size=60))
def test_slots_stand_in_the_owners_order(steps: list[tuple[str, float, str]]) -> None:
    names: list[str] = []
    found = Standing(names.__getitem__)
    expected: list[tuple[float, bytes, int]] = []
    for step, place, identity in steps:
        if step == "put":
            names.append(identity)
            entry = (place, order_bytes(identity), len(names) - 1)
            expected = sorted([*expected, entry])
            assert found.enter(place, identity) == following(expected, entry)
        elif expected:
            entry = expected[len(names) % len(expected)]
            at = expected.index(entry)
            expected = [other for other in expected if other != entry]
            if step == "take":
                behind = found.take(entry[2])
            else:
                moved = (place, entry[1], entry[2])
                behind, now = found.move(entry[2], place)
                rest, expected = expected, sorted([*expected, moved])
                assert now == following(expected, moved)
                assert behind == (rest[at][2] if at < len(rest) else None)
                continue
            assert behind == (expected[at][2] if at < len(expected) else None)
        assert slots(found, float("-inf")) == [slot for *_, slot in expected]
    for start in (0.0, 2.0, 3.0):
        wanted = [slot for at, _, slot in expected if start <= at < 2.5]
        assert slots(found, start, 2.5) == wanted


def slots(found: Standing, start: float, stop: float = float("inf")) -> list[int]:
    blocks, first, last = found.between(start, stop)
    return [slot for block in found.blocks[:blocks] for slot in block.slots][first:last]


def following(
    entries: list[tuple[float, bytes, int]], entry: tuple[float, bytes, int]
) -> int | None:
    at = entries.index(entry) + 1
    return entries[at][2] if at < len(entries) else None


def test_many_slots_are_kept_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "_LONGEST", 4)
    names = [f"{at * 7919 % 101:03}" for at in range(101)]
    found = Standing(names.__getitem__)
    for name in names:
        found.enter(1.0, name)
    assert [names[slot] for slot in slots(found, 1.0)] == sorted(names)
    for slot in range(0, 101, 2):
        found.take(slot)
    assert [names[slot] for slot in slots(found, 1.0)] == sorted(names[1::2])


def test_ids_are_found_by_their_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identities, "_RECENT", 8)
    found = Identities()
    for slot in range(2_000):
        assert found.add(f"id-{slot}") == slot
    assert all(slot in found.slots(f"id-{slot}") for slot in range(2_000))
    assert found.slots("other") == []
    assert [found.recent("id-1999"), found.recent("id-0")] == [1_999, None]
    assert found.move("id-5", 5) == 2_000
    assert found.slots("id-5") == [2_000]
    assert found.recent("id-5") == 2_000
    found.remember("id-0", 0)
    assert found.recent("id-0") == 0
    assert [found.add(f"more-{slot}") for slot in range(2_001, 4_000)] == list(range(2_001, 4_000))
    assert found.slots("id-5") == [2_000]
