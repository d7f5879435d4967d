"""The owner's token heuristic (format page 7.1): characters by four, and four for each wrapping.

Results wrapped in a ``tool-result`` block count their inner blocks.
"""

from typing import Any, Final

import orjson

from inspector.formats.shapes import items, text

_WRAPPING: Final = 4


def of_text(value: str) -> int:
    """The tokens of a text."""
    return (len(value) + 3) // 4


def of_json(value: Any) -> int:
    """The tokens of a value by the length of its JSON."""
    try:
        return (len(orjson.dumps(value)) + 3) // 4
    except TypeError:
        return of_text(repr(value))


def of_block(block: Any) -> int:
    """The tokens of a content block."""
    if type(block) is not dict:
        return _WRAPPING + of_json(block)
    kind = block.get("type")
    if kind in ("text", "reasoning"):
        return _WRAPPING + of_text(text(block.get("text")))
    if kind == "tool-call":
        return _WRAPPING + of_text(text(block.get("name"))) + of_text(text(block.get("arguments")))
    if kind == "tool-result":
        return of_content(items(block.get("content")))
    return _WRAPPING + of_json(block)


def of_content(content: list[Any]) -> int:
    """The tokens of a message with this content."""
    total = _WRAPPING
    for block in content:
        total += of_block(block)
    return total
