"""Which rows make up a session, in order: its parent's, its own, or those of its transcript."""

from typing import Final

from inspector.formats.deepchat.entry import (
    COLUMNS,
    FOLDED_COLUMNS,
    MESSAGE_COLUMNS,
    SETTINGS_COLUMNS,
)
from inspector.formats.deepchat.sources import schema
from inspector.formats.deepchat.sources.store import Session, Store
from inspector.formats.logs.row_parts import Part
from inspector.tape.database_paging import Select

_BLOCKS: Final = (
    "(SELECT json_group_array(json(written)) FROM (SELECT json_object('block_type', block_type, "
    "'text', {text}, 'status', {status}, 'call', {call}, 'tool', {tool}, 'params', {params}, "
    "'response', {response}) AS written FROM deepchat_assistant_blocks "
    "WHERE message_id = deepchat_messages.id ORDER BY block_index)) AS blocks"
)
"""The blocks of a message as JSON, in order."""

_BLOCK_COLUMNS: Final = {
    "text": "text_content",
    "status": "status",
    "call": "tool_call_id",
    "tool": "tool_name",
    "params": "tool_params",
    "response": "tool_response",
}


def tape(store: Store, session: str, upto: int | None = None) -> Part:
    """The rows of a tape, all of them or up to an entry."""
    where, parameters = "session_id = ?", (session,)
    bound, bounds = ("", ()) if upto is None else (" AND entry_id <= ?", (upto,))
    select = Select(
        schema.TAPE,
        FOLDED_COLUMNS,
        ("entry_id",),
        f"{where}{bound}",
        (*parameters, *bounds),
    )
    return Part(select, "entry_id", (3, 4), _entry_columns(store))


def transcript(store: Store, session: Session) -> list[Part]:
    """The settings of a session and its messages, where it has no tape."""
    parts: list[Part] = []
    if session.settings:
        names = schema.selected(SETTINGS_COLUMNS, store.columns[schema.SETTINGS])
        select = Select(schema.SETTINGS, names, ("rowid",), "id = ?", (session.id,))
        parts.append(Part(select, "deepchat_sessions rowid", ()))
    if store.has(schema.MESSAGES):
        there = store.columns[schema.MESSAGES]
        names = (*schema.selected(MESSAGE_COLUMNS[:-1], there), _blocks(store))
        key = ("order_seq", "id", "rowid")
        select = Select(schema.MESSAGES, names, key, "session_id = ?", (session.id,))
        parts.append(Part(select, "deepchat_messages rowid", (5, 8)))
    return parts


def _entry_columns(store: Store) -> tuple[str, ...]:
    return schema.selected(COLUMNS, store.columns[schema.TAPE])


def _blocks(store: Store) -> str:
    if not store.has(schema.BLOCKS):
        return "NULL AS blocks"
    there = store.columns[schema.BLOCKS]
    terms = {name: column if column in there else "NULL" for name, column in _BLOCK_COLUMNS.items()}
    return _BLOCKS.format(**terms)
