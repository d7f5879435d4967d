"""The tools that a model may call, where the tape keeps them in the preamble."""

from typing import Any, Final

import orjson

from inspector.formats.contract import PreamblePart, Tape
from inspector.text.gate import clean_line
from inspector.text.labels import count

_SHOWN: Final = 60
"""Names that are told to people; of more it is said how many there are."""


def tools(tape: Tape, cursor: int) -> PreamblePart | None:
    """The part of the preamble that holds the tools at a cursor, or None."""
    return next((part for part in tape.preamble(cursor) if part.part == "tools"), None)


def names(part: PreamblePart) -> list[str]:
    """The names of the tools of a part, not cleaned; one without a name has an empty one."""
    try:
        found = orjson.loads(part.text)
    except orjson.JSONDecodeError:
        return []
    return [_name(tool) for tool in found] if isinstance(found, list) else []


def _name(tool: Any) -> str:
    # Some name the kind of a tool beside it, and the tool within that.
    for holder in (tool, tool.get("function") if isinstance(tool, dict) else None):
        name = holder.get("name") if isinstance(holder, dict) else None
        if isinstance(name, str):
            return name
    return ""


def words(named: list[str]) -> str:
    """How many tools there are, and which."""
    shown = ", ".join(clean_line(name, 60) or "(no name)" for name in named[:_SHOWN])
    more = f", and {count(len(named) - _SHOWN)} more" if len(named) > _SHOWN else ""
    return f"{count(len(named))} ({shown}{more})" if named else "none"
