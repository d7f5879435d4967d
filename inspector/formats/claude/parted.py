"""Which messages of the API a chain divides, told by columns: no record is read for it.

A reader adds to a chain the lines and results of its messages that are not on it (rules page R6).
Nearly always few messages have such, and nobody has to look at the others.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from inspector.columns import NEVER
from inspector.formats.claude.tree.calls import SEVERAL
from inspector.formats.claude.tree.chains import Chains
from inspector.formats.claude.tree.links import Links
from inspector.formats.claude.tree.live import LiveBranch
from inspector.formats.claude.tree.store import ASSISTANT, NONE, REAL, SIDE, Tree

if TYPE_CHECKING:
    from inspector.formats.claude.decoder import ClaudeDecoder


class Parted:
    """Finds the lines and results of messages of a chain that have some beside it.

    Args:
        decoder: holds what was folded: the messages of lines, and the calls.
        tree: as the reader sees it.
        links: the parents that count for the reader.
        chains: what is above entries.

    Attributes:
        knows: whether columns tell it: of a tape that was folded as its writer stood, without
            calls that are made or answered twice, circles, or lines of subagents.
    """

    def __init__(self, decoder: "ClaudeDecoder", tree: Tree, links: Links, chains: Chains) -> None:
        self._tree = tree
        self._links = links
        self._chains = chains
        self._calls = decoder.members.calls
        branch = decoder.branch
        batches = branch.batches if isinstance(branch, LiveBranch) else None
        self._message: Sequence[int] = () if batches is None else batches.message
        self.knows = (
            batches is not None
            and not branch.endless
            and not self._calls.answered_again
            and SEVERAL not in self._calls.message
            and not any(flags & SIDE and flags & ASSISTANT for flags in tree.flags)
        )

    def message_of(self, entry: int) -> int:
        """The number of the message that a line is of, or `NONE`."""
        if entry >= len(self._message) or not self._tree.flags[entry] & ASSISTANT:
            return NONE
        return self._message[entry]

    def parts(self, parts: Iterable[int], end: int) -> list[int]:
        """Those of some lines and results that have to do with such a message.

        Args:
            parts: all there are.
            end: the entry at the end of the chain.
        """
        flags, message = self._tree.flags, self.message_of
        chain = self._chain(end)
        there = {message(entry) for entry in chain if flags[entry] & ASSISTANT} - {NONE}
        lines: dict[int, int] = {}
        results: dict[int, set[int]] = {}
        for entry in parts:
            if flags[entry] & ASSISTANT:
                lines[entry] = message(entry)
            else:
                results[entry] = set(map(message, self._above(entry)))
        for result, line in self._answers():
            if result in results and line in lines:
                results[result].add(lines[line])
        parted = {number for line, number in lines.items() if line not in chain}
        for result, numbers in results.items():
            if result not in chain:
                parted |= numbers
        parted &= there
        return [
            *(line for line, number in lines.items() if number in parted),
            *(result for result, numbers in results.items() if numbers & parted),
        ]

    def _chain(self, end: int) -> dict[int, None]:
        found: dict[int, None] = {}
        while end != NONE and end not in found:
            found[end] = None
            end = self._chains.above(end)
        return found

    def _above(self, entry: int) -> Iterator[int]:
        """What a result hangs on, by itself and for the reader."""
        for above in (self._tree.parent[entry], self._links.parent(entry)):
            if above != NONE:
                yield above

    def _answers(self) -> Iterator[tuple[int, int]]:
        """The entries of results and of the lines that make the calls they answer."""
        tree, calls = self._tree, self._calls
        at = {line: entry for entry, line in enumerate(tree.line) if tree.flags[entry] & REAL}
        for made, answered in zip(calls.event, calls.result, strict=True):
            if NEVER not in (made, answered) and made in at and answered in at:
                yield at[answered], at[made]
