"""What the owner's crash repair appends to a log whose turn is open (format page 5, rules F)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from inspector.formats.shapes import items, mapping, natural
from inspector.text.jsontext import json_text

UNKNOWN_OUTCOME: Final = ("ToolOutcomeUnknownError", "TOOL_OUTCOME_UNKNOWN")
"""Name and code of the error of a call that was recorded as started."""

NOT_STARTED: Final = ("ToolNotStartedError", "TOOL_NOT_STARTED")
"""Name and code of the error of a call that was not."""

SCANNED: Final = frozenset(
    {
        "turn/start",
        "turn/end",
        "step/start",
        "step/end",
        "assistant/message",
        "tool/call",
        "tool/result",
    }
)
"""The types that the scan looks at; those from the last ``turn/start`` on are enough."""


@dataclass(frozen=True, slots=True)
class Closer:
    """One event that repair would append.

    Attributes:
        kind: its type.
        call: for a tool/result, the id of the call as the block has it, of any JSON type.
        step: of the call, or the step that ends; whatever the log has there.
        turn: the turn that ends, for a turn/end.
        recorded: the owner's number of the tool/call, or None if it was not recorded.
    """

    kind: str
    call: Any = None
    step: Any = None
    turn: Any = None
    recorded: int | None = None

    @property
    def error(self) -> tuple[str, str] | None:
        """Name and code of the error of a tool/result."""
        if self.kind != "tool/result":
            return None
        return NOT_STARTED if self.recorded is None else UNKNOWN_OUTCOME

    @property
    def sound(self) -> bool:
        """Whether the owner would accept the event; it refuses the whole log if not."""
        return self.kind != "tool/result" or (isinstance(self.call, str) and self.call != "")


class OpenTurn:
    """What is open behind the events taken so far; those before a turn/start do not matter."""

    def __init__(self) -> None:
        self._open = False
        self._turn: Any = None
        self._step: tuple[Any] | None = None
        self._calls: dict[str, tuple[Any, Any, int | None]] = {}

    def take(self, number: int, kind: str, event: Any) -> None:
        """Follow one event of the types `SCANNED`, by its number."""
        data = mapping(event.get("data"))
        match kind:
            case "turn/start":
                self._open, self._turn, self._step = True, data.get("turn"), None
                self._calls.clear()
            case "turn/end":
                self._open, self._step = False, None
                self._calls.clear()
            case "step/start":
                self._step = (data.get("step"),)
            case "step/end":
                self._step = None
                self._calls.clear()
            case "assistant/message":
                for block in items(mapping(data.get("message")).get("content")):
                    if mapping(block).get("type") == "tool-call":
                        call = mapping(block).get("id")
                        self._calls[_name(call)] = (call, data.get("step"), None)
            case "tool/call":
                name = _name(data.get("callId"))
                if name in self._calls:
                    call, step, _ = self._calls[name]
                    self._calls[name] = (call, step, number)
            case "tool/result":
                source = mapping(mapping(data.get("message")).get("source"))
                self._calls.pop(_name(source.get("callId")), None)

    def closers(self) -> list[Closer]:
        """What repair would append, in its order; nothing where no turn is open."""
        if not self._open:
            return []
        found = [
            Closer("tool/result", call=call, step=step, recorded=recorded)
            for call, step, recorded in self._calls.values()
        ]
        if self._step is not None:
            found.append(Closer("step/end", step=self._step[0], turn=self._turn))
        return [*found, Closer("turn/end", turn=self._turn)]


def closers(events: Iterable[tuple[int, str, dict[str, Any]]]) -> list[Closer]:
    """What repair would append behind events; see `OpenTurn`.

    Args:
        events: number, type and event of those of the types `SCANNED`.
    """
    turn = OpenTurn()
    for number, kind, event in events:
        turn.take(number, kind, event)
    return turn.closers()


def _name(call: Any) -> str:
    """A key for an id of any JSON type; ``1`` and ``"1"`` are two."""
    number = natural(call)
    return f"{type(call).__name__} {json_text(call)}" if number is None else f"number {number}"
