"""The owner's token heuristic (format page 7.1): characters by four, and four for each wrapping.

Results wrapped in a ``tool-result`` block count their inner blocks.
"""

from typing import Any, Final

from inspector.formats.shapes import items, text
from inspector.text.jsontext import json_length

_WRAPPING: Final = 4


def of_text(value: str) -> int:
    """The tokens of a text by its length, which the owner counts in UTF-16 units."""
    units = len(value) if value.isascii() else len(value.encode("utf-16-le", "surrogatepass")) // 2
    return (units + 3) // 4


def of_json(value: Any) -> int:
    """The tokens of a value by the length of its JSON."""
    return (json_length(value) + 3) // 4


def of_content(content: list[Any]) -> int:
    """The tokens of a message with this content."""
    if len(content) == 1 and type(block := content[0]) is dict and block.get("type") == "text":
        # What most messages are.
        return _WRAPPING + _WRAPPING + of_text(text(block.get("text")))
    total = _WRAPPING
    blocks = content
    results: list[list[Any]] = []
    while True:
        for block in blocks:
            kind = block.get("type") if type(block) is dict else None
            if kind in ("text", "reasoning"):
                total += _WRAPPING + of_text(text(block.get("text")))
            elif kind == "tool-call":
                name, arguments = text(block.get("name")), text(block.get("arguments"))
                total += _WRAPPING + of_text(name) + of_text(arguments)
            elif kind == "tool-result":
                total += _WRAPPING
                results.append(items(block.get("content")))
            else:
                total += _WRAPPING + of_json(block)
        if not results:
            return total
        # Results may hold results, as deep as a hostile tape likes.
        blocks = results.pop()


def of_block(block: Any) -> int:
    """The tokens of a content block."""
    return of_content([block]) - _WRAPPING
