"""What two requests have in common from their beginning on."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.lenses.prefix import common_rows, first_difference
from tests.timeline.telling import LAW, Event, quiet, scripts, small_tables, told

texts = st.text("abcé\n", max_size=12)


@given(texts, texts)
def test_texts_are_the_same_up_to_their_first_difference(one: str, other: str) -> None:
    at = first_difference(one, other)
    assert one[:at] == other[:at]
    assert one[at : at + 1] != other[at : at + 1] or at == len(one) == len(other)


@given(scripts)
@LAW
def test_common_rows_are_those_of_the_plain_lists(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [3], quiet)
        for now in range(len(script) + 1):
            for before in {0, now // 2, max(0, now - 1), now}:
                one = [row.node for row in both.reference.surfaces[before]]
                other = [row.node for row in both.reference.surfaces[now]]
                same = 0
                while same < min(len(one), len(other)) and one[same] == other[same]:
                    same += 1
                assert common_rows(both.timeline, before, now) == same
