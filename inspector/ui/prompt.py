"""The line in which a place or a text is written, and its way with keys that are typed fast."""

from typing import Final

from textual import events
from textual.widgets import Input

_LEAVING: Final = ("escape", "tab", "shift+tab")
"""Keys that close the prompt."""


class Prompt(Input):
    """Where a place is written.

    A key comes to the screen, or to the prompt first and then to the screen, or to the screen while
    what was entered has not been obeyed yet: whatever way it takes, it is obeyed in its order.
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own word
        super().__init__(id=id, select_on_focus=False)
        self._seen: events.Key | None = None
        self._entered = False
        self._ahead: list[events.Key] = []

    def begin(self, text: str, hint: str) -> None:
        """Ask, with this much written already; at once, so that it can take the focus."""
        self.value, self._entered = text, False
        self.placeholder = hint
        self.cursor_position = len(text)
        self.display = True

    def on_key(self, event: events.Key) -> None:
        """Remember that the key was meant for the prompt; behind Enter none is any more."""
        self._seen = event
        if self._entered:
            event.prevent_default()
        elif event.key == "enter":
            self._entered = True

    def leaves(self, event: events.Key) -> bool:
        """Take a key that came to the screen while a place is asked for; whether it closes this."""
        if self._entered and event.key != "enter":
            # Typed ahead: it is obeyed where the place is.
            event.stop()
            self._ahead.append(event)
        elif event is not self._seen:
            event.stop()
            # In the program's name: a message that the parent sends does not bubble to it.
            self._forward_event(events.Key(event.key, event.character).set_sender(self.app))
        elif event.key in _LEAVING:
            event.stop()
            return True
        return False

    def typed_ahead(self) -> list[events.Key]:
        """What was typed behind Enter, in order; given once."""
        ahead, self._ahead = self._ahead, []
        return ahead
