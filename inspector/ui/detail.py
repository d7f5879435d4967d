"""The lines of the detail pane: facts about an event, then all it says. Knows no Textual."""

from collections.abc import Iterator
from datetime import tzinfo
from typing import Any, Final

from rich.cells import chop_cells

from inspector.formats.contract import Section
from inspector.inspection import Inspection
from inspector.text.gate import clean_block, clean_line
from inspector.text.labels import TODO_MARKS, clock, count, plural, size, tokens
from inspector.timeline.words import SpanKind, Visibility
from inspector.ui.cells import Cell, Line
from inspector.ui.rows import GLYPHS, number

_TONES: Final = {"plain": "text", "code": "text", "dim": "dim", "error": "error"}
_LISTED: Final = 12


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
    tape, table = inspection.tape, inspection.timeline.table
    record = table.record(event)
    place = tape.place(record)
    raw = tape.raw(event)
    where = place.row or f"line {count(place.line or 0)} · byte {count(place.byte or 0)}"
    yield (Cell(f"raw record · {where} · {size(len(raw))}", "dim"),)
    first, last = table.first_of_record(record), table.before_record(record + 1)
    if first is not None and last - first > 1:
        yield (
            Cell(
                f"a packed row of {count(last - first)} events; "
                f"this is number {count(event - first + 1)}",
                "dim",
            ),
        )
    yield ()
    yield from _wrapped(raw.decode("utf-8", "replace"), width, "text")


def state_lines(inspection: Inspection, width: int) -> Iterator[Line]:
    """Registers and open spans as of the cursor."""
    tape, timeline, cursor = inspection.tape, inspection.timeline, inspection.cursor
    yield (Cell(f"state as of {count(cursor)}", "strong"),)
    state = timeline.registers.state(cursor)
    if not state:
        yield (Cell("nothing is set yet", "dim"),)
    for name, setting in state.items():
        if name == "preamble":
            continue
        since = f"  since {count(setting.since)}"
        value = tape.value(name, setting)
        if isinstance(value, list):
            yield ()
            yield (Cell(name, "accent"), Cell(since, "faint"))
            for item in value:
                yield from _wrapped(_item(item), width, "text", indent="  ")
        else:
            yield from _wrapped(f"{name}: {value}", width, "text")
    spans = [span for kind in SpanKind for span in timeline.spans[kind].open_at(cursor)]
    yield ()
    yield (Cell("open" if spans else "nothing is open", "accent"),)
    for span in spans:
        name = clean_line(tape.span_id(span) or "", 60)
        kind = span.kind.label.replace("_", " ")
        yield (Cell(f"  {kind} {name}"), Cell(f"  since {count(span.opened)}", "faint"))
    if not timeline.settled.at(cursor):
        yield ()
        yield from _wrapped(
            "unsettled: the owner is in the middle of a write here and would make no request",
            width,
            "notice",
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
    yield (
        Cell(f"{GLYPHS[visibility]} ", "accent" if visibility is Visibility.VISIBLE else "dim"),
        Cell(sentence(inspection, event, visibility, by)),
    )
    place = tape.place(table.record(event))
    where = place.row or f"line {count(place.line or 0)}, byte {count(place.byte or 0)}"
    time = clock(table.time(event), zone) or "no time recorded"
    yield from _wrapped(f"{table.type(event)[:60]} · #{event} · {time} · {where}", width, "dim")
    for word, other in (
        ("answers", timeline.pairs.call_of(event)),
        ("answered by", timeline.pairs.result_of(event)),
    ):
        if other is not None and other < inspection.cursor:
            yield (Cell(f"{word} {number(inspection, other)}", "dim"),)
    node = timeline.surface.nodes.of_event(event)
    if node is not None:
        sources = timeline.surface.nodes.sources(node)
        if sources:
            yield from _wrapped(f"built from {_numbers(inspection, sources)}", width, "dim")
        left = timeline.changes(event, event + 1).left if timeline.is_replacement(event) else ()
        if left:
            hidden = [timeline.surface.nodes.origin(departure.node) for departure in left]
            reason = left[0].reason.label
            yield from _wrapped(
                f"hides {_numbers(inspection, hidden)} ({reason})", width, "summary"
            )
    record = table.record(event)
    before = table.record(event - 1) if event else -1
    for finding in timeline.findings.around(event, before + 1, record):
        yield from _wrapped(
            f"⚠ {finding.kind.severity.value}: {finding.message} — effect: {finding.kind.effect}",
            width,
            "notice",
        )


def sentence(inspection: Inspection, event: int, visibility: Visibility, by: int | None) -> str:
    """What became of an event, in words."""
    timeline = inspection.timeline
    node = timeline.surface.nodes.of_event(event)
    match visibility:
        case Visibility.VISIBLE:
            return f"visible to the model since {event + 1}"
        case Visibility.LOG_ONLY:
            return "log-only: never part of what the model sees"
        case Visibility.NOT_YET:
            return "not yet: it comes after the cursor"
        case Visibility.NOT_APPLIED:
            if timeline.stopped_at is not None and event >= timeline.stopped_at:
                if event == timeline.stopped_at:
                    return "not applied: unknown and required, the fold stops before it"
                stop = number(inspection, timeline.stopped_at)
                return f"not applied: it builds on {stop}, which is unknown and required"
            return "not applied: it breaks a rule of its format"
    if node is None or by is None:
        return visibility.label
    gone = timeline.surface.nodes.gone[node]
    return f"{visibility.label} by {number(inspection, by)} · visible {event + 1} to {gone - 1}"


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
    yield from _wrapped(section.text, width, _TONES[section.tone])


def _wrapped(text: str, width: int, tone: str, indent: str = "") -> Iterator[Line]:
    """A text in lines of at most ``width`` columns, a paragraph at a time."""
    room = max(8, width - len(indent))
    start = 0
    while start <= len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        for piece_start in range(start, max(stop, start + 1), _PIECE):
            piece = clean_block(text[piece_start : min(stop, piece_start + _PIECE)].rstrip("\r"))
            yield from (
                (Cell(f"{indent}{line}", tone),) for line in _broken(piece.replace("\n", "⏎"), room)
            )
        start = stop + 1


_PIECE: Final = 8_192
"""Characters that are cleaned and broken at once: one line may be a megabyte."""


def _broken(text: str, width: int) -> Iterator[str]:
    """A paragraph broken at blanks, or anywhere where a word is longer than a line."""
    if not text:
        yield ""
        return
    while text:
        if text.isascii():
            taken = text[:width]
        else:
            pieces = chop_cells(text[: 2 * width], width)
            taken = pieces[0] if pieces and pieces[0] else text[0]
        if len(taken) < len(text):
            blank = taken.rfind(" ")
            if blank > width // 2 and not text[len(taken)].isspace():
                taken = taken[: blank + 1]
        yield taken
        text = text[len(taken) :].removeprefix(" ") if taken.strip() else text[len(taken) :]
