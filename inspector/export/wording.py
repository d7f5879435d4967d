"""How registers and spans are said to people, the same on the screen and in print.

What comes from a tape is not cleaned here: whoever shows it does that.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from inspector.formats.contract import Place
from inspector.text.gate import clean_line
from inspector.text.jsontext import json_text
from inspector.text.labels import count, plural
from inspector.timeline.findings import Severity
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Life, Visibility

_Told = TypeVar("_Told")

SILENT: Final = "silent"
"""Of a row that is on the surface and of which the owner makes no message."""

_IN_WORDS: Final = 4
"""Levels of a value that are said in words: a tape may nest one thousands of levels deep."""

_LONGEST: Final = 1_000
"""Characters of the rest, as JSON."""

_FOUND: Final = 200
"""Characters of what was found at an event."""

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


def life_words(life: Life, parent: str | None = None) -> str | None:
    """In which life an event was written, if it was not this one; ``parent`` names the other."""
    source = clean_line(parent, 120) if parent else "the parent"
    return {Life.INHERITED: f"inherited from {source}", Life.EARLIER: "an earlier life"}.get(life)


def reader_words(format_name: str, policy: str) -> str:
    """Which of the owner's readers is followed; nothing where the format is its only reader."""
    return "" if policy == format_name else f"read as {clean_line(policy, 60)}"


def coverage_words(on_chain: int, records: int) -> str:
    """How many records of a tree the branch reaches."""
    return f"chain covers {count(on_chain)} of {plural(records, 'record')}"


def visible_words(visible: int, recovered: int) -> str:
    """How many of the records that a branch reaches are seen, and how many rows are added."""
    more = f", {count(recovered)} more recovered" if recovered else ""
    return f"{count(visible)} of them visible{more}"


def finding_words(timeline: Timeline, event: int) -> str:
    """What was found at an event, the gravest first, on a line; nothing if nothing was."""
    found = timeline.findings.of_event(event)
    gravest = max(found, key=lambda one: one.kind.severity is Severity.ERROR, default=None)
    return "" if gravest is None else clean_line(gravest.message, _FOUND)


def is_silent(timeline: Timeline, event: int) -> bool:
    """Whether the owner makes no message of what an event put on the surface, if anything."""
    nodes = timeline.surface.nodes
    made = nodes.of_event(event)
    return made is not None and nodes.silent(made)


def visibility_words(visibility: str, *, silent: bool) -> str:
    """What became of an event; on the surface and yet no message is *silent*."""
    return SILENT if silent and visibility == Visibility.VISIBLE.label else visibility


def verdict_words(owner: str, opens: bool | str, reason: str | None) -> str:
    """What the owner would do with a tape; cleaned."""
    word = "opens" if opens is True else "opens part of" if opens == "partly" else "refuses"
    why = f": {clean_line(reason, 400)}" if reason else ""
    return f"{owner} {word} this tape{why}"


def sums_words(sums: Mapping[str, int | None]) -> tuple[str, str]:
    """How the records of a tape add up, and what is in them; by the keys of ``check``."""
    kinds = ("bookkeeping", "blank", "pending", "damaged")
    parts = [plural(sums["carriers"] or 0, "carrier")]
    parts += [f"{count(number)} {kind}" for kind in kinds if (number := sums[kind])]
    recovered = plural(sums["recovered"] or 0, "record")
    frames = "" if sums["frames"] is None else f" in {plural(sums['frames'], 'frame')}"
    return (
        f"{plural(sums['records'] or 0, 'record')}{frames} = {' + '.join(parts)}",
        ", ".join((plural(sums["events"] or 0, "event"), f"{recovered} recovered")),
    )


def form_words(form: str | None, *, carried: bool, silent: bool = False) -> str:
    """How a row differs from the message that it comes from, in brackets; else nothing.

    Args:
        form: how much of it is shown, None where that is all.
        carried: whether it was there before, left, and was put back.
        silent: whether the owner makes no message of it.
    """
    said = ((form, bool(form)), ("carried", carried), (SILENT, silent))
    words = [word for word, holds in said if word and holds]
    return f"({', '.join(words)}) " if words else ""


def surface_words(messages: int, rows: int) -> str:
    """How many messages the owner makes of how many rows, where these are not as many."""
    told = plural(messages, "message")
    return told if messages == rows else f"{told} in {plural(rows, 'row')}"


def place_words(place: Place) -> str:
    """Where a record stands, and in which file if that is another than the tape's own."""
    if place.row is not None:
        where = clean_line(place.row, 60)
    else:
        where = f"line {count(place.line or 0)}, byte {count(place.byte or 0)}"
    return where if place.file is None else f"{where} of {clean_line(place.file, 100)}"
