"""What the owner would send of the surface: a rule of the API where the owner's own is not known.

The program is closed; that results without calls are left out, and calls without results answered,
follows from what the API takes (format page 1.6), so these are guesses.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from inspector.formats.claude.tree.calls import answered_by, called_by
from inspector.formats.contract import RequestEntry
from inspector.timeline.words import Form, Kind, Role

if TYPE_CHECKING:
    from inspector.formats.claude.reading import ClaudeTape

_REMINDER: Final = "attachment"


class Requesting:
    """Goes through the surface from the first row to the last.

    Args:
        tape: whose surface it is.
        cursor: as of which.
    """

    def __init__(self, tape: "ClaudeTape", cursor: int) -> None:
        self._tape = tape
        self._cursor = cursor
        self._open: dict[str, None] = {}

    def entries(self) -> Iterator[RequestEntry]:
        """What is sent, in order."""
        nodes = self._tape.timeline.surface.nodes
        for row in self._tape.timeline.rows(self._cursor):
            role = nodes.role(row.node)
            record = self._tape.payload(nodes.origin(row.node))
            if role is Role.TOOL:
                yield self._result(row.node, record)
                continue
            if role is not Role.ASSISTANT:
                yield from self._answers()
            yield self._spoken(row.node, record)
            if role is Role.ASSISTANT and not record.get("isApiErrorMessage"):
                self._open.update(dict.fromkeys(called_by(record)))
        yield from self._answers()

    def _result(self, node: int, record: dict[str, Any]) -> RequestEntry:
        calls = answered_by(record)
        known = [call for call in calls if call in self._open]
        for call in known:
            del self._open[call]
        call_id = calls[0] if len(calls) == 1 else None
        if not known:
            why = "no call before it waits for this result"
            return RequestEntry(node, "dropped", "tool_result", "user", call_id=call_id, why=why)
        if self._tape.timeline.surface.nodes.form(node) is Form.CLEARED:
            why = "the result was cleared; a placeholder stands for it"
            return RequestEntry(node, "altered", "tool_result", "user", call_id=call_id, why=why)
        return RequestEntry(node, None, "tool_result", "user", call_id=call_id)

    def _answers(self) -> Iterator[RequestEntry]:
        """Calls that nobody answered before somebody else speaks."""
        for call in self._open:
            why = "a call without a result is answered before a request is made"
            yield RequestEntry(None, "added", "tool_result", "user", call_id=call, why=why)
        self._open.clear()

    def _spoken(self, node: int, record: dict[str, Any]) -> RequestEntry:
        nodes = self._tape.timeline.surface.nodes
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
