"""What a record of the tree is as a row of the surface (format page 1.4)."""

from typing import Any, Final

from inspector.formats.claude.effects.texts import first_text, is_spoken
from inspector.formats.claude.tree.arrival import Shape
from inspector.formats.claude.tree.store import (
    ASSISTANT,
    BOUNDARY,
    BRIEFING,
    MESSAGE,
    META,
    PROGRESS,
    QUEUED,
    REAL,
    REMINDER,
    RESULT,
    ROOTED,
    SIDE,
)
from inspector.formats.logs.tokens import of_text
from inspector.formats.shapes import items, mapping, text
from inspector.text.jsontext import json_length
from inspector.timeline.words import Kind, Role

_IMAGE: Final = 1_500
"""What a picture or a document weighs; its bytes say nothing of it."""

_FILES: Final = frozenset({"image", "document"})

SHOWN_ORIGINS: Final = frozenset(
    {"channel", "observer", "observer-activity", "slack-ping", "voice-call", "peer"}
)
"""Origins of hidden lines that are shown to the person all the same (rules page R7)."""

SILENT_ATTACHMENTS: Final = frozenset(
    {
        "already_read_file",
        "command_permissions",
        "dynamic_skill",
        "edited_image_file",
        "hook_cancelled",
        "hook_error_during_execution",
        "hook_non_blocking_error",
        "hook_permission_decision",
        "hook_system_message",
        "structured_output",
    }
)
"""Attachments that tell the person something and the model nothing."""

_QUIET: Final = ("", "No response requested.")

_KINDS: Final = {"text": Kind.MESSAGE, "tool_use": Kind.TOOL_CALL, "thinking": Kind.REASONING}


def flags_of(record: dict[str, Any], kind: str) -> int:
    """What a record is as an entry of the tree; see `store`."""
    flags = REAL
    if record.get("isSidechain") or record.get("teamName"):
        flags |= SIDE
    if "parentUuid" in record and record["parentUuid"] is None:
        flags |= ROOTED
    if record.get("isMeta"):
        flags |= META
    if kind == "assistant":
        return flags | MESSAGE | ASSISTANT
    if kind == "user":
        content = mapping(record.get("message")).get("content")
        return flags | MESSAGE | (RESULT if _answers(content) else 0)
    if kind == "progress":
        return flags | PROGRESS
    if kind == "system":
        return flags | (BOUNDARY if record.get("subtype") == "compact_boundary" else 0)
    return flags | _attachment(mapping(record.get("attachment")), flags)


def is_talk(record: dict[str, Any]) -> bool:
    """Whether a notice is what somebody said in a call, which the owner reads as a message."""
    return (
        record.get("subtype") == "voice_call_talk"
        and record.get("type") == "system"
        and mapping(record.get("origin")).get("kind") == "voice-call"
    )


def talk(record: dict[str, Any]) -> dict[str, Any]:
    """What somebody said in a call, as a message of the user (rules page R1)."""
    message = {"role": "user", "content": record.get("content")}
    return {**record, "type": "user", "message": message}


def _answers(content: Any) -> bool:
    return type(content) is list and any(
        type(block) is dict and block.get("type") == "tool_result" for block in content
    )


def _attachment(attachment: dict[str, Any], flags: int) -> int:
    kind = text(attachment.get("type"))
    if kind == "queued_command":
        hidden = flags & META or attachment.get("isMeta") or attachment.get("forwardedIntent")
        return REMINDER if hidden else QUEUED
    if kind == "fork_briefing":
        return BRIEFING | REMINDER
    if kind in SILENT_ATTACHMENTS:
        return 0
    if kind == "hook_success" and not text(attachment.get("content")).strip():
        return 0
    return REMINDER


def shape_of(record: dict[str, Any], flags: int) -> Shape | None:
    """The row that a record makes, or None if the model is not told of it."""
    if flags & MESSAGE:
        content = mapping(record.get("message")).get("content")
        if flags & ASSISTANT:
            quiet = record.get("closesQuietTurn") is True and _is_quiet(content)
            meta = quiet or _is_hidden(record, flags)
            return Shape(Role.ASSISTANT, _assistant_kind(content), of_content(content), meta)
        meta = _is_hidden(record, flags)
        if flags & RESULT:
            return Shape(Role.TOOL, Kind.TOOL_RESULT, of_content(content), meta)
        if record.get("isCompactSummary"):
            return Shape(Role.SUMMARY, Kind.SUMMARY, of_content(content), meta)
        told = meta or not is_spoken(first_text(content))
        kind = Kind.CONTEXT if told else Kind.MESSAGE
        return Shape(Role.USER, kind, of_content(content), meta)
    if flags & QUEUED:
        prompt = mapping(record.get("attachment")).get("prompt")
        return Shape(Role.USER, Kind.MESSAGE, of_content(prompt))
    if flags & REMINDER:
        attachment = mapping(record.get("attachment"))
        return Shape(Role.USER, Kind.CONTEXT, (json_length(attachment) + 3) // 4, True)
    return None


def _assistant_kind(content: Any) -> Kind:
    """By the first of: text, a call, reasoning."""
    if type(content) is str:
        return Kind.MESSAGE
    kinds = [block.get("type") for block in items(content) if type(block) is dict]
    if not kinds:
        return Kind.MESSAGE
    return next((kind for name, kind in _KINDS.items() if name in kinds), Kind.OPAQUE)


def _is_hidden(record: dict[str, Any], flags: int) -> bool:
    """Whether a message is hidden from the person (rules page R7)."""
    if not flags & META:
        return False
    kind = mapping(record.get("origin")).get("kind")
    return type(kind) is not str or kind not in SHOWN_ORIGINS


def _is_quiet(content: Any) -> bool:
    blocks = items(content)
    only = mapping(blocks[0]) if len(blocks) == 1 else {}
    return only.get("type") == "text" and text(only.get("text")).strip() in _QUIET


def of_content(content: Any) -> int:
    """The tokens of a message by the bytes of what it says."""
    if type(content) is str:
        return of_text(content)
    if type(content) is not list:
        return 0 if content is None else (json_length(content) + 3) // 4
    total = 0
    waiting: list[Any] = [content]
    while waiting:
        # Results may hold blocks, as deep as a hostile tape likes.
        for block in waiting.pop():
            if type(block) is str:
                total += of_text(block)
            elif type(block) is not dict:
                total += 1
            else:
                total += _of_block(block, waiting)
    return total


def _of_block(block: dict[str, Any], waiting: list[Any]) -> int:
    kind = block.get("type")
    if kind == "text":
        return of_text(text(block.get("text")))
    if kind == "thinking":
        return of_text(text(block.get("thinking")))
    if kind == "tool_result":
        inner = block.get("content")
        if type(inner) is list:
            waiting.append(inner)
            return 4
        return 4 + (of_text(inner) if type(inner) is str else 0)
    if kind == "tool_use":
        return 4 + of_text(text(block.get("name"))) + of_input(block.get("input"))
    return _IMAGE if text(kind) in _FILES else (json_length(block) + 3) // 4


def of_input(value: Any) -> int:
    """The tokens of what a tool is called with."""
    if type(value) is dict:
        total = len(value)
        for key, part in value.items():
            if type(part) is not str:
                break
            total += of_text(key) + of_text(part)
        else:
            return total
    return (json_length(value) + 3) // 4
