"""What the person saw at the cursor, as rows: a window of entries, what is nested indented.

Knows no Textual.
"""

from collections.abc import Callable, Hashable, Iterator
from typing import Final, NamedTuple

from inspector.export.fitting import fit, width_of
from inspector.inspection import Inspection
from inspector.lenses.cards import Card
from inspector.lenses.tools import CardKind
from inspector.lenses.transcript import Divider, Entry, EntryKind, Transcript
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens
from inspector.timeline.words import Outcome
from inspector.ui.cells import Cell, Line, between
from inspector.ui.rows import HIDERS, number

SOON_LOOKED_AT: Final = 4_096
"""Appended events that are looked at in less time than a person notices."""

_WINDOW: Final = 60
"""Entries by which the window moves on when somebody goes back through it."""
_LEAST: Final = 24
"""Entries that are told at a cursor, or as many as there are rows in sight."""
_LONGEST: Final = 240
"""Entries of the window when somebody goes back through it."""
_NESTED: Final = 200
"""Rows of one entry; of more it is said how many there are."""
_DEEPEST: Final = 6
"""Levels that are indented; deeper ones stay at this."""
_PREVIEW: Final = 300

_WORDS: Final = {
    EntryKind.HUMAN: ("user", "user"),
    EntryKind.CONTEXT: ("context", "dim"),
    EntryKind.ASSISTANT: ("assistant", "assistant"),
    EntryKind.REASONING: ("thinking", "dim"),
    EntryKind.RESULT: ("result", "tool"),
    EntryKind.WORKFLOW: ("workflow", "tool"),
    EntryKind.AGENT: ("agent", "tool"),
    EntryKind.COMMAND: ("command", "notice"),
    EntryKind.APPROVAL: ("approval", "notice"),
    EntryKind.ERROR: ("error", "error"),
    EntryKind.OPAQUE: ("opaque", "dim"),
}

_CARDS: Final = {CardKind.GENERIC: "tool"}
"""Words of kinds of cards that are not called as they are."""

_ENDING_TONES: Final = {Outcome.OK: "dim", Outcome.FAILED: "error"}


class Row(NamedTuple):
    """A row of the pane: an entry, or what stands for those that are not told.

    Attributes:
        entry: which, or None.
        level: how deep it is nested.
        words: what is said in the place of an entry.
    """

    entry: Entry | None
    level: int = 0
    words: str = ""


