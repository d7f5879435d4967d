"""Records for people in one line each, as plain uncleaned text."""

from collections.abc import Callable
from typing import Any, Final

from inspector.formats.claude.effects.texts import (
    INTERRUPTED,
    content_of,
    first_text,
    is_command,
    is_output,
)
from inspector.formats.claude.telling.blocks import ROW, content_line, short
from inspector.formats.claude.times import length_of
from inspector.formats.claude.vocabulary import BESIDE, SYSTEM
from inspector.formats.contract import Headline
from inspector.formats.shapes import items, mapping, natural, text
from inspector.text.labels import plural

_NAME: Final = 80

_THINKING: Final = frozenset({"thinking", "redacted_thinking"})

Phrase = Callable[[dict[str, Any]], str]


def headline(record: dict[str, Any]) -> Headline:
    """A record in one line."""
    kind = text(record.get("type"))
    if kind == "user":
        return _user(record)
    if kind == "assistant":
        return _assistant(record)
    if kind == "system":
        return _system(record)
    if kind == "attachment":
        return _attachment(mapping(record.get("attachment")))
    if kind == "progress":
        data = mapping(record.get("data"))
        return Headline("progress", None, text(data.get("type"))[:_NAME] or listed(data))
    word = BESIDE.get(kind, kind[:ROW]) or "no type"
    return Headline(word, None, _BESIDE.get(kind, listed)(record)[: 2 * ROW])


def _user(record: dict[str, Any]) -> Headline:
    content = content_of(record)
    said = content_line(content)
    results = [block for block in items(content) if mapping(block).get("type") == "tool_result"]
    if results:
        failed = any(block.get("is_error") is True for block in results)
        return Headline("tool result", "tool", said, failed)
    if record.get("isCompactSummary"):
        return Headline("summary", "summary", said)
    start = first_text(content)
    if start.startswith(INTERRUPTED):
        return Headline("interruption", None, said)
    if is_output(start):
        return Headline("command output", "user", said)
    if is_command(start):
        return Headline("command", "user", said)
    origin = text(mapping(record.get("origin")).get("kind"))[:_NAME]
    if origin not in ("", "human"):
        said = f"[{origin}] {said}"
    if record.get("isMeta"):
        return Headline("context", "user", said)
    return Headline("user", "user", said or "(empty)")


def _assistant(record: dict[str, Any]) -> Headline:
    content = content_of(record)
    said = content_line(content)
    if record.get("isApiErrorMessage") is True:
        return Headline("api error", "assistant", said, error=True)
    kinds = {mapping(block).get("type") for block in items(content)}
    if kinds and kinds <= _THINKING:
        return Headline("thinking", "assistant", said or "(empty)")
    if "tool_use" in kinds and "text" not in kinds:
        return Headline("tool call", "assistant", said)
    return Headline("assistant", "assistant", said or "(empty)")


def _system(record: dict[str, Any]) -> Headline:
    subtype = text(record.get("subtype"))
    phrase = _SYSTEM.get(subtype)
    said = phrase(record) if phrase is not None else text(record.get("content"))[:ROW]
    word = SYSTEM.get(subtype, subtype[:ROW]) or "notice"
    return Headline(word, None, said or listed(record, _ENVELOPE), subtype in _ERRORS)


def _attachment(attachment: dict[str, Any]) -> Headline:
    kind = text(attachment.get("type"))
    if kind == "queued_command":
        return Headline("queued", "user", content_line(attachment.get("prompt")))
    name = (
        text(attachment.get("displayPath"))
        or text(attachment.get("filename"))
        or text(attachment.get("hookName"))
    )
    said = name or short(attachment.get("content") or "")
    rest = f": {said[:ROW]}" if said else ""
    failed = kind.endswith("_error") or "_error_" in kind
    return Headline("attachment", None, f"{kind[:_NAME]}{rest}" or "(empty)", failed)


def listed(record: dict[str, Any], without: frozenset[str] = frozenset()) -> str:
    """Keys and values, of a record of which nothing else is known."""
    return ", ".join(
        f"{key[:40]} {short(value)}"
        for key, value in list(record.items())[:20]
        if value not in (None, "") and key not in without and key not in _ALWAYS
    )[: 2 * ROW]


