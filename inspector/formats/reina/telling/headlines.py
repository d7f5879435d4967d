"""Records for people in one line each, as plain uncleaned text."""

from typing import Any, Final

from inspector.formats.contract import Headline
from inspector.formats.reina.effects.settings import (
    cached_of,
    name_of,
    setting_of,
    todos_of,
    usage_of,
)
from inspector.formats.reina.messages import calls_of, content_of, is_summary, is_watchdogs
from inspector.formats.reina.vocabulary import (
    ASSISTANT,
    COMPACTED,
    CONFIG,
    FAILED,
    MESSAGE,
    META,
    REJECTED,
    SNAPSHOT,
    SUMMARY_HEAD,
    TODOS,
    TOOL,
    TOOL_CALL,
    TOOL_UPDATE,
    USAGE,
    USER,
    WORDS,
)
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import (
    NAME,
    ROW,
    Phrase,
    behind,
    call_line,
    joined,
    listed,
    progress_line,
    said,
    short,
    usage_line,
)
from inspector.text.labels import plural

_COUNTED: Final = {
    "prompt_tokens": "prompt",
    "cached": "cached",
    "completion_tokens": "output",
    "total_tokens": "total",
}

_SHELL: Final = frozenset({"ts", "type"})


def headline(kind: str, record: dict[str, Any]) -> Headline:
    """A record in one line; ``kind`` is its type."""
    if kind == MESSAGE:
        return _message(record.get("message"))
    if kind == COMPACTED:
        summary = text(mapping(record.get("record")).get("summary"))
        return Headline("summary", "summary", f"{SUMMARY_HEAD}{summary[:ROW]}")
    phrase = _PHRASES.get(kind, _any)
    word = WORDS.get(kind, kind[:ROW]) or "no type"
    return Headline(word, None, phrase(record)[: 2 * ROW], failed(kind, record))


def _message(message: Any) -> Headline:
    if not isinstance(message, dict):
        return Headline("message", None, short(message))
    role, told = message.get("role"), content_of(message)[:ROW]
    if role == USER:
        return Headline(_of_user(message), "user", told or "(empty)")
    if role == TOOL:
        return Headline("tool result", "tool", told or "(no output)")
    if role == ASSISTANT:
        calls = [call_line(one.name, one.arguments) for one in calls_of(message)[:6]]
        if calls:
            return Headline("tool call", "assistant", joined(told, *calls)[: 2 * ROW])
        return Headline("assistant", "assistant", told or "(empty)")
    return Headline("message", text(role)[:NAME] or None, told)


def _of_user(message: dict[str, Any]) -> str:
    if is_summary(message):
        return "summary"
    return "context" if is_watchdogs(message) else "user"


def failed(kind: str, record: dict[str, Any]) -> bool:
    """Whether a record tells of something that failed."""
    told = mapping(record.get("record"))
    return kind in (TOOL_CALL, TOOL_UPDATE) and text(told.get("status")) in (FAILED, REJECTED)


# Single kinds.


def _any(record: dict[str, Any]) -> str:
    return listed(record, _SHELL)


def _call(record: dict[str, Any]) -> str:
    told = mapping(record.get("record"))
    if not told:
        return _any(record)
    name = said(told.get("name")) or said(told.get("id"))
    output = said(told.get("outputPath"))
    return joined(
        behind(name, told.get("status")),
        call_line("", told.get("input")),
        f"output in {output}" if output else "",
    )


def usage_words(record: dict[str, Any]) -> str:
    """Reported tokens in one line."""
    usage = usage_of(record)
    counts = {**usage, "cached": cached_of(usage) or None}
    return usage_line(counts, _COUNTED)


def _todos(record: dict[str, Any]) -> str:
    found = todos_of(record)
    if found is None:
        return _any(record)
    return progress_line([mapping(one) for one in found], "content")


def _config(record: dict[str, Any]) -> str:
    setting = setting_of(record)
    return _any(record) if setting is None else behind("model", name_of(setting) or setting, " ")


def _meta(record: dict[str, Any]) -> str:
    return listed(mapping(record.get("meta")))


def _snapshot(record: dict[str, Any]) -> str:
    return plural(len(items(record.get("messages"))), "message")


_PHRASES: Final[dict[str, Phrase]] = {
    META: _meta,
    TOOL_CALL: _call,
    TOOL_UPDATE: _call,
    USAGE: usage_words,
    TODOS: _todos,
    CONFIG: _config,
    SNAPSHOT: _snapshot,
}
"""Every kind that is no message and whose fields are known, and how it is said."""
