"""Calls of tools, their results, commands of the person (format page 4.2)."""

from typing import Any, Final

from inspector.formats.pi.entry import call_ids, texts_of
from inspector.formats.shapes import text, whole
from inspector.text.gate import clean_line
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_FOLLOWED: Final = 10_000
"""Calls without a result that are followed at once; a tape may make any number of them."""

_WORD: Final = 120

_CUT: Final = {"error": Outcome.FAILED, "aborted": Outcome.CANCELLED}
"""Why an answer ended whose calls nobody runs."""


class Calls:
    """Tells the builder which result answers which call, and how the call ended.

    A result belongs to the last call of its id that waits.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        # By an id, the events that made a call with it and wait.
        self._open: dict[str, list[int]] = {}
        self._waiting = 0

    def made(self, message: dict[str, Any]) -> None:
        """An assistant's message makes calls."""
        names = call_ids(message)
        if not names:
            return
        builder, event = self._builder, self._builder.event
        cut = _CUT.get(text(message.get("stopReason")))
        for name in names:
            builder.mark(Mark.TOOL_CALL)
            if self._waiting >= _FOLLOWED:
                continue
            events = self._open.setdefault(name, [])
            builder.open(SpanKind.TOOL_CALL, _identity(name, len(events)))
            events.append(event)
            self._waiting += 1
        if cut is not None:
            self.stopped(cut, text(message.get("stopReason")))
        elif self._waiting:
            builder.settle(False)

    def answered(self, message: dict[str, Any]) -> int | None:
        """A result comes; returns the event of its call, None if nobody made it."""
        builder, name = self._builder, text(message.get("toolCallId"))
        failed = message.get("isError") is True
        if failed:
            builder.mark(Mark.ERROR)
        events = self._open.get(name)
        if not events:
            return None
        call = events.pop()
        builder.pair(call)
        word = _first_line(message) if failed else None
        outcome = Outcome.FAILED if failed else Outcome.OK
        builder.close(SpanKind.TOOL_CALL, _identity(name, len(events)), outcome, word)
        if not events:
            del self._open[name]
        self._waiting -= 1
        if not self._waiting:
            builder.settle(True)
        return call

    def stopped(self, outcome: Outcome, word: str) -> None:
        """Nobody waits for results any more."""
        if self._waiting:
            self._builder.close_all(SpanKind.TOOL_CALL, outcome, word)
            self._open.clear()
            self._waiting = 0
            self._builder.settle(True)

    def command(self, message: dict[str, Any]) -> None:
        """The person ran a command."""
        builder, code = self._builder, whole(message.get("exitCode"))
        builder.open(SpanKind.COMMAND, "")
        if message.get("cancelled") is True:
            builder.close(SpanKind.COMMAND, "", Outcome.CANCELLED, "cancelled")
        elif code:
            builder.mark(Mark.ERROR)
            builder.close(SpanKind.COMMAND, "", Outcome.FAILED, f"exit {code}")
        else:
            outcome = Outcome.UNKNOWN if code is None else Outcome.OK
            builder.close(SpanKind.COMMAND, "", outcome)


def _identity(name: str, copies: int) -> str:
    return f"{name}\0{copies}" if copies else name


def _first_line(message: dict[str, Any]) -> str | None:
    said = texts_of(message.get("content"))[: 4 * _WORD].strip().partition("\n")[0]
    return clean_line(said, _WORD) or None
