"""The sums of waste at every cursor, as a tape grows, against those of its ledger."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Tape
from inspector.lenses.ledger import prompts_of
from inspector.lenses.losses import Losses
from inspector.lenses.waste import misses
from inspector.timeline.marks import UsageTable
from inspector.timeline.words import Kind, Reason, Role
from tests.dsh_tapes import folded, opened
from tests.lenses import tapes
from tests.lenses.handmade import Handmade
from tests.lenses.ledgers import six_requests


def plainly(tape: Tape, cursor: int) -> tuple[int, int]:
    lost = [miss.tokens for miss in misses(prompts_of(tape, cursor)) if miss is not None]
    return sum(lost), len(lost)


def at_every_cursor(tape: Tape, losses: Losses) -> None:
    for cursor in range(tape.timeline.events + 1):
        assert losses.at(cursor) == plainly(tape, cursor)


@pytest.mark.parametrize(("name", "session"), tapes.TAPES)
def test_they_are_those_of_the_ledger_on_every_sample(name: str, session: str | None) -> None:
    with tapes.opened(name, session) as tape:
        losses = Losses(tape)
        losses.advance()
        at_every_cursor(tape, losses)


def test_six_requests_waste_twice(tmp_path: Path) -> None:
    tape = folded(six_requests(), tmp_path)
    losses = Losses(tape)
    losses.advance()
    found = [losses.at(cursor) for cursor in range(tape.timeline.events + 1)]
    assert found == [(0, 0)] * 6 + [(14_100, 1)] * 2 + [(26_600, 2)]


class Growing(Handmade):
    """A tape whose requests are reported, and reported again."""

    def __init__(self) -> None:
        super().__init__()
        self.reports: list[int] = []

    def reported(self, tokens: int, read: int, of: int | None) -> None:
        event = self._begin()
        self.builder.append(Role.ASSISTANT, Kind.MESSAGE, 10)
        self.reports.append(self.builder.spend(read, tokens, 0, 1, of=of))
        self._end(event)

    def summarised(self) -> None:
        event = self._begin()
        rows = list(self.builder.sequence())
        if rows:
            self.builder.replace(rows, Reason.COMPACTED, Role.SUMMARY, Kind.SUMMARY, 1)
        self._end(event)


ACTS = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from([2_000, 5_000, 9_000]),
            st.sampled_from([0, 0, 3_000, 8_000]),
            st.integers(-4, 3),
        ),
        st.none(),
    ),
    max_size=14,
)


@given(ACTS)
@settings(max_examples=50, deadline=None)
def test_reports_that_are_revised_are_weighed_again(
    acts: list[tuple[int, int, int] | None],
) -> None:
    made = Growing()
    losses = Losses(made.tape)
    latest: dict[int, int] = {}
    for act in acts:
        if act is None:
            made.summarised()
            continue
        tokens, read, back = act
        # A report says more fully what the last one of the same request said.
        requests = list(latest)
        of = requests[back] if back < 0 and len(requests) >= -back else None
        made.reported(tokens, read, None if of is None else latest[of])
        latest[len(made.reports) - 1 if of is None else of] = made.reports[-1]
        losses.advance()
    at_every_cursor(made.tape, losses)


def test_what_was_taken_is_not_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tape = opened(six_requests(), tmp_path)
    losses = Losses(tape)
    taken: list[int] = []
    reports = UsageTable.reports

    def counted(self: UsageTable, start: int, cursor: int):  # type: ignore[no-untyped-def]
        for number, report in enumerate(reports(self, start, cursor), start):
            taken.append(number)
            yield report

    monkeypatch.setattr(UsageTable, "reports", counted)
    while tape.advance():
        losses.advance()
    losses.advance()
    losses.advance()
    assert taken == list(range(6))


def test_any_number_of_tokens_is_held() -> None:
    made = Growing()
    for at in range(1_200):
        made.reported(2**53 - 1, at % 2, None)
        made.reported(2**53 - 1, 0, None)
    losses = Losses(made.tape)
    losses.advance()
    waste, number = losses.at(made.timeline.events)
    assert waste == 2**63 - 1
    assert number > 2_000
