"""What DeepSeek Harness keeps beside its sessions: workspaces, the archive, a cache, feedback.

A unit of its key-value storage is one *domain*. Which workspace a session belongs to and whether
it is archived stands only here, never in a session's log (format page 1.2 and 8.2).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from inspector.text.gate import clean_line

CONTRACT_WORDS: Final = (
    "backend-not-found",
    "form-not-mounted",
    "duplicate-backend",
    "duplicate-mount",
    "version-mismatch",
    "malformed-medium",
    "closed",
)
"""The owner's storage errors (format page 8.2); only two can be true of a medium at rest."""

MALFORMED: Final = "malformed-medium"
VERSION_MISMATCH: Final = "version-mismatch"
REPAIRED: Final = "repaired-text"
"""Ours: the owner reads it as well, but not what was written."""
CUT_SHORT: Final = "cut-short"
"""Ours: the medium holds more than is read."""

MOST_FAULTS: Final = 100
"""Faults of one domain that are told in words; the rest are counted."""

_SHOWN: Final = 80
"""Characters of a medium's own text in a sentence."""


class Fault(NamedTuple):
    """Something wrong with a medium: a code, where it is, and a sentence; safe to show."""

    code: str
    where: str
    message: str


class Faults:
    """Collects the faults of one domain."""

    def __init__(self) -> None:
        self._told: list[Fault] = []
        self._untold = 0

    def add(self, code: str, where: str, message: str) -> None:
        """One more fault."""
        if len(self._told) < MOST_FAULTS:
            self._told.append(Fault(code, where, message))
        else:
            self._untold += 1

    def told(self) -> tuple[Fault, ...]:
        """The faults in the order found; the last one counts those without words."""
        if not self._untold:
            return tuple(self._told)
        rest = Fault(CUT_SHORT, "", f"{self._untold:,} more faults are not told")
        return (*self._told, rest)


def shown(text: str) -> str:
    """A medium's own text, short and safe inside a sentence."""
    return clean_line(text, _SHOWN)


class Workspace(NamedTuple):
    """A group of sessions; what its record does not say is None.

    Attributes:
        sessions: ids in the order in which the owner shows them.
        created: ISO time as written, and so is ``updated``.
    """

    id: str
    path: str | None
    title: str | None
    sessions: tuple[str, ...]
    created: str | None
    updated: str | None


class PendingMutation(NamedTuple):
    """A change of the workspaces that was begun: ``create`` or ``delete``, and of which."""

    operation: str
    workspace: str


class CachedSession(NamedTuple):
    """By what the owner's cache knows a session; ``created`` is in epoch milliseconds."""

    id: str
    created: int | None
    cwd: str | None


@dataclass(frozen=True, slots=True)
class Domain:
    """One unit, as far as it can be read; a wrong version is read all the same.

    Attributes:
        unit: its name, or None where it has none, or where the faults belong to no unit.
        version: of the unit, not of the database that holds it.
        owners: by session id the first workspace that lists it.
        archived: the ids of archived sessions, or None where this domain does not say.
        feedback: how many messages were rated, or None where this domain does not say.
        complete: False where the medium holds more than is read.
    """

    unit: str | None
    version: float | None
    workspaces: tuple[Workspace, ...] = ()
    owners: Mapping[str, Workspace] = field(default_factory=dict, repr=False, compare=False)
    archived: frozenset[str] | None = None
    pending: PendingMutation | None = None
    cached: tuple[CachedSession, ...] = ()
    feedback: int | None = None
    complete: bool = True
    faults: tuple[Fault, ...] = ()


def workspace_of(domain: Domain, session_id: str) -> Workspace | None:
    """The workspace that a session belongs to, or None if the domain names none."""
    return domain.owners.get(session_id)


def is_archived(domain: Domain, session_id: str) -> bool | None:
    """Whether a session is archived, or None if the domain does not say."""
    if domain.archived is None:
        return None
    if session_id in domain.archived:
        return True
    return False if domain.complete else None
