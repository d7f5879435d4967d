"""Calls, their outputs, and what the owner notes of how they ended (format page 2.4 and 2.5)."""

from itertools import islice
from typing import Any, Final

from inspector.columns import Column, unsigned
from inspector.formats.codex.items import OUTPUTS
from inspector.formats.codex.outputs import exit_code
from inspector.formats.shapes import mapping, text, whole
from inspector.timeline.builder import Builder
from inspector.timeline.registers import IN_PAYLOAD
from inspector.timeline.words import Mark, Outcome, SpanKind

_KNOWN: Final = 65_536
"""Calls that are waited for, and endings that are remembered: a tape may have any number."""

# A member of an enumeration costs as much to look up as a call.
_CALL: Final = SpanKind.TOOL_CALL
_APPROVAL: Final = SpanKind.APPROVAL
_CALL_MARK: Final = Mark.TOOL_CALL
_FAILED: Final = Outcome.FAILED
_UNTOLD: Final = Outcome.UNKNOWN

_NOBODYS: Final = "\0"
"""Under which a call without an id begins and ends."""

Ending = tuple[Outcome, str | None]

_OK: Final[Ending] = (Outcome.OK, None)


class Calls:
    """Tells the builder which output answers which call, and how the call ended.

    Attributes:
        noted: the events of the outputs of calls of which a record of its own told the end.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._unanswered: dict[str, None] = {}
        self._forgot = False
        self._asking = False
        self._events: dict[str, int] = {}
        self._endings: dict[str, Ending] = {}
        self.noted: Column = unsigned()

    def call(self, item: dict[str, Any], *, answered: bool) -> None:
        """The model calls a tool, perhaps one whose output stands before it."""
        name = item.get("call_id")
        if type(name) is str and answered:
            self.late(name, item.get("name"))
        elif type(name) is str:
            self.called(name, item.get("name"))
        else:
            self.alone(_UNTOLD, "it has no id: no output can be told for its own")

    def alone(self, outcome: Outcome, word: str) -> None:
        """A call of which no record tells the output: it is over as soon as it is made."""
        builder = self._builder
        builder.mark(_CALL_MARK)
        builder.open(_CALL, _NOBODYS)
        builder.close(_CALL, _NOBODYS, outcome, word)

    def late(self, call: str, tool: Any) -> None:
        """The model makes a call that has an id, whose output stands before it."""
        self.called(call, tool)
        self._builder.close(_CALL, call, _UNTOLD, "its output stands before it")
        self._over(call)

    def called(self, call: str, tool: Any) -> None:
        """The model makes a call that has an id."""
        builder, events = self._builder, self._events
        builder.mark(_CALL_MARK)
        if len(events) >= _KNOWN:
            _forget(events)
        events[call] = builder.event
        builder.open(_CALL, call)
        if call not in self._unanswered:
            self._wait(call)
        if tool == "update_plan":
            builder.set("todo", IN_PAYLOAD)

    def answered(self, call: str, output: Any) -> int | None:
        """A tool answers a call that has an id.

        Returns:
            The event of the call, if it is remembered.
        """
        builder = self._builder
        event = self._events.pop(call, None)
        if event is not None:
            builder.pair(event)
        endings = self._endings
        if call in endings:
            outcome, word = endings.pop(call)
            self.noted.append(builder.event)
        else:
            # Nearly no output says how the tool ended.
            says = type(output) is str and ("xit" in output[:400] or output.startswith('{"'))
            outcome, word = _of_output(output) if says else _OK
        builder.close(_CALL, call, outcome, word)
        if self._asking:
            builder.close(_APPROVAL, call, Outcome.OK, "answered by the call's output")
        if outcome is _FAILED:
            builder.mark(Mark.ERROR)
        if call in self._unanswered:
            self._over(call)
        return event

    def _over(self, call: str) -> None:
        """Nobody waits for the output of a call any more."""
        unanswered = self._unanswered
        if unanswered.pop(call, self) is None and not unanswered and not self._forgot:
            self._builder.settle(True)

    def unread(self, item: dict[str, Any]) -> None:
        """A tool answers in a way that the owner cannot read: the call is over, for the person."""
        call = item.get("call_id")
        if item.get("type") in OUTPUTS and type(call) is str and self._builder.is_open(_CALL, call):
            code = exit_code(item.get("output"))
            noted = self._endings.pop(call, None)
            if noted is not None:
                self.noted.append(self._builder.event)
            told = _UNTOLD if code is None else _FAILED if code else Outcome.OK
            outcome = told if noted is None else noted[0]
            self._builder.close(_CALL, call, outcome, "the owner cannot read the output")

    def _wait(self, call: str) -> None:
        """The owner can make no request until the call has its output."""
        unanswered = self._unanswered
        if not unanswered:
            self._builder.settle(False)
        elif len(unanswered) >= _KNOWN:
            _forget(unanswered)
            self._forgot = True
        unanswered[call] = None

    # What the owner notes beside the output.

    def command_end(self, event: dict[str, Any], _record: int) -> None:
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
        self._builder.close(_APPROVAL, name, Outcome.OK, "done")
        if not self._builder.is_open(_CALL, name):
            return
        if len(self._endings) >= _KNOWN:
            _forget(self._endings)
        self._endings[name] = (outcome, word or None)

    # Approvals.

    def approval_asked(self, event: dict[str, Any]) -> None:
        """Somebody must decide."""
        self._asking = True
        self._builder.open(SpanKind.APPROVAL, text(event.get("call_id")) or text(event.get("id")))

    def guardian(self, event: dict[str, Any]) -> None:
        """The guardian looks at what is to be done, and decides."""
        self._asking = True
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
        self._builder.close_all(_CALL, outcome, word)
        self._builder.close_all(_APPROVAL, outcome, word)
        self._endings.clear()
        self._asking = False
        if self._unanswered or self._forgot:
            # Nobody waits any more: what is missing is put in when a request is made (RULES R5).
            self._unanswered.clear()
            self._forgot = False
            self._builder.settle(True)


_GUARDIAN: Final = {
    "approved": Outcome.OK,
    "denied": Outcome.REJECTED,
    "rejected": Outcome.REJECTED,
    "aborted": Outcome.CANCELLED,
    "timed_out": Outcome.FAILED,
    "failed": Outcome.FAILED,
}


def _of_output(output: Any) -> Ending:
    """How a call ended by its output: by its exit code, where it says one."""
    code = exit_code(output)
    return (_FAILED, f"exit {code}") if code else _OK


def _forget(known: dict[str, Any]) -> None:
    for oldest in tuple(islice(known, _KNOWN // 2)):
        del known[oldest]
