"""A dialog that asks for a line of text, and its way with keys that are typed fast."""

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import ModalScreen
from textual.widgets import Input

from inspector.export.fitting import width_of
from inspector.ui.ahead import passed_on
from inspector.ui.cells import Cell
from inspector.ui.lines import Bar
from inspector.ui.prompt import Prompt


class AskingScreen(ModalScreen[int | None]):
    """A dialog with a prompt in the place of its footer."""

    def __init__(self) -> None:
        super().__init__()
        self._answer: Callable[[str], None] = lambda _text: None

    def compose_prompt(self) -> ComposeResult:
        """The prompt, which is not there until something is asked."""
        with Horizontal(id="plan-asking"):
            yield Bar(id="plan-cue")
            yield Prompt(id="plan-place")

    @property
    def _prompt(self) -> Prompt:
        return self.query_one("#plan-place", Prompt)

    def ask(self, cue: str, text: str, hint: str, answer: Callable[[str], None]) -> None:
        """Ask for a line of text.

        Args:
            cue: what stands before it.
            text: what is written already.
            hint: what is said while nothing is.
            answer: told what was written; not called for nothing.
        """
        self._answer = answer
        self.add_class("-asking")
        bar = self.query_one("#plan-cue", Bar)
        bar.styles.width = width_of(cue) + 2
        bar.show((Cell(f" {cue} ", "strong"),))
        self._prompt.begin(text, hint)
        self.set_focus(self._prompt)

    def _takes(self, event: events.Key) -> bool:
        """Take a key that is meant for the prompt."""
        if not self.has_class("-asking"):
            return False
        if self._prompt.leaves(event):
            self._close_prompt()
        return True

    def _close_prompt(self) -> None:
        self.remove_class("-asking")
        self._prompt.display = False
        self.set_focus(self.query_one("#plan-rows"))

    async def on_key(self, event: events.Key) -> None:
        """Obey a key at once and in order, unless it is meant for the prompt."""
        if not passed_on(self, event) and not self._takes(event):
            await self.obey(event)

    async def obey(self, event: events.Key) -> None:
        """Obey a key that is not meant for the prompt."""
        raise NotImplementedError

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with what was written, then obey what was typed behind it."""
        text, answer = event.value.strip(), self._answer
        self._close_prompt()
        if text:
            answer(text)
        for key in self._prompt.typed_ahead():
            await self.on_key(key)
