"""What formats answer alike: about kinds of sources that an agent does not have, and databases."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from inspector.formats.contract import (
    Annex,
    Certainty,
    OptionError,
    Options,
    Recognition,
    SessionEntry,
    Tape,
)
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.tape.source import Source

if TYPE_CHECKING:
    from inspector.tape.database import Database

Held = TypeVar("Held")


class NoAnnexes:
    """The agent keeps nothing beside its sessions that the format knows."""

    def annexes_of_text(self, source: Source) -> list[Annex]:
        """None."""
        del source
        return []

    def annexes_of_database(self, database: "Database") -> list[Annex]:
        """None."""
        del database
        return []


class NoListing:
    """Where the agent keeps its sessions is not known, nor what their ends would tell."""

    def roots(self, surroundings: Surroundings) -> list[Root]:
        """None."""
        del surroundings
        return []

    def glance(self, ends: Ends) -> Glance | None:
        """Nothing."""
        del ends
        return None


class NoPlaces:
    """A session of the agent is told by what it says alone."""

    def knows_place(self, path: Path) -> bool:
        """No text is told by where it lies."""
        del path
        return False


class NoContainers(NoPlaces):
    """The agent keeps every session in a file of its own."""

    def in_folder(self, names: Collection[str]) -> str | None:
        """No folder is a session's."""
        del names
        return None

    def in_archive(self, names: Sequence[str]) -> list[tuple[str, SessionEntry]]:
        """No archive is the agent's."""
        del names
        return []


class NoDatabases:
    """The agent keeps no sessions in databases."""

    def recognise_database(self, database: "Database") -> Recognition:
        """No database is the agent's."""
        del database
        return Recognition(Certainty.NO)

    def sessions(self, database: "Database") -> list[SessionEntry]:
        """None."""
        del database
        return []

    def tellers(self, database: "Database") -> list[tuple[str, str]]:
        """None."""
        del database
        return []

    def open_database(self, database: "Database", session: str, options: Options) -> Tape:
        """There is no such session, in any database."""
        del database, options
        raise _no_such(session)


class Stored(Protocol):
    """The module of a format that reads the agent's databases."""

    def recognise(self, database: "Database") -> Recognition:
        """How sure the format is of a database."""

    def sessions(self, database: "Database") -> list[SessionEntry]:
        """The sessions of a database."""

    def tellers(self, database: "Database") -> list[tuple[str, str]]:
        """Which sessions tell of which others that do not say so themselves."""

    def open_session(self, database: "Database", session: str, options: Options) -> Tape:
        """Begin to read one session of a database.

        Raises:
            OptionError: if it holds no such session.
        """


class InDatabases:
    """The agent keeps sessions in databases; what reads them is imported for one of them only."""

    def stored(self) -> Stored:
        """The module that reads them."""
        raise NotImplementedError

    def recognise_database(self, database: "Database") -> Recognition:
        """How sure the format is of a database."""
        return self.stored().recognise(database)

    def sessions(self, database: "Database") -> list[SessionEntry]:
        """The sessions of a database."""
        return self.stored().sessions(database)

    def tellers(self, database: "Database") -> list[tuple[str, str]]:
        """Which sessions tell of which others that do not say so themselves."""
        return self.stored().tellers(database)

    def open_database(self, database: "Database", session: str, options: Options) -> Tape:
        """Begin to read one session of a database."""
        return self.stored().open_session(database, session, options)


def of_store(session: str, found: Held | None) -> Held:
    """What a database holds of a session that was asked for.

    Raises:
        OptionError: if it is nothing.
    """
    if found is None:
        raise _no_such(session)
    return found


def _no_such(session: str) -> OptionError:
    from inspector.text.gate import clean_line

    return OptionError(f"no such session: {clean_line(session, 80)}")


class NoTexts:
    """The agent keeps no sessions in texts."""

    def recognise(self, head: bytes) -> Recognition:
        """No text is the agent's."""
        del head
        return Recognition(Certainty.NO)

    def open(self, source: Source, options: Options) -> Tape:
        """There is no session in any text."""
        del source, options
        raise OptionError("no such session")
