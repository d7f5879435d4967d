"""The dialog of a plan: where, how and review in one; it writes nothing but a saved plan."""

from collections.abc import Callable
from datetime import tzinfo
from typing import Final

from textual import events

from inspector import places
from inspector.actions import PLAN_LAYER, PLANS
from inspector.formats.planning import PlanKind, View
from inspector.inspection import Stop
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.ui.deeds.opening import Deeds
from inspector.ui.help import HelpScreen
from inspector.ui.listing import Listing
from inspector.ui.plans import files, saying
from inspector.ui.plans.drawn import DrawnPlan
from inspector.ui.plans.made import UNDONE
from inspector.ui.plans.prompt import PromptScreen
from inspector.ui.plans.state import PlanState
from inspector.ui.transport import Transport

_BY_KEY: Final = {key: action for action in PLAN_LAYER for key in action.key_names}

_SAVE_HINT: Final = "a new file"
_LOAD_HINT: Final = "the file of a saved plan"
_SUMMARY_HINT: Final = "a file with the summary"


class PlanScreen(DrawnPlan):
    """Obeys keys, the prompt and the mouse.

    Args:
        state: what it knows and says.
        zone: of the times shown.
        deeds: carries the plan out.
    """

    def __init__(self, state: PlanState, zone: tzinfo | None, deeds: Deeds) -> None:
        super().__init__(state, zone)
        self._deeds = deeds
        self._copied = False

    # Keys.

    async def obey(self, event: events.Key) -> None:
        """Obey a key, the count before it included."""
        if self._typed.takes(event.character or ""):
            event.stop()
            self.say("")
            return
        copied, self._copied = self._copied, False
        if copied and event.key in _COPIES:
            event.stop()
            _COPIES[event.key](self)
            return
        action = _BY_KEY.get(event.key)
        if action is not None:
            event.stop()
            self._message = ""
            await self.run_action(action.call)
            self._typed.number()
            if self._lives:
                self._foot()
        elif event.is_printable:
            event.stop()
            self.say(f"no key {clean_line(event.character or '', 4)}; ? lists them")

    def _changed(self, message: str) -> None:
        """Something else is asked; say what is to be said of it."""
        self._message = message
        self._want()

    def action_step(self, stop: str, direction: int) -> None:
        """Move the cut to the next or previous place of a class, as often as the count says."""
        self._changed(self.state.step(Stop[stop], direction, self._typed.number()))

    def action_first(self) -> None:
        """Cut before the first event."""
        self._changed(self.state.seek(0))

    def action_head(self) -> None:
        """Cut at the head, or at the cursor that the count says."""
        self._changed(self.state.seek(self._typed.number(self.state.where.inspection.head)))

    def action_snap(self, direction: int) -> None:
        """Move the cut to the nearest that is allowed."""
        self._changed(self.state.snap(direction))

    def action_exclude(self) -> None:
        """Keep the event at the cut, or leave it behind."""
        self._changed(self.state.exclude())

    def action_view(self) -> None:
        """Take the next history that can be given."""
        self._changed(self.state.next_view())

    def action_way(self) -> None:
        """Append to the tape, or make a new one."""
        self._changed(self.state.other_way())

    def action_keep(self, direction: int) -> None:
        """Have a compaction keep more rows, or fewer."""
        self._changed(self.state.keep_more(direction * self._typed.number()))

    def action_degraded(self) -> None:
        """Have pieces of the originals for a summary, or none."""
        self._changed(self.state.degraded())

    def action_undone(self) -> None:
        """List what is not undone."""
        self._changed(self.state.list_undone())
        if UNDONE in self.state.open:
            at = self._laid.first(f"fold:{UNDONE}")
            self._take_line(self._line if at is None else at)

    def action_prompt(self) -> None:
        """Show what would be sent to have a summary, and the summary."""
        shown = self.state.shown
        if shown is None or shown.plan.compaction is None:
            self.say("only a compaction has a prompt")
        else:
            self.app.push_screen(PromptScreen(shown.plan.compaction))

    def action_anew(self) -> None:
        """Take the plan of the tape as it is now."""
        self._changed(self.state.take_new())

    def action_apply(self) -> None:
        """Carry the plan out, asked once more."""
        made = self.state.made
        if made is None or not self.state.answered:
            self.say(self.state.waiting())
        elif self.state.out_of_date:
            self.say("out of date: r takes the new plan")
        else:
            said = self._deeds.apply(self, self.state.visit.tape, made.plan, self._applied)
            if said:
                self.say(clean_line(said, 500))

    def _applied(self, done: bool) -> None:
        if done:
            self.dismiss(None)

    def action_copy(self) -> None:
        """Copy the command line that makes the same plan; the key behind may say what instead."""
        made = self.state.made
        self._copy("" if made is None else made.command)
        self._copied = made is not None

    def action_copy_all(self) -> None:
        """Copy the plan as the command prints it."""
        self._copy(saying.text(self.state))

    def _copy(self, text: str) -> None:
        if text:
            self.app.copy_to_clipboard(text)
        self.say("copied, if the terminal allows it" if text else self.state.waiting())

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self.state.where.inspection.tape, PLANS))

    def action_close(self) -> None:
        """Forget a count, else close."""
        if not self._typed.digits:
            self.dismiss(None)

    # Lines.

    def action_row(self, rows: int) -> None:
        """Take another line in hand."""
        self._take_line(self._line + rows * self._typed.number())

    def action_page(self, pages: int) -> None:
        """Take a line a page away in hand."""
        self.action_row(pages * self.query_one("#plan-rows", Listing).page())

    def _take_line(self, line: int) -> None:
        self._line = max(0, min(line, self._laid.count() - 1))
        self._show()

    def on_listing_picked(self, message: Listing.Picked) -> None:
        """A line was clicked."""
        self._take_line(message.row)

    def action_take(self) -> None:
        """Go to the event of the line in hand, take its choice, or unfold what it stands for."""
        row = self._laid.row(self._line)
        if row is None or (row.event is None and not row.act):
            self.say("there is nothing to take")
            return
        if row.event is not None:
            self.dismiss(row.event + 1)
            return
        act, _, name = row.act.partition(":")
        if act == "view":
            self._changed(self.state.take_view(View(name)))
        elif act == "fold":
            self.state.unfold(name)
            self._show()
        else:
            _ACTS[act](self)

    # The slider.

    def on_transport_sought(self, message: Transport.Sought) -> None:
        """The slider was moved, and with it the cut."""
        self._changed(self.state.seek(message.cursor))

    def on_transport_wheeled(self, message: Transport.Wheeled) -> None:
        """The wheel was turned over the slider."""
        steps = message.events
        self._changed(self.state.step(Stop.EVENT, 1 if steps > 0 else -1, abs(steps)))

    # What takes a line of text.

    def action_ask_place(self) -> None:
        """Ask where to cut."""
        self.ask(":", self._typed.digits, places.GRAMMAR, self._go)

    def _go(self, text: str) -> None:
        tape = self.state.where.inspection.tape
        self._errands.seek(text, tape, self._zone, self._arrive)

    def _arrive(self, found: int | str) -> None:
        if isinstance(found, int):
            self._changed(self.state.seek(found))
        else:
            self.say(clean_line(found, 300))

    def action_ask_save(self) -> None:
        """Ask for the new file in which the plan is kept."""
        if self.state.made is None:
            self.say(self.state.waiting())
        else:
            self.ask("save as", "", _SAVE_HINT, self._save)

    def _save(self, text: str) -> None:
        made = self.state.made
        if made is None:
            self.say(self.state.waiting())
            return
        try:
            self.say(f"saved, and nothing else written: {files.save(text, made.document)}")
        except files.FileError as error:
            self.say(str(error))

    def action_ask_load(self) -> None:
        """Ask for the saved plan to compare with."""
        self.ask("compare with", "", _LOAD_HINT, self._load)

    def _load(self, text: str) -> None:
        try:
            self._changed(self.state.load(text, files.load(text)))
        except (files.FileError, SourceError) as error:
            self.say(str(error))

    def action_ask_summary(self) -> None:
        """Ask for the file with a compaction's summary."""
        if self.state.kind is not PlanKind.COMPACT:
            self.say("only a compaction has a summary")
        else:
            self.ask("summary", "", _SUMMARY_HINT, self._summarise)

    def _summarise(self, text: str) -> None:
        try:
            self._changed(self.state.summarise(*files.summary(text)))
        except files.FileError as error:
            self.say(str(error))


_ACTS: Final[dict[str, Callable[[PlanScreen], None]]] = {
    "way": PlanScreen.action_way,
    "prompt": PlanScreen.action_prompt,
    "degraded": PlanScreen.action_degraded,
    "copy": PlanScreen.action_copy,
    "anew": PlanScreen.action_anew,
}

_COPIES: Final[dict[str, Callable[[PlanScreen], None]]] = {
    "c": PlanScreen.action_copy,
    "t": PlanScreen.action_copy_all,
}
"""What a key does right behind the one that copies: the command line, or the text."""
