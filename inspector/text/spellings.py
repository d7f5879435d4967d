"""How a text may be written in the bytes of a record."""

from collections.abc import Iterator
from typing import Final

from inspector.text.jsontext import json_text

_DELETE: Final = "\x7f"
"""The first character that those who keep to ASCII spell out."""


def spellings(text: str, *, lower: bool = False) -> tuple[bytes, ...]:
    """A text as the bytes of a record may hold it: as it is, as JSON writes it, and JSON in JSON.

    Writers differ in whether they spell out what is not ASCII.

    Args:
        text: which.
        lower: whether the ASCII letters of the bytes are to be in lower case.
    """
    once = (_written(text), _ascii(_written(text)))
    twice = [spelling for one in once for spelling in (_written(one), _ascii(_written(one)))]
    found = [text, *once, *twice]
    encoded = (spelling.encode("utf-8", "surrogatepass") for spelling in found)
    return tuple(dict.fromkeys(one.lower() if lower else one for one in encoded))


def _written(text: str) -> str:
    return json_text(text)[1:-1]


def _ascii(text: str) -> str:
    return "".join(
        letter if letter < _DELETE else "".join(f"\\u{unit:04x}" for unit in _units(letter))
        for letter in text
    )


def _units(letter: str) -> Iterator[int]:
    data = letter.encode("utf-16-be", "surrogatepass")
    return (int.from_bytes(data[at : at + 2]) for at in range(0, len(data), 2))
