"""Items of the model's history: which the owner reads, and what they are on the surface.

The shapes are those of format page 2.4; what the owner cannot decode, it drops (RULES R0).
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from inspector.formats.codex import injected
from inspector.formats.codex.likeness import likeness as likeness_of
from inspector.formats.logs.tokens import of_bytes, of_text
from inspector.text.jsontext import json_length
from inspector.timeline.words import Kind, Role

BOUNDARY: Final = 1
"""A rollback counts it (RULES R3)."""
CONTEXT: Final = 2
"""A cut goes on past it if it stands directly above (RULES R4)."""
PERSON: Final = 4
"""A user's message that a compaction of the older kind keeps (RULES R2)."""
JOINED: Final = 8
"""Such a message that is not sent as it stands, once it is kept: texts are joined, images lost."""

_PARTS: Final = {"input_text": "text", "output_text": "text", "input_image": "image_url"}
"""The parts that a message may have, and the string that each must hold."""

CALLS: Final = {
    "function_call": "function_call_output",
    "local_shell_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "tool_search_call": "tool_search_output",
}
"""Calls, and what answers each (RULES R5)."""

OUTPUTS: Final = frozenset(CALLS.values())

OPAQUE: Final = ("compaction", "compaction_summary", "context_compaction")

DROPPED: Final = ("ghost_snapshot", "compaction_trigger")
"""Items that the owner knows and leaves out (format page 2.4)."""


class Item(NamedTuple):
    """An item as a node.

    Attributes:
        role: who speaks.
        kind: what it is.
        tokens: its bytes by four; of a message those of its texts joined, as the owner counts
            them when it compacts (RULES R2).
        likeness: a hash of all that is sent of it.
        traits: what the owner's rules see in it, as a sum of the words above.
        meta: the owner's interface hides it from the person.
        asks: of a call with an id, a hash of what answers it; else 0.
    """

    role: Role
    kind: Kind
    tokens: int
    likeness: int
    traits: int = 0
    meta: bool = False
    asks: int = 0


Check = Callable[[dict[str, Any]], str | None]


def _text(key: str) -> Check:
    return lambda item: None if type(item.get(key)) is str else f"{key} must be a string"


def _call(*keys: str) -> Check:
    def problem(item: dict[str, Any]) -> str | None:
        for key in keys:
            if type(item.get(key)) is not str:
                return f"{key} must be a string"
        return None

    return problem


def _output(item: dict[str, Any]) -> str | None:
    if type(item.get("call_id")) is not str:
        return "call_id must be a string"
    if type(item.get("output")) not in (str, list):
        return "output must be a string or an array"
    return None


def _message(item: dict[str, Any]) -> str | None:
    if type(item.get("role")) is not str:
        return "role must be a string"
    return _parts(item.get("content"))


def _parts(content: Any) -> str | None:
    if type(content) is not list:
        return "content must be an array"
    for part in content:
        if type(part) is not dict:
            return "a part of content must be an object"
        kind = part.get("type")
        key = _PARTS.get(kind) if type(kind) is str else None
        if key is None:
            return "a part of content is of an unknown type"
        if type(part.get(key)) is not str:
            return f"a part of content must hold a string {key}"
    return None


def _agent_message(item: dict[str, Any]) -> str | None:
    return None if type(item.get("content")) is list else "content must be an array"


CHECKS: Final[dict[str, Check | None]] = {
    "message": _message,
    "reasoning": None,
    "function_call": _call("name", "arguments", "call_id"),
    "function_call_output": _output,
    "custom_tool_call": _call("name", "input", "call_id"),
    "custom_tool_call_output": _output,
    "local_shell_call": None,
    "tool_search_call": None,
    "tool_search_output": None,
    "web_search_call": None,
    "image_generation_call": None,
    "agent_message": _agent_message,
    "additional_tools": None,
    "compaction": _text("encrypted_content"),
    "compaction_summary": _text("encrypted_content"),
    "context_compaction": None,
}
"""Every type of item that the owner knows, and what it demands of it."""


def is_known(kind: Any) -> bool:
    """Whether the owner knows items of a type."""
    return type(kind) is str and kind in CHECKS


def problem(item: dict[str, Any]) -> str | None:
    """Why the owner cannot decode an item of a known type, or None."""
    check = CHECKS[item["type"]]
    return check(item) if check is not None else None


