"""The main screen: panes over one visit, keys from the registry, and nothing that decides."""

from datetime import tzinfo
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input

from inspector import places
from inspector.actions import ACTIONS, named
from inspector.formats.contract import RequestEntry, Tape
from inspector.inspection import Inspection, Stop
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import count
from inspector.ui import bars, detail
from inspector.ui.help import HelpScreen
from inspector.ui.layer import Layer
from inspector.ui.layout import classes
from inspector.ui.lines import Bar
from inspector.ui.listing import Listing
from inspector.ui.reader import Reader
from inspector.ui.report import FindingRows, RecordRows, sums_line, verdict_line
from inspector.ui.request import RequestRows
from inspector.ui.rows import EventRows, SurfaceRows
from inspector.ui.transport import Transport

_PANES = ("events", "surface", "detail")
_FRAME = 1 / 30

_MOST_STEPS = 9_999
"""A count before a key is obeyed up to this: the key must answer at once."""

_BY_KEY = {key: action for action in ACTIONS for key in action.key_names}
_SOON_READ = 50_000
"""Events of a tape that is read to its end in less time than a person notices."""

_SOON_SENT = 1_000
"""Rows of a surface whose request is told in less time than a person notices."""

_LEAVING = ("escape", "tab", "shift+tab")
"""Keys that close the prompt."""


class Prompt(Input):
    """Where a place is written.

    Attributes:
        seen: the last key that came to the prompt first and not to another widget.
        entered: whether Enter was pressed, so that what is written is the place.
    """

    seen: events.Key | None = None
    entered = False

    def on_key(self, event: events.Key) -> None:
        """Remember that the key was meant for the prompt; behind Enter none is any more."""
        self.seen = event
        if self.entered:
            event.prevent_default()
        elif event.key == "enter":
            self.entered = True


