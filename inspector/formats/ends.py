"""The ends of a text, as formats look at them: lines, members of an object that is cut, numbers.

All of it is bytes first: of thousands of texts only the few lines that tell something are parsed.
"""

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from typing import Any, Final, NamedTuple

import orjson

from inspector.formats.heads import pieces
from inspector.formats.listing import Ends

_TITLE: Final = 400
"""Characters of a title that are kept: more than anybody shows."""

MARK: Final = b"\xef\xbb\xbf"
"""The mark of UTF-8, which stands before the first line where somebody saved a file anew."""

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
        first_is_cut: whether the first line goes on behind the head.
    """

    head: bytes
    tail: bytes
    rest: bytes
    first: bytes
    whole: bool
    first_is_cut: bool


_edges: Final = partial(tuple.__new__, Edges)
"""Makes one of its fields in a tuple: of thousands, by name is three times as dear."""


def edges(ends: Ends) -> Edges:
    """The lines at the ends of a text."""
    _, _, _, head, tail, whole, _ = ends
    if whole:
        text = head + tail
        line, stop = text.find(b"\n"), text.rfind(b"\n") + 1
        first = text[:line] if line >= 0 else text
        return _edges((text, text[:stop], text[stop:], first, True, False))
    line, start, stop = head.find(b"\n"), tail.find(b"\n") + 1, tail.rfind(b"\n") + 1
    rest = tail[stop:] if stop else b""
    if line < 0:
        return _edges((head, tail[start:stop], rest, head, False, True))
    return _edges((head, tail[start:stop], rest, head[:line], False, False))


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
    at = tail.rfind(mark)
    while at >= 0:
        start, stop = tail.rfind(b"\n", 0, at) + 1, tail.find(b"\n", at)
        yield tail[start:stop] if stop >= 0 else tail[start:]
        at = tail.rfind(mark, 0, start)


def record(line: bytes) -> dict[str, Any]:
    """The object of a line; of one that is no JSON, perhaps cut, what can be read from its
    beginning, and nothing of any other value. The mark of UTF-8 before it is passed over.
    """
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return record(line[len(MARK) :]) if line.startswith(MARK) else beginning(line)
    return value if type(value) is dict else {}


def last_record(looked: Edges, mark: bytes = b"") -> dict[str, Any] | None:
    """The first of `last_records` of a text that ends as nearly every one does, in a line that is
    whole; None of any other.
    """
    _, tail, rest, _, _, _ = looked
    if rest or not tail:
        return None
    if mark:
        at = tail.rfind(mark)
        if at < 0:
            return None
        line = tail[tail.rfind(b"\n", 0, at) + 1 : tail.find(b"\n", at)]
    else:
        line = tail[tail.rfind(b"\n", 0, -1) + 1 :]
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return value if type(value) is dict else None


def last_records(
    looked: Edges, is_record: Callable[[Any], bool], mark: bytes = b"", *, unended: bool = True
) -> Iterator[dict[str, Any]]:
    """The records at the end of a text, the very last first.

    Of one that is torn nothing is told; of a damaged line the records that are whole in it.

    Args:
        looked: the lines of the text.
        is_record: whether an object in a damaged line is a record, and not a part of one.
        mark: what stands in every record that is wanted.
        unended: whether a last line counts that nothing ends.
    """
    tail, stop, damaged = looked.tail, len(looked.tail), 0
    if unended and looked.rest and mark in looked.rest:
        yield from _whole_in(looked.rest, is_record)
    while stop > 0 and damaged < _DAMAGED:
        if mark:
            # Going to the next one is faster than through the lines between.
            at = tail.rfind(mark, 0, stop)
            if at < 0:
                return
            stop = tail.find(b"\n", at) + 1
        start = tail.rfind(b"\n", 0, stop - 1) + 1
        line, stop = tail[start:stop], start
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            damaged += 1
            yield from _whole_in(line, is_record)
        else:
            if type(value) is dict:
                yield value


_DAMAGED: Final = 8
"""Damaged lines at the end that are looked through for records."""


def _whole_in(line: bytes, is_record: Callable[[Any], bool]) -> list[dict[str, Any]]:
    """The records that are whole in a line, the last first."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        # From the first brace on: blanks and the mark of UTF-8 are no part of a record.
        return pieces(line[max(0, line.find(b"{")) :], is_record)[::-1]
    return [value] if type(value) is dict else []


