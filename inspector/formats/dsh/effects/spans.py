"""What the spans of a log are called: a key while they are open, and the owner's id afterwards."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final

from inspector.formats.shapes import mapping, text, whole
from inspector.timeline.words import SpanKind

_LONGEST: Final = 64


def identity(*parts: Any) -> str:
    """A key made of texts and whole numbers, short however long they are."""
    # The lengths keep ("a", "bc") and ("ab", "c") apart.
    words = [part if isinstance(part, str) else str(whole(part)) for part in parts]
    key = words[0] if len(words) == 1 else "".join(f"{len(word)}:{word}" for word in words)
    if len(key) <= _LONGEST:
        return key
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=32).hexdigest()


def _key(*path: str) -> Callable[[dict[str, Any]], str]:
    def found(data: dict[str, Any]) -> str:
        for key in path[:-1]:
            data = mapping(data.get(key))
        return text(data.get(path[-1]))

    return found


def _hook(data: dict[str, Any]) -> str:
    return f"{text(data.get('point'))} {text(data.get('handlerId'))}".strip()


def _agent(data: dict[str, Any]) -> str:
    number = whole(data.get("seq"))
    run = text(data.get("runId"))
    return run if number is None else f"{run}/{number}"


_NAMES: Final[dict[SpanKind, Callable[[dict[str, Any]], str]]] = {
    SpanKind.TOOL_CALL: _key("callId"),
    SpanKind.COMPACTION: _key("compactionId"),
    SpanKind.APPROVAL: _key("id"),
    SpanKind.HOOK: _hook,
    SpanKind.RETRY: _key("retryId"),
    SpanKind.COMMAND: _key("commandId"),
    SpanKind.GOAL: _key("goal", "id"),
    SpanKind.SCHEDULE: _key("schedule", "id"),
    SpanKind.WORKFLOW: _key("runId"),
    SpanKind.WORKFLOW_AGENT: _agent,
    SpanKind.CODE_DISPATCH: _key("subCallId"),
    SpanKind.TEAM_MEMBER: _key("member", "id"),
    SpanKind.TEAM_MESSAGE: _key("message", "id"),
    SpanKind.TEAM_TASK: _key("task", "id"),
}
"""Where the event that opens a span names it (format page 1.10)."""


def span_name(kind: SpanKind, event: dict[str, Any]) -> str | None:
    """The owner's id of a span, told by the payload of the event that opened it, or None."""
    name = _NAMES.get(kind)
    return (name(mapping(event.get("data"))) or None) if name is not None else None
