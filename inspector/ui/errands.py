"""What takes reading the tape: done at once where that is short, else by a worker.

The screen lives meanwhile. Of each kind the last one asked for counts.
"""

from collections.abc import Callable
from datetime import tzinfo
from functools import partial
from typing import Final, TypeVar

from textual.widget import Widget

from inspector import places
from inspector.formats.contract import RequestEntry, Tape
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.ui.lenses.lens import Asked, Lens, LensReport

_SOON_READ: Final = 50_000
"""Events of a tape that is read to its end in less time than a person notices."""

_SOON_SENT: Final = 1_000
"""Rows of a surface whose request is told in less time than a person notices."""

_SOON_ASKED: Final = 2_000
"""Events of a tape of which any question is answered in less time than a person notices."""

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

    def seek(
        self, text: str, tape: Tape, zone: tzinfo | None, arrive: Callable[[int | str], None]
    ) -> None:
        """Look for a place; ``arrive`` is told its cursor, or why there is none."""
        waiting = None
        if text.startswith("id:") and tape.timeline.events > _SOON_READ:
            waiting = clean_line(f"looking for {text}", 100)
        self._run("seek", waiting, partial(_cursor, text, tape, zone), arrive)

    def request(
        self, tape: Tape, cursor: int, show: Callable[[list[RequestEntry] | str], None]
    ) -> None:
        """Ask what the owner would send at a cursor; ``show`` is told it, or why that cannot be."""
        long = tape.timeline.count(cursor) > _SOON_SENT
        waiting = "asking what would be sent" if long else None
        self._run("request", waiting, partial(_entries, tape, cursor), show)

    def lens(self, lens: Lens, asked: Asked, show: Callable[[LensReport | str], None]) -> None:
        """Put a question to the tape; ``show`` is told the report, or why there is none."""
        long = asked.tape.timeline.events > _SOON_ASKED
        self._run("lens", lens.waiting if long else None, partial(_answer, lens, asked), show)

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
        if waiting is None:
            answered(ask())
            return
        self._say(waiting)
        self._widget.run_worker(
            lambda: self._widget.app.call_from_thread(answered, ask()),
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


def _entries(tape: Tape, cursor: int) -> list[RequestEntry] | str:
    try:
        return tape.request(cursor)
    except SourceError as error:
        return str(error)


def _answer(lens: Lens, asked: Asked) -> LensReport | str:
    try:
        return lens.ask(asked)
    except SourceError as error:
        return str(error)
