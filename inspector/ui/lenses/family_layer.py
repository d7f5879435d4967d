"""The layer of a family: looks for it in a thread, and is left for a relative."""

from collections.abc import Callable
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path
from time import perf_counter
from typing import Final

from textual.worker import Worker, WorkerState, get_current_worker

from inspector.actions import Action
from inspector.formats.contract import OptionError, Tape
from inspector.library.family import Family
from inspector.library.gathering import gather, gather_at
from inspector.library.roots import here
from inspector.library.searching import Search
from inspector.tape.source import SourceError
from inspector.tape.stopping import Stopped, stoppable
from inspector.text.gate import clean_line
from inspector.ui.cells import Cell, Line
from inspector.ui.elsewhere import Elsewhere
from inspector.ui.layer import Layer
from inspector.ui.lenses.choices import ChoiceRows
from inspector.ui.lenses.family import FamilyRows, Pointed

_TITLE: Final = "Family"

_NONE: Final = ChoiceRows((), (), other=False)

_FRAME: Final = 1 / 10
"""Seconds between two words about how far the search is."""

_STOPS: Final = Cell("   Esc stops", "dim")

Gather = Callable[[Search], Family]
"""Looks for a family; raises SourceError or OptionError if there is none to look for."""


def of_tape(tape: Tape) -> Gather:
    """The family of a tape that is open, and folded."""
    return lambda search: gather(tape, search)


def of_path(path: Path, session: str | None) -> Gather:
    """The family of a session that is opened for it."""
    return lambda search: gather_at(path, session, search)


class FamilyLayer(Layer):
    """A family over any screen.

    Args:
        find: looks for it.
        about: what the selected event has to do with other tapes.
        zone: of the times shown; that of the machine if None.
        itself: whether the session itself may be opened, as it is not open already.

    Attributes:
        chosen: the relative to open, if it was left for one.
    """

    def __init__(
        self,
        find: Gather,
        about: Pointed | None = None,
        zone: tzinfo | None = None,
        *,
        itself: bool = False,
    ) -> None:
        super().__init__(_TITLE, _NONE, _looking("looking for the family"), 0)
        self._find = find
        self._about = about
        self._zone = zone
        self._itself = itself
        self._entered = False
        self.chosen: Elsewhere | None = None

    def on_mount(self) -> None:
        """Begin to look."""
        self.run_worker(self._gather, name="family", thread=True, exit_on_error=False)

    def _gather(self) -> FamilyRows | str | None:
        """The family as rows, or why there is none; None where nobody waits any more."""
        worker = get_current_worker()
        due = 0.0

        def told(words: str) -> None:
            nonlocal due
            if perf_counter() >= due and not worker.is_cancelled:
                due = perf_counter() + _FRAME
                self.app.call_from_thread(self._tell, words)

        try:
            with stoppable(lambda: worker.is_cancelled):
                search = Search(here(), lambda: not worker.is_cancelled, told)
                found = self._find(search)
                return FamilyRows(found, self._about, self._zone, itself=self._itself)
        except Stopped:
            return None
        except (SourceError, OptionError) as error:
            return str(error)

    def _tell(self, words: str) -> None:
        """Say how far the search is."""
        if self.is_mounted and not isinstance(self._report, FamilyRows):
            self._heads = _looking(words)
            self._show()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show what came of it; a failure is a sentence."""
        event.stop()
        if event.state is WorkerState.ERROR:
            self._refused(f"cannot be looked for: {event.worker.error}")
        elif event.state is WorkerState.SUCCESS:
            found = event.worker.result
            if isinstance(found, FamilyRows):
                self.show_report(found, found.heads(), found.start())
                if self._entered:
                    self.action_go()
            elif isinstance(found, str):
                self._refused(found)

    def _refused(self, why: str) -> None:
        self.show_report(_NONE, ((Cell(clean_line(why, 400), "notice"),),), 0)

    def keys(self) -> tuple[Action, ...]:
        """What the footer shows: Enter opens."""
        return tuple(
            replace(key, footer="open it") if key.id == "layer.go" else key for key in self.KEYS
        )

    def action_go(self) -> None:
        """Close, and open the relative in hand; what is entered before it is there counts."""
        rows = self._report
        if not isinstance(rows, FamilyRows):
            self._entered = True
            return
        found = rows.elsewhere(self._row)
        if isinstance(found, str):
            self._message = found
            self._show()
            return
        self.chosen = found
        self.dismiss(None)


def _looking(words: str) -> tuple[Line, ...]:
    return ((Cell(f"{clean_line(words, 300)}…", "notice"), _STOPS),)
