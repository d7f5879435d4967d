"""A session database of schema 17 (format page 2.2 to 2.4)."""

import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from typing import Any, Final

from sample_tapes.small import packed_rows, prune
from sample_tapes.writing import Json, Tape

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdCompressor
else:
    from backports.zstd import ZstdCompressor

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
_COLUMNS: Final = (
    "id",
    "version",
    "createdAt",
    "cwd",
    "parentSession",
    "seedLength",
    "origin",
    "delegationDepth",
    "agentPreset",
)
_COMPRESSED_FROM: Final = 4_096
"""Bytes of JSON from which on data is kept compressed, if that makes it shorter."""


def database() -> bytes:
    """Two sessions: packed rows in one, compressed data in the other."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(_SCHEMA)
        for tape in (packed_rows(), prune()):
            _insert(connection, tape)
        connection.execute("VACUUM")
        return connection.serialize()


def _insert(connection: sqlite3.Connection, tape: Tape) -> None:
    header, *records = map(json.loads, tape.lines)
    session = (*(header.get(column) for column in _COLUMNS), _INCARNATION, 1)
    connection.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", session)
    connection.executemany(
        "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(header["id"], *_row(record)) for record in records],
    )


def _row(record: Json) -> tuple[Any, ...]:
    """A record as a row; zero in the place of ``ignorable`` says that it is a packed one."""
    if "seq0" in record:
        return (
            record["seq0"],
            record["type"],
            record["time0"],
            _stored(record["data"]),
            None,
            None,
            0,
        )
    cited = record.get("sourceEventSeqs")
    return (
        record["seq"],
        record["type"],
        record["time"],
        _stored(record["data"]),
        None if cited is None else _sources(cited),
        _json(record["surfaceOp"]) if "surfaceOp" in record else None,
        1 if record.get("ignorable") else None,
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _stored(data: Json) -> str | bytes:
    text = _json(data)
    plain = text.encode()
    if len(plain) < _COMPRESSED_FROM:
        return text
    packed = ZstdCompressor(level=3).compress(plain, ZstdCompressor.FLUSH_FRAME)
    return packed if len(packed) < len(plain) else text


def _sources(cited: Sequence[int]) -> bytes:
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
