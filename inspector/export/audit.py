"""A summary beside what it hides: a document for scripts, and its text."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from inspector.export.text import table
from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.audit import Audit, Lost, audit
from inspector.lenses.literals import Literal
from inspector.lenses.pressure import window_at
from inspector.lenses.retelling import Launch
from inspector.lenses.texts import said
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens
from inspector.timeline.words import SpanKind

MOST: Final = 60
"""Missing literals that are listed for people; all are in the document."""

_CONTEXT: Final = 60

DEGRADED: Final = "the summary is put together of pieces of its originals: nobody wrote it"

LAUNCH: Final = {
    Launch.VERBATIM: "still there word for word",
    Launch.QUOTED: "quoted in the summary",
    Launch.PARAPHRASED: "only paraphrased in the summary",
    Launch.ABSENT: "absent: the summary has few of its words",
}


def document(tape: Tape, event: int) -> dict[str, Any]:
    """The audit of the summary that an event brought.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    return document_of(tape, audited(tape, event))


def audited(tape: Tape, event: int) -> Audit:
    """The audit itself; errors as of `document`."""
    return audit(tape.timeline, event, lambda origin: said(tape, origin))


def document_of(tape: Tape, found: Audit) -> dict[str, Any]:
    """The document of an audit."""
    event = found.event
    before, after = found.tokens
    return {
        "event": event,
        "seq": tape.number(event),
        "hidden": [original.event for original in found.originals],
        "tokens_before": before,
        "tokens_after": after,
        "trigger": tape.trigger(event),
        "usage": usage_words(tape, event),
        "launch": _launch(found),
        "missing": [_literal(literal, origin) for origin, literal in found.missing],
        "kept": found.kept,
        "earlier": [_lost(lost) for lost in found.earlier],
        "degraded": found.is_degraded,
    }


def _launch(found: Audit) -> dict[str, Any] | None:
    if found.launch is None:
        return None
    event, status = found.launch
    return {"event": event, "status": status.value}


def _literal(literal: Literal, event: int) -> dict[str, Any]:
    return {"literal": literal.text, "class": literal.kind.value, "event": event}


def _lost(lost: Lost) -> dict[str, Any]:
    return {
        **_literal(lost.literal, lost.event),
        "summary": lost.summary,
        "generation": lost.generation,
    }


def usage_words(tape: Tape, event: int) -> str | None:
    """How much of the model's window was used, where the provider's report and the window tell."""
    timeline = tape.timeline
    spans = timeline.spans[SpanKind.COMPACTION]
    last = spans.last(event + 1)
    cursor = event if last is None else min(event, max(0, spans.opened[last] - 1))
    usage = timeline.usage.last(cursor)
    window = window_at(tape, cursor)
    if usage is None:
        return None
    if window is None:
        return f"{tokens(usage.context)} tokens of an unknown window"
    return f"{100 * usage.context // window} % of {tokens(window)}"


def text(tape: Tape, found: dict[str, Any]) -> Iterator[str]:
    """The text of `document`: what it hides, the launching message, the missing literals."""
    yield hidden_words(tape, found)
    if found["degraded"]:
        yield DEGRADED
    if found["launch"] is not None:
        yield launch_words(tape, found["launch"])
    yield literal_words(found)
    missing = found["missing"]
    rows = [
        [
            name(tape, literal["event"]),
            clean_line(tape.headline(literal["event"]).kind, 16),
            literal["class"],
            clean_line(literal["literal"], 120),
        ]
        for literal in missing[:MOST]
    ]
    if rows:
        yield from (f"  {line}" for line in table(rows, right={0}))
    if len(missing) > MOST:
        yield f"  and {count(len(missing) - MOST)} more; --json has them all"
    yield from _earlier(tape, found["earlier"])


def hidden_words(tape: Tape, found: dict[str, Any]) -> str:
    """What a summary hides, and what made the owner write it."""
    trigger = found["trigger"] and clean_line(found["trigger"], 60)
    used = f" (usage {found['usage']})" if found["usage"] else ""
    return (
        f"{name(tape, found['event'])} hides {plural(len(found['hidden']), 'message')}, "
        f"{tokens(found['tokens_before'])} -> {tokens(found['tokens_after'])} tokens (estimate), "
        f"trigger: {trigger or 'not recorded'}{used}"
    )


def launch_words(tape: Tape, launch: dict[str, Any]) -> str:
    """What became of the person's first message, which set the work going."""
    words = LAUNCH[Launch(launch["status"])]
    return f"the launching message, {name(tape, launch['event'])}: {words}"


def literal_words(found: dict[str, Any]) -> str:
    """How many literals are told and missing."""
    missing = found["missing"]
    return (
        f"{plural(found['kept'], 'literal')} of the originals told, "
        f"{count(len(missing))} missing{_by_class(missing)}"
    )


def _by_class(missing: list[dict[str, Any]]) -> str:
    counted = Counter(literal["class"] for literal in missing)
    told = ", ".join(f"{count(number)} {kind}" for kind, number in counted.most_common())
    return f": {told}" if told else ""


def _earlier(tape: Tape, lost: list[dict[str, Any]]) -> Iterator[str]:
    by_summary: dict[int, list[dict[str, Any]]] = {}
    for literal in lost:
        by_summary.setdefault(literal["summary"], []).append(literal)
    for summary, literals in by_summary.items():
        shown = " · ".join(clean_line(literal["literal"], _CONTEXT) for literal in literals[:12])
        more = len(literals) - 12
        tail = f" and {count(more)} more" if more > 0 else ""
        yield f"lost already by {name(tape, summary)}: {shown}{tail}"
