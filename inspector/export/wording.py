"""How registers and spans are said to people, the same on the screen and in print.

What comes from a tape is not cleaned here: whoever shows it does that.
"""

from typing import Any, Final, TypeVar

from inspector.formats.contract import Place
from inspector.text.gate import clean_line
from inspector.text.jsontext import json_text
from inspector.text.labels import count, plural
from inspector.timeline.spans import Span
from inspector.timeline.words import Life

_Told = TypeVar("_Told")

_IN_WORDS: Final = 4
"""Levels of a value that are said in words: a tape may nest one thousands of levels deep."""

_LONGEST: Final = 1_000
"""Characters of the rest, as JSON."""

REGISTERS: Final = (
    "title",
    "model",
    "provider",
    "reasoning effort",
    "window",
    "preset",
    "approval policy",
    "approval policy source",
    "sandbox mode",
    "sandbox mode source",
    "permission preset",
    "plan mode",
    "goal",
    "todo",
    "inbox next turn",
    "inbox next step",
    "schedules",
    "workflows",
    "team members",
    "team tasks",
    "team messages",
    "compaction lock",
    "feedback",
    "subagent",
    "origin",
    "delegation depth",
)
"""Registers in the order in which a person asks for them; others stand behind, as they were set."""

_PLACES: Final = {name: at for at, name in enumerate(REGISTERS)}


def in_order(state: dict[str, _Told]) -> dict[str, _Told]:
    """Registers by name, in the order for people."""
    last = len(REGISTERS)
    return dict(sorted(state.items(), key=lambda entry: _PLACES.get(entry[0], last)))


def value_words(value: Any, levels: int = _IN_WORDS) -> str:
    """The value of a register that is no list; what is more levels deep is said as JSON."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, dict) and levels:
        return " · ".join(f"{key} {value_words(inner, levels - 1)}" for key, inner in value.items())
    return value if isinstance(value, str) else json_text(value, limit=_LONGEST)


def span_words(kind: str, name: str | None) -> str:
    """What a span is called: ``approval ap-1``; ``kind`` as scripts read it."""
    return f"{kind.replace('_', ' ')} {name or ''}".rstrip()


def outcome_words(span: Span) -> str:
    """How a span ended and after how long, or what it waits for."""
    if span.closed is None:
        return span.outcome.label
    length = plural(span.closed - span.opened, "event")
    return f"{span.word or span.outcome.label}, after {length}"


def life_words(life: Life) -> str | None:
    """In which life an event was written, if it was not this one."""
    return {Life.INHERITED: "inherited from the parent", Life.EARLIER: "an earlier life"}.get(life)


def reader_words(format_name: str, policy: str) -> str:
    """Which of the owner's readers is followed; nothing where the format is its only reader."""
    return "" if policy == format_name else f"read as {clean_line(policy, 60)}"


def coverage_words(on_chain: int, records: int) -> str:
    """How many records of a tree the branch reaches."""
    return f"chain covers {count(on_chain)} of {plural(records, 'record')}"


def form_words(form: str | None, *, carried: bool) -> str:
    """How a row differs from the message that it comes from, in brackets; else nothing.

    Args:
        form: how much of it is shown, None where that is all.
        carried: whether it was there before, left, and was put back.
    """
    words = [*([form] if form else []), *(["carried"] if carried else [])]
    return f"({', '.join(words)}) " if words else ""


def place_words(place: Place) -> str:
    """Where a record stands, and in which file if that is another than the tape's own."""
    if place.row is not None:
        where = clean_line(place.row, 60)
    else:
        where = f"line {count(place.line or 0)}, byte {count(place.byte or 0)}"
    return where if place.file is None else f"{where} of {clean_line(place.file, 100)}"
