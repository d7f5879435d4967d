"""The layer of two tapes: which other one, how far it is read, and where the two part."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from textual.worker import Worker, WorkerState, get_current_worker

from inspector.actions import Action
from inspector.export.kin import kin
from inspector.formats.contract import SessionEntry, Tape
from inspector.formats.relatives import Relative, relatives
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.ui.cells import Cell, Line
from inspector.ui.layer import Layer
from inspector.ui.lenses.choices import Choice, ChoiceRows, of_relatives, of_sessions
from inspector.ui.lenses.parting import PartingRows
from inspector.ui.lenses.second import SecondTape
from inspector.ui.standing import Standing

_TITLE: Final = "Two tapes"
_LOOK: Final = 0.1
"""Seconds between two looks at how far the other tape is read."""

_KIN: Final = 500
"""Tapes that a tape names of which one looks whether they are there."""

_NONE: Final = ChoiceRows((), (), other=False)
_LOOKING: Final[tuple[Line, ...]] = (
    (Cell("looking for the tapes that belong to this one…", "notice"),),
)
_WHICH: Final = "compare with which tape? these belong to this one"
_ANY: Final = "compare with which tape? none that belongs to this one is near it"


class TwoTapesLayer(Layer):
    """Compares the tape of the visit with another, which is closed when the layer is.

    Args:
        tape: of the visit.
        chosen: the one to compare with, or None to choose of those that belong to the tape.
        standing: of which state of the tape it tells.

    Attributes:
        asks: whether it was left to name another tape.
    """

    NOWHERE: ClassVar[str] = "only the other tape has it"

    def __init__(
        self, tape: Tape, chosen: Choice | None = None, standing: Standing | None = None
    ) -> None:
        super().__init__(_TITLE, _NONE, _LOOKING, 0, standing)
        self._tape = tape
        self._chosen = chosen
        self._second: SecondTape | None = None
        self._entered = False
        self.asks = False

    def on_mount(self) -> None:
        """Begin with the tape that is chosen already, or look for those that may be."""
        self.set_interval(_LOOK, self._tell)
        if self._chosen is not None:
            self._meet(self._chosen)
        else:
            self.run_worker(
                partial(_relatives, self._tape), name="look", thread=True, exit_on_error=False
            )

    def on_unmount(self) -> None:
        """Give the other tape back."""
        self._leave()

    def _leave(self) -> None:
        if self._second is not None:
            self._second.leave()
            self._second = None

    def keys(self) -> tuple[Action, ...]:
        """What the footer shows: of a tape that is chosen Enter does something else."""
        word = "compare" if isinstance(self._report, ChoiceRows) else "go to the place"
        return tuple(
            replace(key, footer=word) if key.id == "layer.go" else key for key in self.KEYS
        )

    def _meet(self, chosen: Choice) -> None:
        """Read another tape in a thread, and compare."""
        self._leave()
        self._chosen = chosen
        second = self._second = SecondTape(self._tape, chosen.path, chosen.session)
        self.show_report(_NONE, _doing(second), 0)
        self.run_worker(second.meet, name="second", thread=True, exit_on_error=False)

    def _tell(self) -> None:
        """Tell how far the other tape is read."""
        if self._second is not None and not isinstance(self._report, PartingRows):
            self._heads = _doing(self._second)
            self._show()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show what came of it; a failure is a sentence."""
        event.stop()
        worker = event.worker
        if event.state is WorkerState.ERROR:
            self._refused(f"cannot be compared: {worker.error}")
        elif event.state is WorkerState.SUCCESS and worker.name == "look":
            self._found(worker.result or [])
        elif event.state is WorkerState.SUCCESS and self._second is not None:
            self._answered(worker.result)

    def _found(self, found: Sequence[Relative]) -> None:
        """Let the person choose; where nothing belongs to the tape, ask for a path."""
        choices = of_relatives(found, self._tape.identity.parent)
        if not choices and self.app.screen is self:
            self._ask()
            return
        self._choose(choices, _WHICH if choices else _ANY, "text")
        if self._entered:
            self.action_go()

    def _ask(self) -> None:
        self.asks = True
        self.dismiss(None)

    def _answered(self, answer: PartingRows | Sequence[SessionEntry] | str | None) -> None:
        if isinstance(answer, PartingRows):
            self.show_report(answer, answer.heads(), answer.start())
        elif isinstance(answer, str) or answer is None:
            self._refused(answer or "")
        elif self._chosen is not None:
            path = self._chosen.path
            said = f"{_named(path)} holds {plural(len(answer), 'session')}: which of them?"
            self._choose(of_sessions(path, answer), said, "text")

    def _refused(self, why: str) -> None:
        path = Path() if self._chosen is None else self._chosen.path
        self._choose((), f"{_named(path)}: {clean_line(why, 400)}", "notice")

    def _choose(self, choices: Sequence[Choice], said: str, tone: str) -> None:
        self._leave()
        rows = ChoiceRows(choices, ((Cell(said, tone),),))
        self.show_report(rows, rows.heads(), 0)

    def action_go(self) -> None:
        """Compare with the tape in hand, or ask for another; of a comparison, go to the place.

        What is entered while the tapes to choose from are looked for counts for the first.
        """
        rows = self._report
        if not isinstance(rows, ChoiceRows):
            super().action_go()
            return
        chosen = rows.choice(self._row)
        if chosen is not None:
            self._meet(chosen)
        elif rows.count():
            self._ask()
        else:
            self._entered = True


def _relatives(tape: Tape) -> list[Relative]:
    worker = get_current_worker()
    named = [(one["relation"], one["tape"]) for one in kin(tape)]
    return relatives(tape, named[:_KIN], lambda: not worker.is_cancelled)


def _doing(second: SecondTape) -> tuple[Line, ...]:
    return ((Cell(f"{second.doing}…", "notice"), Cell("   Esc leaves it", "dim")),)


def _named(path: Path) -> str:
    return clean_line(str(path), 200)
