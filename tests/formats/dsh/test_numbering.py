"""The owner's numbers against positions, on tapes that damage took apart."""

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.dsh.numbering import Numbering

STEPS = st.lists(
    st.one_of(
        st.just(("next", 0)),
        st.tuples(st.just("jump"), st.integers(1, 5)),
        st.tuples(st.just("repeat"), st.integers(1, 3)),
    ),
    max_size=40,
)


class Plain:
    """The same, written down event by event."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.meant: dict[int, int] = {}
        self.expected = 0

    def fresh(self, number: int) -> None:
        self.meant[number] = len(self.numbers)
        self.numbers.append(number)
        self.expected = number + 1


def played(steps: list[tuple[str, int]]) -> tuple[Numbering, Plain]:
    numbering, plain = Numbering(), Plain()
    for step, size in steps:
        at = len(plain.numbers)
        if step == "jump":
            numbering.jump(at, plain.expected + size)
            plain.fresh(plain.expected + size)
        elif step == "repeat" and plain.expected >= size:
            first = plain.expected - size
            numbering.repeat(at, first, size, plain.expected)
            plain.numbers += range(first, first + size)
        else:
            plain.fresh(plain.expected)
    return numbering, plain


@given(STEPS)
@settings(max_examples=100, deadline=None)
def test_numbers_and_positions_are_those_of_the_events(steps: list[tuple[str, int]]) -> None:
    numbering, plain = played(steps)
    events = len(plain.numbers)
    assert [numbering.number(position) for position in range(events)] == plain.numbers
    for number in range(plain.expected):
        assert numbering.position(number) == plain.meant.get(number)
        assert numbering.positions(number, events) == [
            position for position, given in enumerate(plain.numbers) if given == number
        ]


@given(STEPS, st.integers(0, 60), st.integers(0, 60))
@settings(max_examples=100, deadline=None)
def test_cited_numbers_are_the_positions_that_the_fold_means(
    steps: list[tuple[str, int]], start: int, length: int
) -> None:
    numbering, plain = played(steps)
    cited = range(start, min(start + length, plain.expected))
    found = [position for span in numbering.sources([cited]) for position in span]
    assert found == [plain.meant[number] for number in cited if number in plain.meant]
