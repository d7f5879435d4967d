"""The main screen as it is drawn: panes over one visit, and which of them is in hand."""

from collections.abc import Iterator
from datetime import tzinfo
from functools import partial
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.screen import Screen

from inspector.inspection import Inspection
from inspector.text.gate import clean_line
from inspector.ui import bars, detail
from inspector.ui.cells import Line
from inspector.ui.layout import classes
from inspector.ui.lines import Bar
from inspector.ui.listing import Listing
from inspector.ui.prompt import Prompt
from inspector.ui.reader import Reader
from inspector.ui.rows import EventRows
from inspector.ui.transport import Transport
from inspector.ui.typed import Typed
from inspector.ui.view import PANES, View

FRAME: Final = 1 / 30
"""Seconds between two frames of a playing tape."""


class PaneScreen(Screen[None]):
    """Events, surface, detail and the transport, as the visit and the view have them.

    Attributes:
        inspection: the state of the visit; every change of it is drawn.
        view: which pane, row and mode are in hand.
        typed: the count that is being typed.
    """

    AUTO_FOCUS = "#events"

    def __init__(self, inspection: Inspection, zone: tzinfo | None) -> None:
        super().__init__()
        self.inspection = inspection
        self.view = View(inspection)
        self.typed = Typed()
        self.zone = zone
        self._message = ""
        self._ready = False

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        yield Bar(id="status")
        yield Bar(id="banner")
        with Container(id="body"):
            with Vertical(id="events-pane", classes="pane current"):
                yield Bar(id="events-title")
                yield Listing(EventRows(self.inspection), id="events")
            with Container(id="right"):
                with Vertical(id="surface-pane", classes="pane"):
                    yield Bar(id="surface-title")
                    yield Bar(id="preamble")
                    yield Listing(self.view.surface, id="surface")
                with Vertical(id="detail-pane", classes="pane"):
                    yield Bar(id="detail-title")
                    yield Reader(id="detail")
        yield Transport(self.inspection, self.zone, id="transport")
        yield Prompt(id="place")
        yield Bar(id="footer")
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
        self.query_one("#too-small", Bar).show(bars.too_small(width, height))

    # From the state to the screen.

    def sync(self) -> None:
        """Show the visit as it is now."""
        if not self._ready:
            return
        inspection, view = self.inspection, self.view
        view.settle()
        state = (inspection.reading, inspection.cursor, inspection.head)
        free = view.row is not None
        in_hand = {pane: pane == view.pane for pane in PANES}
        warning = bars.banner(inspection)
        self._bar("banner").set_class(warning is not None, "shown")
        for name, line in (
            ("status", bars.status(inspection, self.size.width)),
            ("banner", warning or ()),
            ("events-title", bars.events_title(inspection, in_hand["events"])),
            ("surface-title", bars.surface_title(inspection, in_hand["surface"], free)),
            ("preamble", bars.surface_head(inspection)),
            (
                "detail-title",
                bars.detail_title(inspection, in_hand["detail"], view.mode, view.event),
            ),
        ):
            self._bar(name).show(line)
        self.listing("events").sync(state, inspection.selected, free=inspection.free)
        self.listing("surface").sync(state, view.shown_row, free=free)
        self.reader.sync(
            view.detail_state(),
            partial(self._detail_lines, view.mode, view.event),
        )
        self.query_one("#transport", Transport).refresh()
        self.sync_footer()
        (self._ticker.resume if inspection.playing else self._ticker.pause)()

    def _detail_lines(self, mode: str, event: int | None, width: int) -> Iterator[Line]:
        return detail.lines(self.inspection, mode, event, width, self.zone)

    def sync_footer(self) -> None:
        """Show what there is to say, else the keys."""
        inspection = self.inspection
        said = self._message or inspection.complaint or inspection.news
        message = clean_line(said or "", 300)
        self._bar("footer").show(bars.footer(self.size.width, self.typed.digits, message))

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

    def _hide_prompt(self) -> None:
        self.remove_class("-asking")
        self.prompt.display = False

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
