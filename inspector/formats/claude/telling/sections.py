"""Records for people in full, as plain uncleaned text in sections."""

from dataclasses import replace
from typing import Any, Final

from inspector.formats.claude.effects.texts import content_of
from inspector.formats.claude.telling.blocks import file_words
from inspector.formats.claude.telling.headlines import headline
from inspector.formats.contract import Section
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import joined, pretty, short, usage_line

_TOLD: Final = frozenset({"type", "message", "attachment", "uuid", "timestamp", "sessionId"})


def sections(record: dict[str, Any]) -> list[Section]:
    """A record in full."""
    kind = text(record.get("type"))
    if kind in ("user", "assistant"):
        return [*_message(record), *_about(record)]
    if kind == "attachment":
        return [*_attachment(mapping(record.get("attachment"))), *_about(record)]
    line = headline(record)
    said = text(record.get("content")) or text(record.get("summary")) or line.text
    return [Section("", said, "error" if line.error else "plain"), _all(record)]


def _message(record: dict[str, Any]) -> list[Section]:
    content = content_of(record)
    if isinstance(content, str):
        return [Section("", content or "(empty)", "plain" if content else "dim")]
    found = [section for block in items(content) for section in _block(block)]
    return found or [Section("", "(empty)", "dim")]


def _block(block: Any) -> list[Section]:
    if not isinstance(block, dict):
        return [Section("", short(block))]
    kind = block.get("type")
    if kind == "text":
        return [Section("", text(block.get("text")))]
    if kind == "thinking":
        return [Section("thinking", text(block.get("thinking")) or "(empty)", "dim")]
    if kind == "redacted_thinking":
        return [Section("thinking", "The provider hid it.", "dim")]
    if kind == "tool_use":
        return [Section(text(block.get("name")), pretty(block.get("input")), "code")]
    if kind == "tool_result":
        return _result(block)
    if kind in ("image", "document"):
        return [Section("", file_words(block), "dim")]
    return [Section(short(kind or "block"), pretty(block), "code")]


def _result(block: dict[str, Any]) -> list[Section]:
    failed = block.get("is_error") is True
    content = block.get("content")
    heading = "error" if failed else ""
    if isinstance(content, str):
        return [Section(heading, content or "(no output)", "error" if failed else "plain")]
    parts = [section for part in items(content) for section in _block(part)]
    if failed:
        parts = [replace(section, tone="error") for section in parts]
    return parts or [Section(heading, "(no output)", "dim")]


def _attachment(attachment: dict[str, Any]) -> list[Section]:
    kind = text(attachment.get("type"))
    if kind == "queued_command":
        prompt = attachment.get("prompt")
        if isinstance(prompt, str):
            return [Section("typed ahead", prompt)]
        return [section for block in items(prompt) for section in _block(block)]
    return [Section(kind or "attachment", pretty(attachment), "code")]


def _about(record: dict[str, Any]) -> list[Section]:
    """What a record says beside its message."""
    found = _copied(mapping(record.get("forkedFrom")))
    message = mapping(record.get("message"))
    usage = mapping(message.get("usage"))
    if usage:
        found.append(Section("usage", _usage_line(message, usage), "dim"))
    if record.get("toolUseResult") is not None:
        found.append(Section("kept for the person", pretty(record["toolUseResult"]), "code", True))
    rest = {key: value for key, value in record.items() if key not in _TOLD | {"toolUseResult"}}
    if rest:
        found.append(Section("record", pretty(rest), "code", True))
    return found


def _copied(source: dict[str, Any]) -> list[Section]:
    """Of which record of another session a fork made this one (format page 1.3)."""
    message, session = text(source.get("messageUuid")), text(source.get("sessionId"))
    told = joined(f"message {message}" if message else "", f"session {session}" if session else "")
    return [Section("copied from", told, "dim", True)] if told else []


_COUNTED: Final = {
    "input_tokens": "input",
    "cache_read_input_tokens": "cache read",
    "cache_creation_input_tokens": "cache written",
    "output_tokens": "output",
}


def _usage_line(message: dict[str, Any], usage: dict[str, Any]) -> str:
    """Reported tokens in one line, and the model; the owner writes a nought for what is none."""
    counts = {key: count for key, count in usage.items() if count}
    return joined(usage_line(counts, _COUNTED), text(message.get("model")))


def _all(record: dict[str, Any]) -> Section:
    return Section("record", pretty(record), "code", True)
