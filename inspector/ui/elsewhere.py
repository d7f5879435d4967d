"""Where the program goes when a screen is left for another session."""

from pathlib import Path
from typing import NamedTuple


class Elsewhere(NamedTuple):
    """A session to open next: what an application gives back when it ends for one.

    Attributes:
        path: what is opened.
        session: which of those that the path holds, or None.
        at: the place to open at, as the command line takes it; None is where it was left, else its
            head.
    """

    path: Path
    session: str | None = None
    at: str | None = None
