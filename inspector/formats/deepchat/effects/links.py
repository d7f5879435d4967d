"""Other tapes that a tape names: forks that were merged or discarded, and subagents (page 7)."""

from typing import Any, Final

from inspector.formats.shapes import natural, text
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark

_LINKS: Final = 1_000
"""Other tapes that are remembered."""


class Links:
    """Tells the builder of kin."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def merged(self, data: dict[str, Any]) -> None:
        """The rows of a fork were appended; of an external one they are only referred to."""
        external = "referencedEntryCount" in data
        relation = "merged fork, by reference" if external else "merged fork"
        self._kin(relation, data.get("forkSessionId"), data.get("forkHeadEntryId"))

    def discarded(self, data: dict[str, Any]) -> None:
        """A fork was given up, and its tape deleted."""
        self._kin("discarded fork", data.get("forkSessionId"), None)

    def linked(self, data: dict[str, Any]) -> None:
        """A subagent's tape, as far as it went then."""
        self._kin("subagent", data.get("childSessionId"), data.get("childHeadEntryId"))
        if data.get("outcome") == "error":
            self._builder.mark(Mark.ERROR)

    def _kin(self, relation: str, tape: Any, boundary: Any) -> None:
        if text(tape) and len(self._builder.timeline.kin) < _LINKS:
            self._builder.kin(relation, text(tape), natural(boundary))
