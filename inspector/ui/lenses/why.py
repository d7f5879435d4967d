"""Why the model sees the selected event, or does not: a row for each hop, source and citation."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from inspector.export import why as card
from inspector.export.fitting import fit, width_of
from inspector.formats.contract import Tape
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural
from inspector.ui.cells import Cell, Line
from inspector.ui.lenses.family import pointed
from inspector.ui.lenses.lens import Asked, Lens
from inspector.ui.wrapping import wrapped

_LISTED: Final = 500
"""Sources and citations that have rows; of more it is said how many there are."""
_SHOWN: Final = 300
_HEAD: Final = 68
"""Columns of the line that names the event: one line of a narrow terminal."""


class _Row(NamedTuple):
    """An event that has to do with the one asked for, and how: in a few words, and in all."""

    event: int
    relation: str
    tone: str
    words: str = ""


class WhyRows:
    """The why card of one event as rows that lead to what they name."""

    def __init__(self, asked: Asked, document: dict[str, Any]) -> None:
        self._tape = asked.tape
        self._document = document
        self._rows = list(_rows(asked.tape, document))

    def heads(self) -> tuple[Line, ...]:
        """Of which event, the sentence, what was seen, and how sure that is."""
        found = self._document
        event = found["event"]
        said = clean_line(_said(self._tape, event), _SHOWN)
        named = f"{card.name(self._tape, event)} {said}"
        seen = plural(found["visible_in_requests"], "request")
        visible = found["sees"]
        return (
            (Cell(fit(named, min(_HEAD, width_of(named))), "dim"),),
            (Cell(found["sentence"], "strong" if visible else "notice"),),
            *self._retold(),
            (
                Cell(f"seen in {seen} up to {count(found['cursor'])}", "text"),
                Cell(f"   {card.evidence_words(self._tape, found)}", "dim"),
                *self._copied(),
            ),
        )

    def _retold(self) -> Iterator[Line]:
        """What the summary that stands there now tells of it."""
        found = self._document["retold"]
        if found is not None:
            lacks = bool(found["literals"]["missing"]) or found["why_not"] is not None
            said = card.retold_words(self._tape, self._document)
            yield (Cell(said, "notice" if lacks else "text"),)

    def summary(self) -> int | None:
        """The summary that stands for the event now, if one does."""
        found = self._document["retold"]
        summary: int | None = None if found is None else found["summary"]
        return summary

    def leads_away(self) -> bool:
        """Whether the event tells of another session."""
        return bool(pointed(self._tape, self._document["event"], "").tapes)

    def _copied(self) -> Line:
        source = card.copied_words(self._document)
        return () if source is None else (Cell(f"   copied from {source}", "dim"),)

    def start(self) -> int:
        """The last hop: what stands there now."""
        hops = [at for at, row in enumerate(self._rows) if row.tone in ("text", "accent")]
        return hops[-1] if hops else 0

    def count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def line(self, row: int, width: int) -> Line:
        """One event in ``width`` columns."""
        at = self._rows[row]
        name = card.name(self._tape, at.event)
        relation = 46 if width >= 100 else 30
        return (
            Cell(fit(name, 8, right=True), "dim"),
            Cell("  "),
            Cell(fit(at.relation, relation), at.tone),
            Cell("  "),
            Cell(clean_line(_said(self._tape, at.event), _SHOWN), "text"),
        )

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """One event in full."""
        if row >= len(self._rows):
            yield (Cell("nothing is known of it", "dim"),)
            return
        at = self._rows[row]
        words = at.words or f"{card.name(self._tape, at.event)}: {at.relation}"
        yield from wrapped(words, width, at.tone)
        yield ()
        for section in self._tape.sections(at.event):
            if section.heading:
                yield (Cell(clean_line(section.heading, 80), "dim"),)
            yield from wrapped(section.text, width, "dim" if section.tone == "dim" else "text")

    def cursor(self, row: int) -> int | None:
        """The cursor just after the event of a row."""
        return self._rows[row].event + 1 if row < len(self._rows) else None

    def text(self) -> str:
        """The card as it is printed."""
        return "\n".join(card.text(self._tape, self._document))


def _rows(tape: Tape, found: dict[str, Any]) -> Iterator[_Row]:
    chain = {hop["event"] for hop in found["chain"]}
    first = card.FIRST if chain else card.FIRST | card.DONE
    leading = [link for link in card.linked_words(found) if link[0] in first]
    for relation, events in leading:
        yield from _listed(relation, events)
    if not chain and found["by"] is not None:
        yield _Row(found["by"], "the fold stopped there", "dim")
    elif not chain and not leading:
        yield _Row(found["event"], f"itself, no row: {found['visibility']}", "notice")
    for hop in found["chain"]:
        seen, words = plural(hop["requests"], "request"), card.hop_words(tape, hop)
        stay = card.stay_words(hop, short=True)
        if hop["gone"] is None:
            yield _Row(hop["event"], f"{stay}, {seen}", "accent", words)
            continue
        yield _Row(hop["event"], f"{stay}, {hop['reason']}, {seen}", "text", words)
        if hop["by"] not in chain:
            yield _Row(hop["by"], f"{hop['reason']} it", "dim")
    for heading, event in (("its call", found["call"]), ("its result", found["result"])):
        if event is not None:
            yield _Row(event, heading, "tool")
    behind = [link for link in card.linked_words(found) if link[0] not in first]
    for relation, events in behind:
        if relation not in card.DONE:
            yield from _listed(relation, events)
    for heading, key in (("built from", "built_from"), ("cited by", "cited_by")):
        events = found[key]
        paired = (found["call"], found["result"])
        yield from _listed(heading, [event for event in events if event not in paired])
    for relation, events in behind:
        if relation in card.DONE:
            yield from _listed(relation, events)


def _listed(relation: str, events: Sequence[int]) -> Iterator[_Row]:
    """A row for each event of one relation; of very many it is said how many more there are."""
    for event in events[:_LISTED]:
        yield _Row(event, relation, "dim")
    if len(events) > _LISTED:
        more = f"{relation}, and {count(len(events) - _LISTED)} more"
        yield _Row(events[_LISTED], more, "dim")


def _said(tape: Tape, event: int) -> str:
    headline = tape.headline(event)
    return f"{headline.kind}: {headline.text}"


def ask(asked: Asked) -> WhyRows | str:
    """The why card of the selected event."""
    if asked.event is None:
        return "no event is selected"
    return WhyRows(asked, card.document(asked.tape, asked.event, asked.cursor))


LENS: Final = Lens("Why", "asking what became of it", ask)
