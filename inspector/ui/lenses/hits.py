"""The hits of a search as rows that lead to them. Knows no Textual."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from inspector.columns import after
from inspector.export.fitting import fit
from inspector.export.search import seen_words
from inspector.export.wording import is_silent, visibility_words
from inspector.inspection import Inspection
from inspector.lenses.search import Hit, PatternError, in_record
from inspector.lenses.spoken import Spoken
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural
from inspector.ui.cells import Cell, Line
from inspector.ui.rows import glyph, number
from inspector.ui.wrapping import wrapped

_SHOWN: Final = 200
_COPIED: Final = 2_000
_ASKED: Final = 100
"""Hits of one event of which it is asked whether the model is told them."""


class HitRows:
    """The events that hold what is looked for, as far as they are found."""

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection.still()
        self._spoken = Spoken(inspection.tape)
        self._events = inspection.sought.events

    def heads(self) -> tuple[Line, ...]:
        """What is looked for, and how often it is found."""
        sought = self._inspection.sought
        more = " so far" if sought.searching else ""
        loose = ""
        if sought.loose:
            loose = f"   and in {plural(sought.loose, 'record')} that carry no event"
        seen = f"as of cursor {count(self._inspection.cursor)}"
        return (
            (
                Cell(clean_line(sought.text, 80), "strong"),
                Cell(f"  in {plural(len(self._events), 'event')}{more}{loose}", "dim"),
                Cell(f"   {seen}", "faint"),
            ),
        )

    def start(self) -> int:
        """The hit at the cursor, or the next one."""
        following = after(self._events, self._inspection.cursor - 2)
        if following is None:
            return max(0, len(self._events) - 1)
        return self._events.index(following)

    def count(self) -> int:
        """How many rows there are."""
        return len(self._events)

    def line(self, row: int, width: int) -> Line:
        """One hit in ``width`` columns."""
        inspection, event = self._inspection, self._events[row]
        visibility, _ = inspection.timeline.visibility(event, inspection.cursor)
        silent = is_silent(inspection.timeline, event)
        hit, said = self._best(event)
        mark = glyph(visibility, silent=silent)
        words = visibility_words(visibility.label, silent=silent)
        if not silent and seen_words(visibility.label, said=said) != visibility.label:
            # Of a place that the model is not told it does not matter what became of the event.
            mark, words = "·", "not said"
        word = f"{mark} {words if width >= 70 else ''}"
        kind = clean_line(inspection.tape.headline(event).kind, 40)
        return (
            Cell(fit(number(inspection, event), 8, right=True), "dim"),
            Cell("  "),
            Cell(fit(word, 14 if width >= 70 else 2), "dim"),
            Cell(fit(kind, 13), "text"),
            Cell(" "),
            *(_around(hit, max(10, (width - 40) // 3)) if hit is not None else ()),
        )

    def _best(self, event: int) -> tuple[Hit | None, bool]:
        """The first hit in an event that the model is told, else the first one; whether it is."""
        first = None
        for hit in islice(self._hits(event), _ASKED):
            first = first or hit
            if self._says(hit):
                return hit, True
        return first, False

    def _says(self, hit: Hit) -> bool:
        try:
            return self._spoken.says(hit)
        except SourceError:
            return False

    def _hits(self, event: int) -> Iterator[Hit]:
        inspection, wanted = self._inspection, self._inspection.sought.wanted
        if wanted is None:
            return
        record = inspection.timeline.table.record(event)
        try:
            yield from (
                hit for hit in in_record(inspection.tape, record, wanted) if hit.event == event
            )
        except (SourceError, PatternError):
            return

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """Every text of one event that holds what is looked for, and where."""
        if row >= len(self._events):
            yield (Cell("nothing found", "dim"),)
            return
        event = self._events[row]
        headline = self._inspection.tape.headline(event)
        words = f"{number(self._inspection, event)} {headline.kind}: {headline.text}"
        yield from wrapped(clean_line(words, _SHOWN), width, "strong")
        for hit in self._hits(event):
            yield ()
            unsaid = "" if self._says(hit) else "   not a part of what is said to the model"
            yield (Cell(clean_line(hit.where, 100), "dim"), Cell(unsaid, "faint"))
            yield from wrapped(f"{hit.before}{hit.match}{hit.after}", width, "text")

    def cursor(self, row: int) -> int | None:
        """The cursor just after a hit."""
        return self._events[row] + 1 if row < len(self._events) else None

    def text(self) -> str:
        """The hits for a clipboard, an event a line."""
        rows = (
            "".join(cell.text for cell in self.line(row, 200)).rstrip()
            for row in range(min(_COPIED, len(self._events)))
        )
        return "\n".join(rows)


def _around(hit: Hit, before: int) -> Line:
    """A hit and what stands around it, on one line."""
    start = clean_line(hit.before)
    if len(start) > before:
        start = f"…{start[-before:]}"
    return (
        Cell(start, "dim"),
        Cell(clean_line(hit.match), "accent"),
        Cell(clean_line(hit.after), "dim"),
    )
