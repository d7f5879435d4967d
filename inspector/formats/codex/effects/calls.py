"""Calls, their outputs, and what the owner notes of how they ended (format page 2.4 and 2.5)."""

from itertools import islice
from typing import Any, Final

from inspector.formats.codex.effects.settling import Settling
from inspector.formats.codex.outputs import exit_code
from inspector.formats.shapes import mapping, text, whole
from inspector.timeline.builder import Builder
from inspector.timeline.registers import IN_PAYLOAD
from inspector.timeline.words import Mark, Outcome, SpanKind

_KNOWN: Final = 65_536
"""Calls that are waited for, and endings that are remembered: a tape may have any number."""

Ending = tuple[Outcome, str | None]


class Calls:
    """Tells the builder which output answers which call, and how the call ended."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._settling = Settling(builder)
        self._events: dict[str, int] = {}
        self._endings: dict[str, Ending] = {}

    def call(self, item: dict[str, Any]) -> None:
        """The model calls a tool."""
        builder = self._builder
        builder.mark(Mark.TOOL_CALL)
        name = item.get("call_id")
        if type(name) is not str:
            return
        if len(self._events) >= _KNOWN:
            _forget(self._events)
        self._events[name] = builder.event
        builder.open(SpanKind.TOOL_CALL, name)
        self._settling.asked(name)
        if item.get("name") == "update_plan":
            builder.set("todo", IN_PAYLOAD)

    def output(self, item: dict[str, Any]) -> None:
        """A tool answers."""
        name = item.get("call_id")
        if type(name) is not str:
            return
        builder = self._builder
        call = self._events.pop(name, None)
        if call is not None:
            builder.pair(call)
        ending = self._endings.pop(name) if name in self._endings else _of_output(item)
        outcome, word = ending
        builder.close(SpanKind.TOOL_CALL, name, outcome, word)
        if builder.is_open(SpanKind.APPROVAL, name):
            builder.close(SpanKind.APPROVAL, name, Outcome.OK, "answered by the call's output")
        if outcome is Outcome.FAILED:
            builder.mark(Mark.ERROR)
        self._settling.answered(name)

    # What the owner notes beside the output.

    def command_end(self, event: dict[str, Any]) -> None:
        """A command ended."""
        code = whole(event.get("exit_code"))
        if code is not None:
            outcome = Outcome.FAILED if code else Outcome.OK
            self._ended(event, outcome, f"exit {code}" if code else None)

    def patch_end(self, event: dict[str, Any]) -> None:
        """A patch was applied, or was not."""
        if isinstance(event.get("success"), bool):
            worked = event["success"]
            self._ended(event, Outcome.OK if worked else Outcome.FAILED, text(event.get("status")))

    def mcp_end(self, event: dict[str, Any]) -> None:
        """A tool of a server answered; ``Err`` is a failure, and so is an answer that says so."""
        result = mapping(event.get("result"))
        failed = "Err" in result or mapping(result.get("Ok")).get("isError") is True
        if result:
            said = text(result.get("Err"))
            self._ended(event, Outcome.FAILED if failed else Outcome.OK, said)

    def _ended(self, event: dict[str, Any], outcome: Outcome, word: str | None) -> None:
        name = text(event.get("call_id"))
        self._builder.close(SpanKind.APPROVAL, name, Outcome.OK, "done")
        if not self._builder.is_open(SpanKind.TOOL_CALL, name):
            return
        if len(self._endings) >= _KNOWN:
            _forget(self._endings)
        self._endings[name] = (outcome, word or None)

    # Approvals.

    def approval_asked(self, event: dict[str, Any]) -> None:
        """Somebody must decide."""
        self._builder.open(SpanKind.APPROVAL, text(event.get("call_id")) or text(event.get("id")))

    def guardian(self, event: dict[str, Any]) -> None:
        """The guardian looks at what is to be done, and decides."""
        name, status = text(event.get("id")), text(event.get("status"))
        if status in ("in_progress", "pending", "started"):
            self._builder.open(SpanKind.APPROVAL, name)
            return
        if not self._builder.is_open(SpanKind.APPROVAL, name):
            self._builder.open(SpanKind.APPROVAL, name)
        self._builder.close(SpanKind.APPROVAL, name, _GUARDIAN.get(status, Outcome.UNKNOWN), status)

    # Turns.

    def turn_over(self, outcome: Outcome, word: str | None) -> None:
        """What is not answered by the end of its turn never is, but for a late output."""
        self._builder.close_all(SpanKind.TOOL_CALL, outcome, word)
        self._builder.close_all(SpanKind.APPROVAL, outcome, word)
        self._endings.clear()
        self._settling.turn_over()


_GUARDIAN: Final = {
    "approved": Outcome.OK,
    "denied": Outcome.REJECTED,
    "rejected": Outcome.REJECTED,
    "aborted": Outcome.CANCELLED,
    "timed_out": Outcome.FAILED,
    "failed": Outcome.FAILED,
}


def _of_output(item: dict[str, Any]) -> Ending:
    """How a call ended by its output: by its exit code, where it says one."""
    code = exit_code(item.get("output"))
    if code:
        return Outcome.FAILED, f"exit {code}"
    return Outcome.OK, None


def _forget(known: dict[str, Any]) -> None:
    for oldest in tuple(islice(known, _KNOWN // 2)):
        del known[oldest]
