"""Records that rewrite the history: compactions and rollbacks (RULES R1 and R2)."""

from typing import Any, Final

from inspector.formats.codex import items, rules
from inspector.formats.codex.history import History
from inspector.formats.codex.keeping import NO_SUMMARY
from inspector.formats.codex.replacements import problem, replacement, user_message
from inspector.formats.codex.segments import WHOLE
from inspector.formats.logs.folding import Folding
from inspector.text.labels import plural
from inspector.timeline.words import Kind, Mark, Outcome, Role, SpanKind

_ONE: Final = "1"
_MOST: Final = (1 << 32) - 1
"""The turns that one rollback may ask for (RULES R0)."""


class Rewriting:
    """Puts them into effect, and says what the owner does with them that is not expected."""

    def __init__(self, folding: Folding, history: History) -> None:
        self._folding = folding
        self._builder = folding.builder
        self._history = history
        self._done: int | None = None

    def compacted(self, payload: dict[str, Any], record: int) -> None:
        """A compaction: with what the history becomes, or of the older kind without."""
        builder, history = self._builder, self._history
        why = problem(payload)
        if why is not None:
            message = f"the owner drops the compaction: {why}"
            self._folding.found_at_event(rules.BAD_COMPACTION, message, record)
            builder.reject()
            return
        builder.open(SpanKind.COMPACTION, _ONE)
        before = history.base
        if payload.get("replacement_history") is None:
            history.summarise(_summary(payload["message"]))
            done = True
        else:
            done = history.replace(replacement(payload))
        if done:
            self._done = builder.event
            builder.mark(Mark.COMPACTION)
            builder.close(SpanKind.COMPACTION, _ONE, Outcome.OK)
            return
        word = "a rollback in the same turn undoes it"
        builder.close(SpanKind.COMPACTION, _ONE, Outcome.CANCELLED, word)
        message = "the compaction has no effect: a rollback before it undoes the turn it is part of"
        self._folding.found_at_event(rules.LOST_COMPACTION, message, record)
        self.moved(before, record)

    def announced(self, _event: dict[str, Any], _record: int) -> None:
        """The person is told that the history was compacted, once for each time."""
        if self._done is not None:
            self._builder.retell(self._done)
            self._done = None

    def rolled_back(self, event: dict[str, Any], record: int) -> None:
        """A rollback of so many turns."""
        turns = event.get("num_turns")
        if type(turns) is not int or not 0 <= turns <= _MOST:
            message = "the owner ignores the rollback: num_turns must be a whole number from 0"
            self._folding.found_at_event(rules.BAD_ROLLBACK, message, record)
            self._builder.reject()
            return
        history = self._history
        before, known = history.base, history.boundaries
        left = history.roll(turns)
        if not turns:
            return
        if self.moved(before, record):
            return
        if not left:
            message = "there is nothing to roll back"
            self._folding.found_at_event(rules.EMPTY_ROLLBACK, message, record)
        elif turns > known:
            message = f"rolls back {plural(turns, 'turn')}, and {known:,} can be counted"
            self._folding.found_at_event(rules.DEEP_ROLLBACK, message, record)

    def moved(self, before: int, record: int) -> bool:
        """Say that the history is rebuilt from another compaction, if it is."""
        base = self._history.base
        if base == before:
            return False
        since = "the beginning of the log" if base == WHOLE else f"the compaction #{base}"
        undone = "" if before == WHOLE or before < base else f"undoes the compaction #{before}: "
        message = f"{undone}the history is rebuilt from {since}"
        self._folding.found_at_event(rules.UNDONE_COMPACTION, message, record)
        return True


def _summary(message: str) -> items.Item:
    """The item that stands for what a compaction of the older kind sums up."""
    shape = items.shape(user_message(message or NO_SUMMARY))
    return shape._replace(role=Role.SUMMARY, kind=Kind.SUMMARY, meta=False)
