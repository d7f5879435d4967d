"""What a message of DeepSeek Harness is: who wrote it, of which kind (format page 1.10)."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from inspector.formats.shapes import items, mapping, text
from inspector.timeline.words import Kind, Outcome, Role


class Shape(NamedTuple):
    """What an eligible event is as a node; ``failed`` if it tells of an error."""

    role: Role
    kind: Kind
    content: list[Any]
    failed: bool = False


TURN_OUTCOMES: Final = {
    "completed": Outcome.OK,
    "blocked": Outcome.REJECTED,
    "max-tokens": Outcome.FAILED,
    "max-steps": Outcome.FAILED,
    "interrupted": Outcome.INTERRUPTED,
    "forked": Outcome.INTERRUPTED,
    "aborted": Outcome.CANCELLED,
    "disposed": Outcome.CANCELLED,
    "error": Outcome.FAILED,
}
"""``turn/end`` reason kinds (format page 1.10)."""

_DETAIL: Final = 200
"""Characters of an error message that are said beside its kind."""


def is_human(data: dict[str, Any]) -> bool:
    """Whether a user/message was written by the person (format page 1.10: source kind ``user``)."""
    return mapping(data.get("source")).get("kind") == "user"


def is_checkpoint(data: dict[str, Any]) -> bool:
    """Whether a user/message is the checkpoint of a compaction (format page 7.4)."""
    source = mapping(data.get("source"))
    return source.get("kind") == "plugin" and source.get("plugin") == "compact"


def result_block(data: dict[str, Any]) -> dict[str, Any]:
    """The one block of a tool/result."""
    content = items(mapping(data.get("message")).get("content"))
    return mapping(content[0]) if content else {}


def assistant_kind(kinds: Sequence[Any]) -> Kind:
    """The kind of an assistant message by the types of its blocks: text, a call, reasoning."""
    if "text" in kinds or not kinds:
        return Kind.MESSAGE
    if "tool-call" in kinds:
        return Kind.TOOL_CALL
    return Kind.REASONING if "reasoning" in kinds else Kind.OPAQUE


def turn_end_kind(data: dict[str, Any]) -> str:
    """Why a turn ended; old logs say it beside the reason (format page 1.9)."""
    return text(mapping(data.get("reason")).get("kind")) or text(data.get("kind"))


def with_detail(word: str, detail: Any) -> str:
    """A word, and behind it what is said of it, if that is a text: ``error: no route``."""
    said = text(detail)[:_DETAIL]
    return f"{word[:_DETAIL]}: {said}" if said else word[:_DETAIL]
