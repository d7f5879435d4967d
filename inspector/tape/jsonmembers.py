"""The members of a JSON object as texts, so that some are exchanged and all others stay."""

from collections.abc import Mapping

from inspector.tape.jsonline import parse
from inspector.tape.jsontokens import OBJECT, Kind, skip_space, tokens
from inspector.text.jsontext import json_bytes

Members = dict[str, bytes]
"""The members of an object by name, each as JSON."""


def members(line: bytes) -> Members:
    """The members of the object that a text begins with; of two with one name the last.

    A text that is no object has none.

    Raises:
        NotJsonError: where the text is no JSON.
    """
    found: Members = {}
    place = skip_space(line, 0)
    if line[place : place + 1] != bytes((OBJECT,)):
        return found
    name, start, depth = "", place, 0
    for kind, begin, end in tokens(line, place):
        if kind is Kind.CLOSE:
            depth -= 1
            if depth == 1:
                found[name] = line[start:end]
        elif kind is Kind.KEY:
            if depth == 1:
                name = parse(line[begin:end])[0]
        else:
            if depth == 1:
                start = begin
            if kind is Kind.OPEN:
                depth += 1
            elif depth == 1:
                found[name] = line[begin:end]
    return found


def joined(parts: Mapping[str, bytes]) -> bytes:
    """The object of some members."""
    return b"{" + b",".join(json_bytes(name) + b":" + value for name, value in parts.items()) + b"}"
