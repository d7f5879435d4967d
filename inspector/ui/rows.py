"""What the rows of the panes say: from a tape and a cursor to cells. Knows no Textual."""

from collections.abc import Hashable, Sequence
from typing import Final, Protocol

from inspector.columns import holds
from inspector.export.fitting import fit, width_of
from inspector.export.wording import form_words, is_silent, visibility_words
from inspector.filters import Listed, Passing
from inspector.formats.contract import Headline
from inspector.inspection import Inspection
from inspector.text.gate import clean_line
from inspector.text.labels import count, event_words, tokens
from inspector.timeline.surface import Departure, Row
from inspector.timeline.words import HIDDEN_BY_REASON, Form, Kind, Role, Visibility
from inspector.ui.cells import Cell, Line, between

GLYPHS = {
    Visibility.VISIBLE: "●",
    Visibility.SHADOWED: "◌",
    Visibility.PRUNED: "◌",
    Visibility.CLEARED: "◌",
    Visibility.SUPERSEDED: "◌",
    Visibility.RETRACTED: "✕",
    Visibility.REWOUND: "✕",
    Visibility.UNLINKED: "✕",
    Visibility.ASIDE: "✕",
    Visibility.LOG_ONLY: "·",
    Visibility.NOT_YET: "○",
    Visibility.NOT_APPLIED: "░",
    Visibility.UNREADABLE: "░",
}
"""Where there is room the word stands beside the glyph."""

SILENT_GLYPH: Final = "◐"
"""Of an event on the surface of which the owner makes no message."""

BOOKMARK: Final = "★"
HIT: Final = "/"

HIDERS: Final = {
    Visibility.SHADOWED: "✂",
    Visibility.PRUNED: "✂",
    Visibility.CLEARED: "✂",
    Visibility.SUPERSEDED: "↻",
    Visibility.RETRACTED: "✕",
    Visibility.REWOUND: "↶",
    Visibility.UNLINKED: "✕",
}
"""The sign between an event that is hidden and the event that hid it: ✂ is compaction alone."""

HIDER_WORDS: Final = {
    "✂": "shadowed, pruned or cleared",
    "↻": "superseded",
    "↶": "rewound",
    "✕": "retracted, or cut off from its chain,",
}
"""What the signs mean, for the help."""

_KIND_TONES = {
    "user": "user",
    "context": "user",
    "assistant": "assistant",
    "tool call": "tool",
    "tool result": "tool",
    "summary": "summary",
    "compact": "summary",
    "summarised": "summary",
    "compact end": "summary",
    "prune": "summary",
    "title": "text",
    "todo": "text",
}

_ROLE_TONES = {
    Role.USER: "user",
    Role.ASSISTANT: "assistant",
    Role.TOOL: "tool",
    Role.SUMMARY: "summary",
}

_TEXT_TONES = {Form.CUT: "dim", Form.CLEARED: "ghost"}
"""Of a row that is not shown in full the preview says what is not there any more."""

_SIGN_TONES: Final = {"✂": "summary"}

_PREVIEW: Final = 300
_VISIBILITY_WIDTH: Final = 13
_GLYPH_WIDTH: Final = 2

_KIND_WIDTHS: Final = ((76, 18), (60, 15), (40, 11), (0, 8))
"""From how many columns of a row on its word for the event has how many."""


def glyph(visibility: Visibility, *, silent: bool) -> str:
    """The glyph of what became of an event."""
    return SILENT_GLYPH if silent and visibility is Visibility.VISIBLE else GLYPHS[visibility]


def number(inspection: Inspection, event: int) -> str:
    """An event as people name it: ``@n`` by the owner's number, else ``#k`` by position."""
    return event_words(event, inspection.tape.number(event))


class RowSource(Protocol):
    """Where a list pulls its rows from."""

    def count(self) -> int:
        """How many rows there are."""

    def line(self, row: int, width: int, /) -> Line:
        """One row in so many columns."""


