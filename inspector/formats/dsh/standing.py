"""The surface as the owner's rules see it: by its numbers, and with the events behind it."""

from collections.abc import Callable
from typing import Any

from inspector.columns import NEVER
from inspector.formats.dsh.numbering import Numbering
from inspector.timeline.builder import Builder
from inspector.timeline.words import Role


class Standing:
    """What stands on the surface now; see `inspector.formats.dsh.surface.Current`.

    Args:
        read: an event by position, which may be of the batch that is being folded.
    """

    def __init__(
        self, builder: Builder, numbering: Numbering, read: Callable[[int], dict[str, Any]]
    ) -> None:
        self._builder = builder
        self._nodes = builder.timeline.surface.nodes
        self._numbering = numbering
        self._read = read

    def node(self, number: int) -> int | None:
        """The live node of the event with an owner's number, or None."""
        event = self._numbering.position(number)
        node = None if event is None else self._nodes.of_event(event)
        return None if node is None or self._nodes.gone[node] != NEVER else node

    def between(self, first: int, last: int) -> list[int] | None:
        """The live nodes from one to another, None if they stand the other way."""
        return self._builder.between(first, last)

    def is_system(self, node: int) -> bool:
        """Whether a node is the system prompt."""
        return self._nodes.role(node) is Role.SYSTEM

    def number_of(self, node: int) -> int:
        """The owner's number of the event that made a node."""
        return self._numbering.number(self._nodes.origin(node))

    def event_of(self, node: int) -> dict[str, Any]:
        """The event that made a node, as the owner decodes it."""
        return self._read(self._nodes.origin(node))
