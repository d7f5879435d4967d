"""Ids and numbers by position, and back, against a plain list."""

import random

from hypothesis import given
from hypothesis import strategies as st

from inspector.formats.zero.ids import Ids
from inspector.formats.zero.numbering import Numbering
from tests.formats.zero.test_laws import LAW

Named = list[tuple[int, str] | None]


@st.composite
def named(draw: st.DrawFn) -> Named:
    """Numbers and ids of events, None being one that the owner does not read."""
    throw: random.Random = draw(st.randoms(use_true_random=True))
    found: Named = []
    number, prefix = 0, "s:"
    for _ in range(throw.randrange(1, 300)):
        if throw.random() < 0.1:
            number, prefix = throw.randrange(20), throw.choice(["s:", "t:"])
        odd = throw.random() < 0.05
        if throw.random() < 0.03:
            found.append(None)
            continue
        number += 1
        found.append((number, throw.choice(["x", "", "s:5", f"s:{number}"] if odd else [""])))
        if not odd:
            found[-1] = number, f"{prefix}{number}"
    return found


def numbered(events: Named) -> Numbering:
    def read(position: int) -> str:
        found = events[position]
        assert found is not None
        return found[1]

    numbering = Numbering(read)
    for position, event in enumerate(events):
        if event is None:
            numbering.reject(position)
        elif numbering.follows(*event):
            numbering.next += 1
        else:
            numbering.begin(position, *event)
    return numbering


@LAW
@given(named(), st.lists(st.sampled_from(["x", "", "s:5", "s:6", "s:7", "t:3", "s:90"])))
def test_ids_and_numbers_are_found_as_in_a_plain_list(events: Named, wanted: list[str]) -> None:
    numbering = numbered(events)
    for cursor in (0, len(events) // 2, len(events)):
        known = [(at, event) for at, event in enumerate(events[:cursor]) if event is not None]
        found = [at for part in numbering.of(Ids(wanted), cursor) for at in part]
        assert found == [at for at, event in known if event[1] in wanted]
        for number in (0, 5, 40):
            below = [at for part in numbering.up_to(number, cursor) for at in part]
            assert below == [at for at, event in known if event[0] <= number]
            same = numbering.numbered(number, cursor)
            assert sorted(same) == [at for at, event in known if event[0] == number]
        assert [numbering.id(at) for at, _ in known] == [event[1] for _, event in known]
        assert [numbering.number(at) for at, _ in known] == [event[0] for _, event in known]


def test_ids_in_the_owners_order_are_one_range() -> None:
    ids = Ids(["s:8", "s:9", "s:10", "x", "s:11", "t:1"])
    assert ids.ranges == {"s:": [range(8, 12)], "t:": [range(1, 2)]}
    assert [identity in ids for identity in ("s:10", "s:12", "x", "t:1", "s:010")] == [
        *(True, False, True),
        *(True, False),
    ]