class MainScreen(Screen[None]):
    """Events, surface, detail and the transport."""

    AUTO_FOCUS = "#events"

    def __init__(self, inspection: Inspection, zone: tzinfo | None) -> None:
        super().__init__()
        self._inspection = inspection
        self._zone = zone
        self._pane = "events"
        self._mode = "detail"
        self._surface_row: int | None = None
        self._pending = ""
        self._ahead: list[events.Key] = []
        self._message = ""
        self._surface = SurfaceRows(inspection)
        self._surface_cursor = 0
        self._ready = False

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        yield Bar(id="status")
        yield Bar(id="banner")
        with Container(id="body"):
            with Vertical(id="events-pane", classes="pane current"):
                yield Bar(id="events-title")
                yield Listing(EventRows(self._inspection), id="events")
            with Container(id="right"):
                with Vertical(id="surface-pane", classes="pane"):
                    yield Bar(id="surface-title")
                    yield Bar(id="preamble")
                    yield Listing(self._surface, id="surface")
                with Vertical(id="detail-pane", classes="pane"):
                    yield Bar(id="detail-title")
                    yield Reader(id="detail")
        yield Transport(self._inspection, self._zone, id="transport")
        yield Prompt(id="place", placeholder=places.GRAMMAR, select_on_focus=False)
        yield Bar(id="footer")
        yield Bar(id="too-small")

    def on_mount(self) -> None:
        """Watch the visit, and let time pass."""
        self._inspection.watch(self.sync)
        self._ticker = self.set_interval(_FRAME, self._tick, pause=True)
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
        inspection = self._inspection
        width = self.size.width
        if not self._ready:
            return
        cursor, head = inspection.cursor, inspection.head
        state = (inspection.reading, cursor, head)
        self._bar("status").show(bars.status(inspection, width))
        warning = bars.banner(inspection)
        self._bar("banner").set_class(warning is not None, "shown")
        self._bar("banner").show(warning or ())
        self._bar("events-title").show(bars.events_title(inspection, self._pane == "events"))
        self._bar("preamble").show(bars.surface_head(inspection))
        self._listing("events").sync(state, inspection.selected, free=inspection.free)
        self._sync_surface(state)
        free = self._surface_row is not None
        title = bars.surface_title(inspection, self._pane == "surface", free)
        self._bar("surface-title").show(title)
        self._sync_detail()
        self.query_one("#transport", Transport).refresh()
        self._sync_footer()
        (self._ticker.resume if inspection.playing else self._ticker.pause)()

    def _sync_footer(self) -> None:
        message = clean_line(self._message or self._inspection.complaint or "", 300)
        self._bar("footer").show(bars.footer(self.size.width, self._pending, message))

    def _sync_surface(self, state: tuple[int, int, int]) -> None:
        rows = self._surface.count()
        if self._pane != "surface" or self._surface_cursor != self._inspection.cursor:
            # A row in hand is one of this surface; any move of the cursor lets go of it.
            self._surface_row = None
        elif self._surface_row is not None:
            self._surface_row = max(0, min(self._surface_row, rows - 1)) if rows else None
        shown = self._surface_row
        if shown is None:
            shown = self._surface.entered()
        self._listing("surface").sync(state, shown, free=self._surface_row is not None)

    def _shown_event(self) -> int | None:
        """The event whose detail is shown: that of the surface row in hand, else the selected."""
        if self._surface_row is not None:
            return self._surface.event(self._surface_row)
        return self._inspection.selected

    def _sync_detail(self) -> None:
        inspection, event = self._inspection, self._shown_event()
        reader = self.query_one("#detail", Reader)
        title = bars.detail_title(inspection, self._pane == "detail", self._mode, event)
        self._bar("detail-title").show(title)
        seen = None
        if event is not None:
            seen = inspection.timeline.visibility(event, inspection.cursor)
        state = inspection.cursor if self._mode == "state" else (event, seen)
        mode = self._mode
        reader.sync(
            (inspection.reading, mode, state),
            lambda width: detail.lines(inspection, mode, event, width, self._zone),
        )

    def _bar(self, name: str) -> Bar:
        return self.query_one(f"#{name}", Bar)

    def _listing(self, name: str) -> Listing:
        return self.query_one(f"#{name}", Listing)

    def _tick(self) -> None:
        self._inspection.pass_time(_FRAME)

    # Counts and messages.

    async def on_key(self, event: events.Key) -> None:
        """Obey a key at once and in order.

        Textual's own bindings run later, in another queue: what is typed fast would be obeyed
        before the count or the prompt that stands before it.
        """
        prompt = self.query_one("#place", Prompt)
        if self.has_class("-asking"):
            if prompt.entered and event.key != "enter":
                # Typed ahead: it is obeyed where the place is.
                event.stop()
                self._ahead.append(event)
            elif event is not prompt.seen:
                event.stop()
                # In the program's name: a message that the parent sends does not bubble to it.
                key = events.Key(event.key, event.character).set_sender(self.app)
                prompt._forward_event(key)
            elif event.key in _LEAVING:
                event.stop()
                self._close_prompt()
            return
        if self._counts(event):
            event.stop()
            return
        action = _BY_KEY.get(event.key)
        if action is not None:
            event.stop()
            self._message, self._inspection.complaint = "", None
            await self.run_action(action.call)
            # What the action changed is drawn already; the count and the message are not.
            self._pending = ""
            self._sync_footer()
        elif event.is_printable:
            event.stop()
            self._say(f"no key {clean_line(event.character or '', 4)}; ? lists them")

    def _counts(self, event: events.Key) -> bool:
        """Collect a count: digits before a key, and ``%`` behind them."""
        character = event.character or ""
        if character.isascii() and character.isdigit() and (self._pending or character != "0"):
            self._pending = (self._pending + character)[:9]
            self._say("")
            return True
        if character == "%" and self._pending:
            self._go(f"{self._taken()}%")
            return True
        return False

    def _taken(self, default: int = 1) -> int:
        pending, self._pending = self._pending, ""
        return int(pending) if pending else default

    def _say(self, message: str) -> None:
        self._message = message
        self._sync_footer()

    # Actions of the cursor.

    def action_step(self, stop: str, direction: int) -> None:
        """Go to the next or previous place of a class, as often as the count says."""
        word, wanted = Stop[stop], self._taken()
        times = wanted if word is Stop.EVENT else min(wanted, _MOST_STEPS)
        if not self._inspection.step(word, direction * times):
            where = "after" if direction > 0 else "before"
            self._say(f"no {word.value} {where} {count(self._inspection.cursor)}")
        elif times < wanted:
            self._say(f"{count(times)} steps at the most")

    def action_first(self) -> None:
        """Go before the first event."""
        self._move_to(0)

    def action_head(self) -> None:
        """Go to the head, or to the cursor that the count says."""
        self._move_to(self._taken(self._inspection.head))

    def _move_to(self, cursor: int) -> None:
        self._inspection.seek(cursor)

    def action_play(self) -> None:
        """Play or pause."""
        self._inspection.toggle_play()

    def action_live(self) -> None:
        """Go to the head and follow it, or leave it."""
        self._inspection.go_live()
        if not self._inspection.live:
            self._say("no longer following")

    def action_speed(self, steps: int) -> None:
        """Play faster or slower."""
        self._inspection.change_speed(steps)

    def on_transport_sought(self, message: Transport.Sought) -> None:
        """The slider was moved."""
        self._inspection.pause()
        self._move_to(message.cursor)

    def on_transport_wheeled(self, message: Transport.Wheeled) -> None:
        """The wheel was turned over the transport."""
        self._inspection.step(Stop.EVENT, message.events)

    # Going to a place by name.

    def action_ask_place(self) -> None:
        """Ask for a place."""
        prompt = self.query_one("#place", Prompt)
        prompt.value, prompt.entered = self._pending, False
        prompt.cursor_position = len(prompt.value)
        self.add_class("-asking")
        # At once, so that it can take the focus before the next key.
        prompt.display = True
        self.set_focus(prompt)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the place that was written, then obey what was typed behind it."""
        text = event.value.strip()
        self._close_prompt()
        action = named(text)
        if action is not None:
            await self.run_action(action.call)
        elif text:
            self._go(text)
        ahead, self._ahead = self._ahead, []
        for key in ahead:
            await self.on_key(key)

    def _go(self, text: str) -> None:
        """Go to a place; one that takes reading the tape is looked for while the screen lives."""
        tape = self._inspection.tape
        if text.startswith("id:") and tape.timeline.events > _SOON_READ:
            self._say(clean_line(f"looking for {text}", 100))
            self.run_worker(
                partial(self._seek_slowly, text, tape),
                name="seek",
                group="seek",
                thread=True,
                exclusive=True,
                exit_on_error=False,
            )
            return
        self._arrive(self._found(text, tape))

    def _seek_slowly(self, text: str, tape: Tape) -> None:
        self.app.call_from_thread(self._arrive, self._found(text, tape))

    def _found(self, text: str, tape: Tape) -> int | str:
        """The cursor that a text names, or why there is none."""
        try:
            return places.cursor(text, tape, self._zone)
        except (places.PlaceError, SourceError) as error:
            return str(error)

    def _arrive(self, found: int | str) -> None:
        head = count(self._inspection.head)
        reading = not self._inspection.tape.complete
        if isinstance(found, int):
            self._move_to(found)
            self._say(f"of the {head} events read so far" if reading else "")
        else:
            so_far = f" (still reading: {head} events)" if reading else ""
            self._say(clean_line(f"{found}{so_far}", 300))

    def _close_prompt(self) -> bool:
        if not self.has_class("-asking"):
            return False
        self._focus_pane(self._pane)
        return True

    # Actions of the panes.

    def _hide_prompt(self) -> None:
        self.remove_class("-asking")
        self.query_one("#place", Prompt).display = False

    def _focus_pane(self, name: str) -> None:
        self._hide_prompt()
        self._pane = name
        for other in _PANES:
            self.query_one(f"#{other}-pane").set_class(other == name, "current")
        self.query_one("#right").set_class(name != "events", "current")
        # At once, not after what is being removed gave its focus to a neighbour.
        self.set_focus(self.query_one(f"#{name}"))
        self.sync()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """A click may focus a pane as well as a key, and closes the prompt."""
        name = event.widget.id
        if name in _PANES:
            self._hide_prompt()
        if name in _PANES and name != self._pane:
            self._focus_pane(name)

    def action_pane(self, direction: int) -> None:
        """Go to the next or previous pane."""
        at = (_PANES.index(self._pane) + direction) % len(_PANES)
        self._focus_pane(_PANES[at])

    def action_move(self, direction: int) -> None:
        """Move in the pane by rows."""
        self._move_rows(direction * self._taken())

    def action_page(self, direction: int) -> None:
        """Move in the pane by pages."""
        pane = self.query_one(f"#{self._pane}")
        rows = pane.page() if isinstance(pane, Listing | Reader) else 1
        self._move_rows(direction * rows * self._taken())

    def _move_rows(self, rows: int) -> None:
        if self._pane == "events":
            self._inspection.move_selection(rows)
        elif self._pane == "surface":
            shown = self._listing("surface").selected or 0
            self._take_row(max(0, shown + rows))
        else:
            self.query_one("#detail", Reader).scroll_rows(rows)

    def _take_row(self, row: int) -> None:
        """Take a row of the surface in hand: the detail shows where it comes from."""
        self._surface_row, self._surface_cursor = row, self._inspection.cursor
        self.sync()

    def on_listing_picked(self, message: Listing.Picked) -> None:
        """A row was clicked."""
        if message.listing.id == "events":
            self._inspection.select(message.row)
        else:
            self._take_row(message.row)

    def action_enter(self) -> None:
        """Seek to what is selected apart from the cursor, else go to the detail."""
        if self._pane == "surface" and self._surface_row is not None:
            event = self._surface.event(self._surface_row)
            if event is not None:
                self._move_to(event + 1)
            return
        if not self._inspection.enter() and self._pane != "detail":
            self._focus_pane("detail")

    def action_lock(self) -> None:
        """Free the selection, or lock it to the cursor."""
        self._surface_row = None
        self._inspection.toggle_lock()

    # Actions of looking.

    def action_raw(self) -> None:
        """Swap rendered detail and raw record."""
        self._show_mode("raw")

    def action_state(self) -> None:
        """Swap the detail and the state as of the cursor."""
        self._show_mode("state")

    def _show_mode(self, mode: str) -> None:
        self._mode = "detail" if self._mode == mode else mode
        if self.has_class("-narrow") and self._mode == mode:
            self._focus_pane("detail")
        self.sync()

    def action_past_unknown(self) -> None:
        """Open the tape again and fold past what is unknown, or stop there again."""
        if self._inspection.timeline.stopped_at is None:
            codes = {finding.kind.code for finding in self._inspection.tape.findings()}
            if "unknown-required" not in codes:
                self._say("the fold did not stop: nothing to go past")
                return
        self.app.post_message(PastUnknown())

    def action_next_policy(self) -> None:
        """Open the tape again and fold it as the next of the owner's readers does."""
        self.app.post_message(NextPolicy())

    def action_request(self) -> None:
        """Show what the owner would send as history at the cursor."""
        inspection = self._inspection
        tape, cursor = inspection.tape, inspection.cursor
        if tape.timeline.count(cursor) <= _SOON_SENT:
            self._show_request(tape, cursor, self._entries(tape, cursor))
            return
        self._say("asking what would be sent")
        self.run_worker(
            partial(self._request_slowly, tape, cursor),
            name="request",
            group="request",
            thread=True,
            exclusive=True,
            exit_on_error=False,
        )

    def _request_slowly(self, tape: Tape, cursor: int) -> None:
        entries = self._entries(tape, cursor)
        self.app.call_from_thread(self._show_request, tape, cursor, entries)

    def _entries(self, tape: Tape, cursor: int) -> list[RequestEntry] | str:
        """The entries of the request at a cursor, or why there are none."""
        try:
            return tape.request(cursor)
        except SourceError as error:
            return str(error)

    def _show_request(self, tape: Tape, cursor: int, entries: list[RequestEntry] | str) -> None:
        if isinstance(entries, str):
            self._say(clean_line(entries, 300))
            return
        if tape is not self._inspection.tape or self.app.screen is not self:
            # The person is elsewhere by now.
            return
        report = RequestRows(self._inspection, cursor, entries)
        heads = (report.head(),)
        self._say("")
        self.app.push_screen(Layer("What would be sent", report, heads, 0), self._sought)

    def action_damage(self) -> None:
        """Show what is wrong with the tape."""
        report = FindingRows(self._inspection)
        heads = (verdict_line(self._inspection), sums_line(self._inspection))
        self.app.push_screen(Layer("Damage report", report, heads, 0), self._sought)

    def action_rows(self) -> None:
        """Show the physical records against the events that they hold."""
        report = RecordRows(self._inspection)
        at = report.record_of(self._inspection.selected)
        heads = (sums_line(self._inspection),)
        self.app.push_screen(Layer("Physical records", report, heads, at), self._sought)

    def _sought(self, cursor: int | None) -> None:
        """A report was left with a place to go to."""
        if cursor is not None:
            self._move_to(cursor)

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self._inspection.tape))

    # Closing.

    def action_back(self) -> None:
        """Close one layer: the prompt, a count, a free selection; never the program."""
        if self._pending:
            return
        if self._surface_row is not None or self._inspection.free:
            self._surface_row = None
            self._inspection.select(None)
        elif self._mode != "detail":
            self._show_mode(self._mode)
        elif self._pane != "events":
            self._focus_pane("events")
        else:
            self._say("q quits")

    def action_close(self) -> None:
        """Close a layer, or quit if there is none."""
        if self._mode != "detail":
            self._show_mode(self._mode)
        else:
            self.app.exit()


class NextPolicy(Message):
    """The person wants to follow the next of the owner's readers."""


class PastUnknown(Message):
    """The person wants to fold on past a required unknown event."""
