"""What stands before a log: the beginnings of other logs, as its header says (format page 2.10)."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

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
        problems: why that is not all.
        gap: the log before which something is missing first, by its place among the parts; the
            number of them for the log itself; None where nothing is.
        counted: which of them have no numbers that could be looked for.
    """

    parts: list[Part]
    problems: tuple[str, ...] = ()
    gap: int | None = None
    counted: tuple[str, ...] = ()


def bases(source: Source, header: Header) -> Bases:
    """The logs that a log stands on, opened; the caller closes them."""
    chain = _Chain(source)
    near, whole, base = source, header, header.base
    while base is not None:
        found, problem = chain.find(near, whole, base)
        if found is None:
            return chain.bases(problem)
        try:
            following = rollouts.header_of(found)
            chain.put(found, base)
        except SourceError as error:
            found.close()
            return chain.bases(f"{_log_of(base)} {error}")
        if following is None:
            break
        near, whole, base = found, following, following.base
    return chain.bases()


class _Chain:
    """Logs that stand on each other, the newest put first."""

    def __init__(self, last: Source) -> None:
        self._parts: list[Part] = []
        self._seen = {_identity(last)}
        self._problems: list[str] = []
        self._counted: list[str] = []
        # How many parts stand behind what is missing.
        self._behind = 0

    def find(self, near: Source, whole: Header, base: Base) -> tuple[Source | None, str | None]:
        """The log that must stand before another one, open; or why there is none."""
        if len(self._parts) == _DEEPEST:
            return None, f"more than {_DEEPEST} logs stand on each other"
        found = rollouts.found(near.path, base.thread, base.rollout)
        if found is None and whole.id == base.thread and _is_named(near, base):
            return None, f"{_log_of(base)} names itself as what stands before it"
        if found is None:
            return None, f"{_log_of(base)}, which stands before this one, is not found beside it"
        if _identity(found) in self._seen:
            found.close()
            return None, f"{_log_of(base)} stands before itself"
        return found, None

    def put(self, source: Source, base: Base) -> None:
        """A log stands before those that were put before.

        Raises:
            SourceError: if it cannot be read.
        """
        end = _end(source, base)
        length = _length(source, _ALL if end.byte is None else end.byte)
        short = end.short
        if end.byte is not None and length < end.byte:
            wanted = f"{end.byte:,} of it are to stand before this one"
            short = f"has {plural(length, 'byte')}, and {wanted}"
        ended = length == 0 or source.read(length - 1, 1) == b"\n"
        if short is not None:
            self._problems.append(f"{_log_of(base)} {short}")
            self._behind = len(self._parts)
        if end.counted:
            how = "have no numbers: they are counted, the header as 0"
            self._counted.append(f"the records of {_log_of(base)} {how}")
        self._seen.add(_identity(source))
        self._parts.insert(0, Part(source, length, ended))

    def bases(self, missing: str | None = None) -> Bases:
        """What was put, and why nothing more stands before it, if something should."""
        parts, problems = self._parts, self._problems
        gap = len(parts) - self._behind if problems else None
        if missing is not None:
            problems, gap = [missing, *problems], 0
        return Bases(parts, tuple(problems), gap, tuple(self._counted))


def _log_of(base: Base) -> str:
    return f"the log of thread {clean_line(base.thread, 80)}"


def _is_named(log: Source, base: Base) -> bool:
    """Whether a log may be the very one that is to stand before another of its thread."""
    return base.rollout is None or base.rollout in log.path.name


def _identity(source: Source) -> tuple[int, int]:
    file = rollouts.file_of(source)
    return (0, 0) if file is None else file.identity()


class _End(NamedTuple):
    """Where the part of a log ends that counts.

    Attributes:
        byte: there; None for all of it.
        short: why it ends before what counts does, or None.
        counted: whether its records had to be counted, for want of numbers.
    """

    byte: int | None
    short: str | None = None
    counted: bool = False


def _end(source: Source, base: Base) -> _End:
    if base.byte is not None or base.ordinal is None:
        return _End(base.byte)
    byte, last = _byte_of(source, base.ordinal)
    if last is None:
        return _counted(source, base.ordinal)
    if byte is None and last < base.ordinal - 1:
        wanted = f"those up to {base.ordinal - 1:,} are to stand before this one"
        return _End(None, f"ends with record {last:,}, and {wanted}")
    return _End(byte)


def _length(source: Source, most: int) -> int:
    """The bytes that a log has, no more than wanted; reads a compressed one that far."""
    if isinstance(source, FileSource):
        return min(source.size(), most)
    at = 0
    while at < most and (piece := source.read(at, min(CHUNK, most - at))):
        at += len(piece)
    return at


def _byte_of(source: Source, ordinal: int) -> tuple[int | None, int | None]:
    """Where the first record stands that has this number or a later one; the last number looked at.

    Both are None where no record has such a number, or any.
    """
    last: int | None = None
    for at, line in _lines(source):
        number = _number(line) if b'"ordinal"' in line else None
        if number is not None:
            last = number
            if number >= ordinal:
                return at, last
    return None, last


def _counted(source: Source, ordinal: int) -> _End:
    """The same where no record has a number: the header is 0 (format page 2.10)."""
    number = 0
    for at, line in _lines(source):
        if _object(line) is None:
            continue
        if number == ordinal:
            return _End(at, counted=True)
        number += 1
    if number >= ordinal:
        return _End(None, counted=True)
    wanted = f"{ordinal:,} of it are to stand before this one"
    return _End(None, f"has {plural(number, 'record')}, and {wanted}", counted=True)


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """The lines of a log, each with the byte at which it begins."""
    from inspector.tape.lines import LineSplitter

    splitter = LineSplitter(source)
    while (batch := splitter.batch()) is not None:
        at, lines = batch
        for line in lines:
            yield at, line
            at += len(line) + 1


def _number(line: bytes) -> int | None:
    value = _object(line)
    return None if value is None else natural(value.get("ordinal"))


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None
