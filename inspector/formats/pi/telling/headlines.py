"""Entries for people in one line each, as plain uncleaned text."""

from typing import Any, Final

from inspector.formats.contract import Headline
from inspector.formats.pi.entry import calls_of, content_of, message_of, role_of, summary_of
from inspector.formats.pi.telling.blocks import content_line
from inspector.formats.pi.vocabulary import (
    ASSISTANT,
    BASH,
    BRANCH_SUMMARY,
    COMPACTION,
    CONTEXT_EDIT,
    CUSTOM,
    CUSTOM_MESSAGE,
    CUSTOM_ROLE,
    LABEL,
    MESSAGE,
    MODEL_CHANGE,
    NOT_AN_ENTRY,
    SESSION_INFO,
    SYSTEM,
    THINKING_CHANGE,
    TOOL_RESULT,
    USAGE,
    USER,
)
from inspector.formats.shapes import items, mapping, natural, text, whole
from inspector.formats.telling import NAME, ROW, Phrase, behind, joined, listed, said, short

_ENVELOPE: Final = frozenset({"type", "id", "parentId", "timestamp"})

_EMPTY: Final = "(empty)"


def headline(entry: dict[str, Any]) -> Headline:
    """An entry in one line."""
    kind = text(entry.get("type"))
    if kind == MESSAGE:
        return _message(message_of(entry))
    if kind == CUSTOM_MESSAGE:
        return _custom(entry)
    if kind == COMPACTION:
        return Headline("summary", "summary", summary_of(entry)[:ROW] or _EMPTY)
    if kind == BRANCH_SUMMARY:
        return Headline("branch summary", "summary", summary_of(entry)[:ROW] or _EMPTY)
    if set(entry) == {"value"}:
        return Headline(NOT_AN_ENTRY, None, short(entry["value"]))
    word, phrase = _BESIDE.get(kind, (kind[:ROW] or "no type", _members))
    return Headline(word, None, phrase(entry)[: 2 * ROW])


def _message(message: dict[str, Any]) -> Headline:
    role, line = role_of(message), content_line(message.get("content"))
    if role == USER:
        return Headline("user", "user", line or _EMPTY)
    if role == ASSISTANT:
        return _assistant(message, line)
    if role == TOOL_RESULT:
        name = text(message.get("toolName"))[:NAME]
        failed = message.get("isError") is True
        return Headline("tool result", "tool", behind(name, line or "(no output)"), failed)
    if role == BASH:
        return _command(message)
    if role == CUSTOM_ROLE:
        return _custom(message)
    if role == SYSTEM:
        return Headline("system", "system", line or _EMPTY)
    return Headline("message", None, behind(role[:NAME], line) or listed(message))


def _assistant(message: dict[str, Any], line: str) -> Headline:
    reason = text(message.get("stopReason"))
    if reason in ("error", "aborted"):
        told = text(message.get("errorMessage"))[:ROW]
        return Headline(reason, "assistant", joined(line, told) or reason, error=True)
    kinds = {text(mapping(block).get("type")) for block in items(message.get("content"))}
    if kinds == {"thinking"}:
        return Headline("thinking", "assistant", line)
    word = "tool call" if calls_of(message) and "text" not in kinds else "assistant"
    return Headline(word, "assistant", line or _EMPTY)


def _custom(message: dict[str, Any]) -> Headline:
    name, line = text(message.get("customType"))[:NAME], content_line(content_of(message))
    return Headline("context", "user", behind(name, line) or _EMPTY)


def _command(message: dict[str, Any]) -> Headline:
    code = whole(message.get("exitCode"))
    apart = "kept from the model" if message.get("excludeFromContext") else ""
    ended = "cancelled" if message.get("cancelled") is True else f"exit {code}" if code else ""
    command = text(message.get("command"))[:ROW]
    return Headline("command", "user", joined(f"$ {command}", ended, apart), bool(code))


# Entries that say nothing to the model.


def _members(entry: dict[str, Any]) -> str:
    return listed(entry, _ENVELOPE)


def _edit(entry: dict[str, Any]) -> str:
    target, replacement = said(entry.get("targetId")), entry.get("replacement")
    if "replacement" not in entry:
        return f"{target}: no replacement"
    if replacement is None:
        return f"{target} is removed"
    return behind(f"{target} says", content_line(mapping(replacement).get("content")) or _EMPTY)


def _label(entry: dict[str, Any]) -> str:
    target, label = said(entry.get("targetId")), text(entry.get("label"))[:NAME]
    return f"{target}: {label}" if label else f"{target}: no label any more"


def _model(entry: dict[str, Any]) -> str:
    return "/".join(filter(None, (said(entry.get("provider")), said(entry.get("modelId")))))


def _state(entry: dict[str, Any]) -> str:
    return behind(text(entry.get("customType"))[:NAME], entry.get("data"))


_BESIDE: Final[dict[str, tuple[str, Phrase]]] = {
    CONTEXT_EDIT: ("edit", _edit),
    LABEL: ("label", _label),
    MODEL_CHANGE: ("model", _model),
    THINKING_CHANGE: ("thinking level", lambda entry: said(entry.get("thinkingLevel"))),
    SESSION_INFO: ("title", lambda entry: text(entry.get("name"))[:ROW] or "no title any more"),
    CUSTOM: ("extension state", _state),
    USAGE: ("usage", _members),
}


def compaction_line(entry: dict[str, Any]) -> str:
    """What a compaction says beside its summary."""
    before = natural(entry.get("tokensBefore"))
    return joined(
        f"{before:,} tokens before" if before is not None else "",
        behind("keeps from", entry.get("firstKeptEntryId"), " "),
        "by an extension" if entry.get("fromHook") is True else "",
    )
