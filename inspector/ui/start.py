"""From an open tape to a running screen, as fast as it goes."""

import gc
from collections.abc import Callable
from time import perf_counter
from typing import Final

from inspector.formats.contract import Tape
from inspector.inspection import Inspection
from inspector.places import PlaceError
from inspector.ui.first_paint import painted

_HEAD_START: Final = 0.02
"""Seconds of folding before the first frame: a short tape is whole in it."""


def run(
    tape: Tape,
    at: str | None,
    reopen: Callable[[bool, str | None], Tape],
    *,
    follow: bool = False,
) -> int:
    """Show a tape until the person quits.

    Args:
        tape: open, not folded yet.
        at: the place to open at; None is the head.
        reopen: opens the same tape again; told whether to fold past required unknown events, and
            which of the owner's readers to follow.
        follow: whether to go live.

    Returns:
        The exit code: 0 unless something else ended it.

    Raises:
        PlaceError: if the tape is folded at once and has no such place.
    """
    due = perf_counter() + _HEAD_START
    while tape.advance() and perf_counter() < due:
        pass
    inspection = Inspection(tape, at)
    inspection.live = follow
    inspection.grown()
    if inspection.complaint is not None:
        raise PlaceError(inspection.complaint)
    with painted(inspection):
        # Collections while a thousand modules are imported, and later over what was imported, are
        # the longest frames there are.
        gc.disable()
        from inspector.ui.app import InspectorApp  # Textual, only now
        from inspector.ui.keyboard import accept_any_byte

        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        gc.enable()
        accept_any_byte()
        app = InspectorApp(inspection, reopen)
        app.run()
        return app.return_code or 0
