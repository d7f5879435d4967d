"""The history that a compaction stores (format page 2.9)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from inspector.formats.codex import items
from inspector.formats.codex.items import BOUNDARY, Item
from inspector.formats.shapes import text
from inspector.timeline.words import Kind, Role


class Replacement(NamedTuple):
    """What the history becomes by a compaction: its items, and which of them sums up, or None."""

    items: Sequence[Item]
    summary: int | None


def problem(payload: dict[str, Any]) -> str | None:
    """Why the owner drops a compaction, or None (RULES R0)."""
    if type(payload.get("message")) is not str:
        return "it has no message"
    stored = payload.get("replacement_history")
    if stored is None:
        return None
    if type(stored) is not list:
        return "replacement_history must be an array"
    for at, item in enumerate(stored):
        if type(item) is not dict or type(item.get("type")) is not str:
            return f"item {at} of its history is no item"
        why = items.problem(item) if items.is_known(item["type"]) else None
        if why is not None:
            return f"item {at} of its history cannot be read: {why}"
    return None


def replacement(payload: dict[str, Any]) -> Replacement:
    """What the history becomes by a compaction that the owner can read."""
    stored = payload["replacement_history"]
    shapes = [items.shape(item) for item in stored]
    summary = _summary(payload["message"], stored, shapes)
    if summary is not None and shapes[summary].kind is Kind.MESSAGE:
        shapes[summary] = shapes[summary]._replace(role=Role.SUMMARY, kind=Kind.SUMMARY)
    return Replacement(shapes, summary)


def _summary(message: str, stored: list[dict[str, Any]], shapes: list[items.Item]) -> int | None:
    """Which item sums up what is hidden; None if none does.

    By its kind, or by the text that the compaction tells apart; where it tells none, the last one,
    if that is a user's message: what is kept of the person's stands before it.
    """
    for at in range(len(shapes) - 1, -1, -1):
        if shapes[at].kind in (Kind.SUMMARY, Kind.OPAQUE):
            return at
    for at in range(len(shapes) - 1, -1, -1):
        if message and shapes[at].traits & BOUNDARY and message in said(stored[at]):
            return at
    last = len(shapes) - 1
    return last if not message and last >= 0 and shapes[last].traits & items.PERSON else None


def said(item: dict[str, Any]) -> str:
    """The text of a message, or an empty one."""
    if item.get("type") == "message":
        return items.joined(item["content"])
    return text(item.get("content"))


def user_message(said: str) -> dict[str, Any]:
    """A user's message that the owner makes of a text."""
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": said}]}