# Numbers.


def decoded(looked: Edges, is_record: Callable[[Any], bool]) -> tuple[int, bool]:
    """How many objects stand on the lines of a text that is seen whole, and whether nothing else
    does: blank lines count for nothing, nor does a torn record behind the last line end.

    They are decoded, as what only looks like an object may be damaged.
    """
    text, found, sound = looked.head, 0, True
    for line in (text[len(MARK) :] if text.startswith(MARK) else text).split(b"\n"):
        try:
            if type(orjson.loads(line)) is dict:
                found += 1
            else:
                sound = False
        except orjson.JSONDecodeError:
            if line.strip():
                # What is damaged, or torn, may hold whole records too.
                whole = len(_whole_in(line, is_record))
                found += whole
                sound = sound and line == looked.rest and not whole
    return found, sound


def counted(
    ends: Ends, looked: Edges, is_record: Callable[[Any], bool], headers: int = 0
) -> tuple[int | None, bool]:
    """How many events there are if each line is one, and whether that is an estimate: it is where
    not each line was decoded, and more than a few are not, as a list of thousands is waited for.

    Args:
        ends: of the text.
        looked: its lines.
        is_record: whether an object in a damaged line is a record, and not a part of one.
        headers: lines at its beginning that are no events.
    """
    if not looked.whole or not is_short(looked):
        return estimate(ends, looked, headers), True
    lines, sound = decoded(looked, is_record)
    return max(0, lines - headers), not sound


def is_short(looked: Edges) -> bool:
    """Whether a text is seen whole, and of so few lines that each may be decoded."""
    if not looked.whole:
        return False
    at = -1
    for _ in range(_FEW + 1):
        at = looked.head.find(b"\n", at + 1)
        if at < 0:
            return True
    return False


_FEW: Final = 3
"""Lines that are decoded of a text to count them: a header and a record or two."""


def estimate(ends: Ends, edges: Edges, headers: int = 0) -> int | None:
    """About how many records a text has, by how often lines end in what is seen of it.

    Args:
        ends: of the text.
        edges: its lines.
        headers: lines at its beginning that are no records.

    Returns:
        None where the text is packed and not seen whole, as its length is not known; and where
        not even its first line is: a few long ones may be all.
    """
    head, tail, rest, first, whole, cut = edges
    if whole:
        return max(0, _line_ends(head) + (rest.rstrip()[-1:] == b"}") - headers)
    _, size, _, _, seen, _, packed = ends
    if packed or cut or not seen:
        return None
    begins = len(first) + 1 if headers else 0
    if headers < 2:
        # At least the first line ends in the head.
        lines = _line_ends(head + tail) - headers
    else:
        lines = max(0, _line_ends(head) - headers) + _line_ends(tail)
    near, behind = len(head), len(seen)
    # Whatever is longer than what is seen is at least one.
    unseen = (size - near - behind) * (lines or 1) // ((near - begins + behind) or 1)
    return lines + (unseen if unseen > 1 else 1)


def _line_ends(data: bytes) -> int:
    """How many lines end in a text."""
    # Reading lines jumps from end to end, where counting looks at each byte.
    return len(list(BytesIO(data))) - (data[-1:] not in _ENDED)


_ENDED: Final = (b"\n", b"")


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
        since = found - _EPOCH
        return since.days * 86_400_000 + since.seconds * 1_000 + since.microseconds // 1_000
    except (ValueError, OverflowError):
        return None


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def title(said: Any) -> str | None:
    """A text as a title; None if there is nothing to be read in it."""
    if type(said) is not str:
        return None
    if len(said) <= _TITLE:
        return said.strip() or None
    start = said[: 2 * _TITLE].lstrip()[:_TITLE]
    return start.rstrip() or None
