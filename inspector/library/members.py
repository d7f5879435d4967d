"""A session as a part of a family: what it says of itself, and what it says of others."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple


class Named(NamedTuple):
    """What a tape says of another one that came from it.

    Attributes:
        relation: in the words of `inspector.library.relations`.
        id: of the other, as the tape has it.
        status: merged, discarded …, or None.
        at: the cursor of the tape just after the event that made the other, or None.
        shared: how many of the other's events they share, or None.
    """

    relation: str
    id: str
    status: str | None = None
    at: int | None = None
    shared: int | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """A session of a family, or one that is only named.

    Ids are as their sources have them and are compared; all other text is clean, of one line.

    Attributes:
        id: of the session; None where it has none.
        path: what is opened; None of a session that is not to be found.
        session: which of those that the path holds, or None.
        format: the name of its format.
        title: what it is called; empty where nothing tells.
        started: milliseconds since the epoch, or None.
        last: the same of its last event.
        bytes: on the disk, or None.
        events: how many it has, or None.
        estimated: whether that is an estimate.
        parent: the id of the one that it comes from, by its own word.
        relation: what it is to that; None where its own word is silent.
        boundary: the cursor of the parent at which it left it: up to there they share events, or
            there it was started. None where nobody tells.
        copied: how many of its first events are copies of the parent's; None where it is not read.
        others: the ids of further ones that it says to come from.
        names: what it says of those that came from it.
        opens: whether its owner opens it; None where that is not known.
        reason: why it would not.
        problem: why nothing can be read of it.
        twin: what it is to another file of the same session, if that is the one that counts.
        read: whether it was folded, and not only its ends looked at.
        parent_file: the path by which it names its parent, or None.
        unlooked: whether it was not looked at, or not looked for to the end: the family is large,
            or the search was stopped.
        notes: what else is to be known of it, a sentence each, clean.
        twin_of: the id of the file that counts, if this one is its `twin` under another id.
    """

    id: str | None
    path: Path | None = None
    session: str | None = None
    format: str | None = None
    title: str = ""
    started: int | None = None
    last: int | None = None
    bytes: int | None = None
    events: int | None = None
    estimated: bool = False
    parent: str | None = None
    relation: str | None = None
    boundary: int | None = None
    copied: int | None = None
    others: tuple[str, ...] = ()
    names: tuple[Named, ...] = ()
    opens: bool | Literal["partly"] | None = None
    reason: str | None = None
    problem: str | None = None
    twin: str | None = None
    read: bool = False
    parent_file: str | None = None
    unlooked: bool = False
    notes: tuple[str, ...] = ()
    twin_of: str | None = None

    @property
    def missing(self) -> bool:
        """Whether it is only named, and was not found."""
        return self.path is None and not self.unlooked

    @property
    def own(self) -> int | None:
        """How many events it wrote itself; None where that is not known."""
        if self.copied is None or self.events is None:
            return None
        return max(0, self.events - self.copied)

    @property
    def place(self) -> tuple[Path | None, str | None]:
        """Where it is; of two members never the same, but of those that are missing."""
        return self.path, self.session
