"""Which lines each of the owner's readers takes, of those that are no JSON as they stand."""

import json
from typing import Final

from inspector.formats.claude.policies import PYTHON
from inspector.tape.jsonline import parse

_PADDING: Final = bytes(range(0x21))
"""What the JavaScript reader passes over at the start of a line (rules page R1)."""


def takes(reader: str, line: bytes) -> bool:
    """Whether a reader finds an object in a line.

    The Python reader strips white space, which NUL bytes are not, and knows numbers that are no
    JSON, as ``NaN`` is; the JavaScript reader does neither. Both replace what is no UTF-8.
    """
    try:
        if reader == PYTHON:
            return type(json.loads(line.decode("utf-8", "replace").strip())) is dict
        return type(parse(line.lstrip(_PADDING))[0]) is dict
    except (ValueError, RecursionError):
        return False
