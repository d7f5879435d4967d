"""The owner's token heuristic (format page 7.1): characters by four, and four for each wrapping.

Results wrapped in a ``tool-result`` block count their inner blocks.
"""

from typing import Any, Final

from inspector.formats.shapes import items, text
from inspector.text.jsontext import json_length

_WRAPPING: Final = 4


def of_text(value: str) -> int:
    """The tokens of a text by its length, which the owner counts in UTF-16 units."""
    if value.isascii():
        return (len(value) + 3) // 4
    return (len(value.encode("utf-16-le", "surrogatepass")) // 2 + 3) // 4


def of_json(value: Any) -> int:
    """The tokens of a value by the length of its JSON."""
    return (json_length(value) + 3) // 4


def of_content(content: list[Any]) -> int:
    """The tokens of a message with this content."""
    total = _WRAPPING
    blocks = content
    results: list[list[Any]] = []
    while True:
        total += _WRAPPING * len(blocks)
        for block in blocks:
            kind = block.get("type") if type(block) is dict else None
            if kind in ("text", "reasoning"):
                value = block.get("text")
                if type(value) is str:
                    total += (len(value) + 3) // 4 if value.isascii() else of_text(value)
            elif kind == "tool-call":
                total += of_text(text(block.get("name"))) + of_text(text(block.get("arguments")))
            elif kind == "tool-result":
                results.append(items(block.get("content")))
            else:
                total += of_json(block)
        if not results:
            return total
        # Results may hold results, as deep as a hostile tape likes.
        blocks = results.pop()


def of_block(block: Any) -> int:
    """The tokens of a content block."""
    return of_content([block]) - _WRAPPING
