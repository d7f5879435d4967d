"""What a format says of sessions without folding them: where they lie, what their ends tell.

A library of thousands is listed from heads and tails alone, so all here is cheap and may be wrong
about what stands between: whoever shows it says what is estimated.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

HEAD: Final = 4096
"""Bytes at the beginning of a text that are looked at."""

LONGEST: Final = 64 * 1024
"""The same of a text whose first line is longer, as one that holds instructions."""

TAIL: Final = 4096
"""Bytes at its end that are looked at, where it is longer than its head."""


class Surroundings(NamedTuple):
    """What decides where agents keep their sessions.

    Attributes:
        environment: the variables of the process.
        folder: the working folder: some agents keep sessions in the project.
        platform: as `sys.platform` has it.
    """

    environment: Mapping[str, str]
    folder: Path
    platform: str

    @property
    def home(self) -> Path | None:
        """The person's folder; None where none is named."""
        home = Path(self.environment.get("HOME", ""))
        return home if home.is_absolute() else None


class Root(NamedTuple):
    """A place where an agent keeps sessions, whether or not anything is there.

    Attributes:
        owner: the name of its format.
        path: a folder of sessions, or a database.
        said_by: the variable of the environment that names it; None where it is the agent's own.
    """

    owner: str
    path: Path
    said_by: str | None = None


class Ends(NamedTuple):
    """What is looked at of a text, unpacked, to list it.

    Attributes:
        place: the path of where it lies, as the system takes it.
        size: bytes on the disk.
        modified: milliseconds since the epoch.
        head: its first bytes, up to `HEAD`; more where its first line is longer, up to `LONGEST`.
        tail: its last bytes, up to `TAIL`; what the head holds already is not here again, and the
            first line may be cut. Empty where the end of a packed text is not reached.
        whole: whether head and tail are all of it.
        packed: whether it is packed, so that its size says nothing of the length of the text.
    """

    place: str
    size: int
    modified: int
    head: bytes
    tail: bytes
    whole: bool
    packed: bool = False

    @property
    def path(self) -> Path:
        """Where it lies; made anew each time."""
        return Path(self.place)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.place.rpartition("/")[2]


class Glance(NamedTuple):
    """What the ends of a session tell; None where they do not.

    All text is as the source has it: whoever shows it cleans it.

    Attributes:
        id: of the session.
        title: the owner's, or the first words of the first person.
        project: the folder that the agent worked in.
        started: milliseconds since the epoch.
        last: the time of the last event.
        events: how many there are.
        estimated: whether that is by the length of the records that were seen.
        parent: the id of the session that it comes from.
        relation: what it is to that, in the words of `kin`: fork, subagent, side …
        refusal: why the owner would not open it, where its ends show that.
        parent_file: the path by which it names the parent, where that is how its agent names one.
        unread: what could not be read of what its agent keeps beside it, and why.
    """

    id: str | None
    title: str | None = None
    project: str | None = None
    started: int | None = None
    last: int | None = None
    events: int | None = None
    estimated: bool = False
    parent: str | None = None
    relation: str | None = None
    refusal: str | None = None
    parent_file: str | None = None
    unread: str | None = None
