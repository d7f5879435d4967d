"""How registers and spans are said to people, the same on the screen and in print.

What comes from a tape is not cleaned here: whoever shows it does that.
"""

from typing import Any, Final, TypeVar

from inspector.text.jsontext import json_text
from inspector.text.labels import plural
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
