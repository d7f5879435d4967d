"""What a message looks like on the surface."""

from typing import Any, NamedTuple

from inspector.formats.deepchat.context.messages import (
    BuildBreaks,
    Sent,
    blocks_of,
    messages_of,
)
from inspector.formats.deepchat.context.records import USER, Record, left_out
from inspector.formats.logs.tokens import of_text
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


def shape_of(record: Record, metadata: dict[str, Any]) -> Shape:
    """The shape of a valid record."""
    user = record.role == USER
    role = Role.USER if user else Role.ASSISTANT
    left = left_out(record, metadata) is not None
    try:
        sent = messages_of(record)
    except BuildBreaks as breaks:
        tokens = of_text(record.content)
        return Shape(role, Kind.OPAQUE, tokens, silent=left, breaks=None if left else breaks)
    kind = Kind.MESSAGE if user else _kind(record.content, sent)
    if metadata.get("messageType") == "compaction":
        kind = Kind.CONTEXT
    return Shape(role, kind, _weight(sent), silent=left or not sent)


def _weight(sent: list[Sent]) -> int:
    return sum(
        of_text(message.text)
        + sum(of_text(call.name) + of_text(call.arguments) for call in message.calls)
        for message in sent
    )


def _kind(content: str, sent: list[Sent]) -> Kind:
    """Message if it has text, else a call if it makes one, else reasoning."""
    if not sent:
        return Kind.MESSAGE
    if sent[0].calls:
        return Kind.MESSAGE if sent[0].text else Kind.TOOL_CALL
    if '"reasoning_content"' not in content:
        return Kind.MESSAGE
    spoken = any(block.get("type") != "reasoning_content" for block in blocks_of(content))
    return Kind.MESSAGE if spoken else Kind.REASONING
