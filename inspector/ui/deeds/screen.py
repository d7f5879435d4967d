"""The screen that asks before something is written; its focus is on Cancel."""

from collections.abc import Iterator, Sequence
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.worker import Worker, WorkerState

from inspector.applying.refusal import ApplyError
from inspector.formats.planning import PlanError
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.ui.cells import Cell, Line
from inspector.ui.deeds.question import Asking, Question, Stage
from inspector.ui.lines import Bar
from inspector.ui.reader import Reader
from inspector.ui.wrapping import wrapped

_LEAVING: Final = ("escape", "q")
_LONGEST: Final = 2_000
_LOOK: Final = "deed-look"
_NOTHING: Final = "nothing was changed"


class DeedScreen(ModalScreen[bool]):
    """A question; closes with whether something was written.

    Args:
        question: which.
    """

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.asking = Asking(question)

    def compose(self) -> ComposeResult:
        """Title, lines, and the two answers."""
        with Vertical(id="deed"):
            yield Bar(id="deed-title")
            yield Reader(id="deed-lines")
            yield Bar(id="deed-answers")

    def on_mount(self) -> None:
        """Show it."""
        self.query_one("#deed-lines").focus()
        self._show()
        if self.asking.looks:
            self.run_worker(self._look, name=_LOOK, thread=True, exit_on_error=False)

    def on_resize(self) -> None:
        """Lay it out anew."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        asking = self.asking
        title = Cell(f" {clean_line(asking.question.title, _LONGEST)}", "strong")
        self.query_one("#deed-title", Bar).show((title,))
        reader = self.query_one("#deed-lines", Reader)
        reader.sync((asking.stage, asking.stopped, asking.more), self._lines)
        self.query_one("#deed-answers", Bar).show(self._answers())

    def _lines(self, width: int) -> Iterator[Line]:
        asking = self.asking
        if asking.outcome:
            tone = "added" if asking.stage is Stage.DONE else "error"
            for one in asking.outcome:
                yield from wrapped(clean_line(one, _LONGEST), width, tone)
            return
        for one in (*asking.question.lines, *asking.more):
            yield from wrapped(clean_line(one, _LONGEST), width, "text")
        if asking.question.agent:
            mark = "x" if asking.stopped else " "
            yield (Cell(f"[{mark}] w  {asking.question.agent} is stopped", "notice"),)

    def _answers(self) -> Line:
        asking = self.asking
        if asking.stage is Stage.WORKING:
            return (Cell(f" {asking.hint()}", "notice"),)
        over = asking.stage in (Stage.DONE, Stage.REFUSED)
        leave = Cell(f"[ {'Close' if over else 'Cancel'} ]", "head" if self._leaves else "text")
        hint = Cell(f"   {asking.hint()}", "notice" if asking.stage is Stage.READY else "dim")
        return (Cell(" "), leave, hint)

    @property
    def _leaves(self) -> bool:
        """Whether Enter leaves."""
        return self.asking.stage not in (Stage.READY, Stage.WORKING)

    def on_key(self, event: events.Key) -> None:
        """Obey a key; while it is being written none does anything."""
        event.stop()
        asking = self.asking
        if asking.stage is Stage.WORKING:
            return
        if event.key in _LEAVING or (event.key == "enter" and self._leaves):
            if asking.stage is Stage.READY:
                asking.back()
                self._show()
            else:
                self.dismiss(asking.stage is Stage.DONE)
        elif event.key == "enter" and asking.looks:
            self._show()
        elif event.key == "enter":
            asking.begin()
            self._show()
            self.run_worker(self._work, name="deed", thread=True, exit_on_error=False)
        else:
            asking.press(event.character or "")
            self._show()

    def _look(self) -> Sequence[str]:
        more = self.asking.question.more
        try:
            return () if more is None else more()
        except (ApplyError, PlanError, SourceError) as error:
            return (str(error),)

    def _work(self) -> tuple[Sequence[str], bool]:
        try:
            return self.asking.question.act(self.asking.stopped), True
        except ApplyError as error:
            return ((str(error),) if error.left else (str(error), _NOTHING)), False
        except (PlanError, SourceError) as error:
            return (str(error), _NOTHING), False

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """It was done, or was not; or what else there is to say is known."""
        event.stop()
        if event.worker.name == _LOOK:
            self._looked(event.state, event.worker)
        elif event.state is WorkerState.SUCCESS and event.worker.result is not None:
            outcome, done = event.worker.result
            self.asking.end(outcome, done=done)
            # What lies behind is of before.
            self.set_class(done, "-done")
            self._show()
        elif event.state is WorkerState.ERROR:
            self.asking.end((f"a fault of the program: {event.worker.error}",), done=False)
            self._show()

    def _looked(self, state: WorkerState, worker: Worker[Sequence[str]]) -> None:
        if state is WorkerState.SUCCESS:
            self.asking.found(worker.result or ())
        elif state is WorkerState.ERROR:
            self.asking.found((f"a fault of the program: {worker.error}",))
        else:
            return
        self._show()
