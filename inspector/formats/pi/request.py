"""What the owner sends of the surface (rules page P4), by its own rules and those of providers.

`convertToLlm` leaves out commands that the person kept from the model; what follows is done for
every provider: answers that failed are left out, and calls without results are answered.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from inspector.formats.contract import RequestEntry
from inspector.formats.pi.entry import call_ids, message_of, role_of
from inspector.formats.pi.vocabulary import (
    ASSISTANT,
    BASH,
    BRANCH_SUMMARY,
    COMPACTION,
    TOOL_RESULT,
)
from inspector.formats.shapes import text
from inspector.timeline.words import Kind, Role

if TYPE_CHECKING:
    from inspector.formats.pi.reading import PiTape

_CUT: Final = {
    "error": "an answer that failed is left out by what speaks to providers",
    "aborted": "an answer that was aborted is left out by what speaks to providers",
}
_NO_RESULT: Final = "No result provided"


class Requesting:
    """Goes through the surface from the first row to the last.

    Args:
        tape: whose surface it is.
        cursor: as of which.
    """

    def __init__(self, tape: "PiTape", cursor: int) -> None:
        self._tape = tape
        self._nodes = tape.timeline.surface.nodes
        self._rows = [row.node for row in tape.timeline.rows(cursor)]
        self._made: Counter[str] = Counter()
        self._open: dict[str, None] = {}

    def entries(self) -> Iterator[RequestEntry]:
        """What is sent, in order."""
        nodes = self._nodes
        for node in self._rows:
            entry = self._tape.payload(nodes.origin(node))
            message = message_of(entry)
            role = role_of(message)
            if role == TOOL_RESULT:
                yield self._result(node, message)
                continue
            yield from self._answers()
            if role == ASSISTANT:
                yield self._answer(node, message)
            else:
                yield self._spoken(node, entry, role)
        yield from self._answers()

    def _result(self, node: int, message: dict[str, Any]) -> RequestEntry:
        call = text(message.get("toolCallId"))
        self._open.pop(call, None)
        orphan = "" if self._made[call] else "no call before it; it is sent as it is"
        return RequestEntry(node, None, "tool_result", "tool", call_id=call or None, why=orphan)

    def _answer(self, node: int, message: dict[str, Any]) -> RequestEntry:
        why = _CUT.get(text(message.get("stopReason")))
        if why is not None:
            return RequestEntry(node, "dropped", "message", "assistant", why=why)
        calls = call_ids(message)
        self._made.update(calls)
        self._open.update(dict.fromkeys(calls))
        kind = self._nodes.kind(node).label
        return RequestEntry(
            node, None, kind, "assistant", call_id=calls[0] if len(calls) == 1 else None
        )

    def _answers(self) -> Iterator[RequestEntry]:
        """Calls that nobody answered before somebody else speaks."""
        for call in self._open:
            why = "what speaks to providers answers a call without a result"
            yield RequestEntry(None, "added", "tool_result", "tool", _NO_RESULT, call, why)
        self._open = {}

    def _spoken(self, node: int, entry: dict[str, Any], role: str) -> RequestEntry:
        nodes, kind = self._nodes, text(entry.get("type"))
        if nodes.silent(node):
            why = "the owner has no message for this role"
            if role == BASH:
                why = "the person kept the command from the model"
            return RequestEntry(node, "dropped", "message", "user", why=why)
        if nodes.role(node) is Role.SYSTEM:
            return RequestEntry(node, None, "message", "system")
        if role == BASH:
            why = "a command and its output are sent as a text of the user"
        elif kind in (COMPACTION, BRANCH_SUMMARY):
            why = "a summary is sent as a message of the user"
        elif nodes.kind(node) is Kind.CONTEXT:
            why = "what an extension says is sent as a message of the user"
        else:
            return RequestEntry(node, None, "message", "user")
        return RequestEntry(node, "altered", "message", "user", why=why)


def entries(tape: "PiTape", cursor: int) -> list[RequestEntry]:
    """What the owner would send as history at a cursor."""
    return list(Requesting(tape, cursor).entries())
