"""DeepChat: sessions in a SQLite database, each with a tape of rows that only grows."""

from typing import TYPE_CHECKING, Final

from inspector.formats.contract import Annex
from inspector.formats.deepchat.policies import POLICIES
from inspector.formats.defaults import InDatabases, NoContainers, NoTexts, Stored
from inspector.formats.listing import Ends, Glance, Root, Surroundings

if TYPE_CHECKING:
    from inspector.tape.database import Database
    from inspector.tape.source import Source

# What only a database needs is imported where it is needed: a screen is waiting.


class DeepChatFormat(InDatabases, NoContainers, NoTexts):
    """The format, as `inspector.formats.contract.Format` has it."""

    name: Final = "deepchat"
    policies: Final = POLICIES

    def annexes_of_text(self, source: "Source") -> list[Annex]:
        """Whether the owner's database is encrypted."""
        from inspector.formats.deepchat.beside import security

        found = security(source)
        return [] if found is None else [found]

    def annexes_of_database(self, database: "Database") -> list[Annex]:
        """None: a database of the owner holds sessions."""
        del database
        return []

    def roots(self, surroundings: Surroundings) -> list[Root]:
        """The owner's databases."""
        from inspector.formats.deepchat.listing import all_roots

        return all_roots(surroundings)

    def glance(self, ends: Ends) -> Glance | None:
        """Nothing: no text is a session of the owner."""
        del ends
        return None

    def stored(self) -> Stored:
        """What reads the owner's databases."""
        from inspector.formats.deepchat import stored

        return stored


FORMAT: Final = DeepChatFormat()
