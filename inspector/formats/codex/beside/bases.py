"""What stands before a log: the beginnings of other logs, as its header says (format page 2.10)."""

from typing import Final, NamedTuple

import orjson

from inspector.formats.codex.beside import rollouts
from inspector.formats.codex.beside.chain import Part
from inspector.formats.codex.header import Base, Header
from inspector.formats.shapes import natural
from inspector.tape.source import CHUNK, FileSource, Source, SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import plural

_DEEPEST: Final = 64
"""Logs that may stand on each other."""

_ALL: Final = 1 << 62
"""More bytes than any log has."""


class Bases(NamedTuple):
    """What stands before a log.

    Attributes:
        parts: the beginnings of other logs, the oldest first.
        problem: why that is not all, or None.
    """

    parts: list[Part]
    problem: str | None


def bases(source: Source, header: Header) -> Bases:
    """The logs that a log stands on, opened; the caller closes them."""
    parts: list[Part] = []
    seen = {_identity(source)}
    near, whole, base = source, header, header.base
    while base is not None:
        whose = f"the log of thread {clean_line(base.thread, 80)}"
        if len(parts) == _DEEPEST:
            return Bases(parts, f"more than {_DEEPEST} logs stand on each other")
        found = rollouts.found(near.path, base.thread, base.rollout)
        if found is None and whole.id == base.thread and _is_named(near, base):
            return Bases(parts, f"{whose} names itself as what stands before it")
        if found is None:
            return Bases(parts, f"{whose}, which stands before this one, is not found beside it")
        if _identity(found) in seen:
            found.close()
            return Bases(parts, f"{whose} stands before itself")
        seen.add(_identity(found))
        try:
            part, short = _part(found, base)
            following = rollouts.header_of(found)
        except SourceError as error:
            found.close()
            return Bases(parts, f"{whose} {error}")
        parts.insert(0, part)
        if short is not None:
            return Bases(parts, f"{whose} {short}")
        if following is None:
            break
        near, whole, base = found, following, following.base
    return Bases(parts, None)


def _is_named(log: Source, base: Base) -> bool:
    """Whether a log may be the very one that is to stand before another of its thread."""
    return base.rollout is None or base.rollout in log.path.name


def _identity(source: Source) -> tuple[int, int]:
    file = rollouts.file_of(source)
    return (0, 0) if file is None else file.identity()


def _part(source: Source, base: Base) -> tuple[Part, str | None]:
    """The beginning of a log that counts, and why it is not whole, or None."""
    wanted = base.byte
    if wanted is None and base.ordinal is not None:
        wanted = _byte_of(source, base.ordinal)
    length = _length(source, _ALL if wanted is None else wanted)
    ended = length == 0 or source.read(length - 1, 1) == b"\n"
    short = None
    if wanted is not None and length < wanted:
        short = f"has {plural(length, 'byte')}, and {wanted:,} of it are to stand before this one"
    return Part(source, length, ended), short


def _length(source: Source, most: int) -> int:
    """The bytes that a log has, no more than wanted; reads a compressed one that far."""
    if isinstance(source, FileSource):
        return min(source.size(), most)
    at = 0
    while at < most and (piece := source.read(at, min(CHUNK, most - at))):
        at += len(piece)
    return at


def _byte_of(source: Source, ordinal: int) -> int | None:
    """Where the first record stands that has this number or a later one; None if none has."""
    from inspector.tape.lines import LineSplitter

    splitter = LineSplitter(source)
    while (batch := splitter.batch()) is not None:
        at, lines = batch
        for line in lines:
            if b'"ordinal"' in line and _number(line) >= ordinal:
                return at
            at += len(line) + 1
    return None


def _number(line: bytes) -> int:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return -1
    number = natural(value.get("ordinal")) if isinstance(value, dict) else None
    return -1 if number is None else number
