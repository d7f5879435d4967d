"""What each event type does beside the surface, and how eligible events become nodes.

Surface rules are in `surface`; here an event that was found valid is put into effects.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from inspector.formats.dsh.tokens import of_content
from inspector.formats.shapes import items, mapping, natural, text
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.registers import IN_PAYLOAD
from inspector.timeline.words import Kind, Mark, Outcome, Reason, Role, SpanKind

Handler = Callable[[dict[str, Any]], None]


class Shape(NamedTuple):
    """What an eligible event is as a node; ``failed`` if it tells of an error."""

    role: Role
    kind: Kind
    content: list[Any]
    failed: bool = False


Shaper = Callable[[dict[str, Any]], Shape]

TURN_OUTCOMES: Final = {
    "completed": Outcome.OK,
    "blocked": Outcome.REJECTED,
    "max-tokens": Outcome.FAILED,
    "interrupted": Outcome.INTERRUPTED,
    "aborted": Outcome.CANCELLED,
    "disposed": Outcome.CANCELLED,
    "error": Outcome.FAILED,
}
"""``turn/end`` reason kinds (format page 1.10)."""

_RESULT_OUTCOMES: Final = {
    "TOOL_OUTCOME_UNKNOWN": Outcome.UNKNOWN,
    "TOOL_NOT_STARTED": Outcome.INTERRUPTED,
}
"""Error codes of the results that crash repair writes (format page 5)."""

_ONE: Final = "1"
"""The identity of spans of which one is open at a time."""


def is_human(data: dict[str, Any]) -> bool:
    """Whether a user/message was written by the person (format page 1.10: source kind ``user``)."""
    return mapping(data.get("source")).get("kind") == "user"


def is_checkpoint(data: dict[str, Any]) -> bool:
    """Whether a user/message is the checkpoint of a compaction (format page 7.4)."""
    source = mapping(data.get("source"))
    return source.get("kind") == "plugin" and source.get("plugin") == "compact"


def result_block(data: dict[str, Any]) -> dict[str, Any]:
    """The one block of a tool/result."""
    content = items(mapping(data.get("message")).get("content"))
    return mapping(content[0]) if content else {}


def assistant_kind(content: list[Any]) -> Kind:
    """The kind of an assistant message: text first, then a call, then reasoning."""
    kinds = [mapping(block).get("type") for block in content]
    if "text" in kinds or not kinds:
        return Kind.MESSAGE
    if "tool-call" in kinds:
        return Kind.TOOL_CALL
    return Kind.REASONING if "reasoning" in kinds else Kind.OPAQUE


class Fold:
    """Tells the builder what events of DeepSeek Harness v0 do.

    Attributes:
        handlers: by type, what an event does that is log-only.
        shapers: by type, what an eligible event does beside the surface, and what node it is.

    Both are only called with objects.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._unanswered: set[str] = set()
        self._called: dict[str, int] = {}
        self._half_written = False
        self.handlers: dict[str, Handler] = {
            "turn/start": self._turn_start,
            "turn/end": self._turn_end,
            "step/start": self._step_start,
            "step/end": self._step_end,
            "assistant/chunk": self._chunk,
            "tool/call": self._tool_call,
            "request/header": self._request_header,
            "request/context": self._request_context,
            "session/title": self._title,
            "session/end-seed": self._end_seed,
            "todo/write": self._todo,
            "llm/retry": self._retry,
            "compaction/start": self._compaction_start,
            "compaction/summary": self._compaction_summary,
            "compaction/end": self._compaction_end,
            "compaction/prune": self._prune,
        }
        self.shapers: dict[str, Shaper] = {
            "user/message": self._user_message,
            "assistant/message": self._assistant_message,
            "tool/result": self._tool_result,
        }

    # Turns and steps.

    def _turn_start(self, data: dict[str, Any]) -> None:
        self._end_step(Outcome.UNKNOWN)
        self._write_done()
        self._builder.open(SpanKind.TURN, _ONE, natural(data.get("turn")))
        self._builder.mark(Mark.TURN)

    def _turn_end(self, data: dict[str, Any]) -> None:
        reason = mapping(data.get("reason"))
        kind = text(reason.get("kind")) or text(data.get("kind"))
        outcome = TURN_OUTCOMES.get(kind, Outcome.UNKNOWN)
        self._end_step(Outcome.INTERRUPTED if outcome is Outcome.OK else outcome)
        self._write_done()
        self._builder.close(SpanKind.TURN, _ONE, outcome)
        if kind == "error":
            self._builder.mark(Mark.ERROR)

    def _step_start(self, data: dict[str, Any]) -> None:
        self._builder.open(SpanKind.STEP, _ONE, natural(data.get("step")))

    def _step_end(self, _data: dict[str, Any]) -> None:
        self._end_step(Outcome.OK)

    def _end_step(self, outcome: Outcome) -> None:
        """The step ends, and with it every call of it that was not answered (format page 5)."""
        self._builder.close(SpanKind.STEP, _ONE, outcome)
        self._builder.close_all(SpanKind.TOOL_CALL, Outcome.INTERRUPTED)
        self._called.clear()
        if self._unanswered:
            self._unanswered.clear()
            self._settle()

    def _settle(self) -> None:
        self._builder.settle(not self._unanswered and not self._half_written)

    def _write_begun(self) -> None:
        self._half_written = True
        self._settle()

    def _write_done(self) -> None:
        if self._half_written:
            self._half_written = False
            self._settle()

    # Messages, calls and results.

    def _user_message(self, data: dict[str, Any]) -> Shape:
        self._write_done()
        content = items(data.get("content"))
        if is_human(data):
            self._builder.mark(Mark.USER)
            return Shape(Role.USER, Kind.MESSAGE, content)
        if is_checkpoint(data):
            return Shape(Role.SUMMARY, Kind.SUMMARY, content)
        return Shape(Role.USER, Kind.CONTEXT, content)

    def _assistant_message(self, data: dict[str, Any]) -> Shape:
        usage = data.get("usage")
        if usage is not None:
            self._spend(mapping(usage))
        content = items(mapping(data.get("message")).get("content"))
        calls = [
            text(block.get("id"))
            for block in content
            if type(block) is dict and block.get("type") == "tool-call"
        ]
        if calls:
            self._unanswered.update(calls)
            self._settle()
        return Shape(Role.ASSISTANT, assistant_kind(content), content)

    def _tool_call(self, data: dict[str, Any]) -> None:
        call = text(data.get("callId"))
        self._builder.open(SpanKind.TOOL_CALL, call)
        self._called[call] = self._builder.event
        self._builder.mark(Mark.TOOL_CALL)

    def _tool_result(self, data: dict[str, Any]) -> Shape:
        message = mapping(data.get("message"))
        content = items(message.get("content"))
        block = mapping(content[0]) if content else {}
        failed = block.get("isError") is True
        outcome = Outcome.FAILED if failed else Outcome.OK
        if "error" in data:
            code = text(mapping(data["error"]).get("code"))
            outcome = _RESULT_OUTCOMES.get(code, outcome)
        call = text(mapping(message.get("source")).get("callId"))
        self._builder.close(SpanKind.TOOL_CALL, call, outcome)
        called = self._called.pop(call, None)
        if called is not None:
            self._builder.pair(called)
        if call in self._unanswered:
            self._unanswered.discard(call)
            self._settle()
        self._write_done()
        return Shape(Role.TOOL, Kind.TOOL_RESULT, content, failed)

    def _chunk(self, data: dict[str, Any]) -> None:
        chunk = data.get("chunk")
        if type(chunk) is dict and chunk.get("type") == "finish":
            reason = mapping(chunk.get("reason"))
            if reason.get("kind") == "error":
                self._builder.mark(Mark.ERROR)

    def _retry(self, _data: dict[str, Any]) -> None:
        self._builder.mark(Mark.ERROR)

    def _spend(self, usage: dict[str, Any], *, aside: bool = False) -> None:
        cached, uncached, written, output = (
            natural(usage.get(key)) or 0
            for key in ("cacheReadTokens", "inputTokens", "cacheWriteTokens", "outputTokens")
        )
        self._builder.spend(cached, uncached, written, output, aside=aside)

    # Registers.

    def _request_header(self, data: dict[str, Any]) -> None:
        header = mapping(data.get("header"))
        self._set_model(mapping(header.get("config")))
        if header:
            self._builder.set("preamble", IN_PAYLOAD)

    def _request_context(self, data: dict[str, Any]) -> None:
        self._set_model(data)
        window = natural(data.get("contextWindow"))
        if window is not None:
            self._builder.set("window", window)

    def _set_model(self, config: dict[str, Any]) -> None:
        for name in ("model", "provider"):
            value = text(config.get(name))
            if value:
                self._builder.set(name, value)

    def _title(self, data: dict[str, Any]) -> None:
        title = data.get("title")
        if isinstance(title, str):
            self._builder.set("title", title)

    def _todo(self, data: dict[str, Any]) -> None:
        if isinstance(data.get("todos"), list):
            self._builder.set("todo", IN_PAYLOAD)

    # Compaction.

    def _end_seed(self, _data: dict[str, Any]) -> None:
        """A compaction that is open before a new life is stale (format page 7.5)."""
        self._builder.close_all(SpanKind.COMPACTION, Outcome.INTERRUPTED)
        self._write_done()

    def _compaction_start(self, data: dict[str, Any]) -> None:
        self._builder.open(SpanKind.COMPACTION, text(data.get("compactionId")))

    def _compaction_summary(self, data: dict[str, Any]) -> None:
        usage = data.get("usage")
        if usage is not None:
            self._spend(mapping(usage), aside=True)
        self._write_begun()

    def _compaction_end(self, data: dict[str, Any]) -> None:
        failed = "error" in data
        outcome = Outcome.FAILED if failed else Outcome.OK
        self._builder.close(SpanKind.COMPACTION, text(data.get("compactionId")), outcome)
        if failed:
            self._builder.mark(Mark.ERROR)
        self._write_done()

    def _prune(self, _data: dict[str, Any]) -> None:
        self._write_begun()

    # Nodes.

    def append(self, shape: Shape, sources: list[range] | None) -> None:
        """A valid event enters at the end; ``sources`` are positions."""
        role, kind, content, failed = shape
        if failed:
            self._builder.mark(Mark.ERROR)
        details: NodeDetails | None = None
        if sources or not content:
            details = {"sources": sources or (), "silent": not content and role is Role.ASSISTANT}
        self._builder.append(role, kind, of_content(content), details)

    def replace(self, shape: Shape, hides: list[int], sources: list[range]) -> None:
        """A valid event enters in the place of others; a rewritten error is no second one."""
        role, kind, content, _ = shape
        reason = _REASONS.get(role, Reason.SUPERSEDED)
        details: NodeDetails = {
            "sources": sources,
            "silent": not content and role is Role.ASSISTANT,
        }
        self._builder.replace(hides, reason, role, kind, of_content(content), details)
        if reason is not Reason.SUPERSEDED:
            self._builder.mark(Mark.COMPACTION)


_REASONS: Final = {Role.TOOL: Reason.PRUNED, Role.SUMMARY: Reason.COMPACTED}
"""Why a node leaves, by who replaces it (format page 7.2 and 7.4)."""
