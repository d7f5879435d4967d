"""Work that reads a tape for long, and that somebody may not wait for any more."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_STOP: Final[ContextVar[Callable[[], bool] | None]] = ContextVar("stop", default=None)
"""Asks whether what this thread does is still waited for."""


class Stopped(Exception):  # noqa: N818 - nothing went wrong
    """Nobody waits for it any more. It is no trouble of the source, and nobody takes it for one."""


@contextmanager
def stoppable(stop: Callable[[], bool]) -> Iterator[None]:
    """Have every reading of a source ask, in this thread and block, whether to go on.

    Args:
        stop: whether to stop; asked often.

    Raises:
        Stopped: from within the block, as soon as something is read after ``stop`` said so.
    """
    before = _STOP.set(stop)
    try:
        yield
    finally:
        _STOP.reset(before)


def heed() -> None:
    """Stop if that is wanted.

    Raises:
        Stopped: if so.
    """
    stop = _STOP.get()
    if stop is not None and stop():
        raise Stopped
