"""Records for people in full, as plain uncleaned text in sections."""

import re
from dataclasses import replace
from typing import Any, Final

from inspector.formats.claude.effects.texts import content_of
from inspector.formats.claude.telling.blocks import file_words, short
from inspector.formats.claude.telling.headlines import headline
from inspector.formats.contract import Section
from inspector.formats.shapes import items, mapping, text
from inspector.text.jsontext import json_lines

_MOST: Final = 100_000
"""Characters of a value that are laid out: more of one nobody reads as JSON."""

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
        return [Section(text(block.get("name")), _pretty(block.get("input")), "code")]
    if kind == "tool_result":
        return _result(block)
    if kind in ("image", "document"):
        return [Section("", file_words(block), "dim")]
    return [Section(short(kind or "block"), _pretty(block), "code")]


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
    return [Section(kind or "attachment", _pretty(attachment), "code")]


def _about(record: dict[str, Any]) -> list[Section]:
    """What a record says beside its message."""
    found: list[Section] = []
    message = mapping(record.get("message"))
    usage = mapping(message.get("usage"))
    if usage:
        found.append(Section("usage", usage_line(usage, text(message.get("model"))), "dim"))
    if record.get("toolUseResult") is not None:
        found.append(Section("kept for the person", _pretty(record["toolUseResult"]), "code", True))
    rest = {key: value for key, value in record.items() if key not in _TOLD | {"toolUseResult"}}
    if rest:
        found.append(Section("record", _pretty(rest), "code", True))
    return found


_COUNTED: Final = {
    "input_tokens": "input",
    "cache_read_input_tokens": "cache read",
    "cache_creation_input_tokens": "cache written",
    "output_tokens": "output",
}


def usage_line(usage: dict[str, Any], model: str) -> str:
    """Reported tokens in one line."""
    told = [f"{word} {short(usage[key])}" for key, word in _COUNTED.items() if usage.get(key)]
    return " · ".join([*told, model] if model else told)


def _all(record: dict[str, Any]) -> Section:
    return Section("record", _pretty(record), "code", True)


def _pretty(value: Any) -> str:
    """A value as indented JSON; a file by its size."""
    if isinstance(value, str):
        return _FILE.sub(_sized, value)
    shown = _FILE.sub(_sized, json_lines(value, _MOST))
    if len(shown) < _MOST:
        return shown
    return f"{shown[:_MOST]}\n… the first {_MOST:,} characters; r shows the record"


_FILE: Final = re.compile(r"((?:data:[\w/+.;=-]{1,80},)?)([A-Za-z0-9+/]{2048,}={0,2})")
"""A file in the text of a record, as base64."""


def _sized(found: re.Match[str]) -> str:
    length = len(found[2])
    return f"{found[1]}[{length:,} base64 characters = {length * 3 // 4:,} bytes; r shows them]"
