"""What a source is that no format knows, in words: who gave it wants to know."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, Final

import orjson

from inspector.formats.registry import Opinion
from inspector.text.gate import clean_line

_LINES: Final = 50
"""Lines that are looked at."""

_KEYS: Final = 5
"""Keys that are named."""

_SAID: Final = 60
"""Characters of a line that are repeated."""

_TABLES: Final = 8
"""Tables that are named."""

_OPINIONS: Final = 3
"""Opinions of formats that are told."""

ANYTHING: Final = (b"text\n", b'{"a":1}\n', b'{"a":1}\n{"a":2}\n')
"""Sources of no agent: what a format says of these, it says of anything."""

_SAMPLE: Final = 4_096
_VALUES_OF_NOISE: Final = 250
"""Different bytes that a sample of noise has at least; no program, picture or table has so many."""

_COMMONEST_OF_NOISE: Final = 60
"""How often the commonest byte of such a sample occurs at most: 16 times on average."""

_MAGICS: Final = (
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG\r\n", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"\x7fELF", "a program"),
)

_CONVERSATIONS: Final = frozenset({"messages", "chat_messages", "mapping", "conversations"})
"""Keys under which programs export whole conversations as one document."""

_DELIMITERS: Final = ((",", "commas"), ("\t", "tabs"), (";", "semicolons"))


def described(head: bytes) -> str:
    """What a source is that begins with these bytes; own words and the source's cleaned.

    Args:
        head: the start of the source, with a whole line in it if that is not too long.
    """
    for magic, words in _MAGICS:
        if head.startswith(magic):
            return words
    if _is_noise(head):
        return "bytes without any pattern: encrypted, or packed in an unknown way"
    if b"\0" in head[:_SAMPLE]:
        return "binary data"
    lines = head.split(b"\n", _LINES)[:_LINES]
    lines = [line for line in lines if line.strip()]
    return _json(head, lines) or _text(head, lines)


def database_described(tables: Sequence[str], opinions: Sequence[Opinion]) -> str:
    """What a database is that no format knows."""
    if not tables:
        return "SQLite without tables"
    found = ", ".join(clean_line(table, 40) for table in tables[:_TABLES])
    return f"SQLite, but no known session tables (found: {found}){opinions_said(opinions)}"


def opinions_said(opinions: Sequence[Opinion], usual: Collection[Opinion] = ()) -> str:
    """What formats say of a source that none of them knows, in brackets.

    What several say alike says nothing that the description does not say.

    Args:
        opinions: of the source.
        usual: those of `ANYTHING`, which nobody needs to hear.
    """
    said = Counter(opinion.why_not for _, opinion in opinions)
    closest = [
        f"{name}: {clean_line(opinion.why_not, 200)}"
        for name, opinion in opinions
        if opinion.why_not and said[opinion.why_not] == 1 and (name, opinion) not in usual
    ]
    return f" ({'; '.join(closest[:_OPINIONS])})" if closest else ""


def _is_noise(head: bytes) -> bool:
    sample = head[:_SAMPLE]
    if len(sample) < _SAMPLE:
        return False
    found = Counter(sample)
    return len(found) >= _VALUES_OF_NOISE and max(found.values()) <= _COMMONEST_OF_NOISE


# JSON.


def _json(head: bytes, lines: Sequence[bytes]) -> str | None:
    """What kind of JSON a text is, or None if it does not begin as any."""
    values = [value for line in lines if (value := _parsed(line)) is not None]
    objects = [value for value in values if isinstance(value, dict)]
    one_record = len(objects) == 1 and bool(_types(objects))
    if (len(lines) > 1 or one_record) and len(objects) * 2 > len(lines):
        return _records(objects)
    whole = _parsed(head)
    if len(lines) > 1 and (whole is not None or _looks_printed(lines)):
        return f"pretty-printed JSON, not a record a line{_document(whole)}"
    if whole is not None:
        return f"one JSON document, not a record a line{_document(whole)}"
    return "lines of JSON that are no objects" if len(values) * 2 > len(lines) else None


def _parsed(text: bytes) -> Any:
    """The value of a text, or None if it is no JSON."""
    try:
        return orjson.loads(text)
    except ValueError:
        return None


def _looks_printed(lines: Sequence[bytes]) -> bool:
    """Whether a document is spread over lines, its end perhaps not in sight."""
    opening, second = lines[0].strip(), lines[1]
    return opening in (b"{", b"[") and second[:1] in (b" ", b"\t", b'"', b"{", b"[")


def _records(objects: Sequence[dict[str, Any]]) -> str:
    """What records the lines are."""
    keys = set().union(*objects)
    several = len(objects) > 1
    if several and keys & {"session_id", "sessionID"} and _types(objects):
        return f"what a program printed while it ran{_named(objects)}, not the log that it kept"
    return f"{'lines' if several else 'one line'} of JSON of an unknown kind{_named(objects)}"


def _types(objects: Sequence[dict[str, Any]]) -> list[str]:
    """The types that records say they have, the commonest first."""
    said = Counter(value["type"] for value in objects if isinstance(value.get("type"), str))
    return [word for word, _ in said.most_common(_KEYS)]


def _named(objects: Sequence[dict[str, Any]]) -> str:
    types = _types(objects)
    if types:
        return f" (types {_listed(types)})"
    return f" (keys {_listed(list(objects[0]))})" if objects[0] else ""


def _document(value: Any) -> str:
    """What one document holds."""
    if isinstance(value, list):
        value = next((item for item in value if isinstance(item, dict)), None)
    if not isinstance(value, dict) or not value:
        return ""
    if value.keys() & _CONVERSATIONS:
        return f": a conversation that a program exported (keys {_listed(list(value))})"
    return f" (keys {_listed(list(value))})"


def _listed(words: Sequence[str]) -> str:
    more = ", …" if len(words) > _KEYS else ""
    return ", ".join(clean_line(word, 40) for word in words[:_KEYS]) + more


# Text.


def _text(head: bytes, lines: Sequence[bytes]) -> str:
    first = lines[0].lstrip() if lines else b""
    if first[:1] == b"<":
        return "a web page" if b"<html" in first[:200].lower() else "XML"
    texts = [line.decode("utf-8", "replace") for line in lines[:10]]
    for delimiter, words in _DELIMITERS:
        counts = {text.count(delimiter) for text in texts}
        if len(texts) > 1 and len(counts) == 1 and min(counts) > 0:
            return f"a table of values between {words}"
    printed = any(map(_looks_printed, (lines[at : at + 2] for at in range(1, len(lines) - 1))))
    within = ", with pretty-printed JSON in it" if printed else ""
    return f"text that is not JSON{within}{_first_line(head)}"


def _first_line(head: bytes) -> str:
    """The first line that is not blank, with its number."""
    for number, line in enumerate(head.split(b"\n", _LINES)[:_LINES], 1):
        said = clean_line(line[: 4 * _SAID].decode("utf-8", "replace").strip(), _SAID)
        if said:
            return f" (line {number}: {said})"
    return ""