class EventRows:
    """The event list: the decoded events that pass the filter, as of the cursor.

    Attributes:
        passing: those that pass; None where the filter leaves nothing out.
    """

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection
        self.passing: Passing | None = None

    @property
    def listed(self) -> Listed:
        """The events as rows."""
        inspection, passing = self._inspection, self.passing
        events = None if passing is None else passing.events
        named = (inspection.last_folded, inspection.selected)
        return Listed(events, inspection.head, named)

    def count(self) -> int:
        """How many rows there are."""
        return self.listed.count()

    def passed(self) -> int | None:
        """How many events pass the filter; None where it leaves nothing out."""
        return None if self.passing is None else len(self.passing.events)

    def state(self) -> tuple[Hashable, ...]:
        """What the rows depend on beside the cursor."""
        inspection, passing = self._inspection, self.passing
        return (
            inspection.sought.version,
            inspection.bookmarks.version,
            None if passing is None else passing.seen[:4],
        )

    def line(self, at: int, width: int) -> Line:
        """One event in ``width`` columns."""
        inspection, listed = self._inspection, self.listed
        row = listed.event(at)
        if not listed.passes(row):
            return self._left_out(row, width)
        headline = inspection.tape.headline(row)
        visibility, by = inspection.timeline.visibility(row, inspection.cursor)
        digits = max(4, len(str(inspection.head)) + 1)
        kind_width = next(columns for least, columns in _KIND_WIDTHS if width >= least)
        shown = _GLYPH_WIDTH if width < 48 else _VISIBILITY_WIDTH
        silent = is_silent(inspection.timeline, row)
        word = glyph(visibility, silent=silent)
        if shown != _GLYPH_WIDTH:
            word += f" {visibility_words(visibility.label, silent=silent)}"
        tone, text_tone = _event_tones(headline, visibility)
        return (
            Cell(fit(number(inspection, row), digits, right=True), "faint"),
            _sign(inspection, row),
            Cell(" "),
            Cell(fit(clean_line(headline.kind, 40), kind_width), tone),
            Cell("!" if headline.error else " ", "error"),
            Cell(fit(word, shown), _visibility_tone(visibility)),
            Cell(" "),
            *_hider(inspection, row, visibility, by),
            Cell(clean_line(headline.text, _PREVIEW), text_tone),
        )

    def _left_out(self, event: int, width: int) -> Line:
        """The thin line of an event that must be named although the filter leaves it out."""
        inspection = self._inspection
        at_cursor = event == inspection.last_folded
        place = count(inspection.cursor) if at_cursor else number(inspection, event)
        words = f"{'cursor at' if at_cursor else 'selected:'} {place} (filtered)"
        line = f"— {words} "
        return (Cell(f"{line}{'—' * (width - width_of(line))}", "notice" if at_cursor else "dim"),)


def _sign(inspection: Inspection, event: int) -> Cell:
    """Whether an event has a bookmark, or holds what is looked for."""
    if holds(inspection.bookmarks.events, event):
        return Cell(BOOKMARK, "notice")
    return Cell(HIT, "accent") if holds(inspection.sought.events, event) else Cell(" ")


def _event_tones(headline: Headline, visibility: Visibility) -> tuple[str, str]:
    """The tones of the kind and of the text."""
    if visibility is Visibility.NOT_YET:
        return "faint", "faint"
    if visibility is Visibility.NOT_APPLIED:
        return "dim", "dim"
    if visibility is Visibility.LOG_ONLY:
        if headline.error:
            return "error", "error"
        return _KIND_TONES.get(headline.kind, "dim"), "dim"
    if visibility is not Visibility.VISIBLE:
        return "faint", "ghost"
    return _KIND_TONES.get(headline.kind, "text"), "error" if headline.error else "text"


def _visibility_tone(visibility: Visibility) -> str:
    if visibility is Visibility.VISIBLE:
        return "accent"
    if visibility in (Visibility.LOG_ONLY, Visibility.NOT_YET):
        return "faint"
    return "notice" if visibility is Visibility.NOT_APPLIED else "dim"


def _hider(inspection: Inspection, event: int, visibility: Visibility, by: int | None) -> Line:
    """The event that hid a row, by name; nothing where it is the row's own."""
    if by is None or by == event:
        return ()
    sign = HIDERS.get(visibility, "")
    return (Cell(f"{sign}{number(inspection, by)} ", _SIGN_TONES.get(sign, "dim")),)


