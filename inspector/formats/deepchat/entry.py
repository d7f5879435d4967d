"""One row as it is folded and told: the columns of a tape entry, with its JSON read."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from inspector.formats.deepchat.values import mended, not_utf8, read_object
from inspector.formats.deepchat.vocabulary import MESSAGE, SETTINGS
from inspector.formats.shapes import text
from inspector.tape.database_statements import Value, Values
from inspector.text.jsontext import json_text


class Entry(NamedTuple):
    """A row of ``deepchat_tape_entries``, or one made to look like it.

    Attributes:
        id: ``entry_id``; None where that is no whole number.
        kind: exactly as written.
        name: as written; None where it is NULL.
        payload: the object of ``payload_json``; empty where that is none.
        meta: the same of ``meta_json``.
        created: milliseconds since the epoch, or None.
        session: whose row it is; empty where only the columns of the fold were read.
        broken: what is wrong with the payload or the meta as JSON, or None.
        source: ``source_type``, ``source_id``, ``source_seq``, ``provenance_key``.
        mended: which column's text is not UTF-8, and so replaced in part, or None.
    """

    id: int | None
    kind: str
    name: str | None
    payload: dict[str, Any]
    meta: dict[str, Any]
    created: int | None
    session: str
    broken: str | None
    source: tuple[Value, ...]
    mended: str | None = None


def entry_of(row: Values) -> Entry:
    """The entry of a row of `COLUMNS`, of their first ones, of the settings or of a transcript."""
    names, read = _READERS.get(len(row), (COLUMNS, _tape))
    told = tuple(map(_text_of, names, row))
    broken = [
        f"byte {byte} of {name}"
        for name, value in zip(names, told, strict=False)
        if (byte := not_utf8(value)) is not None
    ]
    if not broken:
        return read(told)
    whole = tuple(mended(value) if isinstance(value, str) else value for value in told)
    said = " and ".join(broken)
    message = f"{said} {'is' if len(broken) == 1 else 'are'} not UTF-8; the owner replaces that"
    return read(whole)._replace(mended=message)


def _text_of(name: str, value: Value) -> Value:
    """A value; the bytes of a blob as text where the owner reads them so."""
    if isinstance(value, bytes) and name in ("payload_json", "meta_json"):
        return value.decode("utf-8", "surrogateescape")
    return value


def _tape(row: Values) -> Entry:
    number, kind, name, payload, meta, created, *source = row
    said, wrong = _object(payload)
    about, wrong_about = _object(meta)
    broken = None
    if wrong is not None or wrong_about is not None:
        parts = ((wrong, "payload_json"), (wrong_about, "meta_json"))
        broken = "; ".join(f"{column} is {fault}" for fault, column in parts if fault)
    return Entry(
        number if type(number) is int else None,
        kind if type(kind) is str else "",
        name if type(name) is str else None,
        said,
        about,
        created if type(created) is int else None,
        text(source[0]) if source else "",
        broken,
        tuple(source[1:]),
    )


FOLDED_COLUMNS = ("entry_id", "kind", "name", "payload_json", "meta_json", "created_at")
"""The columns of an entry of which the fold is made, its number first."""

COLUMNS = (
    *FOLDED_COLUMNS,
    "session_id",
    "source_type",
    "source_id",
    "source_seq",
    "provenance_key",
)
"""All columns of an entry."""


def _object(value: Value) -> tuple[dict[str, Any], str | None]:
    if value is None:
        # Nothing is said, so nothing is lost.
        return {}, None
    return read_object(value) if isinstance(value, str) else ({}, "no text")


# Sessions without a tape.

MESSAGE_COLUMNS = (
    "rowid",
    "id",
    "session_id",
    "order_seq",
    "role",
    "content",
    "status",
    "is_context_edge",
    "metadata",
    "created_at",
    "updated_at",
    "blocks",
)
"""The columns of ``deepchat_messages``; the last one is the list of a message's blocks."""

SETTINGS_COLUMNS = (
    "rowid",
    "id",
    "provider_id",
    "model_id",
    "permission_mode",
    "system_prompt",
    "context_length",
    "max_tokens",
    "reasoning_effort",
    "summary_text",
    "summary_cursor_order_seq",
    "summary_updated_at",
    "temperature",
)
"""The columns of ``deepchat_sessions`` that say what a session is."""


def _message(row: Values) -> Entry:
    """A message of the transcript, as the owner's backfill would put it on a tape."""
    column = dict(zip(MESSAGE_COLUMNS, row, strict=True))
    content, role = column["content"], column["role"]
    blocks = column.pop("blocks")
    if content in ("[]", "") and isinstance(blocks, str) and blocks != "[]":
        # Blocks of an answer that is being written stand only in their own table.
        content = _assembled(blocks)
    record = {
        "id": column["id"],
        "sessionId": column["session_id"],
        "orderSeq": column["order_seq"],
        "role": column["role"],
        "content": content,
        "status": column["status"],
        "metadata": column["metadata"],
        "createdAt": column["created_at"],
        "updatedAt": column["updated_at"],
    }
    number, created, session = column["rowid"], column["created_at"], column["session_id"]
    return Entry(
        number if isinstance(number, int) else None,
        MESSAGE,
        f"message/{role}" if isinstance(role, str) else None,
        {"record": record},
        {"source": "transcript"},
        created if isinstance(created, int) else None,
        session if isinstance(session, str) else "",
        None,
        (),
    )


def _assembled(blocks: str) -> str:
    """The content of an assistant's message, made of the rows of its blocks."""
    found: list[dict[str, Any]] = []
    for block in read_object(f'{{"rows":{blocks}}}')[0].get("rows", []):
        kind = block.get("block_type")
        made = {"type": kind, "content": block.get("text"), "status": block.get("status")}
        if kind == "tool_call":
            made["tool_call"] = {
                "id": block.get("call"),
                "name": block.get("tool"),
                "params": block.get("params"),
                "response": block.get("response"),
            }
        found.append(made)
    return json_text(found)


def _settings(row: Values) -> Entry:
    column = dict(zip(SETTINGS_COLUMNS, row, strict=True))
    number, session, updated = column["rowid"], column["id"], column["summary_updated_at"]
    return Entry(
        number if isinstance(number, int) else None,
        SETTINGS,
        "deepchat_sessions",
        {key: value for key, value in column.items() if key != "rowid" and value is not None},
        {"source": "transcript"},
        updated if isinstance(updated, int) else None,
        session if isinstance(session, str) else "",
        None,
        (),
    )


_READERS: Final[Mapping[int, tuple[tuple[str, ...], Callable[[Values], Entry]]]] = {
    len(MESSAGE_COLUMNS): (MESSAGE_COLUMNS, _message),
    len(SETTINGS_COLUMNS): (SETTINGS_COLUMNS, _settings),
}
"""What rows that are none of a tape are told by: how many columns they have."""
