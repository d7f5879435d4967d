"""What the bars of the screen say: status, pane titles, banner, footer. Knows no Textual."""

from inspector.actions import FOOTER, by_id
from inspector.export.wording import finding_words, reader_words, surface_words, verdict_words
from inspector.filters import Filter, Shown
from inspector.inspection import Inspection
from inspector.lenses.pressure import pressure_at
from inspector.sought import Sought
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens
from inspector.timeline.findings import Severity
from inspector.timeline.words import Mark, SpanKind
from inspector.ui.cells import Cell, Line, between
from inspector.ui.detail import preamble_line
from inspector.ui.footing import breadth, key, keys, told
from inspector.ui.pricing import usable_prices
from inspector.ui.rows import number


def status(inspection: Inspection, width: int) -> Line:
    """The top line: which tape, and where in it; all figures are as of one head."""
    tape, timeline, head = inspection.tape, inspection.timeline, inspection.head
    identity = tape.identity
    title = timeline.registers.at("title", inspection.cursor)
    name = str(tape.value("title", title) or "") if title else ""
    name = name or identity.id or "untitled"
    last = timeline.spans[SpanKind.TURN].last(head)
    turns = 0 if last is None else last + 1
    reader = reader_words(identity.format, identity.policy)
    file = identity.path.name
    if name in file:
        # The file is named after the session.
        name, file = file, ""
    left: Line = (
        Cell(f" {clean_line(name, 80)}", "strong"),
        Cell(
            f"  {clean_line(file, 60)}{' · ' if file else ''}{identity.format} {identity.variant}"
            f" · {f'{reader} · ' if reader else ''}"
            f"{plural(head, 'event')} · {plural(turns, 'turn')}",
            "dim",
        ),
    )
    return between(left, _where(inspection, head), width)


def _where(inspection: Inspection, head: int) -> Line:
    timeline = inspection.timeline
    cursor, stop = count(inspection.cursor), count(head)
    word = inspection.word
    at_head = word in ("HEAD", "LIVE")
    place = f" {word} {stop} " if at_head else f" {word} {cursor}/{stop} "
    cells = [Cell(place, "head" if at_head else "replay")]
    if inspection.trouble is not None:
        cells.append(Cell(f" source {inspection.trouble}", "notice"))
    if inspection.unseen:
        cells.append(Cell(f" +{count(inspection.unseen)} new", "accent"))
    if not inspection.tape.complete:
        cells.append(Cell(f" reading {inspection.tape.progress:.0%}", "notice"))
    compactions = timeline.compactions(inspection.cursor)
    if compactions:
        total = timeline.marks.within(Mark.COMPACTION, 0, head)
        cells.append(Cell(f" ✂{compactions}/{total}", "summary"))
    waste, misses = inspection.losses.at(inspection.cursor)
    if misses:
        cells.append(Cell(f" {tokens(waste)} wasted in {misses}", "notice"))
    problems = inspection.tape.errors()
    if problems:
        cells.append(Cell(f" ⚠ {plural(problems, 'error')}", "notice"))
    pending = inspection.tape.sums().pending if inspection.tape.complete else 0
    if pending:
        cells.append(Cell(" unended record", "dim"))
    cells.append(Cell(" "))
    return tuple(cells)


def events_title(
    inspection: Inspection, focused: bool, passing: int | None = None, sifting: bool = False
) -> Line:
    """The title of the event list: how many pass the filter, and what is looked for."""
    free = Cell("  selection free, s locks it", "notice") if inspection.free else Cell("")
    some = "" if passing is None else f"{count(passing)} of "
    return (
        _mark(focused),
        Cell("Events", "strong" if focused else "dim"),
        Cell(f"  {some}{count(inspection.head)}", "faint"),
        *((Cell(filter_words(inspection.filter), "notice"),) if inspection.filter.active else ()),
        *((Cell("  filtering…", "dim"),) if sifting else ()),
        *_sought(inspection),
        free,
    )


def filter_words(chosen: Filter) -> str:
    """What is listed, in words; nothing where all is."""
    words = [] if chosen.shown is Shown.ALL else [chosen.shown.value]
    words += ["hits"] if chosen.only_hits else []
    words += [clean_line(" ".join(chosen.words), 40)] if chosen.words else []
    return f"  only {' · '.join(words)}" if words else ""


def _sought(inspection: Inspection) -> Line:
    """What is looked for, and how many events hold it."""
    sought = inspection.sought
    if sought.wanted is None:
        return ()
    at = sought.number(inspection.cursor)
    which = f"{count(at)} of " if at is not None else ""
    more = "…" if sought.searching else ""
    return (
        Cell(f"  /{clean_line(sought.text, 24)}", "accent"),
        Cell(f" {which}{count(len(sought.events))}{more}", "dim"),
    )


def found_words(sought: Sought) -> str:
    """What came of a search, in words for the footer."""
    hits = plural(len(sought.events), "hit")
    what = clean_line(sought.text, 60)
    if sought.problem is not None:
        return f"{hits} for {what}, then: {clean_line(sought.problem, 200)}"
    if sought.searching:
        return f"looking for {what}: {hits} so far"
    loose = f", {plural(sought.loose, 'record')} without an event" if sought.loose else ""
    keys = "; n and N go to them, & lists only them" if sought.events else ""
    return f"{hits} for {what}{loose}{keys}" if hits else ""