class TranscriptRows:
    """The transcript of the tape of a visit, a window of it at a time.

    A person goes through the rows of the window; at its ends it moves on. One thread at a time
    looks at events: a worker while `busy`, else whoever asks for rows.

    Attributes:
        busy: whether a worker looks at events.
        room: how many rows are in sight.
    """

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection
        self._transcript = Transcript(inspection.tape)
        self._reading = inspection.reading
        self.busy = False
        self.room = 0
        self._state: tuple[int, int, int] | None = None
        self._start = self._stop = self._total = 0
        self._rows: list[Row] = []

    # Looking at events.

    def behind(self) -> int:
        """How many events nobody looked at yet."""
        self._renew()
        return self._inspection.head - self._transcript.looked_at

    def begin(self) -> Callable[[], bool]:
        """Leave it to a worker: what looks at some thousand events; False where there are none."""
        self._renew()
        self.busy = True
        return self._transcript.advance

    def end(self, looked: Callable[[], bool]) -> None:
        """The worker that was given this is done."""
        # One of another reading may still be at it.
        if looked == self._transcript.advance:
            self.busy = False

    def _renew(self) -> None:
        """Another reading of the tape has another transcript."""
        if self._reading != self._inspection.reading:
            self._reading = self._inspection.reading
            self._transcript = Transcript(self._inspection.tape)
            self._state = None
            self.busy = False

    @property
    def ready(self) -> bool:
        """Whether rows can be told at once."""
        behind = self.behind()
        return not self.busy and behind <= SOON_LOOKED_AT

    # The window.

    def _settle(self) -> list[Row]:
        """The rows as of the cursor."""
        inspection = self._inspection
        if not self.ready:
            share = self._transcript.looked_at / max(1, inspection.head)
            self._state = None
            return [Row(None, words=f"looking for what was said: {share:.0%}")]
        wanted = max(_LEAST, self.room)
        state = inspection.reading, inspection.cursor, wanted
        if state != self._state:
            self._total = self._transcript.count(inspection.cursor)
            self._tell(max(0, self._total - wanted), self._total)
            self._state = state
        return self._rows

    def _tell(self, start: int, stop: int) -> None:
        self._start, self._stop = start, stop
        try:
            entries = self._transcript.entries(self._inspection.cursor, start, stop)
        except SourceError as error:
            self._rows = [Row(None, words=clean_line(str(error), _PREVIEW))]
            return
        rows = [row for entry in entries for row in _rows(entry)]
        if start:
            rows.insert(
                0, Row(None, words=f"⋯ {plural(start, 'earlier entry', 'earlier entries')}")
            )
        later = self._total - stop
        if later:
            rows.append(Row(None, words=f"⋯ {plural(later, 'later entry', 'later entries')}"))
        self._rows = rows

    def reach(self, row: int) -> int:
        """The row that a person means, in a window that goes on where they leave it."""
        rows = self._settle()
        if not self.ready:
            return 0
        if row <= 0 and self._start:
            known, beyond = rows[1].entry, row - 1
            start = max(0, self._start - _WINDOW)
            self._tell(start, min(self._stop, start + _LONGEST))
        elif row >= len(rows) - 1 and self._stop < self._total:
            known, beyond = rows[-2].entry, row - len(rows) + 2
            stop = min(self._total, self._stop + _WINDOW)
            self._tell(max(self._start, stop - _LONGEST), stop)
        else:
            return max(0, min(row, len(rows) - 1))
        at = next((at for at, one in enumerate(self._rows) if _same(one.entry, known)), 0)
        return max(1 if self._start else 0, min(at + beyond, len(self._rows) - 1))

    # Rows.

    def count(self) -> int:
        """How many rows there are."""
        return len(self._settle())

    def total(self) -> int | None:
        """How many entries there are at the cursor; None while nobody knows."""
        self._settle()
        return self._total if self._state is not None else None

    def state(self) -> Hashable:
        """What the rows depend on beside the cursor."""
        rows = self._settle()
        return self._start, self._stop, len(rows), None if self._state else rows[0].words

    def entry(self, row: int) -> Entry | None:
        """What a row is of, or None."""
        rows = self._settle()
        return rows[row].entry if 0 <= row < len(rows) else None

    def event(self, row: int) -> int | None:
        """The position of the event that a row comes from."""
        entry = self.entry(row)
        return None if entry is None else entry.event

    def entered(self) -> int | None:
        """The row that the last folded event is a part of, else the last."""
        rows, last = self._settle(), self._inspection.last_folded
        if not rows:
            return None
        for at in range(len(rows) - 1, -1, -1):
            entry = rows[at].entry
            if entry is not None and (last == entry.event or last in _events(entry)):
                return at
        return len(rows) - 1

    def line(self, row: int, width: int) -> Line:
        """One entry in ``width`` columns."""
        rows = self._settle()
        if row >= len(rows):
            return ()
        found = rows[row]
        digits = len(str(self._inspection.head)) + 1
        if found.entry is None:
            return (Cell(" " * (digits + 1)), Cell(found.words, "dim"))
        entry = found.entry
        left = (
            Cell(fit(number(self._inspection, entry.event), digits, right=True), "faint"),
            Cell(" " + "  " * min(found.level, _DEEPEST)),
        )
        if entry.divider is not None:
            used = sum(width_of(cell.text) for cell in left)
            return (*left, Cell(divider_words(entry.divider, width - used), "summary"))
        right = self._right(entry)
        line = (*left, *_said(entry))
        return between(line, right, width) if right else line

    def _right(self, entry: Entry) -> Line:
        """What became of an entry: how it ended, whether it was cut off or taken back."""
        cells: list[Cell] = []
        ending = entry.ending if entry.card is None else entry.card.ending
        if ending is not None:
            cells.append(Cell(ending.outcome.label, _ENDING_TONES.get(ending.outcome, "notice")))
        if entry.card is not None and entry.card.returned is not None:
            place, calls = entry.card.returned.place, entry.card.returned.calls
            cells.append(Cell(f" {'-' if place is None else place}/{calls}", "faint"))
        if entry.partial:
            cells.append(Cell(" cut off", "notice"))
        elif entry.writing:
            cells.append(Cell(" being written", "notice"))
        if entry.gone_by is not None:
            sign = HIDERS.get(entry.visibility, "↶")
            cells.append(Cell(f" {sign}{number(self._inspection, entry.gone_by)}", "notice"))
        return tuple(cells)


