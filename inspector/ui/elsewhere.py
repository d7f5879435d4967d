"""Where the program goes when a screen is left for another session."""

from enum import Enum
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


class Leaving(Enum):
    """How else a screen is left, where the program may go on."""

    BACK = "back"
    """To where the person came from, if from anywhere."""


class Resuming(Enum):
    """Whether a tape opens at the place at which it was left."""

    NO = "no"
    """At its head."""

    IF_KNOWN = "if known"
    """There if that is known; nothing is said of it else."""

    YES = "yes"
    """There; where it is not known that is said, and where it is left now is kept anyway."""


Left = Elsewhere | Leaving | None
"""What an application gives back; None ends the program."""
