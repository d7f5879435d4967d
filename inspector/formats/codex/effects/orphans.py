"""Outputs without a call of their kind, which the owner leaves out of every request (RULES R5).

Only the presence of a call counts for the owner, not where it stands: one that comes later, or that
had an output before, is answered too.
"""

from typing import Any, Final

from inspector.formats.codex import rules
from inspector.formats.codex.history import History
from inspector.formats.codex.items import CALLS, asking
from inspector.formats.logs.folding import Folding
from inspector.text.gate import clean_line

_SEARCHES: Final = 1_000
"""Calls that are searched for in the whole history: a hostile log may have any number missing."""

_KNOWN: Final = 65_536
"""Calls that are remembered."""

_FUNCTION: Final = "function_call"


class Orphans:
    """Says which outputs came that answer nothing in the history.

    Attributes:
        early: the events of such outputs, by a hash of what asks for them.
    """

    def __init__(self, folding: Folding, history: History) -> None:
        self._folding = folding
        self._history = history
        self.early: dict[int, list[int]] = {}
        self._searches = 0
        # Calls of other types than functions that wait for their output.
        self._others: dict[str, str] = {}

    def called(self, kind: str, call: Any) -> None:
        """The model calls something, by an id if it is a text."""
        if kind == _FUNCTION or type(call) is not str:
            return
        if len(self._others) >= _KNOWN:
            self._others.clear()
        self._others[call] = kind

    def output(self, kind: str, call: str, asked: int | None, record: int) -> None:
        """An output came.

        Args:
            kind: its type.
            call: the id of the call that it answers.
            asked: the event of a call of this id, of whatever type, if one is remembered.
            record: that it stands in.
        """
        others = self._others
        called = others.pop(call, _FUNCTION) if others else _FUNCTION
        if asked is not None and asked > self._history.left_at and CALLS[called] == kind:
            return
        answer = asking(kind, call)
        if asked is not None and self._history.asks(asked, answer):
            return
        if self._searches == _SEARCHES:
            return
        self._searches += 1
        asking_one = self._history.asker(answer)
        if asking_one is not None:
            self._folding.builder.pair(asking_one)
            return
        if len(self.early) < _KNOWN:
            self.early.setdefault(answer, []).append(self._folding.builder.event)
        message = f"the output of {clean_line(call, 80)} answers no call of its kind in the history"
        self._folding.found_at_event(rules.ORPHAN_OUTPUT, message, record)

    def answered_before(self, answer: int) -> bool:
        """Whether outputs in the history answer the call that was made just now; pairs them."""
        history, builder = self._history, self._folding.builder
        found = [event for event in self.early.pop(answer, ()) if history.has(event)]
        for event in found:
            builder.pair(builder.event, event)
        return bool(found)
