"""What a format answers about kinds of sources that its agent does not have."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from inspector.formats.contract import (
    Annex,
    Certainty,
    OptionError,
    Options,
    Recognition,
    SessionEntry,
    Tape,
)
from inspector.tape.source import Source

if TYPE_CHECKING:
    from inspector.tape.database import Database


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


class NoContainers:
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

    def open_database(self, database: "Database", session: str, options: Options) -> Tape:
        """There is no such session, in any database."""
        del database, options
        raise OptionError(f"no such session: {session}")


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
