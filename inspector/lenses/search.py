"""Looking for a text in everything that a tape says, wherever it stands and however it is written.

A record is looked through as bytes first; only one that may hold the text is parsed.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

import orjson

from inspector.formats.contract import Tape
from inspector.text.labels import plural

AROUND: Final = 60
"""Characters that are shown before and behind a hit."""

_LONGEST: Final = 200
"""Characters of a hit that are shown: a pattern may match a whole file."""

_DEEP: Final = 4
"""Texts of JSON within texts of JSON that are opened."""

_AS_IT_IS: Final = -1
"""How deep a text stands that is not opened again."""

RAW: Final = "record"
"""Where a hit stands that is in the bytes of a record and in no text of it."""


_SECONDS: Final = 1.0
"""For which a regular expression may look through one text: some would never end."""


class PatternError(Exception):
    """A pattern that cannot be looked for; the message is one sentence."""


class Match(Protocol):
    """An occurrence."""

    def span(self) -> tuple[int, int]:
        """The first character of it, and the first behind it."""


class Hit(NamedTuple):
    """A place where a text was found.

    Attributes:
        record: the physical record.
        event: the position of the event, or None where the record carries none.
        where: the keys that lead to it, with dots between, or `RAW`.
        before: the text before it.
        match: it.
        after: the text behind it.
    """

    record: int
    event: int | None
    where: str
    before: str
    match: str
    after: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """What is looked for.

    Attributes:
        text: as it was asked for.
        find: every occurrence in a text.
        literal: the text itself where its bytes tell which records may hold it, else None.
        ignore_case: whether upper and lower case are the same.
    """

    text: str
    find: Callable[[str], Iterator[Match]]
    literal: str | None
    ignore_case: bool = False


def pattern(text: str, *, regex: bool = False, ignore_case: bool = False) -> Pattern:
    """What to look for.

    Args:
        text: a literal, or a regular expression, as Python writes them.
        regex: whether it is one.
        ignore_case: whether upper and lower case are the same; of an ASCII literal in ASCII.

    Raises:
        PatternError: if it is empty, or no regular expression.
    """
    if not text:
        raise PatternError("nothing to look for")
    # The bytes of a record tell of ASCII letters whether they may be the same but for their case.
    by_bytes = not regex and (text.isascii() or not ignore_case)
    if regex:
        return Pattern(text, _expression(text, ignore_case=ignore_case), None, ignore_case)
    flags = (re.I if ignore_case else 0) | (re.A if by_bytes else 0)
    compiled = re.compile(re.escape(text), flags)
    return Pattern(text, compiled.finditer, text if by_bytes else None, ignore_case)


def _expression(text: str, *, ignore_case: bool) -> Callable[[str], Iterator[Match]]:
    """Finds what a regular expression matches, or says that it takes too long."""
    import regex  # takes longer than most answers, and most ask for a text

    try:
        compiled = regex.compile(text, regex.I if ignore_case else 0)
    except (regex.error, OverflowError, RecursionError, ValueError) as error:
        raise PatternError(f"no regular expression: {error}") from error

    def find(among: str) -> Iterator[Match]:
        try:
            # Others go on meanwhile: the screen draws.
            yield from compiled.finditer(among, concurrent=True, timeout=_SECONDS)
        except (TimeoutError, MemoryError) as error:
            size = plural(len(among), "character")
            raise PatternError(
                f"takes too long: no end after {_SECONDS:.0f} s in one text of {size}"
            ) from error

    return find


def asked(text: str) -> Pattern:
    """What a person asks for: ``/a regular expression/``, ``/one in any case/i``, else a text.

    A text without a capital letter is looked for in any case.

    Raises:
        PatternError: as `pattern` does.
    """
    found = re.fullmatch(r"/(.+)/(i?)", text)
    if found is not None:
        return pattern(found[1], regex=True, ignore_case=bool(found[2]))
    return pattern(text, ignore_case=text == text.lower())


def search(tape: Tape, wanted: Pattern, among: range | None = None) -> Iterator[Hit]:
    """Every hit, in tape order, as it is found; one for each text of an event that has any.

    Args:
        tape: folded as far as it is to be searched.
        wanted: see `pattern`.
        among: the records that are looked through; None is all of them.

    Raises:
        PatternError: if a regular expression takes too long.
        SourceError: if the tape cannot be read any more.
    """
    for record in _candidates(tape, wanted, among):
        yield from in_record(tape, record, wanted)


def _candidates(tape: Tape, wanted: Pattern, among: range | None) -> Iterator[int]:
    if wanted.literal is not None:
        return tape.mentions(wanted.literal, among, ignore_case=wanted.ignore_case)
    return iter(range(tape.records()) if among is None else among)


def in_record(tape: Tape, record: int, wanted: Pattern) -> Iterator[Hit]:
    """The hits in one record; errors as of `search`."""
    table = tape.timeline.table
    first = table.first_of_record(record)
    events = () if first is None else range(first, table.before_record(record + 1))
    found = False
    for event in events:
        last = ""
        for path, text in _walk(tape.payload(event)):
            hit = next(wanted.find(text), None)
            if hit is None:
                continue
            where = _named(path)
            if last.startswith(f"{where}."):
                # A text of JSON says again what the last hit, in it, said.
                continue
            found = True
            last = where
            yield _hit(record, event, where, text, hit)
    if found:
        return
    raw = tape.raw_record(record).decode("utf-8", "replace")
    hit = next(wanted.find(raw), None)
    if hit is not None:
        yield _hit(record, first, RAW, raw, hit)


def _hit(record: int, event: int | None, where: str, text: str, hit: Match) -> Hit:
    start, stop = hit.span()
    shown = min(stop, start + _LONGEST)
    return Hit(
        record,
        event,
        where,
        text[max(0, start - AROUND) : start],
        text[start:shown],
        text[shown : shown + AROUND],
    )


_Path = tuple[Any, Any] | None
"""The key at which something stands behind the path of what it stands in."""


def texts(value: Any) -> Iterator[tuple[str, str]]:
    """Every text of a value and the keys that lead to it; JSON within a text is opened.

    What stands in the JSON of a text is told by its own keys, and behind that the text as it is.
    """
    return ((_named(path), text) for path, text in _walk(value))


def _named(path: _Path) -> str:
    """A path as it is written; nearly all are never asked for."""
    keys: list[str] = []
    while path is not None:
        path, key = path
        keys.append(str(key))
    return ".".join(reversed(keys))


def _walk(value: Any) -> Iterator[tuple[_Path, str]]:
    waiting: list[tuple[_Path, Any, int]] = [(None, value, 0)]
    while waiting:
        path, one, depth = waiting.pop()
        if isinstance(one, str):
            inner = _inner(one) if 0 <= depth < _DEEP else None
            if inner is None:
                yield path, one
            else:
                waiting.append((path, one, _AS_IT_IS))
                waiting.append((path, inner, depth + 1))
        elif isinstance(one, dict):
            waiting.extend([((path, key), inner, depth) for key, inner in reversed(one.items())])
        elif isinstance(one, list):
            last = len(one) - 1
            waiting.extend(
                [((path, last - at), inner, depth) for at, inner in enumerate(reversed(one))]
            )
        elif isinstance(one, (int, float)) and not isinstance(one, bool):
            yield path, str(one)


def _inner(text: str) -> Any:
    if text[:1] not in ("{", "["):
        return None
    try:
        return orjson.loads(text)
    except (orjson.JSONDecodeError, RecursionError):
        return None
