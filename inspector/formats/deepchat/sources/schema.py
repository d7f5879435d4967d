"""The owner's tables: which are there, and whether they are as far as a reader needs them."""

from collections.abc import Iterable, Mapping
from string import ascii_lowercase, ascii_uppercase
from typing import Final

from inspector.formats.deepchat.entry import COLUMNS
from inspector.tape.database import Database
from inspector.text.gate import clean_line

TAPE: Final = "deepchat_tape_entries"
SESSIONS: Final = "new_sessions"
SETTINGS: Final = "deepchat_sessions"
MESSAGES: Final = "deepchat_messages"
BLOCKS: Final = "deepchat_assistant_blocks"
VERSIONS: Final = "schema_versions"

KNOWN_SCHEMA: Final = 64
"""The newest schema whose rules were found by running the owner."""

_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    TAPE: COLUMNS[:7],
    SESSIONS: ("id",),
    SETTINGS: ("id",),
    MESSAGES: ("id", "session_id", "order_seq", "role", "content", "status"),
    BLOCKS: ("message_id", "block_index", "block_type"),
}
"""The columns without which a table is of no use."""

TABLES: Final = (TAPE, SESSIONS, SETTINGS, MESSAGES, BLOCKS)

_SMALL: Final = str.maketrans(ascii_uppercase, ascii_lowercase)
"""How SQLite tells names apart: without the case of ASCII letters, and of no others."""


def plain(name: str) -> str:
    """A name of a table or a column as the owner writes it, however this file does."""
    return name.translate(_SMALL)


def there(database: Database) -> tuple[set[str], dict[str, str]]:
    """The owner's tables that can be read, and what else stands under the names of others.

    Raises:
        DatabaseFault: if the schema cannot be read.
    """
    tables = {plain(name) for name in database.tables()}
    others = {
        plain(thing.name): "a view" if thing.type == "view" else "a virtual table"
        for thing in database.objects()
        if thing.type in ("table", "view")
    }
    return tables, {name: what for name, what in others.items() if name not in tables}


def lacking(table: str, columns: Iterable[str]) -> str | None:
    """What a table lacks, in words; None if it can be read."""
    there = set(columns)
    absent = [name for name in _NEEDED[table] if name not in there]
    if not absent:
        return None
    return f"table {table} lacks {', '.join(clean_line(name, 80) for name in absent)}"


def selected(wanted: Iterable[str], there: Iterable[str]) -> tuple[str, ...]:
    """Columns as SQL terms; NULL for those that this schema does not have."""
    known = set(there)
    return tuple(name if name in known or name == "rowid" else f"NULL AS {name}" for name in wanted)
