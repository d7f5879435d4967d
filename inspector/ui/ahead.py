"""Keys that were typed behind one that lays another screen over the one that they came to."""

from typing import Any

from textual import events
from textual.screen import Screen


def passed_on(screen: Screen[Any], event: events.Key) -> bool:
    """Pass a key on to the screen that lies over this one by now; False if none does.

    Keys that come at once are all given to the screen that was there before the first was obeyed.
    """
    stack = screen.app.screen_stack
    if not stack or stack[-1] is screen:
        return False
    event.stop()
    # Not before it is laid out.
    stack[-1].call_later(screen.app.post_message, events.Key(event.key, event.character))
    return True
