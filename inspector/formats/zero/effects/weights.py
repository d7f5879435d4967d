"""The estimated tokens of what may be a text."""

from typing import Any

from inspector.formats.logs.tokens import of_text


def of_any(value: Any) -> int:
    """The tokens of a text; of anything else none."""
    if type(value) is not str:
        return 0
    return (len(value) + 3) // 4 if value.isascii() else of_text(value)
