"""The lines of the detail pane: facts about an event, then all it says. Knows no Textual."""

from collections.abc import Iterator
from datetime import tzinfo
from itertools import chain, islice
from typing import Any, Final

from inspector.export import kin, lives, pressure, tools, usage
from inspector.export.wording import (
    coverage_words,
    in_order,
    is_silent,
    life_words,
    outcome_words,
    place_words,
    reader_words,
    span_words,
    value_words,
    visible_words,
)
from inspector.formats.contract import Section
from inspector.inspection import Inspection
from inspector.text.gate import clean_line
from inspector.text.labels import TODO_MARKS, clock, count, plural, tokens
from inspector.timeline.words import Outcome, SpanKind, Visibility
from inspector.ui.cells import Cell, Line
from inspector.ui.fates import sentence
from inspector.ui.pricing import usable_prices
from inspector.ui.raw import raw_record
from inspector.ui.rows import glyph, number
from inspector.ui.wrapping import wrapped

_TONES: Final = {"plain": "text", "code": "text", "dim": "dim", "error": "error"}
_LISTED: Final = 12

MARGIN: Final = 3
"""Columns of a pane that no line uses: one for a scrollbar, two of air."""


class LazyLines:
    """Lines that are made as somebody scrolls to them: a record may have a million."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines = lines
        self._made: list[Line] = []
        self.complete = False

    def ensure(self, wanted: int) -> int:
        """Make lines up to ``wanted``, and return how many there are now."""
        while len(self._made) < wanted and not self.complete:
            line = next(self._lines, None)
            if line is None:
                self.complete = True
            else:
                self._made.append(line)
        return len(self._made)

    def __getitem__(self, at: int) -> Line:
        return self._made[at] if at < self.ensure(at + 1) else ()


def lines(
    inspection: Inspection, mode: str, event: int | None, width: int, zone: tzinfo | None
) -> Iterator[Line]:
    """The lines of the pane in one of its modes: detail, raw or state."""
    if mode == "state":
        return state_lines(inspection, width)
    if event is None:
        return iter([(Cell("before the first event", "dim"),)])
    if mode == "raw":
        return raw_lines(inspection, event, width)
    return event_lines(inspection, event, width, zone)


def event_lines(
    inspection: Inspection, event: int, width: int, zone: tzinfo | None
) -> Iterator[Line]:
    """An event, rendered: what became of it, where it stands, what was found, what it says."""
    yield from _facts(inspection, event, width, zone)
    for section in inspection.tape.sections(event):
        yield ()
        yield from _section(section, width)


def raw_lines(inspection: Inspection, event: int, width: int) -> Iterator[Line]:
    """The record that carries an event, byte for byte but for what a terminal must not see."""
    record = inspection.timeline.table.record(event)
    return raw_record(inspection, record, width, event)


def state_lines(inspection: Inspection, width: int) -> Iterator[Line]:
    """Registers and open spans as of the cursor."""
    tape, timeline, cursor = inspection.tape, inspection.timeline, inspection.cursor
    yield (Cell(f"state as of {count(cursor)}", "strong"),)
    state = timeline.registers.state(cursor)
    if not state:
        yield (Cell("nothing is set yet", "dim"),)
    for name, setting in in_order(state).items():
        if name == "preamble":
            continue
        since = f"  since {count(setting.since)}"
        value = tape.value(name, setting)
        if isinstance(value, list | tuple) and value:
            yield ()
            yield (Cell(name, "accent"), Cell(since, "faint"))
            for item in value:
                yield from wrapped(_item(item), width, "text", indent="  ")
        else:
            words = "nothing" if isinstance(value, list | tuple) else value_words(value)
            yield from wrapped(f"{name}: {words}", width, "text")
    held = tools.tools(tape, cursor)
    if held is not None:
        named = f"tools: {tools.words(tools.names(held))}  since {count(held.event + 1)}"
        yield from wrapped(named, width, "text")
    spent = usage.words(usage.usage(tape, cursor))
    if spent is not None:
        yield ()
        yield (Cell("tokens reported", "accent"),)
        yield from wrapped(spent, width, "text", "  ")
    yield ()
    yield (Cell("window", "accent"),)
    found = pressure.document(tape, cursor, usable_prices())
    tone = "notice" if found["would_compact"] else "text"
    yield from wrapped(pressure.words(found), width, tone, "  ")
    for line in pressure.rule_words(tape, found):
        yield from wrapped(line, width, "dim", "  ")
    yield ()
    yield from _open_spans(inspection)
    if not timeline.settled.at(cursor):
        yield ()
        yield from wrapped(
            "unsettled: the owner is in the middle of a write here and would make no request",
            width,
            "notice",
        )
    told = list(lives.lines(lives.document(tape, cursor), tape.identity.parent))
    if told:
        yield ()
        yield (Cell("lives", "accent"),)
        for line in told:
            yield from wrapped(line, width, "text", "  ")
    yield ()
    yield from _ended_spans(inspection, width)
    yield from _source_lines(inspection, width)


def _ended_spans(inspection: Inspection, width: int) -> Iterator[Line]:
    """How what is over ended, kind by kind."""
    timeline, cursor = inspection.timeline, inspection.cursor
    yield (Cell("over by now", "accent"),)
    for kind, spans in timeline.spans.items():
        ended = spans.ended(cursor)
        if ended:
            words = ", ".join(f"{count(number)} {how.label}" for how, number in ended.items())
            yield from wrapped(f"{kind.label.replace('_', ' ')}: {words}", width, "text", "  ")


def _source_lines(inspection: Inspection, width: int) -> Iterator[Line]:
    """Where the tape comes from, and what stands beside it now."""
    identity = inspection.tape.identity
    said = [f"{identity.format} {identity.variant}", *([identity.how] if identity.how else [])]
    reader = reader_words(identity.format, identity.policy)
    if reader:
        said.append(reader)
    coverage = inspection.tape.coverage(inspection.cursor)
    if coverage is not None:
        words = coverage_words(coverage.on_chain, coverage.records)
        said.append(f"{words}, {visible_words(coverage.visible, coverage.recovered)}")
    if identity.workspace:
        said.append(f"workspace {identity.workspace}")
    if identity.archived:
        said.append("archived")
    yield ()
    yield (Cell("source, as it is now", "accent"),)
    relations = kin.lines(kin.kin(inspection.tape), identity.parent)
    for words in (*said, *relations, *identity.beside):
        yield from wrapped(clean_line(words, 300), width, "dim", "  ")


def _open_spans(inspection: Inspection) -> Iterator[Line]:
    tape, timeline, cursor = inspection.tape, inspection.timeline, inspection.cursor
    # Made one by one: a tape may leave a million open.
    spans = (span for kind in SpanKind for span in timeline.spans[kind].open_at(cursor))
    first = next(spans, None)
    yield (Cell("nothing is open" if first is None else "open", "accent"),)
    for span in chain(() if first is None else (first,), spans):
        name = clean_line(span_words(span.kind.label, tape.span_id(span)), 80)
        waits = "" if span.outcome is Outcome.RUNNING else f", {span.outcome.label}"
        since = Cell(f"  since {count(span.opened)}", "faint")
        yield (
            (Cell(f"  {name}"), Cell(waits, "notice"), since)
            if waits
            else (
                Cell(f"  {name}"),
                since,
            )
        )


def preamble_line(inspection: Inspection) -> Line:
    """System prompt and tools, which stand above the surface and are not part of it."""
    parts = inspection.tape.preamble(inspection.cursor)
    if not parts:
        return (Cell("no preamble recorded yet", "faint"),)
    words = " + ".join(f"{part.part} {tokens(part.tokens)}" for part in parts)
    return (
        Cell(f"preamble  {words}  ", "dim"),
        Cell(f"since {number(inspection, parts[0].event)}", "faint"),
    )


def _item(item: Any) -> str:
    """A todo, or whatever else a list register holds."""
    if isinstance(item, dict) and "status" in item:
        return f"{TODO_MARKS.get(str(item['status']), '?')} {item.get('content', '')}"
    return str(item)


def _facts(inspection: Inspection, event: int, width: int, zone: tzinfo | None) -> Iterator[Line]:
    timeline, tape = inspection.timeline, inspection.tape
    table = timeline.table
    visibility, by = timeline.visibility(event, inspection.cursor)
    mark = glyph(visibility, silent=is_silent(timeline, event))
    yield from _fate(sentence(inspection, event, visibility, by), mark, visibility, width)
    where = place_words(tape.place(table.record(event)))
    time = clock(table.time(event), zone) or "no time recorded"
    yield from wrapped(f"{table.type(event)[:60]} · #{event} · {time} · {where}", width, "dim")
    group = tape.group(event)
    if group is not None:
        yield from wrapped(f"part of API message {clean_line(group, 100)}", width, "dim")
    for word, other in (
        ("answers", timeline.pairs.call_of(event)),
        ("answered by", timeline.pairs.result_of(event)),
    ):
        if other is not None and other < inspection.cursor:
            yield (Cell(f"{word} {number(inspection, other)}", "dim"),)
    yield from _spans_and_life(inspection, event, width)
    node = timeline.surface.nodes.of_event(event)
    if node is not None:
        sources = timeline.surface.nodes.sources(node)
        if sources:
            yield from wrapped(f"built from {_numbers(inspection, sources)}", width, "dim")
        replaced = timeline.is_replacement(event)
        left = timeline.hides(event, inspection.cursor) if replaced else ()
        if left:
            hidden = [timeline.surface.nodes.origin(departure.node) for departure in left]
            reason = left[0].reason.label
            yield from wrapped(f"hides {_numbers(inspection, hidden)} ({reason})", width, "summary")
    record = table.record(event)
    before = table.record(event - 1) if event else -1
    for finding in timeline.findings.around(event, before + 1, record):
        yield from wrapped(
            f"⚠ {finding.kind.severity.value}: {finding.message} — effect: {finding.kind.effect}",
            width,
            "notice",
        )


def _fate(words: str, mark: str, visibility: Visibility, width: int) -> Iterator[Line]:
    """What became of an event, behind its glyph."""
    tone = "accent" if visibility is Visibility.VISIBLE else "dim"
    mark += " "
    for line in wrapped(words, width, "text", " " * len(mark)):
        yield (Cell(mark, tone), Cell(line[0].text[len(mark) :]))
        mark, tone = " " * len(mark), "text"


def _spans_and_life(inspection: Inspection, event: int, width: int) -> Iterator[Line]:
    """What the event opened or ended, and in which life it was written."""
    timeline, cursor = inspection.timeline, inspection.cursor
    if event >= cursor:
        return
    spans = timeline.spans_of(event, cursor)
    for span in islice(spans, _LISTED):
        name = clean_line(span_words(span.kind.label, inspection.tape.span_id(span)), 80)
        yield from wrapped(f"{name}: {outcome_words(span)}", width, "dim")
    if len(spans) > _LISTED:
        yield (Cell(f"and {plural(len(spans) - _LISTED, 'span')} more", "dim"),)
    life = life_words(timeline.life(event, cursor), inspection.tape.identity.parent)
    if life is not None:
        yield from wrapped(life, width, "dim")


def _numbers(inspection: Inspection, events: list[int]) -> str:
    """Events by name, runs of neighbours as ranges."""
    runs: list[tuple[int, int]] = []
    for event in events:
        if runs and event == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], event)
        else:
            runs.append((event, event))
    words: list[str] = []
    for first, last in runs[:_LISTED]:
        ends = [number(inspection, end) for end in ((first,) if first == last else (first, last))]
        words.append(("…" if last - first > 1 else ", ").join(ends))
    if len(runs) > _LISTED:
        words.append(f"and {len(runs) - _LISTED} more")
    return f"{plural(len(events), 'event')}: {', '.join(words)}" if len(events) > 1 else words[0]


def _section(section: Section, width: int) -> Iterator[Line]:
    if section.heading:
        yield (Cell(clean_line(section.heading, 200), "accent"),)
    yield from wrapped(section.text, width, _TONES[section.tone])
