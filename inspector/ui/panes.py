"""The main screen as it is drawn: panes over one visit, and which of them is in hand."""

from collections.abc import Callable, Iterator
from datetime import tzinfo
from functools import partial
from time import perf_counter
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.screen import Screen
from textual.worker import get_current_worker

from inspector.export.fitting import width_of
from inspector.inspection import Inspection
from inspector.lenses.transcript import Entry
from inspector.text.gate import clean_line
from inspector.ui import bars, detail, footing
from inspector.ui.cells import Cell, Line
from inspector.ui.entry_detail import entry_lines
from inspector.ui.layout import classes
from inspector.ui.lines import Bar, Foot
from inspector.ui.listing import Listing
from inspector.ui.prompt import Prompt
from inspector.ui.reader import Reader
from inspector.ui.rows import EventRows
from inspector.ui.transport import Transport
from inspector.ui.typed import Typed
from inspector.ui.view import PANES, View

FRAME: Final = 1 / 30
"""Seconds between two frames of a playing tape."""

_PROGRESS: Final = 0.2
"""Seconds between two words of how far a worker is."""


class PaneScreen(Screen[None]):
    """Events, surface, detail and the transport, as the visit and the view have them.

    Attributes:
        inspection: the state of the visit; every change of it is drawn.
        view: which pane, row and mode are in hand.
        typed: the count that is being typed.
        events: the rows of the events that pass the filter.
        sifting: whether a worker still looks for those.
    """

    AUTO_FOCUS = "#events"

    def __init__(self, inspection: Inspection, zone: tzinfo | None) -> None:
        super().__init__()
        self.inspection = inspection
        self.view = View(inspection)
        self.typed = Typed()
        self.events = EventRows(inspection)
        self.sifting = False
        self.zone = zone
        self._message = ""
        self._ready = False
        self._answer: Callable[[str], None] = lambda _text: None

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        yield Bar(id="status")
        yield Bar(id="banner")
        with Container(id="body"):
            with Vertical(id="events-pane", classes="pane current"):
                yield Bar(id="events-title")
                yield Listing(self.events, id="events")
            with Container(id="right"):
                with Vertical(id="surface-pane", classes="pane"):
                    yield Bar(id="surface-title")
                    yield Bar(id="preamble")
                    yield Listing(self.view.surface, id="surface")
                with Vertical(id="detail-pane", classes="pane"):
                    yield Bar(id="detail-title")
                    yield Reader(id="detail")
        yield Transport(self.inspection, self.zone, id="transport")
        with Horizontal(id="asking"):
            yield Bar(id="cue")
            yield Prompt(id="place")
        yield Foot(id="footer")
        yield Bar(id="too-small")

    def on_mount(self) -> None:
        """Watch the visit, and let time pass."""
        self.inspection.watch(self.sync)
        self._ticker = self.set_interval(FRAME, self._tick, pause=True)
        self._ready = True
        # Before the first layout, which would otherwise be that of another size.
        self._fit(self.app.size.width, self.app.size.height)
        self.sync()

    def on_resize(self, event: events.Resize) -> None:
        """Choose the layout of the size."""
        self._fit(event.size.width, event.size.height)
        self.sync()

    def _fit(self, width: int, height: int) -> None:
        for name, on in classes(width, height).items():
            self.set_class(on, name)
        self.query_one("#too-small", Bar).show(footing.too_small(width, height))

    # From the state to the screen.

    def sync(self) -> None:
        """Show the visit as it is now; a program that is being closed shows nothing more."""
        if not (self._ready and self.app.is_running):
            return
        inspection, view = self.inspection, self.view
        self._look_back()
        self.bring_up_to_date()
        view.settle()
        state = (inspection.reading, inspection.cursor, inspection.head)
        free = view.row is not None
        in_hand = {pane: pane == view.pane for pane in PANES}
        warning = bars.banner(inspection)
        self._bar("banner").set_class(warning is not None, "shown")
        for name, line in (
            ("status", bars.status(inspection, self.size.width)),
            ("banner", warning or ()),
            (
                "events-title",
                bars.events_title(
                    inspection, in_hand["events"], self.events.passed(), self.sifting
                ),
            ),
            *self._beside(in_hand["surface"], free),
            (
                "detail-title",
                bars.detail_title(inspection, in_hand["detail"], view.mode, view.event),
            ),
        ):
            self._bar(name).show(line)
        listed, selected = self.events.listed, inspection.selected
        self.listing("events").sync(
            (*state, *self.events.state(), listed.left_out),
            None if selected is None else listed.row(selected),
            free=inspection.free,
        )
        beside = self.listing("surface")
        view.transcript.room = beside.size.height
        beside.source = view.rows
        shown = (*state, view.in_words, view.rows.state())
        beside.sync(shown, view.shown_row, free=free)
        self.reader.sync(
            view.detail_state(),
            partial(self._detail_lines, view.mode, view.event, view.entry),
        )
        self.query_one("#transport", Transport).refresh()
        self.sync_footer()
        (self._ticker.resume if inspection.playing else self._ticker.pause)()

    def _look_back(self) -> None:
        """Let a worker look at what was said, where there is much of it."""
        rows = self.view.transcript
        if self.view.in_words and not rows.ready and not rows.busy:
            self.run_worker(
                partial(self._look_at_all, rows.begin()),
                name="transcript",
                group="transcript",
                thread=True,
                exit_on_error=False,
            )

    def _look_at_all(self, look: Callable[[], bool]) -> None:
        worker, due = get_current_worker(), perf_counter() + _PROGRESS
        try:
            while not worker.is_cancelled and look():
                if perf_counter() >= due:
                    self.app.call_from_thread(self.sync)
                    due = perf_counter() + _PROGRESS
        finally:
            self.app.call_from_thread(self._looked, look)

    def _looked(self, look: Callable[[], bool]) -> None:
        self.view.transcript.end(look)
        self.sync()

    def _beside(self, focused: bool, free: bool) -> tuple[tuple[str, Line], tuple[str, Line]]:
        """The title and the head of the pane beside the events."""
        inspection = self.inspection
        if self.view.in_words:
            total = self.view.transcript.total()
            title = bars.transcript_title(inspection, total, focused, free)
            return ("surface-title", title), ("preamble", bars.transcript_head(inspection))
        title = bars.surface_title(inspection, focused, free)
        return ("surface-title", title), ("preamble", bars.surface_head(inspection))

    def _detail_lines(
        self, mode: str, event: int | None, entry: Entry | None, width: int
    ) -> Iterator[Line]:
        if entry is not None and mode == "detail":
            return entry_lines(self.inspection, entry, width, self.zone)
        return detail.lines(self.inspection, mode, event, width, self.zone)

    def bring_up_to_date(self) -> None:
        """Begin, or go on with, what is found for the person as the visit goes on."""

    def waiting(self) -> str:
        """What is waited for, in words; nothing where nothing is."""
        return ""

    def sync_footer(self) -> None:
        """Show what there is to say, what is waited for, else the keys."""
        inspection = self.inspection
        said = self._message or inspection.complaint or inspection.news or self.waiting()
        message = clean_line(said or "", 300)
        lines = bars.footer(self.size.width, self.typed.pending, message)
        self.query_one("#footer", Foot).show(lines)

    def say(self, message: str) -> None:
        """Say something in the footer, until the next key."""
        self._message = message
        self.sync_footer()

    def _bar(self, name: str) -> Bar:
        return self.query_one(f"#{name}", Bar)

    def listing(self, name: str) -> Listing:
        """One of the two lists."""
        return self.query_one(f"#{name}", Listing)

    @property
    def reader(self) -> Reader:
        """The detail."""
        return self.query_one("#detail", Reader)

    @property
    def prompt(self) -> Prompt:
        """Where a place is written."""
        return self.query_one("#place", Prompt)

    def _tick(self) -> None:
        self.inspection.pass_time(FRAME)

    # The pane in hand.

    def ask(self, cue: str, text: str, hint: str, answer: Callable[[str], None]) -> None:
        """Ask for a line of text.

        Args:
            cue: what stands before it.
            text: what is written already.
            hint: what is said while nothing is.
            answer: told what was written.
        """
        self._answer = answer
        self.add_class("-asking")
        self._bar("cue").styles.width = width_of(cue) + 2
        self._bar("cue").show((Cell(f" {cue} ", "strong"),))
        self.query_one("#asking").display = True
        self.prompt.begin(text, hint)
        self.set_focus(self.prompt)

    def _hide_prompt(self) -> None:
        self.remove_class("-asking")
        self.prompt.display = False
        self.query_one("#asking").display = False

    def focus_pane(self, name: str) -> None:
        """Take a pane in hand, and close the prompt."""
        self._hide_prompt()
        self.view.pane = name
        for other in PANES:
            self.query_one(f"#{other}-pane").set_class(other == name, "current")
        self.query_one("#right").set_class(name != "events", "current")
        # At once, not after what is being removed gave its focus to a neighbour.
        self.set_focus(self.query_one(f"#{name}"))
        self.sync()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """A click may focus a pane as well as a key, and closes the prompt."""
        name = event.widget.id
        if name in PANES:
            self._hide_prompt()
            if name != self.view.pane:
                self.focus_pane(name)
