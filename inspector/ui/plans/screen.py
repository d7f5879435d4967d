"""The dialog of a plan: where, how and review in one; it writes nothing but a saved plan."""

from collections.abc import Callable
from datetime import tzinfo
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input
from textual.worker import Worker, WorkerState

from inspector import places
from inspector.actions import PLAN_LAYER, Action
from inspector.export.fitting import width_of
from inspector.formats.planning import Cuts, PlanKind, View
from inspector.inspection import Stop
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.ui.bars import keys
from inspector.ui.cells import Cell, between
from inspector.ui.errands import Errands
from inspector.ui.help import HelpScreen
from inspector.ui.layout import classes
from inspector.ui.lines import Bar, Heads
from inspector.ui.listing import Listing
from inspector.ui.plans import files, saying
from inspector.ui.plans.laid import Laid, broken
from inspector.ui.plans.made import UNDONE, Made, Refused, make
from inspector.ui.plans.prompt import PromptScreen
from inspector.ui.plans.state import CUT, PLACED, PlanState
from inspector.ui.prompt import Prompt
from inspector.ui.transport import Transport
from inspector.ui.typed import Typed

_SOON: Final = 20_000
"""Events of a tape of which it is asked where it may be cut in less time than a person notices."""

_SLOW: Final = 0.2
"""Seconds for which the plan before stands as it is while another one is made."""

_HEAD_LINES: Final = 3
"""Lines that one of the lines above the plan may take."""

_BY_KEY: Final = {key: action for action in PLAN_LAYER for key in action.key_names}

_ALWAYS: Final = tuple(one for one in PLAN_LAYER if one.id in ("plan.help", "plan.close"))
"""What the footer never cuts off."""

_OF: Final = {
    "cut.back": "undone",
    "cut.forward": "undone",
    "plan.view": "view",
    "plan.undone": "undone",
    "plan.keep.more": "compact",
    "plan.keep.fewer": "compact",
    "plan.degraded": "compact",
    "plan.summary": "compact",
    "plan.prompt": "compact",
}

_SAVE_HINT: Final = "a new file"
_LOAD_HINT: Final = "the file of a saved plan"
_SUMMARY_HINT: Final = "a file with the summary"


