"""Records for people in one line each, as plain uncleaned text."""

from typing import Any, Final

from inspector.formats.claude.effects.shapes import SHOWN_ORIGINS
from inspector.formats.claude.effects.texts import (
    INTERRUPTED,
    content_of,
    first_text,
    is_command,
    is_output,
    is_told,
)
from inspector.formats.claude.telling.blocks import content_line
from inspector.formats.claude.times import length_of
from inspector.formats.claude.vocabulary import BESIDE, SYSTEM
from inspector.formats.contract import Headline
from inspector.formats.shapes import items, mapping, natural, text
from inspector.formats.telling import NAME, ROW, Phrase, joined, listed, short, some, start_of
from inspector.text.labels import plural

_SPEAK: Final = SHOWN_ORIGINS | {"", "human"}
"""Origins of what somebody said; all others are programs."""

_THINKING: Final = frozenset({"thinking", "redacted_thinking"})


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
        return Headline("progress", None, text(data.get("type"))[:NAME] or _members(data))
    word = BESIDE.get(kind, kind[:ROW]) or "no type"
    return Headline(word, None, _BESIDE.get(kind, _members)(record)[: 2 * ROW])


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
    origin = text(mapping(record.get("origin")).get("kind"))[:NAME]
    if origin not in ("", "human"):
        said = f"[{origin}] {said}"
    if record.get("isMeta") or is_told(content) or origin not in _SPEAK:
        return Headline("context", "user", said)
    return Headline("user", "user", said or "(empty)")


def _assistant(record: dict[str, Any]) -> Headline:
    content = content_of(record)
    said = content_line(content)
    if record.get("isApiErrorMessage") is True:
        return Headline("api error", "assistant", said, error=True)
    kinds = {text(mapping(block).get("type")) for block in items(content)}
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
    return Headline("attachment", None, f"{kind[:NAME]}{rest}" or "(empty)", failed)


def _members(record: dict[str, Any]) -> str:
    return listed(record, _ALWAYS)


_ALWAYS: Final = frozenset({"type", "sessionId", "uuid", "timestamp"})
_ENVELOPE: Final = _ALWAYS | frozenset(
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


# Notices of the system.


def _boundary(record: dict[str, Any]) -> str:
    metadata = mapping(record.get("compactMetadata"))
    before, after = natural(metadata.get("preTokens")), natural(metadata.get("postTokens"))
    took = natural(metadata.get("durationMs"))
    kept = len(items(mapping(metadata.get("preservedMessages")).get("uuids")))
    return joined(
        text(metadata.get("trigger"))[:NAME],
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
    return joined(
        text(metadata.get("trigger"))[:NAME],
        f"{plural(calls, 'result')} cleared",
        f"{saved:,} tokens saved" if saved is not None else "",
    )


def _api_error(record: dict[str, Any]) -> str:
    error = record.get("error")
    said = text(mapping(error).get("message")) or short(error or "")
    attempt, most = record.get("retryAttempt"), record.get("maxRetries")
    again = f"retry {short(attempt)} of {short(most)}" if attempt is not None else ""
    return joined(said[:ROW], again)


def _turn_duration(record: dict[str, Any]) -> str:
    took = natural(record.get("durationMs"))
    return length_of(took) if took is not None else ""


def _refusal(record: dict[str, Any]) -> str:
    models = [text(record.get(key))[:NAME] for key in ("originalModel", "fallbackModel")]
    return joined(" to ".join(filter(None, models)), text(record.get("content"))[:ROW])


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


def _summary(record: dict[str, Any]) -> str:
    return text(record.get("summary"))[:ROW] or "(empty)"


def _last_prompt(record: dict[str, Any]) -> str:
    leaf = text(record.get("leafUuid"))[:NAME]
    pinned = "pinned" if record.get("explicit") is True else ""
    return joined(text(record.get("lastPrompt"))[:ROW], f"at {leaf}" if leaf else "", pinned)


def _queue(record: dict[str, Any]) -> str:
    return f"{short(record.get('operation') or '')} {content_line(record.get('content'))}".strip()


def _snapshot(record: dict[str, Any]) -> str:
    files = mapping(mapping(record.get("snapshot")).get("trackedFileBackups"))
    return some([path[:ROW] for path in files], 3) or "no files"


def _replaced(record: dict[str, Any]) -> str:
    told = [mapping(one) for one in items(record.get("replacements"))]
    calls = [text(one.get("toolUseId"))[:NAME] for one in told]
    said = [text(one.get("replacement"))[:ROW] for one in told]
    return joined(some(list(filter(None, calls)), 3), some(list(filter(None, said)), 3))


_BESIDE: Final[dict[str, Phrase]] = {
    "content-replacement": _replaced,
    "summary": _summary,
    "custom-title": start_of("customTitle"),
    "ai-title": start_of("aiTitle"),
    "agent-name": start_of("agentName"),
    "agent-setting": start_of("agentSetting"),
    "tag": start_of("tag"),
    "permission-mode": start_of("permissionMode"),
    "mode": start_of("mode"),
    "pr-link": start_of("prUrl"),
    "last-prompt": _last_prompt,
    "queue-operation": _queue,
    "file-history-snapshot": _snapshot,
}
"""Every type that is not of the tree and whose fields are known, and how it is said."""
