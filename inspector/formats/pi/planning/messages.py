"""Rows as the messages that the owner makes of them, as edits have them (rules page P4, P5)."""

from typing import Any, Final

from inspector.formats.pi.planning.material import Material, shown
from inspector.formats.pi.vocabulary import (
    ASSISTANT,
    BASH,
    BRANCH_SUMMARY,
    COMPACTION,
    CUSTOM_MESSAGE,
    CUSTOM_ROLE,
    HOOK,
    SYSTEM,
)
from inspector.formats.shapes import items, mapping, text
from inspector.timeline.words import Role

SUMMARY: Final = "compactionSummary"
OF_BRANCH: Final = "branchSummary"

FAILED: Final = frozenset({"error", "aborted"})
"""How answers end that no provider is sent again."""


def message(material: Material, node: int) -> dict[str, Any]:
    """The message of a row."""
    row, nodes = shown(material.timeline, node), material.timeline.surface.nodes
    entry = material.entry(row.item)
    kind = text(entry.get("type"))
    if kind == COMPACTION:
        if nodes.role(node) is Role.SYSTEM:
            return mapping(entry.get("systemMessage"))
        return {"role": SUMMARY, "summary": entry.get("summary")}
    if kind == BRANCH_SUMMARY:
        return {"role": OF_BRANCH, "summary": entry.get("summary")}
    if kind == CUSTOM_MESSAGE:
        found = {"role": CUSTOM_ROLE, "content": entry.get("content")}
    else:
        found = mapping(entry.get("message"))
        if found.get("role") == HOOK:
            found = {**found, "role": CUSTOM_ROLE}
    if row.edit is not None:
        replacement = mapping(material.entry(row.edit).get("replacement"))
        found = {**found, "content": replacement.get("content")}
    return found


def calls(said: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls that an answer makes which is sent again."""
    if said.get("role") != ASSISTANT or text(said.get("stopReason")) in FAILED:
        return []
    blocks = (mapping(block) for block in items(said.get("content")))
    return [block for block in blocks if block.get("type") == "toolCall"]


def contents(content: Any, apart: str = "") -> str:
    """The texts of some content."""
    if isinstance(content, str):
        return content
    blocks = (mapping(block) for block in items(content))
    return apart.join(text(block.get("text")) for block in blocks if block.get("type") == "text")


def is_transparent(said: dict[str, Any]) -> bool:
    """Whether a message stands between a call and its result without parting them."""
    role = said.get("role")
    return role == SYSTEM or (role == BASH and bool(said.get("excludeFromContext")))
