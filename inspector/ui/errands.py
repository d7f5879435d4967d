"""What takes reading the tape: done at once where that is short, else by a worker.

The screen lives meanwhile. Of each kind the last one asked for counts, and what is waited for can
be stopped: then nobody hears of it any more.
"""

from collections.abc import Callable
from datetime import tzinfo
from functools import partial
from typing import Final, TypeVar

from textual.widget import Widget
from textual.worker import Worker, get_current_worker

from inspector import places
from inspector.export.request import Sent, sent
from inspector.formats.contract import Tape
from inspector.tape.source import SourceError
from inspector.tape.stopping import Stopped, stoppable
from inspector.text.gate import clean_line
from inspector.ui.lenses.lens import Asked, Lens, LensReport

_SOON_READ: Final = 50_000
"""Events of a tape that is read to its end in less time than a person notices."""

_SOON_SENT: Final = 1_000
"""Rows of a surface whose request is told in less time than a person notices."""

_SOON_ASKED: Final = 2_000
"""Events of a tape of which any question is answered in less time than a person notices."""

_REPORT: Final = "report"
"""The kind of errand that ends with a report: of two questions the later one counts."""

_Answer = TypeVar("_Answer")


class Errands:
    """Runs errands for a screen.

    Args:
        widget: whose workers run the long ones.
        say: tells the person what is waited for.
    """

    def __init__(self, widget: Widget, say: Callable[[str], None]) -> None:
        self._widget = widget
        self._say = say
        self._waiting: dict[str, str] = {}

    @property
    def waiting(self) -> str:
        """What is waited for, and how to stop that; nothing where nothing is."""
        words = "; ".join(self._waiting.values())
        return f"{words}… Esc stops" if words else ""

    def stop(self) -> bool:
        """Wait for nothing any more; False if nothing is waited for."""
        waiting = bool(self._waiting)
        for name in self._waiting:
            self._widget.workers.cancel_group(self._widget, name)
        self._waiting.clear()
        return waiting

    def seek(
        self, text: str, tape: Tape, zone: tzinfo | None, arrive: Callable[[int | str], None]
    ) -> None:
        """Look for a place; ``arrive`` is told its cursor, or why there is none."""
        waiting = None
        if text.startswith("id:") and tape.timeline.events > _SOON_READ:
            waiting = clean_line(f"looking for {text}", 100)
        self._run("seek", waiting, partial(_cursor, text, tape, zone), arrive)

    def request(self, tape: Tape, cursor: int, show: Callable[[Sent | str], None]) -> None:
        """Ask what the owner would send at a cursor; ``show`` is told it, or why that cannot be."""
        long = tape.timeline.count(cursor) > _SOON_SENT
        waiting = "asking what would be sent" if long else None
        self._run(_REPORT, waiting, partial(_sent, tape, cursor), show)

    def lens(self, lens: Lens, asked: Asked, show: Callable[[LensReport | str], None]) -> None:
        """Put a question to the tape; ``show`` is told the report, or why there is none."""
        long = asked.tape.timeline.events > _SOON_ASKED
        self._run(_REPORT, lens.waiting if long else None, partial(_answer, lens, asked), show)

    def plan(self, ask: Callable[[], _Answer], show: Callable[[_Answer], None]) -> None:
        """Ask what belongs to a plan; that reads all of the tape, however short."""
        self._run("plan", "reading the tape", ask, show)

    def _run(
        self,
        name: str,
        waiting: str | None,
        ask: Callable[[], _Answer],
        answered: Callable[[_Answer], None],
    ) -> None:
        """Ask and answer, in a thread if there are words for waiting."""
        # What was asked before of this kind is asked no more, however short this is.
        self._widget.workers.cancel_group(self._widget, name)
        self._waiting.pop(name, None)
        if waiting is None:
            answered(ask())
            return
        self._waiting[name] = waiting

        def work() -> None:
            worker = get_current_worker()
            try:
                with stoppable(lambda: worker.is_cancelled):
                    answer = ask()
            except Stopped:
                # Nobody waits for it any more.
                return
            except BaseException:
                if not worker.is_cancelled:
                    # Textual asks a callback for its signature, which a method of C has not.
                    self._widget.app.call_from_thread(lambda: self._waiting.pop(name, None))
                raise
            if not worker.is_cancelled:
                self._widget.app.call_from_thread(tell, worker, answer)

        def tell(worker: Worker[None], answer: _Answer) -> None:
            # It may have been stopped between the answer and this.
            if not worker.is_cancelled:
                self._waiting.pop(name, None)
                answered(answer)

        self._say("")
        self._widget.run_worker(
            work,
            name=name,
            group=name,
            thread=True,
            exclusive=True,
            exit_on_error=False,
        )


def _cursor(text: str, tape: Tape, zone: tzinfo | None) -> int | str:
    try:
        return places.cursor(text, tape, zone)
    except (places.PlaceError, SourceError) as error:
        return str(error)


def _sent(tape: Tape, cursor: int) -> Sent | str:
    try:
        return sent(tape, cursor)
    except SourceError as error:
        return str(error)


def _answer(lens: Lens, asked: Asked) -> LensReport | str:
    try:
        return lens.ask(asked)
    except SourceError as error:
        return str(error)