def _took_place(left: Sequence[Departure], role: Role) -> Cell:
    """How many rows left as a row took their place, and why."""
    sign = HIDERS[HIDDEN_BY_REASON[left[0].reason]]
    verb = "hides" if sign in _SIGN_TONES else "replaces"
    hides = "(pruned) " if role is Role.TOOL else f"{sign} {verb} {count(len(left))} · "
    return Cell(hides, _SIGN_TONES.get(sign, "dim"))


class SurfaceRows:
    """What the model sees at the cursor, a row a node."""

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection
        self._window: tuple[tuple[int, int], int, list[Row]] = ((0, -1), 0, [])

    def count(self) -> int:
        """How many rows there are."""
        return self._inspection.timeline.count(self._inspection.cursor)

    def row(self, at: int) -> Row | None:
        """One row of the surface; rows are fetched a window at a time."""
        cursor = self._inspection.cursor
        state = (self._inspection.reading, cursor)
        known, start, rows = self._window
        if known != state or not start <= at < start + len(rows):
            start = max(0, at - 32)
            rows = self._inspection.timeline.rows(cursor, start, at + 96)
            self._window = (state, start, rows)
        return rows[at - start] if 0 <= at - start < len(rows) else None

    def state(self) -> Hashable:
        """What the rows depend on beside the cursor."""
        return None

    def event(self, at: int) -> int | None:
        """The position of the event that a row comes from."""
        row = self.row(at)
        return None if row is None else self._inspection.timeline.surface.nodes.origin(row.node)

    def entered(self) -> int | None:
        """The row that the last folded event made, which one wants in sight; else the last."""
        inspection = self._inspection
        surface, last = inspection.timeline.surface, inspection.last_folded
        if last is not None:
            node = surface.nodes.of_event(last)
            if node is not None and surface.nodes.born[node] == inspection.cursor:
                return surface.rank(node, inspection.cursor)
        rows = self.count()
        return rows - 1 if rows else None

    def line(self, at: int, width: int) -> Line:
        """One node in ``width`` columns; one that has just entered says so at the end."""
        inspection, row = self._inspection, self.row(at)
        if row is None:
            return ()
        nodes = inspection.timeline.surface.nodes
        event = nodes.origin(row.node)
        role, kind = nodes.role(row.node), nodes.kind(row.node)
        headline = inspection.tape.node_headline(row.node)
        tone = "error" if headline.error else _ROLE_TONES.get(role, "text")
        digits = len(str(self.count()))
        entered: Line = ()
        if row.born == inspection.cursor:
            entered = (Cell("◀ carried back" if row.carried else "◀ entered", "accent"),)
        line = (
            Cell(fit(str(at + 1), max(2, digits), right=True), "faint"),
            Cell(" "),
            Cell(fit(number(inspection, event), len(str(inspection.head)) + 1, right=True), "dim"),
            Cell(" "),
            Cell(fit("context" if kind is Kind.CONTEXT else role.label, 9), tone),
            Cell(" "),
            Cell(fit(tokens(nodes.tokens[row.node]), 5, right=True), "dim"),
            Cell(" "),
            *self._hiding(row, role),
            Cell(
                clean_line(headline.text, _PREVIEW),
                _TEXT_TONES.get(nodes.form(row.node), "error" if headline.error else "text"),
            ),
        )
        return between(line, entered, width) if entered else line

    def _hiding(self, row: Row, role: Role) -> Line:
        """How a row differs from its event's message, or how many rows it took the place of."""
        timeline = self._inspection.timeline
        nodes = timeline.surface.nodes
        form = nodes.form(row.node)
        word = None if form is Form.FULL else form.label
        # One that has just been carried back says so at its end.
        carried = row.carried and row.born != self._inspection.cursor
        differs = form_words(word, carried=carried, silent=nodes.silent(row.node))
        other: Line = (Cell(differs, "dim"),) if differs else ()
        if word is not None:
            return other
        born = nodes.born[row.node]
        if role is Role.SUMMARY or timeline.is_replacement(born - 1):
            brought = timeline.brought_by(born - 1)
            left = timeline.hides(brought, self._inspection.cursor)
            if left:
                return (*other, _took_place(left, role))
        return other
