"""The dialog of a plan as it is drawn, and how it gets the plan that is asked for."""

import os
from collections.abc import Callable
from datetime import tzinfo
from functools import partial
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.worker import Worker, WorkerState, get_current_worker

from inspector.export.fitting import width_of
from inspector.formats.contract import Tape
from inspector.formats.planning import Cuts
from inspector.tape.stopping import Stopped, stoppable
from inspector.text.gate import clean_line
from inspector.ui.cells import Cell, Line, between
from inspector.ui.errands import Errands
from inspector.ui.footing import keys, told
from inspector.ui.layout import classes
from inspector.ui.lines import Bar, Foot, Heads
from inspector.ui.listing import Listing
from inspector.ui.plans import saying
from inspector.ui.plans.asking import AskingScreen
from inspector.ui.plans.laid import Laid, broken
from inspector.ui.plans.made import Made, Question, Refused, make
from inspector.ui.plans.row import Row
from inspector.ui.plans.state import CUT, PlanState
from inspector.ui.transport import Transport
from inspector.ui.typed import Typed

_SOON: Final = 20_000
"""Events of a tape of which it is asked where it may be cut in less time than a person notices."""

_SLOW: Final = 0.2
"""Seconds for which the plan before stands as it is while another one is made."""

_BETWEEN_PARTS: Final = "   "
"""What stands between the parts of such a line."""

_INDENT: Final = "    "

_HEAD_LINES: Final = 3
"""Lines that one of the lines above the plan may take."""


class DrawnPlan(AskingScreen):
    """A plan; closes with the cursor to go to, or None.

    Args:
        state: what it knows and says.
        zone: of the times shown.
    """

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
        self._failed: Callable[[str], None] = self.say
        self._errands = Errands(self, lambda _words: None)

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        with Vertical(id="plan"):
            yield Bar(id="plan-title")
            yield Heads(id="plan-heads")
            yield Listing(self._laid, id="plan-rows")
        yield Transport(self.state.where.inspection, self._zone, id="plan-transport")
        yield from self.compose_prompt()
        yield Foot(id="plan-footer")

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
                self._failed = partial(self._know_none, state.cuts_key())
                self._errands.plan(state.read_cuts, self._know_cuts)
            elif not state.answered:
                self._busy = True
                question = state.question()
                self._failed = lambda why: self._made(Refused(question, why))
                self._errands.plan(partial(self._make, state.visit.tape, question), self._made)
                self.set_timer(_SLOW, self._grow_slow)
        self._show()

    def _make(self, tape: Tape, question: Question) -> Made | Refused | None:
        """Make a plan, in a thread; None if something else, or nothing, was asked meanwhile."""
        worker = get_current_worker()
        try:
            with stoppable(lambda: worker.is_cancelled or self.state.question() != question):
                return make(tape, question, os.path.lexists)
        except Stopped:
            return None

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

    def _know_none(self, key: object, why: str) -> None:
        self.say(why)
        self._know_cuts((key, None))

    def _made(self, answer: Made | Refused | None) -> None:
        self._busy = self._slow = False
        if answer is not None and self.state.ready:
            # Else the tape grew under it, and what was read may be half of both.
            self.state.accept(answer)
        if self._lives:
            self._want()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that failed is waited for no more."""
        if event.state is WorkerState.ERROR and event.worker.name == "plan":
            event.stop()
            why = clean_line(f"a fault of the program: {event.worker.error}", 300)
            self._failed(why)

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
                [(Cell(" "), *line) for row in saying.heads(state) for line in _head(row, inside)]
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
        pending, width = self._typed.pending, self.app.size.width
        right = keys(saying.ALWAYS, width, ("plan.help",))
        if pending:
            right = (Cell(f" {pending}… ", "notice"),)
        if self._message:
            lines = told(self._message, right, width)
        else:
            room = width - sum(width_of(cell.text) for cell in right) - 1
            lines = [between(keys(saying.useful(self.state), room), right, width)]
        self.query_one("#plan-footer", Foot).show(lines)


def _head(row: Row, inside: int) -> list[Line]:
    """A line above the plan in lines, broken between its parts; what is dim is cut to one."""
    if row.tone == "dim":
        return [(Cell(row.text, row.tone),)]
    if width_of(row.text) <= inside - 2:
        return broken(row, inside - 2)
    lines: list[Line] = []
    for at, part in enumerate(row.text.split(_BETWEEN_PARTS)):
        lines += broken(row._replace(text=f"{_INDENT if at else ''}{part}"), inside - 2)
    return lines[:_HEAD_LINES]
