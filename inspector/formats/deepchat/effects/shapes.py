"""What a message looks like on the surface."""

from typing import Any, Final, NamedTuple

from orjson import loads

from inspector.formats.deepchat.context.messages import (
    BuildBreaks,
    Sent,
    blocks_of,
    messages_of,
)
from inspector.formats.deepchat.context.records import ERROR, SENT, USER, Record, left_out
from inspector.formats.deepchat.values import is_blank
from inspector.formats.logs.tokens import of_bytes, of_text
from inspector.timeline.words import Kind, Role


class Shape(NamedTuple):
    """How a message enters the surface.

    Attributes:
        role: who speaks.
        kind: what it is.
        tokens: an estimate.
        silent: the owner makes no message of it.
        breaks: why the owner's builder throws on it, or None.
    """

    role: Role
    kind: Kind
    tokens: int
    silent: bool
    breaks: BuildBreaks | None = None


Weight = tuple[Kind, int, bool]
"""What the messages that the owner makes of a record are together: the kind of the first one, an
estimate of the tokens of all, and whether there is none."""


_USER: Final = Role.USER
_ASSISTANT: Final = Role.ASSISTANT
_MESSAGE: Final = Kind.MESSAGE


def shape_of(record: Record, metadata: dict[str, Any]) -> Shape:
    """The shape of a valid record."""
    role = _USER if record.role == USER else _ASSISTANT
    left = bool(metadata or record.status != SENT) and left_out(record, metadata) is not None
    try:
        kind, tokens, empty = weight_of(record) or careful_weight_of(record)
    except BuildBreaks as breaks:
        tokens = of_text(record.content)
        return Shape(role, Kind.OPAQUE, tokens, silent=left, breaks=None if left else breaks)
    if metadata and metadata.get("messageType") == "compaction":
        kind = Kind.CONTEXT
    return Shape(role, kind, tokens, left or empty)


def careful_weight_of(record: Record) -> Weight:
    """The weight of a record by the messages that are made of it.

    Raises:
        BuildBreaks: if the owner's builder throws on it.
    """
    sent = messages_of(record)
    kind = Kind.MESSAGE if record.role == USER else _kind(record.content, sent)
    tokens = sum(
        of_text(message.text)
        + sum(of_text(call.name) + of_text(call.arguments) for call in message.calls)
        for message in sent
    )
    return (kind, tokens, not sent)


def _kind(content: str, sent: list[Sent]) -> Kind:
    """Message if it has text, else a call if it makes one, else reasoning."""
    if not sent:
        return Kind.MESSAGE
    if sent[0].calls:
        return Kind.MESSAGE if sent[0].text else Kind.TOOL_CALL
    spoken = any(block.get("type") != "reasoning_content" for block in blocks_of(content))
    return Kind.MESSAGE if spoken else Kind.REASONING


def weight_of(record: Record) -> Weight | None:
    """The same without making messages, for records as nearly all are; None for the others."""
    try:
        value = loads(record.content)
    except ValueError:
        return None
    if record.role == USER:
        text = value.get("text") if type(value) is dict else None
        if type(text) is not str or value.get("inlineItems"):
            return None
        empty = is_blank(text)
        return (_MESSAGE, 0 if empty else of_text(text), empty)
    return _weight_of_blocks(value) if type(value) is list and record.status != ERROR else None


def _weight_of_blocks(blocks: list[Any]) -> Weight | None:
    """The weight of an assistant's blocks (RULES C3); None if one is an error, or no object."""
    said = thought = calls = 0
    named = blank = only_thought = True
    for block in blocks:
        if type(block) is not dict:
            return None
        kind = block.get("type")
        content = block.get("content")
        if kind == "content":
            only_thought = False
            if type(content) is str and content:
                said += _bytes(content)
                blank = blank and is_blank(content)
        elif kind == "reasoning_content":
            if type(content) is str and content:
                thought += _bytes(content)
                blank = blank and is_blank(content)
        elif kind == "tool_call":
            only_thought = False
            tokens, whole = _weight_of_call(block.get("tool_call"))
            calls += tokens
            named = named and whole
        elif kind == "error":
            return None
        else:
            only_thought = False
    if not named:
        return None
    if calls:
        return (_MESSAGE if said else Kind.TOOL_CALL, calls + of_bytes(said), False)
    if blank:
        return (_MESSAGE, 0, True)
    kind = Kind.REASONING if only_thought else _MESSAGE
    return (kind, of_bytes(said + thought), False)


def _weight_of_call(call: Any) -> tuple[int, bool]:
    """The tokens of a call that was answered and of its answer; False if it has no name."""
    if type(call) is not dict:
        return 0, True
    identity, name, response = call.get("id"), call.get("name"), call.get("response")
    if type(identity) is not str or type(name) is not str or type(response) is not str:
        return 0, True
    if not response:
        return 0, True
    params = call.get("params")
    arguments = params if type(params) is str and params else "{}"
    return of_text(name) + of_text(arguments) + of_text(response), bool(identity and name)


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
