"""An event's line as the owner writes it, and the text of a payload as it was written.

The owner keeps a payload as text, and when it writes an event anew (a fork, a rewind) only white
space goes and some characters are escaped; numbers and odd bytes stay as they were (RULES 26).
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import orjson

from inspector.formats.zero import golang
from inspector.formats.zero.event import Event
from inspector.tape.jsontokens import Kind as Token
from inspector.tape.jsontokens import NotJsonError, tokens
from inspector.text.jsontext import json_text

_PLAIN: Final = re.compile(
    rb'\{"id":"[^"\\]*+","sessionId":"[^"\\]*+","sequence":-?[0-9]++,"type":"([^"\\]*+)"'
    rb',"createdAt":"([^"\\]*+)"(?:,"payload":(.*))?\}\Z',
    re.DOTALL,
)
_PAYLOAD: Final = b',"payload":'
_TYPES: Final = {"id": str, "sessionId": str, "sequence": int, "type": str, "createdAt": str}
_QUOTES: Final = 18
"""Quotes in what stands before the payload: of five keys, and of four values that are texts."""

_SPACE: Final = re.compile(rb'[ \t\r\n]++|"|\\.', re.DOTALL)
_ESCAPED: Final = re.compile('["\\\\\x00-\x1f<>&\u2028\u2029\ud800-\udfff]')
_NAMED: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NAMED_TOO: Final = {"\b": "\\b", "\f": "\\f"}
_HTML: Final = (
    (b"<", b"\\u003c"),
    (b">", b"\\u003e"),
    (b"&", b"\\u0026"),
    ("\u2028".encode(), b"\\u2028"),
    ("\u2029".encode(), b"\\u2029"),
)


def event_line(
    session: str,
    number: int,
    kind: str,
    created: str,
    payload: bytes | None,
    own: str | None = None,
) -> bytes:
    """An event as one line, its end included.

    Args:
        session: its id.
        number: the sequence.
        kind: the type.
        created: the time, as it is written.
        payload: its text, in the owner's form; None if there is none.
        own: the id; of the session and the number unless told.
    """
    identity = f"{session}:{number}" if own is None else own
    head = (
        f'{{"id":{string(identity)},"sessionId":{string(session)},"sequence":{number}'
        f',"type":{string(kind)},"createdAt":{string(created)}'
    ).encode()
    return head + (b"}\n" if payload is None else b',"payload":' + payload + b"}\n")


def string(text: str) -> str:
    """A text as Go's encoder writes it."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    if "\ud800" <= char <= "\udfff":
        return "\\ufffd"
    return _NAMED.get(char) or _NAMED_TOO.get(char) or f"\\u{ord(char):04x}"


def value(found: Any) -> bytes:
    """A value as Go's encoder writes a map: keys in the order that is given."""
    try:
        written = orjson.dumps(found)
    except TypeError:
        written = json_text(found).encode("utf-8", "replace")
    return _html(written)


def _html(written: bytes) -> bytes:
    for char, escaped in _HTML:
        if char in written:
            written = written.replace(char, escaped)
    return written


class Written(NamedTuple):
    """What is written of an event: its type, its time, and its payload, None if it has none."""

    kind: str
    created: str
    payload: bytes | None


def plain(line: bytes) -> Written | None:
    """What a line says in which nothing is odd; None of another one."""
    found = _PLAIN.match(line)
    if found is None:
        return _in_another_order(line)
    kind, created, payload = found.groups()
    try:
        if payload is not None:
            orjson.loads(payload)
        return Written(kind.decode(), created.decode(), payload)
    except ValueError:
        return None


def _in_another_order(line: bytes) -> Written | None:
    """What a line says whose members are the owner's, the payload last, and each there once."""
    head, found, rest = line.partition(_PAYLOAD)
    if not found or not rest.endswith(b"}") or b"\\" in head or head.count(b'"') != _QUOTES:
        return None
    payload = rest[:-1]
    try:
        said = orjson.loads(head + b"}")
        orjson.loads(payload)
    except ValueError:
        return None
    if said.keys() != _TYPES.keys() or any(type(said[key]) is not _TYPES[key] for key in said):
        return None
    return Written(said["type"], said["createdAt"], payload)


def careful(line: bytes, event: Event) -> Written:
    """What a line says that the owner takes for an event: its payload is the last of several, be
    that null (RULES 15).
    """
    payload: bytes | None = None
    for key, start, stop in _members(line):
        if key == "payload":
            payload = line[start:stop]
    return Written(event.type, event.created, payload)


def _members(line: bytes) -> Iterator[tuple[str, int, int]]:
    """The members of a line's object: the key without regard to case, and where its value is."""
    begins = line.find(b"{")
    if begins < 0:
        return
    depth = 0
    key: str | None = None
    first = 0
    try:
        for kind, start, stop in tokens(line, begins):
            if kind is Token.KEY and depth == 1:
                key = golang.folded(json.loads(golang.decoded(line[start:stop])))
                continue
            if kind is Token.CLOSE:
                depth -= 1
            elif depth == 1 and key is not None:
                first = start
            if kind is Token.OPEN:
                depth += 1
            elif depth == 1 and key is not None and kind is not Token.KEY:
                yield key, first, stop
                key = None
    except NotJsonError:
        return


def compact(payload: bytes) -> bytes:
    """A payload as the owner writes it anew: no white space, some characters escaped."""
    try:
        if value(orjson.loads(payload)) == payload:
            return payload
    except ValueError:
        pass
    pieces: list[bytes] = []
    done = 0
    within = False
    for found in _SPACE.finditer(payload):
        if found[0] == b'"':
            within = not within
        elif not within and found[0][0] != 0x5C:
            pieces.append(payload[done : found.start()])
            done = found.end()
    return _html(b"".join([*pieces, payload[done:]]))
