"""The main screen as it is acted upon: keys from the registry, and nothing that decides."""

from collections.abc import Callable
from datetime import tzinfo
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import events
from textual.message import Message
from textual.widgets import Input

from inspector import places
from inspector.actions import ACTIONS, named
from inspector.export.request import Sent
from inspector.inspection import Inspection, Stop
from inspector.text.gate import clean_line
from inspector.text.labels import count
from inspector.ui import bars
from inspector.ui.ahead import passed_on
from inspector.ui.comparing import Comparing
from inspector.ui.deeds.opening import Deeds
from inspector.ui.elsewhere import Leaving
from inspector.ui.errands import Errands
from inspector.ui.finder import FindScreen
from inspector.ui.help import HelpScreen
from inspector.ui.kinship import Kinship
from inspector.ui.layer import Layer
from inspector.ui.leading import LeadingLayer
from inspector.ui.lenses.lens import Asked, LeadingReport, Lens, LensReport
from inspector.ui.lenses.registry import LENSES
from inspector.ui.listing import Listing
from inspector.ui.pager import full_text, page
from inspector.ui.plans.opening import Planning
from inspector.ui.reader import Reader
from inspector.ui.report import FindingRows, RecordRows, sums_line, verdict_line
from inspector.ui.request import RequestRows
from inspector.ui.standing import Standing
from inspector.ui.transport import Transport
from inspector.userdata import NotesFile

if TYPE_CHECKING:
    from inspector.applying.world import World

_MOST_STEPS: Final = 9_999
"""A count before a key is obeyed up to this: the key must answer at once."""

_SENT: Final = "What would be sent"

_BY_KEY: Final = {key: action for action in ACTIONS for key in action.key_names}


