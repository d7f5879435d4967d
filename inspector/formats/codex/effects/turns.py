"""Turns: where they begin and end (format page 2.7), and which message is the person's."""

from typing import Any, Final

from inspector.formats.codex.effects.calls import Calls
from inspector.formats.shapes import text
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_ONE: Final = "1"
"""The identity of spans of which one is open at a time."""

_ABORTS: Final = {
    "interrupted": Outcome.INTERRUPTED,
    "replaced": Outcome.CANCELLED,
    "review_ended": Outcome.CANCELLED,
    "budget_limited": Outcome.FAILED,
}
"""Why a turn was aborted."""


class Turns:
    """Tells the builder of turns, and the calls where one ends.

    Logs of old builds have no records for turns; there one lasts from a message of the person to
    the next.
    """

    def __init__(self, builder: Builder, calls: Calls) -> None:
        self._builder = builder
        self._calls = calls
        self._told = False

    def start(self) -> None:
        """A turn begins."""
        if not self._told:
            self._told = True
            self._builder.close(SpanKind.TURN, _ONE, Outcome.UNKNOWN)
        self._over(Outcome.UNKNOWN, None)
        self._builder.open(SpanKind.TURN, _ONE)
        self._builder.mark(Mark.TURN)

    def complete(self) -> None:
        """A turn is done."""
        self._over(Outcome.INTERRUPTED, "its turn ended")
        self._builder.close(SpanKind.TURN, _ONE, Outcome.OK)

    def abort(self, event: dict[str, Any]) -> None:
        """A turn is given up, and what it waited for."""
        reason = text(event.get("reason"))
        outcome = _ABORTS.get(reason, Outcome.UNKNOWN)
        self._over(Outcome.INTERRUPTED, "its turn was aborted")
        self._builder.close(SpanKind.TURN, _ONE, outcome, f"aborted: {reason}" if reason else None)

    def message(self) -> None:
        """The person says something."""
        if self._told:
            return
        self._over(Outcome.UNKNOWN, None)
        self._builder.open(SpanKind.TURN, _ONE)
        self._builder.mark(Mark.TURN)

    def _over(self, outcome: Outcome, word: str | None) -> None:
        self._calls.turn_over(outcome, word)


class Twins:
    """Tells which records say the same: one for the model and one for the person (page 2.7).

    Either may come first or be missing, so the one that comes first waits for the other.
    """

    def __init__(self) -> None:
        self._items: dict[str, tuple[int, str]] = {}
        self._told: dict[str, tuple[int, str]] = {}

    def item(self, speaker: str, text: str, event: int) -> int | None:
        """An item for the model: the record that says the same, if it came before; else it waits.

        Args:
            speaker: who says it.
            text: what is said.
            event: the item's position.
        """
        other = self._told.get(speaker)
        # The model is told what surrounds a picture or a file, the person is not.
        if other is not None and other[1] in text:
            del self._told[speaker]
            return other[0]
        self._items[speaker] = (event, text)
        return None

    def told(self, speaker: str, text: str, event: int) -> int | None:
        """The same for a record for the person."""
        other = self._items.get(speaker)
        if other is not None and text in other[1]:
            rest = other[1][other[1].index(text) + len(text) :]
            if text and rest.strip():
                # The person is told an answer of several parts one by one.
                self._items[speaker] = other[0], rest
            else:
                del self._items[speaker]
            return other[0]
        self._told[speaker] = (event, text)
        return None

    def forget(self) -> None:
        """A new turn begins: what has no twin by now has none."""
        self._items.clear()
        self._told.clear()
