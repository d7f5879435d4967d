"""Signals that wait: between a call of the file system and the note of it nobody may stop us."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

_STOPS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_waiting: set[int] = set()
"""Signals that came and were not heard yet; Python hears them in the main thread alone."""

_held = False


def _note(number: int, _frame: FrameType | None) -> None:
    _waiting.add(number)


@contextmanager
def held_back() -> Iterator[None]:
    """While signals that stop the program wait; they are heard at the end of it.

    Raises:
        KeyboardInterrupt: at the end, if the person pressed Ctrl-C meanwhile.
    """
    global _held  # noqa: PLW0603 - a process has one set of handlers
    if _held or threading.current_thread() is not threading.main_thread():
        yield
        return
    before: dict[int, Any] = {number: signal.signal(number, _note) for number in _STOPS}
    _held = True
    try:
        yield
    finally:
        _held = False
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        heard = sorted(_waiting)
        _waiting.clear()
        for number in heard:
            signal.raise_signal(number)


def heed() -> None:
    """Stop here, where that is safe, if a signal waits.

    Raises:
        KeyboardInterrupt: if one does.
    """
    if _waiting:
        raise KeyboardInterrupt
