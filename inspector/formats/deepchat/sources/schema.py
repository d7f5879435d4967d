"""The owner's tables: which are there, and whether they are as far as a reader needs them."""

from collections.abc import Iterable, Mapping
from typing import Final

from inspector.formats.deepchat.entry import COLUMNS
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
