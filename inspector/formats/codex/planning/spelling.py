"""Items that the owner skips for how they spell what they say (RULES R0), and as it reads them.

A call must be given a text, and an output be one or a list; some programs write the object itself.
"""

from typing import Any, Final

from inspector.formats.codex.items import problem
from inspector.formats.shapes import mapping
from inspector.tape.jsonline import parse
from inspector.text.jsontext import json_text

_SAID: Final = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "function_call_output": "output",
    "custom_tool_call_output": "output",
}
"""What each kind of item says."""

TYPES: Final = frozenset(f"response_item/{kind}" for kind in _SAID)
"""Types of events that hold such items."""


def respelled(record: dict[str, Any]) -> dict[str, Any] | None:
    """A record as the owner reads it, of which it skips the item; None for any other.

    Arguments that are neither an object nor a list become an empty object.
    """
    item = mapping(record.get("payload"))
    kind = item.get("type")
    key = _SAID.get(kind) if isinstance(kind, str) else None
    if (
        record.get("type") != "response_item"
        or not isinstance(record.get("timestamp"), str)
        or key is None
        or problem(item) is None
    ):
        return None
    said = item.get(key)
    if key == "arguments":
        spelled = json_text(said) if isinstance(said, dict | list) else "{}"
    elif said is None:
        return None
    else:
        spelled = json_text(said)
    mended = {**item, key: spelled}
    return None if problem(mended) is not None else {**record, "payload": mended}


def is_json(said: str) -> bool:
    """Whether arguments are JSON, or nothing."""
    try:
        parse(said.encode("utf-8", "surrogatepass"))
    except ValueError:
        return not said.strip()
    return True
