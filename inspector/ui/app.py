"""The program on the screen: opens the main screen over a tape and folds the tape in a worker."""

from collections.abc import Callable
from datetime import tzinfo
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Final

from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, WorkerState, get_current_worker

from inspector.actions import ACTIONS, Action
from inspector.formats.contract import OptionError, Tape
from inspector.formats.opening import NoSessionError, NoSuchSessionError
from inspector.formats.registry import policies_of
from inspector.inspection import Inspection
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from inspector.ui.program import Program
from inspector.ui.screen import MainScreen
from inspector.userdata import NotesFile

if TYPE_CHECKING:
    from inspector.applying.world import World

_GONE: Final = "gone"
_UNREADABLE: Final = "unreadable"

_NEWS: Final = 6.0
"""Seconds for which it is said that something happened to the source."""

_LOOK: Final = 0.1
"""Seconds between two looks at the source of a tape that is folded."""

_SLICE: Final = 1 / 30
"""Seconds of folding between two looks at the screen."""


Reopen = Callable[[bool, str | None], Tape]
"""Opens a tape anew: whether past required unknown events, and by which of the owner's readers."""


class Folded(Message):
    """The worker folded more of the tape."""

    def can_replace(self, message: Message) -> bool:
        """Only the newest state counts."""
        return isinstance(message, Folded)


