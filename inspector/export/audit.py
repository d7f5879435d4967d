"""A summary beside what it hides: a document for scripts, and its text."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from inspector.export.text import table
from inspector.export.why import name
from inspector.export.why_sentence import HIDDEN
from inspector.formats.contract import Tape
from inspector.lenses.audit import Audit, Auditor, Lost, Original, in_order
from inspector.lenses.literals import Literal
from inspector.lenses.pressure import counted, pressure
from inspector.lenses.prices import Prices
from inspector.lenses.retelling import Launch
from inspector.lenses.texts import said, said_of_node
from inspector.lenses.undone import Undone, undone
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens
from inspector.timeline.words import Reason, SpanKind

MOST: Final = 60
"""Missing literals that are listed for people; all are in the document."""

_ORIGINALS: Final = 200
"""Originals that are listed for people."""

_CONTEXT: Final = 60

DEGRADED: Final = "the summary is put together of pieces of its originals: nobody wrote it"

LAUNCH: Final = {
    Launch.VERBATIM: "still there word for word",
    Launch.QUOTED: "quoted in the summary",
    Launch.PARAPHRASED: "only paraphrased in the summary",
    Launch.ABSENT: "absent: the summary has few of its words",
}


OPAQUE: Final = "the summary is encrypted: nothing of it can be read"


def auditor(tape: Tape) -> Auditor:
    """What audits the summaries of a tape; one for all of them reads the tape once."""
    return Auditor(
        tape.timeline, lambda event: said(tape, event), lambda node: said_of_node(tape, node)
    )


def documents(
    tape: Tape, events: Iterable[int], prices: Prices | None = None
) -> Iterator[dict[str, Any]]:
    """The audits of the summaries that events brought.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    audits = auditor(tape)
    for event in events:
        yield document_of(tape, audits.audit(event), prices)


def audited(tape: Tape, event: int) -> Audit:
    """The audit itself; errors as of `documents`."""
    return auditor(tape).audit(event)


def document_of(
    tape: Tape, found: Audit, prices: Prices | None = None, cursor: int | None = None
) -> dict[str, Any]:
    """The document of an audit.

    Args:
        tape: of which.
        found: the audit.
        prices: may tell the window.
        cursor: as of which it is told whether the compaction holds; the head unless told.
    """
    event = found.event
    back = undone(tape.timeline, event, tape.timeline.events if cursor is None else cursor)
    before, after = found.tokens
    recorded = tape.recorded_sizes(event)
    rows, context = found.rows
    return {
        "event": event,
        "seq": tape.number(event),
        "hidden": [original.event for original in found.originals],
        "rows": rows,
        "context_rows": context,
        "tokens_before": before if recorded.hidden is None else recorded.hidden,
        "tokens_after": after,
        "tokens_recorded": recorded.hidden is not None,
        "trigger": tape.trigger(event),
        "usage": usage_words(tape, event, prices),
        "compacted_at": tape.compacted_at(event),
        "recorded_before": recorded.before,
        "launch": _launch(found),
        "missing": [_literal(literal, origin) for origin, literal in found.missing],
        "kept": found.kept,
        "originals": [_original(original) for original in in_order(found)],
        "earlier": [_lost(lost) for lost in found.earlier],
        "earlier_from": found.earlier_from,
        "degraded": found.is_degraded,
        "opaque": found.is_opaque,
        "undone": None if back is None else _undone(back),
    }


def _undone(back: Undone) -> dict[str, Any]:
    return {"since": back.since, "reason": back.reason.label, "by": back.by}


