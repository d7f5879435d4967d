"""The lines of a log that is written: members whose text is copied, and others made anew."""

from typing import Any

from inspector.tape.jsonline import parse
from inspector.tape.jsonmembers import joined
from inspector.text.jsontext import json_bytes


def value_of(text: bytes) -> Any:
    """The value of a JSON text."""
    return parse(text)[0]


def event_line(kind: str, number: int, time: int, data: bytes, **more: bytes) -> bytes:
    """An event as a whole line, in the order in which the owner writes its keys (page 1.5)."""
    head = {
        "type": json_bytes(kind),
        "seq": json_bytes(number),
        "time": json_bytes(time),
        "data": data,
    }
    return joined(head | more) + b"\n"
