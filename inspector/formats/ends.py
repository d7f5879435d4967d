"""The ends of a text, as formats look at them: lines, members of an object that is cut, numbers.

All of it is bytes first: of thousands of texts only the few lines that tell something are parsed.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import orjson

from inspector.formats.listing import Ends

_TITLE: Final = 400
"""Characters of a title that are kept: more than anybody shows."""

_DEPTH: Final = 8
"""Objects and arrays within each other of which a beginning is read."""


class Edges(NamedTuple):
    """The lines at the ends of a text.

    Attributes:
        head: from its beginning; the last line may be cut. All of a text that is seen whole.
        tail: whole lines at its end, each ended; those of the head again where it is seen whole.
        rest: what stands behind the last line end, where the end is seen.
        first: the first line, without what ends it; cut where the head is.
        whole: whether the head is all of it.
    """

    head: bytes
    tail: bytes
    rest: bytes
    first: bytes
    whole: bool

    @property
    def first_is_cut(self) -> bool:
        """Whether the first line goes on behind the head."""
        return not self.whole and len(self.first) == len(self.head)


def edges(ends: Ends) -> Edges:
    """The lines at the ends of a text."""
    if ends.whole:
        text = ends.head + ends.tail
        line, stop = text.find(b"\n"), text.rfind(b"\n") + 1
        first = text[:line] if line >= 0 else text
        return Edges(text, text[:stop], text[stop:], first, True)
    head, tail = ends.head, ends.tail
    line, start, stop = head.find(b"\n"), tail.find(b"\n") + 1, tail.rfind(b"\n") + 1
    first = head[:line] if line >= 0 else head
    return Edges(head, tail[start:stop], tail[stop:] if stop else b"", first, False)


# Lines.


def last_lines(tail: bytes, most: int) -> list[bytes]:
    """The last lines of text that is whole lines, the very last first; blank ones left out."""
    found: list[bytes] = []
    stop = len(tail)
    while stop > 0 and len(found) < most:
        start = tail.rfind(b"\n", 0, stop - 1) + 1
        line = tail[start:stop].strip()
        if line:
            found.append(line)
        stop = start
    return found


def last_of(looked: Edges, most: int) -> list[bytes]:
    """The same of a text whose last line counts without a line end, if it looks whole."""
    rest = looked.rest
    if rest and rest.rstrip()[-1:] == b"}":
        return [rest, *last_lines(looked.tail, most)]
    return last_lines(looked.tail, most)


def bearing(data: bytes, mark: bytes) -> Iterator[bytes]:
    """The lines that hold a mark, in order; the last of them may be cut."""
    at = data.find(mark)
    while at >= 0:
        start, stop = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
        if stop < 0:
            yield data[start:]
            return
        yield data[start:stop]
        at = data.find(mark, stop)


def last_bearing(tail: bytes, mark: bytes) -> Iterator[bytes]:
    """The lines that hold a mark, the last first."""
    # Looking forward is much faster, and mostly there is none.
    at = tail.rfind(mark) if mark in tail else -1
    while at >= 0:
        start, stop = tail.rfind(b"\n", 0, at) + 1, tail.find(b"\n", at)
        yield tail[start:stop] if stop >= 0 else tail[start:]
        at = tail.rfind(mark, 0, start)


def record(line: bytes) -> dict[str, Any]:
    """The object of a line; of one that is no JSON, perhaps cut, what can be read from its
    beginning, and nothing of any other value.
    """
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return beginning(line)
    return value if type(value) is dict else {}


# Numbers.


def objects(edges: Edges) -> int | None:
    """How many lines a text has that is seen whole and ended, if each looks like an object."""
    tail = edges.tail
    if not edges.whole or (tail and tail[:1] != b"{") or _ODD.search(tail) is not None:
        return None
    return tail.count(b"\n")


_ODD: Final = re.compile(rb"\n(?:(?<!\}\n)|(?!\{|\Z))")
"""A line end that is not between two objects; begins with one byte, which makes it fast."""


def estimate(ends: Ends, edges: Edges, headers: int = 0) -> int | None:
    """About how many records a text has, by how often lines end in what is seen of it.

    Args:
        ends: of the text.
        edges: its lines.
        headers: lines at its beginning that are no records.

    Returns:
        None where the text is packed and not seen whole: its length is not known.
    """
    if edges.whole:
        lines = sum(1 for line in edges.head.split(b"\n") if line.strip())
        return max(0, lines - headers)
    if ends.packed or not ends.tail:
        return None
    head, tail = edges.head, edges.tail
    begins = len(edges.first) + 1 if headers else 0
    lines = max(0, head.count(b"\n") - headers) + tail.count(b"\n")
    near, behind = len(head), len(ends.tail)
    # Whatever is longer than what is seen is at least one.
    unseen = (ends.size - near - behind) * (lines or 1) // ((near - begins + behind) or 1)
    return lines + (unseen if unseen > 1 else 1)


# Objects that are cut.


def beginning(cut: bytes) -> dict[str, Any]:
    """The members that can be read from the beginning of an object that is cut off somewhere.

    The last of them may be a part: the beginning of a text, of an array, of an object. A number
    that may go on is left out.
    """
    text = cut.decode("utf-8", "ignore")
    start = _OPENS.match(text)
    return _members(text, start.end(), _DEPTH) if start is not None else {}


_OPENS: Final = re.compile(r"\s*\{")
_KEY: Final = re.compile(r'[\s,]*"([^"\\]*(?:\\.[^"\\]*)*)"\s*:\s*')
_NEXT: Final = re.compile(r"\s*,\s*|\s*(?=[\]}])")
_READER: Final = json.JSONDecoder(strict=False)
_NOTHING: Final = object()


def _members(text: str, at: int, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    while (key := _KEY.match(text, at)) is not None:
        value, at = _value(text, key.end(), depth)
        if value is not _NOTHING:
            found[_string(key[1])] = value
        if at < 0:
            break
    return found


def _elements(text: str, at: int, depth: int) -> list[Any]:
    found: list[Any] = []
    while at >= 0:
        value, at = _value(text, at, depth)
        if value is not _NOTHING:
            found.append(value)
    return found


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    """A value, or what there is of it, and where the next begins; -1 if none does."""
    try:
        value, stop = _READER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return _part(text, at, depth), -1
    behind = _NEXT.match(text, stop)
    if behind is None:
        whole = type(value) in (str, list, dict)
        return (value if whole else _NOTHING), -1
    return value, behind.end() if behind[0].strip() else -1


def _part(text: str, at: int, depth: int) -> Any:
    """What can be read of a value that is cut."""
    opening = text[at : at + 1]
    if opening == '"':
        return _string(text[at + 1 :])
    if not depth:
        return _NOTHING
    if opening == "{":
        return _members(text, at + 1, depth - 1)
    return _elements(text, at + 1, depth - 1) if opening == "[" else _NOTHING


def _string(raw: str) -> str:
    """A text as JSON writes it, without its quotes; what is left of an escape that is cut goes."""
    if "\\" not in raw:
        return raw
    for gone in range(7):
        try:
            value = _READER.decode(f'"{raw[: len(raw) - gone]}"')
        except ValueError:
            continue
        return str(value)
    return ""


# Values.


def moment(stamp: Any) -> int | None:
    """A time as ISO 8601 writes it, UTC unless it says, in milliseconds since the epoch."""
    if type(stamp) is not str:
        return None
    try:
        found = datetime.fromisoformat(stamp)
        if found.tzinfo is None:
            found = found.replace(tzinfo=UTC)
        return (found - _EPOCH) // _MILLISECOND
    except (ValueError, OverflowError):
        return None


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def title(said: Any) -> str | None:
    """A text as a title; None if there is nothing to be read in it."""
    if type(said) is not str:
        return None
    start = said[: 2 * _TITLE].lstrip()[:_TITLE]
    return start.rstrip() or None
