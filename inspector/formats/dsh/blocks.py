"""Content blocks in one line, as plain uncleaned text.

Texts are cut before anything else happens to them: a line costs the same whatever stands in the
record.
"""

from typing import Any, Final

from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import ROW, call_line

_DEEPEST: Final = 4
"""Results within results that a row looks into."""


def blocks_line(blocks: list[Any], depth: int = 0) -> str:
    """The start of a message: its texts, then its calls; reasoning only where there is no text."""
    parts: list[str] = []
    thoughts: list[str] = []
    room = ROW
    for block in blocks[:50]:
        shape = mapping(block)
        kind = shape.get("type")
        if kind == "reasoning":
            thoughts.append(text(shape.get("text"))[:room])
            continue
        part = _block_line(shape, depth)[:room]
        parts.append(part)
        room -= len(part)
        if room <= 0:
            break
    if not parts and thoughts:
        return f"(thinking) {thoughts[0]}"
    return " ".join(part for part in parts if part)


def _block_line(block: dict[str, Any], depth: int) -> str:
    kind = block.get("type")
    if kind == "text":
        return text(block.get("text"))[: 3 * ROW]
    if kind == "tool-call":
        return f"→ {call_line(text(block.get('name')), block.get('arguments'))}"
    if kind == "image":
        return f"[image {text(mapping(block.get('attachment')).get('mediaType'))[:80]}]"
    if kind == "tool-result" and depth < _DEEPEST:
        return blocks_line(items(block.get("content")), depth + 1)
    return f"[{text(kind)[:80] or 'block'}]"
