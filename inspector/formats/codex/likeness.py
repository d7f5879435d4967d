"""What two items must have in common to be sent alike: all that the owner sends of them.

A compaction stores items as they are sent from then on (RULES R2), which may be other ones under
the same ids: an output cut short, a picture left out. So ids alone make no two items alike.
"""

from typing import Any, Final

import orjson

from inspector.text.jsontext import json_text

BESIDE: Final = frozenset({"id", "metadata", "internal_chat_message_metadata_passthrough"})
"""What an item is called, and what is noted of it: a copy may be told anew, and says the same."""

_OF_PART: Final = frozenset({"type", "text"})

_KEYS_OF_MESSAGE: Final = 3
_KEYS_OF_PART: Final = 2
_KEYS_OF_CALL: Final = 4
_KEYS_OF_OUTPUT: Final = 3
"""What an item of each kind has that nothing else is told of."""


def likeness(item: dict[str, Any]) -> int:
    """A hash of all that is sent of an item."""
    told: list[Any] = [item.get("type")]
    for key in sorted(item):
        value = item[key]
        if value is None or key == "type" or key in BESIDE:
            continue
        told.append(key)
        told.append(value if type(value) is str else _structure(value))
    return hash(tuple(told))


def of_message(item: dict[str, Any], part: dict[str, Any], text: str) -> int:
    """The same of a message of one part with a text: nearly every one holds nothing else."""
    if len(item) == _KEYS_OF_MESSAGE and len(part) == _KEYS_OF_PART:
        return hash(("message", "content", (part["type"], text), "role", item["role"]))
    return likeness(item)


def of_call(item: dict[str, Any], name: str, arguments: str, call: str) -> int:
    """The same of a call of a function."""
    if len(item) == _KEYS_OF_CALL:
        return hash(("function_call", "arguments", arguments, "call_id", call, "name", name))
    return likeness(item)


def of_output(item: dict[str, Any], call: str, output: str) -> int:
    """The same of an output that is a text."""
    if len(item) == _KEYS_OF_OUTPUT:
        return hash((item["type"], "call_id", call, "output", output))
    return likeness(item)


def _structure(value: Any) -> tuple[str, ...]:
    if type(value) is list and len(value) == 1:
        part = value[0]
        if type(part) is dict and part.keys() == _OF_PART:
            kind, text = part["type"], part["text"]
            if type(kind) is str and type(text) is str:
                return kind, text
    try:
        return (orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode(),)
    except TypeError:
        return (json_text(value),)
