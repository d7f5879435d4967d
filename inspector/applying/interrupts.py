"""Signals that wait: between a call of the file system and the note of it nobody may stop us."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_STOPS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def held_back() -> Iterator[None]:
    """While signals that stop the program wait; they are heard at the end of it."""
    if threading.current_thread() is not threading.main_thread():
        # Signals reach the main thread alone.
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def heed() -> None:
    """Stop here, where that is safe, if a signal waits.

    Raises:
        KeyboardInterrupt: if one does.
    """
    if signal.sigpending() & set(_STOPS):
        raise KeyboardInterrupt