class MainScreen(FindScreen):
    """Obeys keys, the prompt and the mouse."""

    def __init__(
        self,
        inspection: Inspection,
        zone: tzinfo | None,
        notes: NotesFile | None = None,
        world: "Callable[[], World | None]" = lambda: None,
        back: str = "",
    ) -> None:
        super().__init__(inspection, zone, notes)
        self._back = back
        self._deeds = Deeds(world)
        self._errands = Errands(self, self.say)
        self._comparing = Comparing(self)
        self._kinship = Kinship(self)
        self._called = ""
        self._planning = Planning(self, self._deeds)

    def waiting(self) -> str:
        """What is waited for, and how to stop that."""
        return self._errands.waiting

    # Keys.

    async def on_key(self, event: events.Key) -> None:
        """Obey a key at once and in order.

        Textual's own bindings run later, in another queue: what is typed fast would be obeyed
        before the count or the prompt that stands before it.
        """
        if passed_on(self, event):
            return
        if self.has_class("-asking"):
            if self.prompt.leaves(event):
                self.focus_pane(self.view.pane)
            return
        if self.typed.key:
            event.stop()
            self._message = ""
            self.typed.come(event.character if event.is_printable else None)
            self.sync_footer()
            return
        if self._counts(event.character or ""):
            event.stop()
            return
        action = _BY_KEY.get(event.key)
        if action is not None:
            event.stop()
            self._message, self.inspection.complaint, self.inspection.news = "", None, None
            await self.run_action(action.call)
            # What the action changed is drawn already; the count and the message are not.
            self.typed.number()
            self.sync_footer()
        elif event.is_printable:
            event.stop()
            self.say(f"no key {clean_line(event.character or '', 4)}; ? lists them")

    def _counts(self, character: str) -> bool:
        """Collect a count: digits before a key, and ``%`` behind them."""
        if self.typed.takes(character):
            self.say("")
            return True
        if character == "%" and self.typed.digits:
            self._go(f"{self.typed.number()}%")
            return True
        return False

    # Actions of the cursor.

    def action_step(self, stop: str, direction: int) -> None:
        """Go to the next or previous place of a class, as often as the count says."""
        word, wanted = Stop[stop], self.typed.number()
        times = wanted if word is Stop.EVENT else min(wanted, _MOST_STEPS)
        if not self.inspection.step(word, direction * times):
            where = "after" if direction > 0 else "before"
            self.say(f"no {word.value} {where} {count(self.inspection.cursor)}")
        elif times < wanted:
            self.say(f"{count(times)} steps at the most")

    def action_first(self) -> None:
        """Go before the first event."""
        self.inspection.leap(0)

    def action_head(self) -> None:
        """Go to the head, or to the cursor that the count says."""
        self.inspection.leap(self.typed.number(self.inspection.head))

    def action_play(self) -> None:
        """Play or pause."""
        self.inspection.toggle_play()

    def action_live(self) -> None:
        """Go to the head and follow it, or leave it."""
        self.inspection.go_live()
        if not self.inspection.live:
            self.say("no longer following")

    def action_speed(self, steps: int) -> None:
        """Play faster or slower."""
        self.inspection.change_speed(steps)

    def on_transport_sought(self, message: Transport.Sought) -> None:
        """The slider was moved."""
        self.inspection.pause()
        self.inspection.seek(message.cursor)

    def on_transport_wheeled(self, message: Transport.Wheeled) -> None:
        """The wheel was turned over the transport."""
        self.inspection.step(Stop.EVENT, message.events)

    # Going to a place by name.

    def action_ask_place(self) -> None:
        """Ask for a place."""
        self.ask(":", self.typed.digits, places.GRAMMAR, self._obey)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with what was written, then obey what was typed behind it."""
        text, answer = event.value, self._answer
        self.focus_pane(self.view.pane)
        answer(text)
        # An action that was named is obeyed before what was typed behind it.
        called, self._called = self._called, ""
        if called:
            await self.run_action(called)
        for key in self.prompt.typed_ahead():
            await self.on_key(key)

    def _obey(self, text: str) -> None:
        """Go to the place that was written, or call the action."""
        text = text.strip()
        action = named(text)
        if action is not None:
            self._called = action.call
        elif text:
            self._go(text)

    def _go(self, text: str) -> None:
        self._errands.seek(text, self.inspection.tape, self.zone, self._arrive)

    def _arrive(self, found: int | str) -> None:
        if isinstance(found, int):
            self.inspection.leap(found)
        self.say(bars.arrival(self.inspection, found))

    # Actions of the panes.

    def action_pane(self, direction: int) -> None:
        """Go to the next or previous pane."""
        self.focus_pane(self.view.neighbour(direction))

    def action_move(self, direction: int) -> None:
        """Move in the pane by rows."""
        self._move_rows(direction * self.typed.number())

    def action_page(self, direction: int) -> None:
        """Move in the pane by pages."""
        pane = self.query_one(f"#{self.view.pane}")
        rows = pane.page() if isinstance(pane, Listing | Reader) else 1
        self._move_rows(direction * rows * self.typed.number())

    def _move_rows(self, rows: int) -> None:
        if self.view.pane == "events":
            self._select_row(rows)
        elif self.view.pane == "surface":
            self._take_row(max(0, (self.view.shown_row or 0) + rows))
        else:
            self.reader.scroll_rows(rows)

    def _select_row(self, rows: int) -> None:
        """Select the event so many rows further: those that the filter leaves out have none."""
        listed, selected = self.events.listed, self.inspection.selected
        last = listed.count() - 1
        row = 0 if selected is None else listed.row(selected) + rows
        if last >= 0:
            self.inspection.select(listed.event(max(0, min(row, last))))

    def _take_row(self, row: int) -> None:
        self.view.take_row(row)
        self.sync()

    def on_listing_picked(self, message: Listing.Picked) -> None:
        """A row was clicked."""
        if message.listing.id == "events":
            self.inspection.select(self.events.listed.event(message.row))
        else:
            self._take_row(message.row)

    def action_enter(self) -> None:
        """Seek to what is selected apart from the cursor, else go to the detail."""
        if self.view.row is not None:
            event = self.view.event
            if event is not None:
                self.inspection.leap(event + 1)
        elif not self.inspection.enter() and self.view.pane != "detail":
            self.focus_pane("detail")

    def action_lock(self) -> None:
        """Free the selection, or lock it to the cursor."""
        self.view.let_go()
        self.inspection.toggle_lock()

    # Actions of looking.

    def action_raw(self) -> None:
        """Swap rendered detail and raw record."""
        self._show_mode("raw")

    def action_state(self) -> None:
        """Swap the detail and the state as of the cursor."""
        self._show_mode("state")

    def action_transcript(self) -> None:
        """Swap what the model sees and what the person saw."""
        self.view.swap()
        if self.has_class("-narrow") and self.view.pane != "surface":
            self.focus_pane("surface")
        self.sync()

    def action_pager(self) -> None:
        """Show all of the selected text in the pager of the person."""
        said = self.view.event
        if said is None:
            self.say("no event is selected")
            return
        text = full_text(self.inspection, said, self.view.entry)
        self.say(page(self.app, text))

    def _show_mode(self, mode: str) -> None:
        self.view.toggle(mode)
        if self.has_class("-narrow") and self.view.mode == mode:
            self.focus_pane("detail")
        self.sync()

    def action_past_unknown(self) -> None:
        """Open the tape again and fold past what is unknown, or stop there again."""
        self.app.post_message(PastUnknown())

    def action_next_policy(self) -> None:
        """Open the tape again and fold it as the next of the owner's readers does."""
        self.app.post_message(NextPolicy())

    def action_request(self) -> None:
        """Show what the owner would send as history at the cursor."""
        inspection = self.inspection
        standing = Standing(inspection)
        show = partial(self._show_request, standing, inspection.cursor)
        self._errands.request(inspection.tape, inspection.cursor, show)

    def _show_request(self, standing: Standing, cursor: int, sent: Sent | str) -> None:
        if isinstance(sent, str):
            self.say(clean_line(sent, 300))
        elif self._is_wanted(_SENT, cursor, standing):
            report = RequestRows(self.inspection, cursor, sent)
            self._open(Layer(_SENT, report, report.heads(), 0, standing))

    def _is_wanted(self, title: str, cursor: int, standing: Standing) -> bool:
        """Whether the person still is where they asked for a report; else it is not laid over
        what they do.
        """
        inspection = self.inspection
        moves_itself = inspection.playing or (
            inspection.live and inspection.cursor == inspection.head
        )
        stays = inspection.cursor == cursor or moves_itself
        elsewhere = self.app.screen is not self or self.has_class("-asking")
        if stays and not elsewhere and not standing.gone:
            self.say("")
            return True
        self.say(f"{title} of {count(cursor)}: not shown, you went on")
        return False

    def action_lens(self, name: str) -> None:
        """Put the question of a lens to the tape, as of the cursor and of what is selected."""
        self._ask(name)

    def _ask(self, name: str, text: str = "", event: int | None = None) -> None:
        inspection, lens = self.inspection, LENSES[name]
        about = self.view.pointed if event is None else event
        asked = Asked(inspection.tape, inspection.cursor, about, inspection.anchor, text)
        standing = Standing(inspection)
        self._errands.lens(lens, asked, partial(self._show_lens, lens, asked, standing))

    def _show_lens(
        self, lens: Lens, asked: Asked, standing: Standing, report: LensReport | str
    ) -> None:
        if isinstance(report, str):
            self.say(clean_line(report, 300))
        elif self._is_wanted(lens.title, asked.cursor, standing):
            if isinstance(report, LeadingReport):
                leading = LeadingLayer(lens.title, report, standing)
                self.app.push_screen(leading, partial(self._led, leading))
            else:
                self._open(Layer(lens.title, report, report.heads(), report.start(), standing))

    def _led(self, layer: LeadingLayer, cursor: int | None) -> None:
        """A report was left, perhaps for the audit of the summary that it tells of."""
        if layer.relative is not None:
            self._relate(layer.relative)
        elif layer.wish is not None:
            self._ask("audit", event=layer.wish)
        else:
            self._sought(cursor)

    def action_compare(self) -> None:
        """Compare with a tape that belongs to this one, or with any other."""
        self._comparing.begin()

    def action_family(self) -> None:
        """Show the sessions that belong to this one, that to which the selection leads in hand."""
        self._relate(self.view.pointed)

    def _relate(self, event: int | None) -> None:
        said = self._kinship.begin(event)
        if said is not None:
            self.say(said)

    def action_anchor(self) -> None:
        """Set anchor A at the cursor, or take it away where it stands."""
        self.inspection.set_anchor()
        at = self.inspection.anchor
        self.say("no anchor any more" if at is None else f"anchor A at {count(at)}")

    def action_swap(self) -> None:
        """Go to anchor A, and leave it where the cursor was."""
        if not self.inspection.swap():
            self.say("no anchor: a sets one")

    def action_leap_back(self, direction: int) -> None:
        """Go back to where the last leap began, or on again."""
        if not self.inspection.leap_back(direction):
            self.say(f"no place to go {'back to' if direction < 0 else 'on to'}")

    def action_damage(self) -> None:
        """Show what is wrong with the tape."""
        inspection = self.inspection
        heads = (verdict_line(inspection), sums_line(inspection))
        # What is wrong is of the whole tape, wherever the cursor is.
        standing = Standing(inspection, inspection.head)
        self._open(Layer("Damage report", FindingRows(inspection), heads, 0, standing))

    def action_rows(self) -> None:
        """Show the physical records against the events that they hold."""
        report = RecordRows(self.inspection)
        at = report.record_of(self.inspection.selected)
        self._open(Layer("Physical records", report, (sums_line(self.inspection),), at))

    def _open(self, layer: Layer) -> None:
        """Lay a report over the screen; it may be left with a place to go to."""
        self.app.push_screen(layer, self._sought)

    def _sought(self, cursor: int | None) -> None:
        if cursor is not None:
            self.inspection.leap(cursor)

    # Plans.

    def action_plan(self, kind: str = "") -> None:
        """Open the plan of a kind at the cursor, or the menu of plans."""
        self._planning.begin(kind)

    def action_undo(self) -> None:
        """Take back what was last made of the tape, asked once more."""
        self.inspection.pause()
        if not self.inspection.tape.complete:
            self.say("still reading")
            return
        said = self._deeds.undo(self, self.inspection.tape, lambda _done: None)
        if said:
            self.say(clean_line(said, 500))

    def bring_up_to_date(self) -> None:
        """What is planned is of the tape as it is, or says that it is not."""
        super().bring_up_to_date()
        self._planning.follow()

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self.inspection.tape))

    # Closing.

    def action_back(self) -> None:
        """Close one layer: a count, a free selection, a mode, a pane; never the program."""
        view = self.view
        if self.typed.digits:
            return
        if self._errands.stop():
            self.say("stopped waiting")
        elif view.row is not None or self.inspection.free:
            view.let_go()
            self.inspection.select(None)
        elif view.mode != "detail":
            self._show_mode(view.mode)
        elif view.pane != "events":
            self.focus_pane("events")
        elif not self.lift():
            self.say(f"q goes back to {self._back}, Ctrl+Q quits" if self._back else "q quits")

    def action_close(self) -> None:
        """Close a layer; quit, or go back to where the person came from, if there is none."""
        if self.view.mode != "detail":
            self._show_mode(self.view.mode)
        else:
            self.app.exit(Leaving.BACK)


class NextPolicy(Message):
    """The person wants to follow the next of the owner's readers."""


class PastUnknown(Message):
    """The person wants to fold on past a required unknown event, or stop there again."""
