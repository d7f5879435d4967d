"""The first bytes of a text, as what recognises looks at them."""

from collections.abc import Callable
from typing import Any, Final

LONGEST: Final = 64 * 1024
"""Bytes of a damaged line that are looked through for a record."""


def pieces(line: bytes, is_ours: Callable[[Any], bool]) -> list[Any]:
    """The records that stand in a damaged line.

    Args:
        line: it is looked through up to `LONGEST`.
        is_ours: whether a value is a record.
    """
    # Few texts are damaged at their head, and a screen is waiting.
    from inspector.tape.recovery import recover

    return [piece.value for piece in recover(line[:LONGEST], is_ours).pieces]
