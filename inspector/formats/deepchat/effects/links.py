"""Other tapes that a tape names: forks that were merged or discarded, and subagents (page 7)."""

from typing import Any, Final

from inspector.formats.deepchat.vocabulary import FORK_MARK
from inspector.formats.shapes import natural, text
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_LINKS: Final = 1_000
"""Other tapes that are remembered."""


_OUTCOMES: Final = {
    "completed": Outcome.OK,
    "error": Outcome.FAILED,
    "cancelled": Outcome.CANCELLED,
}
"""How a subagent was done (page 3)."""


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
        """A fork was given up, and its tape deleted; an external one is a session of its own."""
        fork = text(data.get("forkSessionId"))
        relation = "discarded fork" if FORK_MARK in fork else "discarded fork, by reference"
        self._kin(relation, fork, None)

    def linked(self, data: dict[str, Any]) -> None:
        """A subagent's tape, as far as it went then: it is linked when the subagent is done."""
        child, word = text(data.get("childSessionId")), text(data.get("outcome"))
        self._kin("subagent", child, data.get("childHeadEntryId"))
        self._builder.open(SpanKind.SUBAGENT, child)
        outcome = _OUTCOMES.get(word, Outcome.UNKNOWN)
        self._builder.close(SpanKind.SUBAGENT, child, outcome, word or None)
        if word == "error":
            self._builder.mark(Mark.ERROR)

    def _kin(self, relation: str, tape: Any, boundary: Any) -> None:
        if text(tape) and len(self._builder.timeline.kin) < _LINKS:
            self._builder.kin(relation, text(tape), natural(boundary))
