"""From an open tape to a running screen, as fast as it goes."""

import gc
from collections.abc import Callable
from time import perf_counter
from typing import Final

from inspector.formats.contract import Tape

_HEAD_START: Final = 0.02
"""Seconds of folding before the screen: a short tape is whole in its first frame."""


def run(tape: Tape, at: str | None, reopen: Callable[[], Tape]) -> None:
    """Show a tape until the person quits.

    Args:
        tape: open, not folded yet.
        at: the place to open at; None is the head.
        reopen: opens the same tape again and folds past required unknown events.
    """
    due = perf_counter() + _HEAD_START
    while perf_counter() < due and tape.advance():
        pass
    # Collections while a thousand modules are imported, and later over what was imported, are the
    # longest frames there are.
    gc.disable()
    from inspector.ui.app import InspectorApp  # Textual, only now

    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()
    InspectorApp(tape, at, reopen).run()
