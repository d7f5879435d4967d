"""What the owner would send of the surface: a rule of the API where the owner's own is not known.

The program is closed; that results without calls are left out, and calls without results answered,
follows from what the API takes (format page 1.6), so these are guesses.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from inspector.formats.claude.tree.calls import answered_by, called_by
from inspector.formats.contract import RequestEntry
from inspector.text.gate import clean_line
from inspector.timeline.words import Form, Kind, Role

if TYPE_CHECKING:
    from inspector.formats.claude.reading import ClaudeTape

_SAID: Final = 80
_REMINDER: Final = "attachment"


class Requesting:
    """Goes through the surface from the first row to the last.

    A result belongs to the call that it names, wherever it stands.

    Args:
        tape: whose surface it is.
        cursor: as of which.
    """

    def __init__(self, tape: "ClaudeTape", cursor: int) -> None:
        self._tape = tape
        nodes = tape.timeline.surface.nodes
        self._rows = [row.node for row in tape.timeline.rows(cursor)]
        self._nodes = nodes
        # How many results of each call are still to come.
        self._coming: Counter[str] = Counter()
        for node in self._rows:
            if nodes.role(node) is Role.TOOL:
                self._coming.update(answered_by(self._record(node)))
        self._made: set[str] = set()
        self._answered: set[str] = set()
        self._open: dict[str, None] = {}

    def _record(self, node: int) -> dict[str, Any]:
        return self._tape.payload(self._nodes.origin(node))

    def entries(self) -> Iterator[RequestEntry]:
        """What is sent, in order."""
        nodes = self._nodes
        for node in self._rows:
            role = nodes.role(node)
            record = self._record(node)
            if role is Role.TOOL:
                yield self._result(node, record)
                continue
            if role is not Role.ASSISTANT:
                yield from self._answers()
            yield self._spoken(node, record)
            if role is Role.ASSISTANT and not record.get("isApiErrorMessage"):
                called = called_by(record)
                self._made.update(called)
                self._answered.difference_update(called)
                self._open.update(dict.fromkeys(called))
        yield from self._answers()

    def _result(self, node: int, record: dict[str, Any]) -> RequestEntry:
        calls = answered_by(record)
        self._coming.subtract(calls)
        taken: list[str] = []
        why: list[str] = []
        for call in calls:
            said = clean_line(call, _SAID)
            if call not in self._made:
                why.append(f"no call {said} before it waits for this result")
            elif call in self._answered:
                why.append(f"call {said} has its result already")
            else:
                taken.append(call)
                self._answered.add(call)
                self._open.pop(call, None)
        call_id = calls[0] if len(set(calls)) == 1 else None
        if taken and self._nodes.form(node) is Form.CLEARED:
            why.append("the result was cleared; a placeholder stands for it")
        if not why:
            return RequestEntry(node, None, "tool_result", "user", call_id=call_id)
        told = "; ".join(why)
        if taken:
            return RequestEntry(node, "altered", "tool_result", "user", call_id=call_id, why=told)
        return RequestEntry(node, "dropped", "tool_result", "user", call_id=call_id, why=told)

    def _answers(self) -> Iterator[RequestEntry]:
        """Calls that nobody answers, before somebody else speaks."""
        for call in [call for call in self._open if self._coming[call] <= 0]:
            del self._open[call]
            why = "a call without a result is answered before a request is made"
            yield RequestEntry(None, "added", "tool_result", "user", call_id=call, why=why)

    def _spoken(self, node: int, record: dict[str, Any]) -> RequestEntry:
        nodes = self._nodes
        kind = nodes.kind(node)
        if record.get("isApiErrorMessage") is True:
            why = "the owner wrote it for the person"
            return RequestEntry(node, "dropped", "message", "assistant", why=why)
        if record.get("type") == _REMINDER and kind is Kind.CONTEXT:
            why = "an attachment is sent as a reminder"
            return RequestEntry(node, "altered", "message", "user", why=why)
        role = "assistant" if nodes.role(node) is Role.ASSISTANT else "user"
        calls = called_by(record)
        call_id = calls[0] if len(calls) == 1 else None
        return RequestEntry(node, None, kind.label, role, call_id=call_id)


def entries(tape: "ClaudeTape", cursor: int) -> list[RequestEntry]:
    """What the owner would send as history at a cursor."""
    return list(Requesting(tape, cursor).entries())