def _same(one: Entry | None, other: Entry | None) -> bool:
    """Whether two entries are the same one, told twice."""
    if one is None or other is None:
        return False
    card = None if one.card is None else one.card.id
    return (one.event, card) == (other.event, None if other.card is None else other.card.id)


def _events(entry: Entry) -> tuple[int, ...]:
    """The events of an entry, with the one that answered its call."""
    card = entry.card
    return entry.events if card is None or card.answer is None else (*entry.events, card.answer)


def _is_bare(entry: Entry) -> bool:
    """Whether an answer only makes calls, and so is nothing beside them."""
    says = entry.text or entry.thought or entry.files or entry.card or entry.ending
    stands = entry.divider or entry.partial or entry.writing or entry.gone_by
    return bool(entry.children) and not (says or stands)


def _rows(entry: Entry) -> list[Row]:
    """An entry and what is within it, in order."""
    rows: list[Row] = []
    waiting = [(entry, 0)]
    while waiting:
        one, level = waiting.pop()
        if len(rows) >= _NESTED:
            rows.append(Row(None, words=f"⋯ {plural(len(waiting) + 1, 'more')} within it"))
            break
        if _is_bare(one):
            level -= 1
        else:
            rows.append(Row(one, level))
        waiting.extend((child, level + 1) for child in reversed(one.children))
        if one.more:
            rows.append(Row(None, level + 1, f"⋯ and {count(one.more)} more"))
    return rows


def _said(entry: Entry) -> Iterator[Cell]:
    """Who speaks and what is said, or what is called and with what."""
    gone = entry.gone_by is not None
    if entry.card is not None:
        yield from _card(entry.card, gone=gone)
        return
    word, tone = _WORDS[entry.kind]
    yield Cell(fit(word, 10), "faint" if gone else tone)
    text = entry.text
    if not text and entry.files:
        text = " ".join(f"[{file.name or file.media or 'a file'}]" for file in entry.files)
    thinks = not text and bool(entry.thought)
    shown = clean_line((text or entry.thought).strip(), _PREVIEW)
    quiet = thinks or entry.kind in (EntryKind.CONTEXT, EntryKind.REASONING)
    text_tone = "error" if entry.kind is EntryKind.ERROR else "dim" if quiet else "text"
    yield Cell(f"(thinking) {shown}" if thinks else shown, "ghost" if gone else text_tone)


def _card(card: Card, *, gone: bool) -> Iterator[Cell]:
    kind = _CARDS.get(card.kind, card.kind.value)
    yield Cell(fit(kind, 10), "faint" if gone else "tool")
    name = clean_line(card.name, 40)
    if name.lower() != kind:
        yield Cell(f"{name} ", "dim")
    title = card.title or " ".join(f"{key}={value}" for key, value in card.arguments[:4])
    yield Cell(clean_line(title or card.body[:_PREVIEW], _PREVIEW), "ghost" if gone else "text")


_DIVIDED: Final = {
    "compaction": "✂ compacted",
    "prune": "✂ results cut",
    "branch": "⑂ branch left, summary of it",
}


def divider_words(divider: Divider, width: int) -> str:
    """What the model has left, in a rule of so many columns."""
    what = _DIVIDED.get(divider.what, divider.what)
    (rows, left), (weight, rest) = divider.rows, divider.tokens
    words = f"── {what} · rows {count(rows)} → {count(left)}"
    longer = f"{words} · tokens {tokens(weight)} → {tokens(rest)}"
    words = longer if width_of(longer) + 3 <= width else words
    return f"{words} {'─' * max(0, width - width_of(words) - 1)}"
