"""The program on the screen: opens the main screen over a tape and folds the tape in a worker."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterable
from datetime import tzinfo
from functools import partial
from time import perf_counter
from typing import Final

from textual import constants
from textual.app import App, SystemCommand
from textual.message import Message
from textual.screen import Screen
from textual.theme import Theme
from textual.worker import Worker, WorkerState, get_current_worker

from inspector.actions import ACTIONS
from inspector.formats.contract import Tape
from inspector.inspection import Inspection
from inspector.tape.source import SourceError
from inspector.ui.palette import COLOURS
from inspector.ui.screen import MainScreen

THEME: Final = Theme(
    name="tape",
    dark=True,
    primary=COLOURS["primary"],
    secondary=COLOURS["secondary"],
    accent=COLOURS["accent"],
    success=COLOURS["success"],
    warning=COLOURS["warning"],
    error=COLOURS["error"],
    foreground=COLOURS["foreground"],
    background=COLOURS["background"],
    surface=COLOURS["surface"],
    panel=COLOURS["panel"],
)

_SLICE: Final = 1 / 30
"""Seconds of folding between two looks at the screen."""


class Folded(Message):
    """The worker folded more of the tape."""

    def can_replace(self, message: Message) -> bool:
        """Only the newest state counts."""
        return isinstance(message, Folded)


class InspectorApp(App[None]):
    """One visit to one tape.

    Args:
        inspection: the visit; its tape may be folded in part.
        reopen: opens the same tape again and folds past required unknown events.
        zone: the time zone of the times shown; None is the machine's own.
    """

    CSS_PATH = "inspector.tcss"
    TITLE = "inspector"

    def __init__(
        self, inspection: Inspection, reopen: Callable[[], Tape], zone: tzinfo | None = None
    ) -> None:
        super().__init__()
        self.inspection = inspection
        self._reopen = reopen
        self._zone = zone
        self.register_theme(THEME)
        self.theme = constants.DEFAULT_THEME if "TEXTUAL_THEME" in os.environ else THEME.name

    def get_default_screen(self) -> Screen[None]:
        """The main screen."""
        return MainScreen(self.inspection, self._zone)

    def on_mount(self) -> None:
        """Show what is folded, and fold the rest."""
        self.inspection.grown()
        if not self.inspection.tape.complete:
            self._fold()
        # Ended from outside, the terminal is given back as by any other end.
        asyncio.get_running_loop().add_signal_handler(
            signal.SIGTERM, partial(self.exit, return_code=128 + signal.SIGTERM)
        )

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Every action of the registry, then the theme picker and the rest of Textual's own."""
        if isinstance(screen, MainScreen):
            for action in ACTIONS:
                yield SystemCommand(
                    action.label.capitalize(),
                    f"{action.shown_keys}  ({action.id})",
                    self._runner(screen, action.call),
                )
        for command in super().get_system_commands(screen):
            if command.title in ("Theme", "Screenshot"):
                yield command

    def _runner(self, screen: MainScreen, call: str) -> Callable[[], None]:
        def run() -> None:
            self.call_later(screen.run_action, call)

        return run

    # Folding.

    def _fold(self) -> None:
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
        worker, tape = get_current_worker(), self.inspection.tape
        due = perf_counter() + _SLICE
        while not worker.is_cancelled and tape.advance():
            if perf_counter() >= due:
                self.post_message(Folded())
                due = perf_counter() + _SLICE
        self.post_message(Folded())

    def on_folded(self) -> None:
        """Show what the worker folded."""
        self.inspection.grown()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that fails says so and leaves what it did."""
        if event.state is WorkerState.ERROR:
            self.inspection.complain(f"stopped reading: {event.worker.error}")

    # Folding past what is unknown.

    def on_past_unknown(self) -> None:
        """Fold the tape anew, past required unknown events."""
        try:
            self.inspection.turn_to(self._reopen())
        except SourceError as error:
            self.inspection.complain(f"cannot be opened again: {error}")
            return
        self._fold()
