"""A session database of schema 17, as the owner's second store writes it (format page 2.2 to 2.4).

Every event is a row of its own, so that the databases hold as many records as the logs.
"""

import os
import sqlite3
import struct
import sys
from collections.abc import Iterable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import orjson

from benchmarks.sessions import Event

if sys.version_info >= (3, 14):
    from compression.zstd import compress
else:
    from backports.zstd import compress

SELECT: Final = (
    "SELECT seq, type, time, data, source_event_seqs, surface_op, ignorable "
    "FROM events ORDER BY seq"
)
"""All rows of the only session."""

_SCHEMA: Final = """
CREATE TABLE persistence_state (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1), store_id TEXT NOT NULL
) STRICT;
CREATE TABLE sessions (
    id TEXT PRIMARY KEY, version INTEGER NOT NULL, created_at INTEGER NOT NULL, cwd TEXT,
    parent_session TEXT, seed_length INTEGER, origin TEXT, delegation_depth INTEGER,
    agent_preset TEXT, incarnation TEXT NOT NULL, revision INTEGER NOT NULL
) STRICT;
CREATE TABLE events (
    session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, seq INTEGER NOT NULL,
    type TEXT NOT NULL, time INTEGER NOT NULL, data ANY NOT NULL, source_event_seqs ANY,
    surface_op TEXT, ignorable INTEGER CHECK (ignorable IS NULL OR ignorable IN (0, 1)),
    PRIMARY KEY (session_id, seq)
) STRICT;
PRAGMA application_id = 1146308688;
PRAGMA user_version = 17;
INSERT INTO persistence_state VALUES (1, '5a5a5a5a-0000-4000-8000-000000000001');
"""
_INCARNATION: Final = "5a5a5a5a-0000-4000-8000-000000000002"
_COMPRESSED_FROM: Final = 4_096
_PAGE: Final = 4_096
_SIZE_IN_PAGES: Final = 28
"""Where the header of a database says how many pages it has: fileformat.html section 1.3.8."""


def write(path: Path, header: Event, events: Iterable[Event]) -> None:
    """Write a database with one session."""
    with closing(connect(path)) as connection:
        connection.execute(f"PRAGMA page_size = {_PAGE}")
        connection.executescript(_SCHEMA)
        connection.execute(
            "INSERT INTO sessions VALUES (?, ?, ?, ?, NULL, NULL, NULL, 0, NULL, ?, 1)",
            (header["id"], header["version"], header["createdAt"], header["cwd"], _INCARNATION),
        )
        append(connection, header["id"], events)


def connect(path: Path) -> sqlite3.Connection:
    """A connection of a writer that does not wait for the disk."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def append(connection: sqlite3.Connection, session: str, events: Iterable[Event]) -> None:
    """Write more events in one transaction, as a batch of the session's writer."""
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        ((session, *_row(event)) for event in events),
    )
    connection.execute("UPDATE sessions SET revision = revision + 1 WHERE id = ?", (session,))
    connection.execute("COMMIT")


def enlarge(path: Path, size: int) -> None:
    """Make a database so many bytes long without filling the disk: its new pages are holes."""
    os.truncate(path, size)
    with path.open("r+b") as file:
        file.seek(_SIZE_IN_PAGES)
        file.write(struct.pack(">I", size // _PAGE))


def _row(event: Event) -> tuple[Any, ...]:
    cited = event.get("sourceEventSeqs")
    operation = event.get("surfaceOp")
    return (
        event["seq"],
        event["type"],
        event["time"],
        _stored(event["data"]),
        None if cited is None else _sources(cited),
        None if operation is None else orjson.dumps(operation).decode(),
        None,
    )


def _stored(data: Any) -> str | bytes:
    plain = orjson.dumps(data)
    if len(plain) < _COMPRESSED_FROM:
        return plain.decode()
    packed = compress(plain)
    return packed if len(packed) < len(plain) else plain.decode()


def _sources(cited: list[int]) -> bytes:
    """The first number, and then each by its distance from the one before."""
    steps = [after - before for before, after in pairwise(cited)]
    folded = [2 * step if step >= 0 else -2 * step - 1 for step in steps]
    return b"".join(map(_varint, [*cited[:1], *folded]))


def _varint(number: int) -> bytes:
    """Groups of seven bits, the lowest first, all but the last with the eighth bit set."""
    groups = bytearray()
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*groups, number])