def shape(item: dict[str, Any]) -> Item:
    """What an item that the owner can decode is as a node."""
    kind = item.get("type")
    if kind == "message":
        return _shape_of_message(item)
    likeness = likeness_of(item)
    if kind in OUTPUTS:
        held = "tools" if kind == "tool_search_output" else "output"
        return Item(Role.TOOL, Kind.TOOL_RESULT, _weight(item, held), likeness)
    if kind == "function_call":
        weight = of_text(item["arguments"])
        return Item(Role.ASSISTANT, Kind.TOOL_CALL, weight, likeness, asks=_asks(item))
    if kind in CALLS:
        weight = _weight(item, "arguments", "input", "action")
        return Item(Role.ASSISTANT, Kind.TOOL_CALL, weight, likeness, asks=_asks(item))
    if kind == "reasoning":
        weight = _weight(item, "summary", "content", "encrypted_content")
        return Item(Role.ASSISTANT, Kind.REASONING, weight, likeness)
    if kind == "agent_message":
        return Item(Role.USER, Kind.CONTEXT, _weight(item, "content"), likeness, BOUNDARY)
    if kind in OPAQUE:
        return Item(Role.SUMMARY, Kind.OPAQUE, _weight(item, "encrypted_content"), likeness)
    if kind in ("web_search_call", "image_generation_call"):
        weight = _weight(item, "action", "result")
        return Item(Role.ASSISTANT, Kind.TOOL_CALL, weight, likeness)
    return Item(Role.SYSTEM, Kind.OPAQUE, of_bytes(json_length(item)), likeness)


def between_agents(content: str) -> Item:
    """The item that the owner makes of a line between agents (RULES R2)."""
    tokens, likeness = of_text(content), hash(("between agents", content))
    return Item(Role.USER, Kind.CONTEXT, tokens, likeness, BOUNDARY)


def _asks(item: dict[str, Any]) -> int:
    call = item.get("call_id")
    return asking(CALLS[item["type"]], call) if type(call) is str else 0


def asking(output: str, call: str) -> int:
    """A hash of what answers a call: an output of this type, under its id (RULES R5)."""
    return hash((output, call))


def _weight(item: dict[str, Any], *keys: str) -> int:
    total = 0
    for key in keys:
        value = item.get(key)
        if type(value) is str:
            total += len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass"))
        elif value:
            total += json_length(value)
    return (total + 3) // 4


def joined(content: list[Any]) -> str:
    """The texts of a message, as the owner joins them; images have none."""
    if len(content) == 1:
        text = content[0].get("text")
        return text if type(text) is str else ""
    return "\n".join(part["text"] for part in content if type(part.get("text")) is str)


def _shape_of_message(item: dict[str, Any]) -> Item:
    role, content = item["role"], item["content"]
    text = joined(content)
    tokens, likeness = of_text(text), likeness_of(item)
    if role == "user":
        return _user(content, tokens, likeness)
    if role == "assistant":
        between = len(content) == 1 and injected.is_between_agents(text)
        return Item(Role.ASSISTANT, Kind.MESSAGE, tokens, likeness, BOUNDARY if between else 0)
    if role == "developer":
        context = any(injected.is_developer_context(part.get("text", "")) for part in content)
        traits = CONTEXT if context else 0
        return Item(Role.DEVELOPER, Kind.CONTEXT, tokens, likeness, traits, meta=True)
    return Item(Role.SYSTEM, Kind.MESSAGE, tokens, likeness)


def _user(content: list[Any], tokens: int, likeness: int) -> Item:
    for part in content:
        text = part.get("text")
        if type(text) is not str:
            continue
        if injected.is_summary(text):
            return Item(Role.SUMMARY, Kind.SUMMARY, tokens, likeness)
        if part["type"] == "input_text" and injected.is_context(text):
            return Item(Role.USER, Kind.CONTEXT, tokens, likeness, CONTEXT, meta=True)
    whole = len(content) == 1 and "text" in content[0]
    traits = BOUNDARY | PERSON | (0 if whole else JOINED)
    put_there = whole and injected.is_instructions(content[0]["text"])
    return Item(Role.USER, Kind.MESSAGE, tokens, likeness, traits, meta=put_there)
