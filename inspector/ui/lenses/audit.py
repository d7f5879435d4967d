"""A summary beside what it hides: a row for every literal that it does not tell."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Final, NamedTuple

from inspector.export import audit as audits
from inspector.export.fitting import fit
from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.audit import Audit, Original, summary_at
from inspector.lenses.literals import Literal, LiteralClass
from inspector.lenses.retelling import Launch
from inspector.lenses.summaries import summaries
from inspector.lenses.texts import said
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural
from inspector.timeline.words import Role
from inspector.ui.cells import Cell, Line, filled
from inspector.ui.lenses.lens import Asked, Lens
from inspector.ui.wrapping import wrapped

_SHOWN: Final = 300
_BESIDE: Final = 100
"""Columns from which on the summary stands beside an original, and not below it."""

_BEFORE: Final = 240
"""Characters of an original that are shown before a literal."""

_AROUND: Final = 40
_CLASSES: Final = list(LiteralClass)


class _Row(NamedTuple):
    """An original, or one of its literals that is missing.

    Attributes:
        event: the original.
        literals: those that are missing: of the row of an original all that have rows below it.
        is_original: whether it is the original itself.
        summary: the summary that does not tell it.
        generation: how many summaries ago that was written; 0 for the one that is asked of.
    """

    event: int
    literals: tuple[Literal, ...]
    is_original: bool
    summary: int
    generation: int = 0


class AuditRows:
    """The audit of one summary as rows that lead to the originals."""

    def __init__(self, tape: Tape, found: Audit) -> None:
        self._tape = tape
        self._document = audits.document_of(tape, found)
        self._rows = [*_missing(found), *_lost(found)]
        self._last: tuple[int, str] = (found.event, found.text)

    def _said(self, event: int) -> str:
        """What an event says; rows that stand together are of one."""
        if self._last[0] != event:
            self._last = (event, said(self._tape, event))
        return self._last[1]

    def heads(self) -> tuple[Line, ...]:
        """What is hidden and why, the message that set the work going, what is missing."""
        found = self._document
        lines: list[Line] = [(Cell(audits.hidden_words(self._tape, found), "strong"),)]
        if found["degraded"]:
            lines.append((Cell(audits.DEGRADED, "notice"),))
        launch = found["launch"]
        if launch is not None:
            kept = Launch(launch["status"]) in (Launch.VERBATIM, Launch.QUOTED)
            lines.append(
                (Cell(audits.launch_words(self._tape, launch), "dim" if kept else "notice"),)
            )
        lines.append((Cell(audits.literal_words(found), "text"),))
        return tuple(lines)

    def start(self) -> int:
        """The first literal that is missing."""
        return min(1, max(0, len(self._rows) - 1))

    def count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def line(self, row: int, width: int) -> Line:
        """An original, or a literal of one, in ``width`` columns."""
        at = self._rows[row]
        if at.is_original:
            return self._original_line(at)
        literal = at.literals[0]
        room = max(16, width // 3)
        return (
            Cell("          "),
            Cell(fit(literal.kind.value, 12), "error" if _is_error(literal) else "dim"),
            Cell(fit(clean_line(literal.text, _SHOWN), room), "strong"),
            Cell("  "),
            Cell(self._passage(at.event, literal), "faint"),
        )

    def _original_line(self, at: _Row) -> Line:
        headline = self._tape.headline(at.event)
        lost = f"lost already by {name(self._tape, at.summary)}" if at.generation else "missing"
        return (
            Cell(fit(name(self._tape, at.event), 8, right=True), "accent"),
            Cell("  "),
            Cell(fit(clean_line(headline.kind, 16), 12), "error" if headline.error else "text"),
            Cell(f"{count(len(at.literals))} {lost}", "notice"),
            Cell("  "),
            Cell(clean_line(headline.text, _SHOWN), "dim"),
        )

    def _passage(self, event: int, literal: Literal) -> str:
        """A few words around a literal."""
        text, at = self._said(event), literal.at
        stop = at + len(literal.text) + _AROUND
        words = text[max(0, at - _AROUND) : stop].replace("\n", " ")
        before, after = "…" if at > _AROUND else "", "…" if stop < len(text) else ""
        return clean_line(f"{before}{words.strip()}{after}", _SHOWN)

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """What the original says, beside the summary or above it."""
        if not self._rows:
            yield (Cell("every literal of the originals is told", "accent"),)
            yield ()
            yield from wrapped(self._said(self._document["event"]), width, "text")
            return
        at = self._rows[row]
        if width < _BESIDE:
            yield from self._original(at, width)
            yield ()
            yield from self._summary(at, width)
            return
        half = (width - 3) // 2
        both = zip_longest(self._original(at, half), self._summary(at, half), fillvalue=())
        for original, summary in both:
            yield (*filled(original, half), Cell(" │ ", "rule"), *summary)

    def _original(self, at: _Row, width: int) -> Iterator[Line]:
        headline = self._tape.headline(at.event)
        heading = f"{name(self._tape, at.event)} {clean_line(headline.kind, 30)}"
        yield (Cell(heading, "accent"),)
        text = self._said(at.event)
        start = _start(text, min(literal.at for literal in at.literals))
        if start:
            yield (Cell(f"… from character {count(start)} on", "faint"),)
        marked = [clean_line(literal.text, _SHOWN) for literal in at.literals]
        for line in wrapped(text[start:], width, "text"):
            yield _marked(line, marked)

    def _summary(self, at: _Row, width: int) -> Iterator[Line]:
        which = "summary" if at.generation == 0 else f"{_ago(at.generation)}: summary"
        yield (Cell(f"{which} {name(self._tape, at.summary)}", "accent"),)
        yield from wrapped(self._said(at.summary), width, "text")

    def cursor(self, row: int) -> int | None:
        """The cursor just after an original."""
        return self._rows[row].event + 1 if row < len(self._rows) else None

    def text(self) -> str:
        """The audit as it is printed."""
        return "\n".join(audits.text(self._tape, self._document))


def _missing(found: Audit) -> Iterator[_Row]:
    """The originals that miss something: the person's own first, then errors, then the others.

    What one has is not listed for another again.
    """
    known: set[str] = set()
    for original in sorted(found.originals, key=_rank):
        literals = []
        for literal in original.missing:
            key = literal.text.casefold()
            if key not in known:
                known.add(key)
                literals.append(literal)
        yield from _group(original.event, literals, found.event)


def _rank(original: Original) -> int:
    if original.role is Role.USER:
        return 0
    return 1 if any(map(_is_error, original.missing)) else 2


def _is_error(literal: Literal) -> bool:
    return literal.kind is LiteralClass.ERROR


def _group(
    event: int, literals: Iterable[Literal], summary: int, generation: int = 0
) -> Iterator[_Row]:
    ordered = tuple(sorted(literals, key=lambda literal: _CLASSES.index(literal.kind)))
    if ordered:
        yield _Row(event, ordered, True, summary, generation)
        for literal in ordered:
            yield _Row(event, (literal,), False, summary, generation)


def _lost(found: Audit) -> Iterator[_Row]:
    """What summaries before this one lost, by original."""
    groups: dict[tuple[int, int, int], list[Literal]] = {}
    for lost in found.earlier:
        groups.setdefault((lost.generation, lost.summary, lost.event), []).append(lost.literal)
    for (generation, summary, event), literals in groups.items():
        yield from _group(event, literals, summary, generation)


def _ago(generation: int) -> str:
    return f"{plural(generation, 'summary', 'summaries')} ago"


def _start(text: str, at: int) -> int:
    """Where to begin to show a text so that what stands at a place is in sight."""
    if at <= _BEFORE:
        return 0
    line = text.rfind("\n", at - _BEFORE, at)
    return at - _BEFORE if line < 0 else line + 1


def _marked(line: Line, words: Iterable[str]) -> Line:
    """A line of a text with the words in it made plain."""
    found: list[Cell] = list(line)
    for word in words:
        found = [piece for cell in found for piece in _split(cell, word)]
    return tuple(found)


def _split(cell: Cell, word: str) -> Iterator[Cell]:
    rest = cell.text
    while cell.tone == "text" and word and word in rest:
        before, _, rest = rest.partition(word)
        yield Cell(before, cell.tone)
        yield Cell(word, "notice")
    yield Cell(rest, cell.tone)


def ask(asked: Asked) -> AuditRows | str:
    """The audit of the compaction that the selected event is of, else of the last one."""
    timeline = asked.tape.timeline
    event = None if asked.event is None else summary_at(timeline, asked.event)
    if event is None:
        event = next(reversed(summaries(timeline, asked.cursor)), None)
    if event is None:
        some = summaries(timeline, timeline.events)
        return "nothing was compacted up to here" if some else "nothing was compacted"
    return AuditRows(asked.tape, audits.audited(asked.tape, event))


LENS: Final = Lens("Summary audit", "comparing a summary with what it hides", ask)
