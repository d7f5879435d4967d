"""What every application of the program has: its theme, its way with pastes, its end."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final

from textual import events
from textual.app import App, SystemCommand
from textual.screen import Screen
from textual.theme import Theme

from inspector.actions import Action
from inspector.text.gate import clean_block, clean_line
from inspector.ui.elsewhere import Left
from inspector.ui.palette import COLOURS

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

_LONGEST_PASTE: Final = 1_000
"""Characters of a paste that are looked at: every field of the program is one short line."""


class Program(App[Left]):
    """An application that ends with where to go next."""

    CSS_PATH = Path(__file__).with_name("inspector.tcss")
    TITLE = "inspector"

    def __init__(self) -> None:
        super().__init__()
        self.register_theme(THEME)
        wanted = os.environ.get("TEXTUAL_THEME", THEME.name)
        # Textual would end with a traceback at a name that it does not know.
        self.theme = wanted if wanted in self.available_themes else THEME.name

    def end_when_told(self) -> None:
        """Ended from outside, the terminal is given back as by any other end."""
        asyncio.get_running_loop().add_signal_handler(
            signal.SIGTERM, partial(self.exit, return_code=128 + signal.SIGTERM)
        )

    async def on_event(self, event: events.Event) -> None:
        """Clean what is pasted, before any field of ours or of Textual's shows it."""
        if isinstance(event, events.Paste):
            first = event.text.strip().splitlines()[:1]
            event.text = clean_line("".join(first), _LONGEST_PASTE)
        await super().on_event(event)

    def copy_to_clipboard(self, text: str) -> None:
        """Give the terminal a text to keep: the one gate for what is pasted elsewhere."""
        super().copy_to_clipboard(clean_block(text))

    def actions_of(self, screen: Screen[object]) -> tuple[Action, ...]:
        """The actions that the palette names while a screen is shown."""
        raise NotImplementedError

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Every action of the registry, then the theme picker and the rest of Textual's own."""
        for action in self.actions_of(screen):
            yield SystemCommand(
                action.label.capitalize(),
                f"{action.shown_keys}  ({action.id})".lstrip(),
                self._runner(screen, action.call),
            )
        for command in super().get_system_commands(screen):
            if command.title in ("Theme", "Screenshot"):
                yield command

    def _runner(self, screen: Screen[Any], call: str) -> Callable[[], None]:
        def run() -> None:
            self.call_later(screen.run_action, call)

        return run
