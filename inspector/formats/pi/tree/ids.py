"""How the ids of entries are told from each other."""

from typing import Any


def key_of(value: Any) -> str | None:
    """An id as a text of its own; None of what no entry can be found by (rules page P1, P2).

    The owner looks ids up as they are: a number is another id than the text of it, and what is
    empty, nought or false is none.
    """
    if type(value) is str:
        return f"\0{value}" if value[:1] == "\0" else value or None
    if type(value) in (int, float) and value:
        try:
            return f"\0number {float(value)!r}"
        except OverflowError:
            return "\0number inf"
    return "\0true" if value is True else None
