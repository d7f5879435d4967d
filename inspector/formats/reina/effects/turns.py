"""Messages, and the turns that they begin and end: one runs from a person's message to the answer.

The owner writes no turns. Its loop asks the model until a message makes no calls, and what the
watchdog puts in is a part of the same turn (format page 3.3).
"""

from collections.abc import Callable
from typing import Any, Final

from inspector.formats.logs.tokens import of_text
from inspector.formats.reina.effects.calls import Answer, Calls
from inspector.formats.reina.messages import ToolCall, calls_of, content_of, is_json
from inspector.formats.reina.surface import Shape
from inspector.formats.reina.vocabulary import (
    ASSISTANT,
    IN_MEMORY_HEAD,
    TOOL,
    USER,
    WATCHDOG_HEAD,
)
from inspector.timeline.builder import Builder
from inspector.timeline.words import Kind, Mark, Outcome, Role, SpanKind

# Looked up once, not with every event.
_USER: Final = Role.USER
_ASSISTANT: Final = Role.ASSISTANT
_TOOL: Final = Role.TOOL
_MESSAGE: Final = Kind.MESSAGE
_TOOL_CALL: Final = Kind.TOOL_CALL
_TOOL_RESULT: Final = Kind.TOOL_RESULT
_TURN: Final = Mark.TURN
_OF_USER: Final = Mark.USER
_OK: Final = Outcome.OK
_FITS: Final = Answer.FITS


Shaper = Callable[[dict[str, Any], int], Shape]
"""What node a message makes that stands in a line."""


class Turns:
    """Tells of messages, but for where they stand.

    Args:
        builder: takes the effects.
        calls: folds calls and results.
        odd: hears of a result that does not stand behind its call, what it is, and of its line.
        broken: hears of a call whose arguments are no JSON, and of its line.

    Attributes:
        shapers: by role, what node a message makes, and what it does beside.
    """

    def __init__(
        self,
        builder: Builder,
        calls: Calls,
        odd: Callable[[dict[str, Any], Answer, int], None],
        broken: Callable[[ToolCall, int], None],
    ) -> None:
        self._builder = builder
        self._calls = calls
        self._odd = odd
        self._broken = broken
        self._spans = builder.timeline.spans[SpanKind.TURN]
        self._open: int | None = None
        self.shapers: dict[Any, Shaper] = {
            USER: self._user,
            ASSISTANT: self._assistant,
            TOOL: self._tool,
            "system": lambda message, _: self._plain(Role.SYSTEM, message),
            "developer": lambda message, _: self._plain(Role.DEVELOPER, message),
        }

    def _plain(self, role: Role, message: dict[str, Any]) -> Shape:
        self._calls.direct = None
        return role, _MESSAGE, of_text(content_of(message))

    def _tool(self, message: dict[str, Any], line: int) -> Shape:
        call = message.get("tool_call_id")
        answer = self._calls.answered(call if type(call) is str else None)
        if answer is not _FITS:
            self._odd(message, answer, line)
        return _TOOL, _TOOL_RESULT, of_text(content_of(message))

    def _assistant(self, message: dict[str, Any], line: int) -> Shape:
        said = content_of(message)
        tokens = of_text(said)
        self._calls.direct = None
        if not message.get("tool_calls"):
            if self._open is not None:
                self._end(_OK, None)
            return _ASSISTANT, _MESSAGE, tokens
        calls = calls_of(message)
        if not calls:
            return _ASSISTANT, _MESSAGE, tokens
        self._calls.made(calls)
        for call in calls:
            tokens += of_text(call.name) + of_text(call.arguments)
            if not is_json(call.arguments):
                self._broken(call, line)
        return _ASSISTANT, _MESSAGE if said else _TOOL_CALL, tokens

    def _user(self, message: dict[str, Any], _line: int) -> Shape:
        self._calls.direct = None
        said = content_of(message)
        tokens = of_text(said)
        if said.startswith(IN_MEMORY_HEAD):
            return Role.SUMMARY, Kind.SUMMARY, tokens
        if said.startswith(WATCHDOG_HEAD):
            return _USER, Kind.CONTEXT, tokens
        builder = self._builder
        if self._open is not None:
            self._end(Outcome.UNKNOWN, None)
        self._calls.over("no result when the next turn began")
        self._open = self._spans.open(builder.event + 1, len(self._spans) + 1)
        builder.mark(_TURN)
        builder.mark(_OF_USER)
        return _USER, _MESSAGE, tokens

    def _end(self, outcome: Outcome, word: str | None) -> None:
        """The turn that is open is over."""
        if self._open is not None:
            self._spans.close(self._open, self._builder.event + 1, outcome, word)
            self._open = None
        self._calls.over("no result when its turn was over")
