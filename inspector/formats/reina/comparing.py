"""Where both readings of the indexes come to other lists, and what each of them leaves."""

from bisect import bisect_right
from typing import Final

from inspector.columns import Column, unsigned
from inspector.formats.logs.folding import Folding
from inspector.formats.reina import rules
from inspector.formats.reina.splices import blocks_of
from inspector.formats.reina.vocabulary import POLICIES
from inspector.text.labels import plural

_BLOCKS: Final = 4
"""Stretches of a list that are named."""

_DESCRIBED: Final = 100
"""Times that both readings are laid out; later ones only count."""


class Comparison:
    """Notes where the readings differ, and tells it.

    Args:
        folding: of the log.
        policy: the reading that is followed.
        compactions: the events of all compactions, by the number of their summary.
    """

    def __init__(self, folding: Folding, policy: str, compactions: Column) -> None:
        self._folding = folding
        self._compactions = compactions
        self._names = (policy, next(name for name in POLICIES if name != policy))
        self._differs_at: Column = unsigned()
        self._described = 0

    def compare(self, followed: Column, other: Column, record: int) -> None:
        """Note whether both readings come to the same list now, and tell it if not."""
        differ = followed != other
        if differ != bool(len(self._differs_at) % 2):
            self._differs_at.append(self._folding.builder.event + 1)
        if differ:
            kind = rules.STILL_AMBIGUOUS if self._described else rules.AMBIGUOUS
            self._folding.found_at_event(kind, self._both(followed, other), record)

    def differ(self, cursor: int) -> bool:
        """Whether the readings come to different lists at a cursor."""
        return bool(bisect_right(self._differs_at, cursor) % 2)

    def _both(self, followed: Column, other: Column) -> str:
        """Both outcomes in words."""
        self._described += 1
        told = (
            f"{name} leaves {self._outcome(elements)}"
            for name, elements in zip(self._names, (followed, other), strict=True)
        )
        return "; ".join(told)

    def _outcome(self, elements: Column) -> str:
        rows = plural(len(elements), "row")
        if self._described > _DESCRIBED:
            return rows
        found, more = blocks_of(elements, _BLOCKS)
        words = [self._block(block) for block in found]
        return f"{rows} ({', '.join([*words, '…'] if more else words)})"

    def _block(self, block: range) -> str:
        if block.start < 0:
            return f"the summary of event {self._compactions[~block.start]}"
        if len(block) == 1:
            return f"message {block.start}"
        return f"messages {block.start} to {block[-1]}"
