"""Tapes as odd as can be are folded in a few steps, without a fault, by the rules."""

import sys
from array import array
from collections.abc import Iterator
from typing import Any, Final

import pytest
from hypothesis import given, settings

from inspector.formats.claude import FORMAT
from inspector.formats.claude.tree.links import Links
from tests.formats.claude.odd import odd_tapes
from tests.formats.claude.test_laws import at_cursor, tape_of
from tests.formats.claude.transcripts import Record

LAW: Final = settings(deadline=None, max_examples=50)
MOST: Final = 20_000
"""Steps in which a tape of eight records is read, however odd it is: some hundreds are usual."""

TREE: Final = ("inspector.formats.claude.tree.", "inspector.timeline.forest")


class Steps:
    """Counts how often columns of the tree are looked at, and parents are asked for."""

    def __init__(self) -> None:
        self.taken = 0

    def one(self) -> None:
        self.taken += 1
        if self.taken > MOST:
            raise RuntimeError("it goes on and on")


STEPS: Final = Steps()


class Counted(array):  # type: ignore[type-arg]  # a class is made of it, which has no parameters
    """A column that counts."""

    def __getitem__(self, at: Any) -> Any:
        STEPS.one()
        return super().__getitem__(at)


def _counted_signed() -> Counted:
    return Counted("i")


def _counted_unsigned() -> Counted:
    return Counted("I")


@pytest.fixture(autouse=True, scope="module")
def _counting() -> Iterator[None]:
    """Every column of the tree counts."""
    parent = Links.parent

    def counted(links: Links, entry: int) -> int:
        STEPS.one()
        return parent(links, entry)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Links, "parent", counted)
        for name, module in sorted(sys.modules.items()):
            if name.startswith(TREE) and hasattr(module, "signed"):
                patch.setattr(module, "signed", _counted_signed)
            if name.startswith(TREE) and hasattr(module, "unsigned"):
                patch.setattr(module, "unsigned", _counted_unsigned)
        yield


@pytest.mark.parametrize("policy", FORMAT.policies)
@LAW
@given(records=odd_tapes())
def test_every_odd_tape_is_read_to_its_end(policy: str, records: list[Record]) -> None:
    STEPS.taken = 0
    with tape_of(records, policy) as tape:
        list(tape.findings())
        assert tape.timeline.events == len(records)
        assert 0 < STEPS.taken <= MOST
        STEPS.taken = -1_000_000
        for cursor in range(len(records) + 1):
            rows = [row.node for row in tape.timeline.rows(cursor)]
            assert len(rows) == len(set(rows)) == at_cursor(tape, cursor)["count"]
