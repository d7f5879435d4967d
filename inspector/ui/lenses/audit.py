"""A summary beside what it hides: every original, and every literal that is missing."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Final, NamedTuple

from inspector.export import audit as audits
from inspector.export.fitting import fit
from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.audit import Audit, in_order, summary_at
from inspector.lenses.literals import Literal, LiteralClass
from inspector.lenses.prices import Prices
from inspector.lenses.retelling import Launch
from inspector.lenses.summaries import summaries, summary_node
from inspector.lenses.texts import said, said_of_node
from inspector.lenses.undone import last_summary
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural
from inspector.ui.cells import Cell, Line, filled
from inspector.ui.lenses.lens import Asked, Lens
from inspector.ui.pricing import usable_prices
from inspector.ui.wrapping import wrapped

_SHOWN: Final = 300
_BESIDE: Final = 100
"""Columns from which on the summary stands beside an original, and not below it."""

_BEFORE: Final = 240
"""Characters of an original that are shown before a literal."""

_AROUND: Final = 40
_VERDICT: Final = 11
"""Columns of what became of an original."""

_CLASSES: Final = list(LiteralClass)


class _Row(NamedTuple):
    """An original, or one of its literals that is missing.

    Attributes:
        event: the original.
        literals: those that are missing: of the row of an original all that it has.
        is_original: whether it is the original itself.
        summary: the summary that does not tell it.
        generation: how many summaries ago that was written; 0 for the one that is asked of.
        kept: how many literals of the original are told.
    """

    event: int
    literals: tuple[Literal, ...]
    is_original: bool
    summary: int
    generation: int = 0
    kept: int = 0


class AuditRows:
    """The audit of one summary as rows that lead to the originals."""

    def __init__(
        self, tape: Tape, found: Audit, prices: Prices | None = None, cursor: int | None = None
    ) -> None:
        self._tape = tape
        self._document = audits.document_of(tape, found, prices, cursor)
        self._rows = [*_originals(found), *_lost(found)]
        self._last: tuple[int, str] = (-1, "")
        self._summary_of: tuple[int, str] = (found.event, found.text)

    def _said(self, event: int) -> str:
        """What an event says; rows that stand together are of one."""
        if self._last[0] != event:
            self._last = (event, said(self._tape, event))
        return self._last[1]

    def _said_by(self, summary: int) -> str:
        """What a summary says; rows that stand together are of one."""
        if self._summary_of[0] != summary:
            node = summary_node(self._tape.timeline, summary)
            self._summary_of = (summary, "" if node is None else said_of_node(self._tape, node))
        return self._summary_of[1]

    def heads(self) -> tuple[Line, ...]:
        """What is hidden and why, the message that set the work going, what is missing."""
        found = self._document
        lines: list[Line] = [(Cell(audits.hidden_words(self._tape, found), "strong"),)]
        lines += [(Cell(words, "notice"),) for words in audits.remarks(self._tape, found)]
        launch = found["launch"]
        if launch is not None:
            kept = Launch(launch["status"]) in (Launch.VERBATIM, Launch.QUOTED)
            lines.append(
                (Cell(audits.launch_words(self._tape, launch), "dim" if kept else "notice"),)
            )
        lines.append((Cell(audits.literal_words(found), "text"),))
        if found["earlier_from"] is not None:
            words = audits.unlooked_words(self._tape, found["earlier_from"])
            lines.append((Cell(words, "dim"),))
        return tuple(lines)

    def start(self) -> int:
        """The first literal that is missing."""
        return next((at for at, row in enumerate(self._rows) if not row.is_original), 0)

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
        words = audits.verdict(at.kept, len(at.literals))
        if at.generation:
            words = f"{count(len(at.literals))} lost already by {name(self._tape, at.summary)}"
        return (
            Cell(fit(name(self._tape, at.event), 8, right=True), "accent"),
            Cell("  "),
            Cell(fit(clean_line(headline.kind, 16), 12), "error" if headline.error else "text"),
            Cell(fit(words, max(len(words), _VERDICT)), "notice" if at.literals else "dim"),
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
            yield from wrapped(self._said_by(self._document["event"]), width, "text")
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
        start = _start(text, min((literal.at for literal in at.literals), default=0))
        if start:
            yield (Cell(f"… from character {count(start)} on", "faint"),)
        marked = [clean_line(literal.text, _SHOWN) for literal in at.literals]
        for line in wrapped(text[start:], width, "text"):
            yield _marked(line, marked)

    def _summary(self, at: _Row, width: int) -> Iterator[Line]:
        which = "summary" if at.generation == 0 else f"{_ago(at.generation)}: summary"
        yield (Cell(f"{which} {name(self._tape, at.summary)}", "accent"),)
        yield from wrapped(self._said_by(at.summary), width, "text")

    def cursor(self, row: int) -> int | None:
        """The cursor just after an original."""
        return self._rows[row].event + 1 if row < len(self._rows) else None

    def text(self) -> str:
        """The audit as it is printed."""
        return "\n".join(audits.text(self._tape, self._document))


def _originals(found: Audit) -> Iterator[_Row]:
    """Every original, with the literals that it misses; what one has is not listed again."""
    known: set[str] = set()
    for original in in_order(found):
        event, missing = original.event, _by_class(original.missing)
        yield _Row(event, missing, True, found.event, kept=original.kept)
        for literal in missing:
            key = literal.text.casefold()
            if key not in known:
                known.add(key)
                yield _Row(event, (literal,), False, found.event)


def _by_class(literals: Iterable[Literal]) -> tuple[Literal, ...]:
    return tuple(sorted(literals, key=lambda literal: _CLASSES.index(literal.kind)))


def _is_error(literal: Literal) -> bool:
    return literal.kind is LiteralClass.ERROR


def _lost(found: Audit) -> Iterator[_Row]:
    """What summaries before this one lost, by original."""
    groups: dict[tuple[int, int, int], list[Literal]] = {}
    for lost in found.earlier:
        groups.setdefault((lost.generation, lost.summary, lost.event), []).append(lost.literal)
    for (generation, summary, event), literals in groups.items():
        ordered = _by_class(literals)
        yield _Row(event, ordered, True, summary, generation)
        for literal in ordered:
            yield _Row(event, (literal,), False, summary, generation)


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
        event = last_summary(timeline, asked.cursor)
    if event is None:
        some = summaries(timeline, timeline.events)
        return "nothing was compacted up to here" if some else "nothing was compacted"
    found = audits.audited(asked.tape, event)
    return AuditRows(asked.tape, found, usable_prices(), asked.cursor)


LENS: Final = Lens("Summary audit", "comparing a summary with what it hides", ask)
