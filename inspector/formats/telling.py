"""How every format says a value to people: names, lines of a row, values laid out in full.

All of it is plain uncleaned text. What stands in a row is cut before anything else happens to it: a
row costs the same whatever stands in the record.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Literal

import orjson

from inspector.formats.contract import Section
from inspector.formats.shapes import text
from inspector.tape.jsonline import parse
from inspector.text.jsontext import json_lines, json_text

ROW: Final = 400
"""Characters of a text that a row may need."""

NAME: Final = 80
"""Characters of a name within a sentence."""

Phrase = Callable[[dict[str, Any]], str]
"""What a record of one type says, as a short sentence."""

_LONG: Final = 20_000
"""Characters of arguments that are read as JSON for a row."""

_MOST: Final = 100_000
"""Characters of a value that are laid out: more of one nobody reads as JSON."""

_JSON: Final = re.compile(r'\s*[{["]')
"""How a text begins that may hold JSON; a bare number or word stays as it is written."""

_FILE: Final = re.compile(
    r"((?:data:[\w/+.;=-]{1,80},)?)(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{2048,}={0,2})"
)
"""A file in the text of a record, as base64: nobody reads it, and laying it out takes seconds.

It is looked for only where such characters begin, so that a text of shorter runs costs its length.
"""


# Within a row.


def short(value: Any) -> str:
    """The start of a value."""
    return value[:ROW] if isinstance(value, str) else json_text(value, limit=ROW)


def said(value: Any) -> str:
    """A name or a number within a sentence; nothing for what is not there."""
    return "" if value is None else short(value)[:NAME]


def joined(*parts: str) -> str:
    """The parts that say something, with a dot between them."""
    return " · ".join(part for part in parts if part)


def behind(head: str, tail: Any, mark: str = ": ") -> str:
    """What is said of something, if anything is: ``shell: exit 1``."""
    rest = "" if tail is None else short(tail)
    return f"{head}{mark}{rest}" if head and rest else head or rest


def start_of(key: str) -> Phrase:
    """Says the start of one member of a record."""
    return lambda record: behind("", record.get(key))


def listed(record: Mapping[str, Any], without: frozenset[str] = frozenset()) -> str:
    """Keys and values, of a record of which nothing else is known.

    Args:
        record: the first eight members that say something are told.
        without: keys that are told elsewhere.
    """
    members = (
        f"{key[:40]} {short(value)}"
        for key, value in record.items()
        if value not in (None, "") and key not in without
    )
    return ", ".join(islice(members, 8))[: 2 * ROW]


def call_line(name: Any, given: Any, shown: Callable[[Any], str] = short) -> str:
    """A call in one line: the tool and the values of its arguments.

    Args:
        name: of the tool.
        given: its arguments, also as the JSON text of them.
        shown: how a value is said.
    """
    values = given
    if isinstance(given, str) and len(given) <= _LONG:
        values = _held(given)
    if isinstance(values, dict):
        told = list(values.values())[:6]
    else:
        told = [] if values in (None, "") else [values]
    words = [*filter(None, [said(name)]), *map(shown, told)]
    return " ".join(words)[: 2 * ROW]


def usage_line(counts: Mapping[str, Any], words: Mapping[str, str]) -> str:
    """Reported counts in one line.

    Args:
        counts: as the owner reports them.
        words: what to call them, in order; others are left out.
    """
    told = ((word, counts.get(key)) for key, word in words.items())
    return joined(*(f"{word} {short(count)}" for word, count in told if count is not None))


def progress_line(steps: Sequence[Mapping[str, Any]], what: str) -> str:
    """How far a todo list is, and the step at work.

    Args:
        steps: each with a ``status``.
        what: the key of what a step is about.
    """
    done = sum(step.get("status") == "completed" for step in steps)
    at_work = (text(step.get(what)) for step in steps if step.get("status") == "in_progress")
    now = next(at_work, None)
    return joined(f"{done} of {len(steps)} done", f"now: {now[:ROW]}" if now is not None else "")


def some(words: Sequence[str], most: int) -> str:
    """The first words of many, and how many more there are."""
    more = f" and {len(words) - most:,} more" if len(words) > most else ""
    return f"{', '.join(words[:most])}{more}"


# In full.


def texts(tone: Literal["plain", "error"] = "plain", /, **told: Any) -> list[Section]:
    """Those that are texts and not empty, each under its name."""
    return [Section(name, said_, tone) for name, said_ in told.items() if text(said_)]


def pretty(value: Any) -> str:
    """A value as indented JSON; a string that holds JSON as what it holds, a file by its size."""
    if isinstance(value, str):
        value = _held(value)
        if isinstance(value, str):
            return _FILE.sub(_sized, value)
    shown = _FILE.sub(_sized, json_lines(value, _MOST))
    if len(shown) < _MOST:
        return shown
    return f"{shown[:_MOST]}\n… the first {_MOST:,} characters; r shows the record"


def file_size(written: str) -> str:
    """How large a file is that is written as base64."""
    size = len(written) * 3 // 4 - written[-2:].count("=")
    return f"{len(written):,} base64 characters = {size:,} bytes"


def _sized(found: re.Match[str]) -> str:
    return f"{found[1]}[{file_size(found[2])}; r shows them]"


def _held(written: str) -> Any:
    """The value of a text that is JSON; any other text as it is."""
    if not _JSON.match(written):
        return written
    try:
        return orjson.loads(written)
    except orjson.JSONDecodeError:
        pass
    # Half characters take the slow reader, which a long text is not worth.
    if len(written) <= _MOST:
        try:
            return parse(written.encode("utf-8", "surrogateescape"))[0]
        except ValueError:
            pass
    return written
