"""The places of messages: doubles, kept small where they are whole (RULES B)."""

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.deepchat.effects.places import Places

_PLACES = st.one_of(
    st.integers(-(1 << 32), 1 << 32).map(float), st.floats(allow_nan=False), st.sampled_from((0.0,))
)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(_PLACES, _PLACES), max_size=20))
def test_a_place_is_what_was_put_there_last(pairs: list[tuple[float, float]]) -> None:
    places = Places()
    for first, _ in pairs:
        places.append(first)
    assert [places[slot] for slot in range(len(places))] == [first for first, _ in pairs]
    for slot, (_, second) in enumerate(pairs):
        places[slot] = second
    assert [places[slot] for slot in range(len(places))] == [second for _, second in pairs]
