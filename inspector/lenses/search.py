"""Looking for a text in everything that a tape says, wherever it stands and however it is written.

A record is looked through as bytes first; only one that may hold the text is parsed.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import orjson

from inspector.formats.contract import Tape

_AROUND: Final = 60
"""Characters that are shown before and behind a hit."""

_LONGEST: Final = 200
"""Characters of a hit that are shown: a pattern may match a whole file."""

_DEEP: Final = 4
"""Texts of JSON within texts of JSON that are opened."""

RAW: Final = "record"
"""Where a hit stands that is in the bytes of a record and in no text of it."""


class PatternError(Exception):
    """A pattern that cannot be looked for; the message is one sentence."""


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
    find: Callable[[str], Iterator["re.Match[str]"]]
    literal: str | None
    ignore_case: bool = False


def pattern(text: str, *, regex: bool = False, ignore_case: bool = False) -> Pattern:
    """What to look for.

    Args:
        text: a literal, or a regular expression of Python's.
        regex: whether it is one.
        ignore_case: whether upper and lower case are the same; of an ASCII literal in ASCII.

    Raises:
        PatternError: if it is empty, or no regular expression.
    """
    if not text:
        raise PatternError("nothing to look for")
    # The bytes of a record tell of ASCII letters whether they may be the same but for their case.
    by_bytes = not regex and (text.isascii() or not ignore_case)
    flags = (re.I if ignore_case else 0) | (re.A if by_bytes else 0)
    try:
        compiled = re.compile(text if regex else re.escape(text), flags)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"no regular expression: {error}") from error
    return Pattern(text, compiled.finditer, text if by_bytes else None, ignore_case)


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
        SourceError: if the tape cannot be read any more.
    """
    for record in _candidates(tape, wanted, among):
        yield from in_record(tape, record, wanted)


def _candidates(tape: Tape, wanted: Pattern, among: range | None) -> Iterator[int]:
    if wanted.literal is not None:
        return tape.mentions(wanted.literal, among, ignore_case=wanted.ignore_case)
    return iter(range(tape.records()) if among is None else among)


def in_record(tape: Tape, record: int, wanted: Pattern) -> Iterator[Hit]:
    """The hits in one record."""
    table = tape.timeline.table
    first = table.first_of_record(record)
    events = () if first is None else range(first, table.before_record(record + 1))
    found = False
    for event in events:
        for where, text in texts(tape.payload(event)):
            hit = next(wanted.find(text), None)
            if hit is not None:
                found = True
                yield _hit(record, event, where, text, hit)
    if found:
        return
    raw = tape.raw_record(record).decode("utf-8", "replace")
    hit = next(wanted.find(raw), None)
    if hit is not None:
        yield _hit(record, first, RAW, raw, hit)


def _hit(record: int, event: int | None, where: str, text: str, hit: "re.Match[str]") -> Hit:
    start, stop = hit.span()
    shown = min(stop, start + _LONGEST)
    return Hit(
        record,
        event,
        where,
        text[max(0, start - _AROUND) : start],
        text[start:shown],
        text[shown : shown + _AROUND],
    )


def texts(value: Any) -> Iterator[tuple[str, str]]:
    """Every text of a value and the keys that lead to it; JSON within a text is opened.

    What stands in the JSON of a text is told by its own keys, and the text itself as well only
    where it is no JSON.
    """
    waiting: list[tuple[str, Any, int]] = [("", value, 0)]
    while waiting:
        where, one, depth = waiting.pop()
        if isinstance(one, dict):
            waiting.extend((f"{where}.{key}", inner, depth) for key, inner in reversed(one.items()))
        elif isinstance(one, list):
            waiting.extend(
                (f"{where}.{at}", inner, depth) for at, inner in reversed(list(enumerate(one)))
            )
        elif isinstance(one, str):
            inner = _inner(one) if depth < _DEEP else None
            if inner is None:
                yield where[1:], one
            else:
                waiting.append((where, inner, depth + 1))
        elif isinstance(one, (int, float)) and not isinstance(one, bool):
            yield where[1:], str(one)


def _inner(text: str) -> Any:
    if text[:1] not in ("{", "["):
        return None
    try:
        return orjson.loads(text)
    except (orjson.JSONDecodeError, RecursionError):
        return None