_ALWAYS: Final = frozenset({"type", "sessionId", "uuid", "timestamp"})
_ENVELOPE: Final = frozenset(
    {
        "parentUuid",
        "isSidechain",
        "userType",
        "cwd",
        "version",
        "gitBranch",
        "subtype",
        "entrypoint",
        "slug",
        "level",
        "isMeta",
    }
)
_ERRORS: Final = frozenset({"api_error", "error", "api_refusal", "model_refusal_fallback"})


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


# Notices of the system.


def _boundary(record: dict[str, Any]) -> str:
    metadata = mapping(record.get("compactMetadata"))
    before, after = natural(metadata.get("preTokens")), natural(metadata.get("postTokens"))
    took = natural(metadata.get("durationMs"))
    kept = len(items(mapping(metadata.get("preservedMessages")).get("uuids")))
    return _joined(
        text(metadata.get("trigger"))[:_NAME],
        f"{before:,} tokens before" if before is not None else "",
        f"{after:,} after" if after is not None else "",
        f"{plural(kept, 'message')} kept" if kept else "",
        "a segment kept" if metadata.get("preservedSegment") and not kept else "",
        f"took {length_of(took)}" if took is not None else "",
    )


def _clearing(record: dict[str, Any]) -> str:
    metadata = mapping(record.get("microcompactMetadata"))
    calls = len(items(metadata.get("compactedToolIds")))
    saved = natural(metadata.get("tokensSaved"))
    return _joined(
        text(metadata.get("trigger"))[:_NAME],
        f"{plural(calls, 'result')} cleared",
        f"{saved:,} tokens saved" if saved is not None else "",
    )


def _api_error(record: dict[str, Any]) -> str:
    error = record.get("error")
    said = text(mapping(error).get("message")) or short(error or "")
    attempt, most = record.get("retryAttempt"), record.get("maxRetries")
    again = f"retry {short(attempt)} of {short(most)}" if attempt is not None else ""
    return _joined(said[:ROW], again)


def _turn_duration(record: dict[str, Any]) -> str:
    took = natural(record.get("durationMs"))
    return length_of(took) if took is not None else ""


def _refusal(record: dict[str, Any]) -> str:
    models = [text(record.get(key))[:_NAME] for key in ("originalModel", "fallbackModel")]
    return _joined(" to ".join(filter(None, models)), text(record.get("content"))[:ROW])


_SYSTEM: Final[dict[str, Phrase]] = {
    "compact_boundary": _boundary,
    "microcompact_boundary": _clearing,
    "api_error": _api_error,
    "turn_duration": _turn_duration,
    "api_refusal": _refusal,
    "model_refusal_fallback": _refusal,
}
"""Notices of which more is said than their content."""


# Records beside the tree.


def _key(key: str) -> Phrase:
    return lambda record: text(record.get(key))[:ROW]


def _summary(record: dict[str, Any]) -> str:
    return text(record.get("summary"))[:ROW] or "(empty)"


def _last_prompt(record: dict[str, Any]) -> str:
    leaf = text(record.get("leafUuid"))[:_NAME]
    pinned = "pinned" if record.get("explicit") is True else ""
    return _joined(text(record.get("lastPrompt"))[:ROW], f"at {leaf}" if leaf else "", pinned)


def _queue(record: dict[str, Any]) -> str:
    return f"{short(record.get('operation') or '')} {content_line(record.get('content'))}".strip()


def _snapshot(record: dict[str, Any]) -> str:
    files = mapping(mapping(record.get("snapshot")).get("trackedFileBackups"))
    if not files:
        return "no files"
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    return ", ".join(path[:ROW] for path in list(files)[:3]) + more


_BESIDE: Final[dict[str, Phrase]] = {
    "summary": _summary,
    "custom-title": _key("customTitle"),
    "ai-title": _key("aiTitle"),
    "agent-name": _key("agentName"),
    "agent-setting": _key("agentSetting"),
    "tag": _key("tag"),
    "permission-mode": _key("permissionMode"),
    "mode": _key("mode"),
    "pr-link": _key("prUrl"),
    "last-prompt": _last_prompt,
    "queue-operation": _queue,
    "file-history-snapshot": _snapshot,
}
"""Every type that is not of the tree and whose fields are known, and how it is said."""
