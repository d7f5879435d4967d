"""What an entry is: which rows it makes, and what of it matters on a path (rules page P2 to P5)."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from inspector.formats.pi.entry import role_of, systems_message, tokens_of, weight_of
from inspector.formats.pi.tree.store import (
    COMPACTS,
    EDITS,
    IS_EDITED,
    IS_SYSTEM,
    SETS_MODEL,
    SETS_THINKING,
)
from inspector.formats.pi.vocabulary import (
    ASSISTANT,
    BASH,
    BRANCH_SUMMARY,
    COMPACTION,
    CONTEXT_EDIT,
    CUSTOM_MESSAGE,
    CUSTOM_ROLE,
    MESSAGE,
    MODEL_CHANGE,
    SYSTEM,
    THINKING_CHANGE,
    TOOL_RESULT,
    USER,
)
from inspector.timeline.words import Kind, Role


class Row(NamedTuple):
    """A row that an entry makes.

    Attributes:
        role: who speaks.
        kind: what it is.
        tokens: by the owner's estimate.
        silent: the owner sends no message for it.
        meta: the owner does not show it to the person.
    """

    role: Role
    kind: Kind
    tokens: int
    silent: bool = False
    meta: bool = False


_ROLES: Final = {
    USER: (Role.USER, Kind.MESSAGE),
    ASSISTANT: (Role.ASSISTANT, Kind.MESSAGE),
    TOOL_RESULT: (Role.TOOL, Kind.TOOL_RESULT),
    BASH: (Role.USER, Kind.CONTEXT),
    CUSTOM_ROLE: (Role.USER, Kind.CONTEXT),
    SYSTEM: (Role.SYSTEM, Kind.CONTEXT),
    "branchSummary": (Role.SUMMARY, Kind.SUMMARY),
    "compactionSummary": (Role.SUMMARY, Kind.SUMMARY),
}
_UNKNOWN: Final = (Role.USER, Kind.OPAQUE)
_ASSISTANT: Final = Role.ASSISTANT


class Shape(NamedTuple):
    """What is known of an entry by itself.

    Attributes:
        kind: its type; empty if it has none.
        flags: of the tree.
        rows: those that it makes, in the order in which they stand.
        message: its message, or an empty one.
        role: who speaks, in the owner's words; empty if nobody does.
    """

    kind: str
    flags: int = 0
    rows: Sequence[Row] = ()
    message: dict[str, Any] = {}  # noqa: RUF012 - nobody changes a message
    role: str = ""


_FLAGS: Final = {
    USER: IS_EDITED,
    ASSISTANT: IS_EDITED | SETS_MODEL,
    TOOL_RESULT: IS_EDITED,
    CUSTOM_ROLE: IS_EDITED,
    SYSTEM: IS_SYSTEM,
}
_OTHERS: Final = {
    COMPACTION: COMPACTS,
    CONTEXT_EDIT: EDITS,
    CUSTOM_MESSAGE: IS_EDITED,
    MODEL_CHANGE: SETS_MODEL,
    THINKING_CHANGE: SETS_THINKING,
}


def shape_of(entry: dict[str, Any], kind: str) -> Shape:
    """What an entry of a type is."""
    if kind == MESSAGE:
        message = entry.get("message")
        if type(message) is not dict or not message:
            return Shape(kind)
        role = role_of(message)
        return Shape(kind, _FLAGS.get(role, 0), (_message(message, role),), message, role)
    return Shape(kind, _OTHERS.get(kind, 0), _rows(entry, kind))


def _rows(entry: dict[str, Any], kind: str) -> Sequence[Row]:
    if kind == CUSTOM_MESSAGE:
        hidden = entry.get("display") is False
        return (Row(Role.USER, Kind.CONTEXT, tokens_of(entry.get("content")), meta=hidden),)
    if kind == BRANCH_SUMMARY:
        summary = entry.get("summary")
        return (Row(Role.SUMMARY, Kind.SUMMARY, tokens_of(summary)),) if summary else ()
    if kind == COMPACTION:
        system = systems_message(entry)
        last = Row(Role.SUMMARY, Kind.SUMMARY, tokens_of(entry.get("summary")))
        return (last,) if system is None else (_system(system), last)
    return ()


def _system(message: dict[str, Any]) -> Row:
    return Row(Role.SYSTEM, Kind.CONTEXT, tokens_of(message.get("content")))


def _message(message: dict[str, Any], role: str) -> Row:
    weight = weight_of(message, role)
    if role == ASSISTANT:
        return Row(_ASSISTANT, _said(message), weight)
    who, what = _ROLES.get(role, _UNKNOWN)
    if role in (USER, TOOL_RESULT):
        return Row(who, what, weight)
    silent = what is Kind.OPAQUE or (role == BASH and bool(message.get("excludeFromContext")))
    hidden = role == CUSTOM_ROLE and message.get("display") is False
    return Row(who, what, weight, silent, hidden)


def plain_look(role: str, message: dict[str, Any]) -> tuple[Role, Kind]:
    """Who speaks in a message of a person, the model or a tool, and what it is."""
    return (_ASSISTANT, _said(message)) if role == ASSISTANT else _ROLES[role]


def _said(message: dict[str, Any]) -> Kind:
    """What an assistant's message is: the first of message, call and reasoning."""
    content, found = message.get("content"), Kind.OPAQUE
    if type(content) is list:
        for block in content:
            kind = block.get("type") if type(block) is dict else None
            if kind == "toolCall":
                found = Kind.TOOL_CALL
            elif kind != "thinking":
                return Kind.MESSAGE
            elif found is Kind.OPAQUE:
                found = Kind.REASONING
    return Kind.MESSAGE if found is Kind.OPAQUE else found
