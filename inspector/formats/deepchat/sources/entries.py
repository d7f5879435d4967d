"""What a list of the sessions in a database tells, beside what the owner lists (page 1 to 3).

One statement for all sessions each. Rows are counted by the index of the tape; their bytes only
where the database is small, for that reads all of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from inspector.formats.contract import SessionEntry
from inspector.formats.deepchat.sources import schema
from inspector.formats.deepchat.values import read_object
from inspector.formats.ends import title
from inspector.formats.shapes import mapping, natural, text
from inspector.tape.database import Database
from inspector.tape.database_statements import DatabaseFault, Values

_LONGEST: Final = 64 * 1024
"""Bytes of a message that is looked at for what a session is called."""

_WEIGHED: Final = 64 << 20
"""Bytes of a database in which the rows are weighed: that reads all of it."""


class Kept(NamedTuple):
    """Rows of a session in a table."""

    rows: int
    last: int | None
    bytes: int | None


class Tables(NamedTuple):
    """What of a database can be read.

    Attributes:
        database: it.
        has: the tables that can.
        columns: of each of them.
    """

    database: Database
    has: frozenset[str]
    columns: dict[str, list[str]]


def told(tables: Tables, entries: Iterable[SessionEntry]) -> list[SessionEntry]:
    """Entries with what the rows of their sessions tell; what cannot be read is left out."""
    tapes = _kept(tables, schema.TAPE, "entry_id", ("payload_json", "meta_json"))
    messages = _kept(tables, schema.MESSAGES, "order_seq", ("content",))
    settled = _settled(tables)
    found = []
    for entry in entries:
        kept = tapes.get(entry.id)
        if kept is None:
            # Older than the tape: its settings, and its messages.
            kept = messages.get(entry.id, Kept(0, None, None))
            kept = kept._replace(rows=kept.rows + (entry.id in settled))
        # Of a fork of a tape the parent's rows are part, up to one of them.
        joined = entry.relation == "fork"
        # Made whole: of thousands, replacing is four times as dear.
        found.append(
            SessionEntry(
                entry.id,
                entry.created,
                entry.cwd,
                entry.parent,
                entry.title,
                entry.relation,
                kept.last,
                None if joined else kept.rows,
                kept.bytes,
                entry.estimated,
            )
        )
    return _named(tables, found)


def _read(database: Database, sql: str) -> Iterator[Values]:
    """The rows that can be read."""
    try:
        yield from database.rows(sql)
    except DatabaseFault:
        return


def _kept(tables: Tables, table: str, key: str, texts: tuple[str, ...]) -> dict[str, Kept]:
    """By session: how many rows it has in a table, when the last was made, and what they weigh."""
    if table not in tables.has:
        return {}
    there = tables.columns[table]
    times = {}
    if "created_at" in there:
        times = {
            session: natural(time)
            for session, time in _read(
                tables.database,
                f"SELECT t.session_id, t.created_at FROM {table} t JOIN "  # noqa: S608 - names of ours
                f"(SELECT session_id, max({key}) AS last FROM {table} GROUP BY session_id) l "
                f"ON t.session_id = l.session_id AND t.{key} = l.last",
            )
        }
    weights = dict(_weights(tables, table, [name for name in texts if name in there]))
    return {
        session: Kept(rows, times.get(session), weights.get(session))
        for session, rows in _read(
            tables.database,
            f"SELECT session_id, count(*) FROM {table} GROUP BY session_id",  # noqa: S608 - names of ours
        )
        if isinstance(session, str) and isinstance(rows, int)
    }


def is_small(database: Database) -> bool:
    """Whether all of a database may be read to list what it holds."""
    try:
        return database.path.stat().st_size <= _WEIGHED
    except OSError:
        return False


def _weights(tables: Tables, table: str, texts: list[str]) -> Iterator[tuple[str, int]]:
    if not texts or not is_small(tables.database):
        return
    lengths = " + ".join(f"ifnull(length(CAST({name} AS BLOB)), 0)" for name in texts)
    for session, weight in _read(
        tables.database,
        f"SELECT session_id, sum({lengths}) FROM {table} GROUP BY session_id",  # noqa: S608 - names of ours
    ):
        if isinstance(session, str) and isinstance(weight, int):
            yield session, weight


def _settled(tables: Tables) -> frozenset[str]:
    if schema.SETTINGS not in tables.has:
        return frozenset()
    found = _read(tables.database, f"SELECT id FROM {schema.SETTINGS}")  # noqa: S608 - names of ours
    return frozenset(text(row[0]) for row in found)


# What they are called.


def _named(tables: Tables, entries: list[SessionEntry]) -> list[SessionEntry]:
    """The same with what the person said first, where the owner has no title."""
    if all(entry.title is not None for entry in entries):
        return entries
    asked = _asked(tables)
    return [
        entry if entry.title is not None else replace(entry, title=asked.get(entry.id))
        for entry in entries
    ]


def _asked(tables: Tables) -> dict[str, str]:
    """By session: what the first message of the tape says, if it is the person's."""
    if schema.TAPE not in tables.has:
        return {}
    found: dict[str, str] = {}
    for session, payload in _read(
        tables.database,
        f"SELECT t.session_id, t.payload_json FROM {schema.TAPE} t JOIN "  # noqa: S608 - names of ours
        f"(SELECT session_id, min(entry_id) AS first FROM {schema.TAPE} "
        "WHERE kind = 'message' GROUP BY session_id) l "
        "ON t.session_id = l.session_id AND t.entry_id = l.first "
        f"WHERE length(t.payload_json) <= {_LONGEST}",
    ):
        record = mapping(read_object(text(payload))[0].get("record"))
        if record.get("role") != "user":
            continue
        said = title(read_object(text(record.get("content")))[0].get("text"))
        if said is not None and isinstance(session, str):
            found[session] = said
    return found
