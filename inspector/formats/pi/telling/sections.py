"""Entries for people in full, as plain uncleaned text in sections."""

from typing import Any, Final

from inspector.formats.contract import Section
from inspector.formats.pi.entry import content_of, message_of, role_of, systems_message
from inspector.formats.pi.telling.blocks import image_words
from inspector.formats.pi.telling.headlines import compaction_line, headline
from inspector.formats.pi.vocabulary import (
    BASH,
    BRANCH_SUMMARY,
    COMPACTION,
    CONTEXT_EDIT,
    CUSTOM_MESSAGE,
    MESSAGE,
    TOOL_RESULT,
)
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import joined, pretty, short, usage_line

_TOLD: Final = frozenset({"type", "message", "summary", "content", "systemMessage", "usage"})
_OF_MESSAGE: Final = frozenset({"role", "content", "usage", "command", "output"})

_COUNTED: Final = {
    "input": "input",
    "cacheRead": "cache read",
    "cacheWrite": "cache written",
    "output": "output",
}


def sections(entry: dict[str, Any]) -> list[Section]:
    """An entry in full."""
    return [*said(entry), *_about(entry)]


def said(entry: dict[str, Any]) -> list[Section]:
    """What an entry says."""
    kind = text(entry.get("type"))
    if kind == MESSAGE:
        return _message(message_of(entry))
    if kind == CUSTOM_MESSAGE:
        return contents(content_of(entry))
    if kind in (COMPACTION, BRANCH_SUMMARY):
        found = [_summary(entry)]
        system = systems_message(entry)
        if system is not None:
            found += [*checkpoint(entry)]
        return found
    if kind == CONTEXT_EDIT and isinstance(entry.get("replacement"), dict):
        return [Section("", headline(entry).text, "dim"), *replaced(entry)]
    return [Section("", headline(entry).text)]


def _summary(entry: dict[str, Any]) -> Section:
    summary = entry.get("summary")
    if summary is None or isinstance(summary, str):
        return Section("", summary or "(empty)", "plain" if summary else "dim")
    return Section("summary", pretty(summary), "code")


def checkpoint(entry: dict[str, Any]) -> list[Section]:
    """The message of the system that a compaction brings."""
    content = mapping(entry.get("systemMessage")).get("content")
    return [Section("system", part.text, part.tone) for part in contents(content)]


def replaced(edit: dict[str, Any]) -> list[Section]:
    """What an edit says instead of what stands there."""
    return contents(mapping(edit.get("replacement")).get("content"))


def _message(message: dict[str, Any]) -> list[Section]:
    role = role_of(message)
    if role == BASH:
        output = text(message.get("output"))
        return [
            Section("command", text(message.get("command")), "code"),
            Section("", output or "(no output)", "plain" if output else "dim"),
        ]
    found = contents(message.get("content"))
    if role == TOOL_RESULT and message.get("isError") is True:
        return [Section("error", part.text, "error") for part in found]
    told = text(message.get("errorMessage"))
    return [*found, Section("error", told, "error")] if told else found


def contents(content: Any) -> list[Section]:
    """Content in full."""
    if isinstance(content, str):
        return [Section("", content or "(empty)", "plain" if content else "dim")]
    return [_block(block) for block in items(content)] or [Section("", "(empty)", "dim")]


def _block(block: Any) -> Section:
    shape = mapping(block)
    kind = text(shape.get("type"))
    if kind == "text":
        return Section("", text(shape.get("text")))
    if kind == "thinking":
        return Section("thinking", text(shape.get("thinking")) or "(empty)", "dim")
    if kind == "toolCall":
        return Section(text(shape.get("name")), pretty(shape.get("arguments")), "code")
    if kind == "image":
        return Section("", image_words(shape), "dim")
    return Section(kind or "block", block if isinstance(block, str) else pretty(block), "code")


def _about(entry: dict[str, Any]) -> list[Section]:
    """What an entry says beside that."""
    message = message_of(entry)
    found: list[Section] = []
    if entry.get("type") == COMPACTION:
        found.append(Section("compaction", compaction_line(entry), "dim", True))
    usage = mapping(message.get("usage") or entry.get("usage"))
    if usage:
        found.append(Section("usage", _usage(message, usage), "dim", True))
    rest = {key: value for key, value in entry.items() if key not in _TOLD}
    own = {key: value for key, value in message.items() if key not in _OF_MESSAGE}
    if own:
        rest["message"] = own
    if rest:
        found.append(Section("entry", pretty(rest), "code", True))
    return found


def _usage(message: dict[str, Any], usage: dict[str, Any]) -> str:
    """Reported tokens in one line, what they cost, and the model."""
    counts = {key: count for key, count in usage.items() if count}
    cost = mapping(usage.get("cost")).get("total")
    money = f"cost {short(cost)}" if isinstance(cost, (int, float)) and cost else ""
    return joined(usage_line(counts, _COUNTED), money, text(message.get("model")))
