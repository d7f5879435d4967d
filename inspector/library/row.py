"""A session as the library lists it."""

from dataclasses import dataclass, field
from pathlib import Path


# Thousands are made at once, and a frozen one takes five times as long to make.
@dataclass(slots=True, unsafe_hash=True)
class Row:
    """A session that was found, or what could not be read where one was expected; never changed.

    Every text in it is clean, and of one line.

    Attributes:
        place: the path of what is opened, as the system takes it.
        session: which of those that the path holds; None where it is one.
        format: the name of the format; None where nothing recognised it.
        id: of the session, as its source has it, not cleaned: it is compared, never shown.
        title: the owner's, or the first words of the first person.
        project: the folder that the agent worked in, or None where it is not known.
        started: milliseconds since the epoch, or None.
        last: the time of the last event, else of the last change of the file; or None.
        bytes: on the disk; of a session in a database those of its rows, or None.
        events: how many, or None.
        estimated: whether that is an estimate.
        parent: the id of the session that it comes from, as its source has it; or None.
        relation: what it is to that, or None.
        opens: whether its owner would open it; None where head and tail do not tell.
        reason: why it would not; of others what of it is not known, and why.
        problem: why nothing can be read of it; None where it can.
        parent_file: the path by which it names its parent, as its source has it; or None.
    """

    place: str
    session: str | None = None
    format: str | None = None
    id: str | None = None
    title: str = ""
    project: str | None = None
    started: int | None = None
    last: int | None = None
    bytes: int | None = None
    events: int | None = None
    estimated: bool = False
    parent: str | None = None
    relation: str | None = None
    opens: bool | None = None
    reason: str | None = None
    problem: str | None = None
    parent_file: str | None = None
    _path: Path | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def path(self) -> Path:
        """What is opened."""
        # Most rows of thousands are never asked, and a path is dear to make.
        if self._path is None:
            self._path = Path(self.place)
        return self._path
