"""Which nodes are calls, and what would answer each (RULES R5)."""

from bisect import bisect_left
from collections.abc import Iterator

from inspector.columns import Column, unsigned, wide


class CallNodes:
    """Calls that have an id, in the order of birth; of each a hash of what answers it."""

    def __init__(self) -> None:
        self._nodes: Column = unsigned()
        self._answers: Column = wide()

    def add(self, node: int, answer: int) -> None:
        """A node that was made just now is a call that this answers."""
        self._nodes.append(node)
        self._answers.append(answer)

    def asks(self, node: int, answer: int) -> bool:
        """Whether a node is a call that this answers."""
        at = bisect_left(self._nodes, node)
        return at < len(self._nodes) and self._nodes[at] == node and self._answers[at] == answer

    def asking(self, answer: int) -> Iterator[int]:
        """The calls that this answers, the oldest first."""
        at = 0
        while True:
            try:
                at = self._answers.index(answer, at) + 1
            except ValueError:
                return
            yield self._nodes[at - 1]