def _original(original: Original) -> dict[str, Any]:
    return {
        "event": original.event,
        "role": original.role.label,
        "context": original.is_context,
        "kept": original.kept,
        "missing": len(original.missing),
        "whole": original.whole,
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


def usage_words(tape: Tape, event: int, prices: Prices | None = None) -> str | None:
    """How much of the model's window was used, where the tape and the window tell.

    What the compaction itself says comes first; else it is the provider's last report, and the
    figures are those by which the owner would compact, see `inspector.lenses.pressure`.
    """
    timeline = tape.timeline
    spans = timeline.spans[SpanKind.COMPACTION]
    last = spans.last(event + 1)
    cursor = event if last is None else min(event, max(0, spans.opened[last] - 1))
    recorded = tape.recorded_sizes(event).before
    usage = timeline.usage.last(cursor)
    if recorded is None and usage is None:
        return None
    used = counted(tape, usage) if recorded is None and usage is not None else recorded or 0
    found = pressure(tape, used, cursor, prices)
    if found.window is None:
        return f"{tokens(found.tokens)} tokens of an unknown window"
    return f"{100 * found.tokens // found.window} % of {tokens(found.window)}"


def text(tape: Tape, found: dict[str, Any]) -> Iterator[str]:
    """The text of `document_of`: what it hides, the missing literals, every original."""
    yield hidden_words(tape, found)
    yield from remarks(tape, found)
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
    yield from _indented(rows, len(missing))
    yield from _earlier(tape, found)
    originals = found["originals"]
    yield "originals:"
    yield from _indented(
        [_original_cells(tape, original) for original in originals[:_ORIGINALS]], len(originals)
    )


def _indented(rows: list[list[str]], number: int) -> Iterator[str]:
    if rows:
        yield from (f"  {line}" for line in table(rows, right={0}))
    if number > len(rows):
        yield f"  and {count(number - len(rows))} more; --json has them all"


def _original_cells(tape: Tape, original: dict[str, Any]) -> list[str]:
    headline = tape.headline(original["event"])
    return [
        name(tape, original["event"]),
        clean_line(headline.kind, 16),
        verdict(original["kept"], original["missing"]),
        clean_line(headline.text, 80),
    ]


def verdict(kept: int, missing: int) -> str:
    """What became of an original's literals."""
    if missing:
        return f"{count(missing)} missing"
    return "told" if kept else "no literals"


def remarks(tape: Tape, found: dict[str, Any]) -> Iterator[str]:
    """What else must be known of a summary and of what was compared with it."""
    back = found["undone"]
    if back is not None:
        why = HIDDEN[next(reason for reason in Reason if reason.label == back["reason"])]
        yield f"it is undone since {count(back['since'])}: {why} ({name(tape, back['by'])})"
    if found["opaque"]:
        yield OPAQUE
    if found["degraded"]:
        yield DEGRADED
    parts = [original["event"] for original in found["originals"] if not original["whole"]]
    if parts:
        names = ", ".join(name(tape, event) for event in sorted(parts)[:_PARTS])
        more = f" and {count(len(parts) - _PARTS)} more" if len(parts) > _PARTS else ""
        yield f"only the beginning and the end were looked through of {names}{more}"


_PARTS: Final = 8


def hidden_words(tape: Tape, found: dict[str, Any]) -> str:
    """What a summary hides, and what made the owner write it."""
    rows, context = found["rows"], found["context_rows"]
    among = f" ({count(context)} injected)" if context else ""
    about = "" if found["tokens_recorded"] else "≈"
    did = "hides" if found["undone"] is None else "hid"
    before, after = tokens(found["tokens_before"]), tokens(found["tokens_after"])
    return (
        f"{name(tape, found['event'])} {did} {plural(rows, 'row')}{among}, "
        f"{about}{before} -> ≈{after} tokens, trigger: {_trigger(found)}"
    )


def _trigger(found: dict[str, Any]) -> str:
    """What made the owner compact, with what is told of the size of the context then."""
    words = (found["trigger"] and clean_line(found["trigger"], 60)) or "not recorded"
    recorded, usage = found["recorded_before"], found["usage"]
    if recorded is None:
        return f"{words} (usage {usage})" if usage else words
    window = f", {usage}" if usage and "%" in usage else ""
    return f"{words} at {tokens(recorded)} tokens (recorded{window})"


def launch_words(tape: Tape, launch: dict[str, Any]) -> str:
    """What became of the person's first message, which set the work going."""
    words = LAUNCH[Launch(launch["status"])]
    return f"the launching message, {name(tape, launch['event'])}: {words}"


def literal_words(found: dict[str, Any]) -> str:
    """How many literals are told and missing, each counted once."""
    missing, kept = found["missing"], found["kept"]
    if not missing and not kept:
        return "the originals have no literals"
    if not missing:
        return f"every literal of the originals is told, {count(kept)} in all"
    total = kept + len(missing)
    are = "is" if 1 in (kept, total) else "are"
    return (
        f"{count(kept)} of {plural(total, 'literal')} of the originals {are} told, "
        f"{count(len(missing))} missing{_by_class(missing)}"
    )


def _by_class(missing: list[dict[str, Any]]) -> str:
    counted = Counter(literal["class"] for literal in missing)
    told = ", ".join(f"{count(number)} {kind}" for kind, number in counted.most_common())
    return f": {told}" if told else ""


def _earlier(tape: Tape, found: dict[str, Any]) -> Iterator[str]:
    by_summary: dict[int, list[dict[str, Any]]] = {}
    for literal in found["earlier"]:
        by_summary.setdefault(literal["summary"], []).append(literal)
    for summary, literals in by_summary.items():
        shown = " · ".join(clean_line(literal["literal"], _CONTEXT) for literal in literals[:12])
        more = len(literals) - 12
        tail = f" and {count(more)} more" if more > 0 else ""
        yield f"lost already by {name(tape, summary)}: {shown}{tail}"
    if found["earlier_from"] is not None:
        yield unlooked_words(tape, found["earlier_from"])


def unlooked_words(tape: Tape, summary: int) -> str:
    """That what a summary and those before it lost is not told."""
    return f"what {name(tape, summary)} and summaries before it lost was not looked for"