def surface_title(inspection: Inspection, focused: bool, free: bool = False) -> Line:
    """The title of the surface: what the model sees at the cursor, and how full its window is."""
    timeline, cursor = inspection.timeline, inspection.cursor
    messages, rows = timeline.surface.messages(cursor), timeline.count(cursor)
    found = pressure_at(inspection.tape, cursor, usable_prices())
    now, window, room = found.tokens, found.window, ""
    if window is not None:
        room = f" of {tokens(window)} ({100 * now // window}%)"
    about = "≈" if found.estimated else ""
    return (
        _mark(focused),
        Cell(f"Surface at {count(cursor)}", "strong" if focused else "dim"),
        Cell("  row free" if free else "", "notice"),
        *_uncovered(inspection),
        Cell(f"  {surface_words(messages, rows)} · {about}{tokens(now)}{room}", "faint"),
        Cell(" ✂ due" if found.compacts else "", "notice"),
    )


def transcript_title(
    inspection: Inspection, entries: int | None, focused: bool, free: bool = False
) -> Line:
    """The title of the transcript: what the person saw at the cursor, and how much that is."""
    about = "" if entries is None else f"  {plural(entries, 'entry', 'entries')}"
    return (
        _mark(focused),
        Cell(f"Transcript at {count(inspection.cursor)}", "strong" if focused else "dim"),
        Cell("  row free" if free else "", "notice"),
        Cell(f"{about} · what the person saw", "faint"),
    )


def transcript_head(inspection: Inspection) -> Line:
    """The row above the transcript: compactions are the model's affair."""
    compactions = inspection.timeline.compactions(inspection.cursor)
    verb = "hides" if compactions == 1 else "hide"
    words = f"{plural(compactions, 'compaction')} {verb} nothing here · " if compactions else ""
    return (Cell("  "), Cell(f"{words}V shows what the model sees", "dim"))


def _uncovered(inspection: Inspection) -> Line:
    """How much of the tape the branch at the cursor reaches; nothing where it reaches all."""
    found = inspection.tape.coverage(inspection.cursor)
    if found is None or found.on_chain == found.records:
        return ()
    return (Cell(f"  chain {count(found.on_chain)} of {count(found.records)}", "notice"),)


def surface_head(inspection: Inspection) -> Line:
    """The pinned preamble row."""
    return (Cell("  "), *preamble_line(inspection))


def detail_title(inspection: Inspection, focused: bool, mode: str, event: int | None) -> Line:
    """The title of the detail."""
    what = "State" if mode == "state" else "Raw" if mode == "raw" else "Detail"
    about = ""
    if event is not None and mode != "state":
        headline = inspection.tape.headline(event)
        about = f"  {number(inspection, event)} {clean_line(headline.kind, 40)}"
    return (
        _mark(focused),
        Cell(what, "strong" if focused else "dim"),
        Cell(about, "faint"),
    )


def _mark(focused: bool) -> Cell:
    return Cell("▸ " if focused else "  ", "accent")


def banner(inspection: Inspection) -> Line | None:
    """What everybody must know before they believe the screen, or None."""
    timeline, tape = inspection.timeline, inspection.tape
    stopped = timeline.stopped_at
    cells: list[Cell] = []
    if stopped is not None:
        cells = _stop(inspection, stopped)
    elif inspection.cursor > timeline.reliable_to:
        why = next((f for f in tape.findings() if f.kind.severity is Severity.ERROR), None)
        reason = f": {clean_line(why.message, 200)}" if why else ""
        cells = [Cell(f" Reliable to {count(timeline.reliable_to)} only{reason}", "notice")]
    verdict = tape.verdict()
    if verdict.opens is not True and (tape.complete or verdict.opens is False):
        # What stops the fold is said already.
        why_not = verdict.reason if stopped is None else None
        words = verdict_words(verdict.owner, verdict.opens, why_not)
        cells.append(Cell(f"  {words}", "dim" if cells else "notice"))
    return tuple(cells) or None


def _stop(inspection: Inspection, stopped: int) -> list[Cell]:
    """Where the fold stops, why, and what can be done."""
    timeline, where = inspection.timeline, f" The fold stops at {count(stopped)}"
    if not timeline.passable:
        return [Cell(f"{where}: {finding_words(timeline, stopped)}", "notice")]
    event = f"{number(inspection, stopped)} {clean_line(timeline.table.type(stopped), 60)}"
    past = Cell("  P folds on past it", "strong")
    return [Cell(f"{where}: {event} is unknown and required.", "notice"), past]


def footer(width: int, pending: str, message: str) -> list[Line]:
    """The keys worth knowing, or all of what the last key did, and a pending count; help is always
    there.
    """
    waiting = pending in ("m", "'")
    more = "a letter" if waiting else ""
    right = (Cell(f" {pending}…{more} ", "notice"),) if pending else key(by_id("app.help"))
    if message:
        return told(message, right, width)
    left = keys(map(by_id, FOOTER), width - breadth(right))
    return [between(left, right, width)]


def arrival(inspection: Inspection, found: int | str) -> str:
    """What is said of a place that was looked for: why there is none, or how far it is known."""
    reading = not inspection.tape.complete
    head = count(inspection.head)
    if isinstance(found, int):
        return f"of the {head} events read so far" if reading else ""
    so_far = f" (still reading: {head} events)" if reading else ""
    return clean_line(f"{found}{so_far}", 300)