class InspectorApp(Program):
    """One visit to one tape.

    Args:
        inspection: the visit; its tape may be folded in part.
        reopen: opens the same tape again; told whether to fold past required unknown events, and
            which of the owner's readers to follow, None for the one it was opened with.
        zone: the time zone of the times shown; None is the machine's own.
        notes: the file that keeps bookmarks and notes of the tape; None keeps them for this visit.
        world: where plans are carried out, told as ``reopen`` is how the tape is read; None where
            nothing can be kept of what was done.
        back: where the person comes back to; empty where nowhere.
    """

    def __init__(
        self,
        inspection: Inspection,
        reopen: Reopen,
        zone: tzinfo | None = None,
        notes: NotesFile | None = None,
        world: "Callable[[bool, str | None], World] | None" = None,
        back: str = "",
    ) -> None:
        super().__init__()
        self._back = back
        self._notes = notes
        self._world = world
        self.inspection = inspection
        self._reopen = reopen
        self._zone = zone
        self._past_unknown = False
        self._policy: str | None = None
        self._folding = False
        self._told: str | None = None
        self._lost = _UNREADABLE
        self._former: list[Tape] = []

    def get_default_screen(self) -> Screen[None]:
        """The main screen."""
        return MainScreen(self.inspection, self._zone, self._notes, self._world_now, self._back)

    def _world_now(self) -> "World | None":
        return None if self._world is None else self._world(self._past_unknown, self._policy)

    def on_mount(self) -> None:
        """Show what is folded, and fold the rest."""
        self.inspection.grown()
        if not self.inspection.tape.complete:
            self._fold()
        self.set_interval(_LOOK, self._look)
        self.end_when_told()

    def actions_of(self, screen: Screen[object]) -> tuple[Action, ...]:
        """Those of the main screen."""
        return ACTIONS if isinstance(screen, MainScreen) else ()

    # Folding.

    def _fold(self) -> None:
        self._folding = True
        self.run_worker(
            self._fold_all,
            name="fold",
            group="fold",
            description="fold the tape",
            thread=True,
            exclusive=True,
            exit_on_error=False,
        )

    def _fold_all(self) -> None:
        """Fold the tape to its end, in a thread; the screen hears of it thirty times a second."""
        worker, tape, losses = get_current_worker(), self.inspection.tape, self.inspection.losses
        due = perf_counter() + _SLICE
        while not worker.is_cancelled and tape.advance():
            if perf_counter() >= due:
                losses.advance()
                self.post_message(Folded())
                due = perf_counter() + _SLICE
        losses.advance()
        self.post_message(Folded())

    def on_folded(self) -> None:
        """Show what the worker folded."""
        self.inspection.grown()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that fails says so and leaves what it did."""
        if event.worker.name == "fold" and event.worker.is_finished:
            self._folding = any(
                worker.name == "fold" and not worker.is_finished for worker in self.workers
            )
        if event.state is WorkerState.ERROR:
            self.inspection.complain(f"stopped reading: {event.worker.error}")

    def action_help_quit(self) -> None:
        """Say how to quit where everything is said, and not over the slider."""
        also = f"; q goes back to {self._back}" if self._back else ", and so does q"
        self.inspection.complain(f"Ctrl+Q quits{also}")

    # Reading anew.

    def on_past_unknown(self) -> None:
        """Fold the tape anew, past required unknown events or no longer."""
        timeline = self.inspection.timeline
        stopped = timeline.stopped_at is not None
        if stopped and not timeline.passable:
            self.inspection.complain("the fold cannot go past what it stops at here")
            return
        if not stopped and not self._past_unknown:
            self.inspection.complain("the fold did not stop: nothing to go past")
            return
        self._past_unknown = stopped
        problem = self._read_anew()
        if problem is not None:
            self.inspection.complain(problem)

    def on_next_policy(self) -> None:
        """Fold the tape anew as the next of the owner's readers does."""
        identity, before = self.inspection.tape.identity, self._policy
        policies = policies_of(identity.format)
        if len(policies) < 2 or identity.policy not in policies:
            known = f"{identity.format} has one reader, {identity.policy}"
            self.inspection.complain(f"{known}: there is no other to follow")
            return
        self._policy = policies[(policies.index(identity.policy) + 1) % len(policies)]
        problem = self._read_anew()
        if problem is not None:
            self._policy = before
        at = policies.index(self._policy)
        others = ", ".join((*policies[at + 1 :], *policies[:at]))
        self.inspection.complain(problem or f"now read as {self._policy}; next {others}")

    def _read_anew(self) -> str | None:
        """Open the tape again and fold it; why that cannot be, or None."""
        before, folded = self.inspection.tape, not self._folding
        try:
            self.inspection.turn_to(self._reopen(self._past_unknown, self._policy))
        except (SourceError, OptionError) as error:
            if isinstance(error, NoSessionError | NoSuchSessionError):
                self._lost = _GONE
                return "the session is gone; what was read of it is shown"
            self._lost = _UNREADABLE
            return f"cannot be opened again: {error}"
        self._fold()
        if folded:
            self._former.append(before)
            self._give_back()
        return None

    def _give_back(self) -> None:
        """Close the tapes that nobody reads any more: a report that lies over the screen may."""
        if len(self.screen_stack) < 2:
            while self._former:
                self._former.pop().close()

    def on_unmount(self) -> None:
        """Close what reports have read up to now."""
        while self._former:
            self._former.pop().close()

    # Following.

    def _look(self) -> None:
        """Ask what became of the source; read on what was written to it."""
        self._give_back()
        if self._folding:
            return
        inspection = self.inspection
        try:
            change = inspection.tape.changed()
        except SourceError as error:
            why = f"cannot be followed: {error}; what was read of it is shown"
            self._tell(why, _UNREADABLE)
            return
        if change is Change.GONE:
            what = "session" if inspection.tape.identity.path.exists() else "source"
            self._tell(f"the {what} is gone; what was read of it is shown", _GONE)
        elif change is Change.REPLACED:
            before = inspection.tape.identity.id
            problem = self._read_anew()
            self._tell(problem, self._lost)
            if problem is None:
                same = inspection.tape.identity.id == before
                what = "the source was replaced or cut" if same else "another session stands there"
                self._announce(f"{what}: read anew")
        else:
            self._tell(None, None)
            if change is Change.GROWN:
                inspection.forget(inspection.news)
                self._fold()

    def _tell(self, problem: str | None, word: str | None) -> None:
        """Say what is wrong with the source, and that nothing is any more; each once."""
        if problem == self._told:
            return
        self._told = problem
        self.inspection.trouble = None if problem is None else word
        if problem is None:
            self.inspection.complaint = None
            self._announce("the source is there again")
        else:
            self.inspection.complain(problem)

    def _announce(self, news: str) -> None:
        """Say what happened, for as long as it takes to read it."""
        self.inspection.announce(news)
        self.set_timer(_NEWS, partial(self.inspection.forget, news))
