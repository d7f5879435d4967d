"""What carrying out a plan needs of the world, and why it is not carried out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector.applying.disk import Disk
from inspector.applying.journal import Journal
from inspector.applying.refusal import ApplyError
from inspector.formats.contract import Tape


class StaleError(ApplyError):
    """The tape is another than the one that the plan was made for."""


class WriterError(ApplyError):
    """Somebody may be writing to the tape."""


@dataclass(frozen=True, slots=True)
class World:
    """What carrying out a plan needs.

    Attributes:
        disk: where files are made.
        journal: where it is kept what was done.
        reopen: opens the tape of a path as the plan's own was, folded to its head; whoever asks
            closes it. Raises SourceError if nothing can be read there.
        writers: who has a file open to write to it, in words.
        new_id: an identity for a deed.
    """

    disk: Disk
    journal: Journal
    reopen: Callable[[Path], Tape]
    writers: Callable[[Path], Sequence[str]]
    new_id: Callable[[], str]