class PlanScreen(ModalScreen[int | None]):
    """A plan; closes with the cursor to go to, or None.

    Args:
        state: what it knows and says.
        zone: of the times shown.
    """

    KEYS: ClassVar[tuple[Action, ...]] = PLAN_LAYER

    AUTO_FOCUS = "#plan-rows"

    def __init__(self, state: PlanState, zone: tzinfo | None) -> None:
        super().__init__()
        self.state = state
        self._zone = zone
        self._laid = Laid()
        self._line = 0
        self._typed = Typed()
        self._message = ""
        self._ready = self._busy = self._slow = False
        self._answer: Callable[[str], None] = lambda _text: None
        self._errands = Errands(self, lambda _words: None)

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        with Vertical(id="plan"):
            yield Bar(id="plan-title")
            yield Heads(id="plan-heads")
            yield Listing(self._laid, id="plan-rows")
        yield Transport(self.state.where.inspection, self._zone, id="plan-transport")
        with Horizontal(id="plan-asking"):
            yield Bar(id="plan-cue")
            yield Prompt(id="plan-place")
        yield Bar(id="plan-footer")

    def on_mount(self) -> None:
        """Show what is known, and ask for the rest."""
        self._ready = True
        self._fit()
        self.query_one("#plan-rows").focus()
        self._want()
        self.call_after_refresh(self._show)

    def on_resize(self) -> None:
        """Lay everything out anew."""
        self._fit()
        self.call_after_refresh(self._show)
        self._show()

    def _fit(self) -> None:
        for name, on in classes(self.app.size.width, self.app.size.height).items():
            self.set_class(on, name)

    # Asking for the plan.

    @property
    def busy(self) -> bool:
        """Whether a worker reads the tape."""
        return self._busy

    def follow(self) -> None:
        """The tape grew, or was read anew."""
        if not self._lives:
            return
        if self.state.renew():
            self.query_one("#plan-transport", Transport).show(self.state.where.inspection)
        self._want()

    def _want(self) -> None:
        """Show what is known, and have a worker make what is not; one at a time, the last counts.

        A tape that grows is read by another worker: until that is done nothing is planned.
        """
        state = self.state
        if state.ready and not self._busy:
            if state.cuts_due and state.where.head <= _SOON:
                self._know_cuts(state.read_cuts())
                return
            if state.cuts_due:
                self._busy = True
                self._errands.plan(state.read_cuts, self._know_cuts)
            elif not state.answered:
                self._busy = True
                ask = partial(make, state.visit.tape, state.question(), _taken)
                self._errands.plan(ask, self._made)
                self.set_timer(_SLOW, self._grow_slow)
        self._show()

    def _grow_slow(self) -> None:
        """What is made takes a while: what is shown is faint until then."""
        if self._busy and not self.state.answered:
            self._slow = True
            self._show()

    def _know_cuts(self, found: tuple[object, Cuts | None]) -> None:
        self._busy = False
        if self._lives:
            self.state.take_cuts(found)
            self._want()

    def _made(self, answer: Made | Refused) -> None:
        self._busy = self._slow = False
        if self.state.ready:
            # Else the tape grew under it, and what was read may be half of both.
            self.state.accept(answer)
        if self._lives:
            self._want()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that failed is waited for no more."""
        if event.state is WorkerState.ERROR and event.worker.name == "plan":
            event.stop()
            self._busy = False
            self.say(clean_line(f"the plan cannot be made: {event.worker.error}", 300))

    # Showing.

    @property
    def _lives(self) -> bool:
        """Whether it is laid out and not left yet."""
        return self._ready and self.is_attached

    def say(self, message: str) -> None:
        """Say something in the footer, until the next key."""
        self._message = message
        self._foot()

    def _show(self) -> None:
        if not self._lives:
            return
        state = self.state
        inside = self.query_one("#plan").size.width
        title: list[Cell] = []
        for row in saying.title(state):
            title += [Cell(" " if not title else "   "), Cell(row.text, row.tone)]
        self.query_one("#plan-title", Bar).show(tuple(title))
        if inside:
            self.query_one("#plan-heads", Heads).show(
                [
                    (Cell(" "), *line)
                    for row in saying.heads(state)
                    for line in broken(row, inside - 2)[: 1 if row.tone == "dim" else _HEAD_LINES]
                ]
            )
            self._list(inside)
        self.set_class(state.kind in CUT, "-cutting")
        self.query_one("#plan-transport", Transport).show_cuts(state.where.cuts)
        self._foot()

    def _list(self, width: int) -> None:
        # The bar of the row in hand, the blank behind it, and the scrollbar.
        shown = (self.state.version, self.state.answered, self.state.ready, self._slow)
        self._laid.lay(shown, saying.rows(self.state, faint=self._slow), width - 3)
        self._line = max(0, min(self._line, self._laid.count() - 1))
        state = (shown, width, self._laid.count())
        self.query_one("#plan-rows", Listing).sync(state, self._line)

    def _foot(self) -> None:
        pending = self._typed.pending
        left, right = keys(self._useful()), keys(_ALWAYS)
        if self._message:
            left = (Cell(f" {self._message}", "notice"),)
        if pending:
            right = (Cell(f" {pending}… ", "notice"),)
        footer = self.query_one("#plan-footer", Bar)
        footer.show(between(left, right, self.app.size.width))

    def _useful(self) -> list[Action]:
        """What can be done with a plan of this kind."""
        kind = self.state.kind
        known = {"cut": PLACED, "compact": (PlanKind.COMPACT,), "undone": CUT, "view": CUT}
        return [
            action
            for action in PLAN_LAYER
            if action not in _ALWAYS
            and kind in known.get(_OF.get(action.id, action.id.partition(".")[0]), PlanKind)
        ]

    # Keys.

    async def on_key(self, event: events.Key) -> None:
        """Obey a key at once and in order, counts before it and a prompt behind it included."""
        if self.has_class("-asking"):
            if self._prompt.leaves(event):
                self._close_prompt()
            return
        if self._typed.takes(event.character or ""):
            event.stop()
            self.say("")
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

    def action_copy(self) -> None:
        """Copy the command line that makes the same plan."""
        made = self.state.made
        self._copy("" if made is None else made.command)

    def action_copy_all(self) -> None:
        """Copy the plan as the command prints it."""
        self._copy(saying.text(self.state))

    def _copy(self, text: str) -> None:
        if text:
            self.app.copy_to_clipboard(clean_line(text) if "\n" not in text else text)
        self.say("copied, if the terminal allows it" if text else self.state.waiting())

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self.state.where.inspection.tape))

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

    # Asking for a line of text.

    @property
    def _prompt(self) -> Prompt:
        return self.query_one("#plan-place", Prompt)

    def _ask(self, cue: str, text: str, hint: str, answer: Callable[[str], None]) -> None:
        self._answer = answer
        self.add_class("-asking")
        bar = self.query_one("#plan-cue", Bar)
        bar.styles.width = width_of(cue) + 2
        bar.show((Cell(f" {cue} ", "strong"),))
        self._prompt.begin(text, hint)
        self.set_focus(self._prompt)

    def _close_prompt(self) -> None:
        self.remove_class("-asking")
        self._prompt.display = False
        self.set_focus(self.query_one("#plan-rows"))

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with what was written, then obey what was typed behind it."""
        text, answer = event.value.strip(), self._answer
        self._close_prompt()
        if text:
            answer(text)
        for key in self._prompt.typed_ahead():
            await self.on_key(key)

    def action_ask_place(self) -> None:
        """Ask where to cut."""
        self._ask(":", self._typed.digits, places.GRAMMAR, self._go)

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
            self._ask("save as", "", _SAVE_HINT, self._save)

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
        self._ask("compare with", "", _LOAD_HINT, self._load)

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
            self._ask("summary", "", _SUMMARY_HINT, self._summarise)

    def _summarise(self, text: str) -> None:
        try:
            self._changed(self.state.summarise(files.summary(text)))
        except files.FileError as error:
            self.say(str(error))


_ACTS: Final[dict[str, Callable[[PlanScreen], None]]] = {
    "way": PlanScreen.action_way,
    "prompt": PlanScreen.action_prompt,
    "degraded": PlanScreen.action_degraded,
    "copy": PlanScreen.action_copy,
    "anew": PlanScreen.action_anew,
}


def _taken(path: Path) -> bool:
    return path.exists() or path.is_symlink()
