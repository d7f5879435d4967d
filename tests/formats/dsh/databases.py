"""Session databases of schema 17, written as the owner's second store keeps them (page 2.2-2.4)."""

import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, Final

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdCompressor
else:
    from backports.zstd import ZstdCompressor

Json = dict[str, Any]

SCHEMA: Final = (
    """CREATE TABLE persistence_state (
        singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
        store_id TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE sessions (
        id TEXT PRIMARY KEY, version INTEGER NOT NULL, created_at INTEGER NOT NULL, cwd TEXT,
        parent_session TEXT, seed_length INTEGER, origin TEXT, delegation_depth INTEGER,
        agent_preset TEXT, incarnation TEXT NOT NULL, revision INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE events (
        session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
        seq INTEGER NOT NULL, type TEXT NOT NULL, time INTEGER NOT NULL, data ANY NOT NULL,
        source_event_seqs ANY, surface_op TEXT,
        ignorable INTEGER CHECK (ignorable IS NULL OR ignorable IN (0, 1)),
        PRIMARY KEY (session_id, seq)
    ) STRICT""",
)

STORE: Final = "11111111-1111-4111-8111-111111111111"
INCARNATION: Final = "22222222-2222-4222-8222-222222222222"

LONG: Final = 4096
"""Bytes of JSON from which on data is compressed, if that makes it shorter."""

MOST: Final = 1024
"""Members of one packed row."""

_DELTAS: Final = {
    "text-delta": "text-chunks",
    "reasoning-delta": "reasoning-chunks",
    "tool-call-delta": "tool-call-chunks",
}


# Values as columns keep them.


def json_text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def line(value: Any) -> bytes:
    """The same value as a line of a log."""
    return json_text(value).encode() + b"\n"


def blob(text: str) -> bytes:
    """One frame as the owner writes it, of whatever length the text is."""
    return ZstdCompressor().compress(text.encode(), ZstdCompressor.FLUSH_FRAME)


def stored(value: Any, long: int = LONG) -> str | bytes:
    """Data as the owner stores it: compressed where it is long and gets shorter."""
    text = json_text(value)
    if len(text) < long:
        return text
    packed = blob(text)
    return packed if len(packed) < len(text) else text


def varint(number: int) -> bytes:
    """A number from 0 on in groups of seven bits, the lowest first."""
    groups = bytearray()
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    groups.append(number)
    return bytes(groups)


def zigzag(number: int) -> bytes:
    """A number of either sign."""
    return varint(2 * number if number >= 0 else -2 * number - 1)


def sources(numbers: list[int]) -> bytes:
    """A list of sources: the first number, and then each by its distance from the one before."""
    first = [varint(number) for number in numbers[:1]]
    return b"".join(first + [zigzag(after - before) for before, after in pairwise(numbers)])


# Events as rows.

Columns = tuple[int, str, int, Any, bytes | None, str | None, int | None]
"""The columns of an event, in the order of the table."""


def scalar(event: Json, long: int = LONG) -> Columns:
    """An event as one row; its sources are numbers, as this schema knows no ranges."""
    cited = event.get("sourceEventSeqs")
    operation = json_text(event["surfaceOp"]) if "surfaceOp" in event else None
    return (
        int(event["seq"]),
        event["type"],
        event["time"],
        stored(event["data"], long),
        None if cited is None else sources([int(number) for number in cited]),
        operation,
        1 if event.get("ignorable") is True else None,
    )


def packed(events: list[Json], long: int = LONG) -> Columns:
    """Deltas of one stream as one row."""
    first = events[0]
    chunks = [event["data"]["chunk"] for event in events]
    data: Json = {
        "turn": first["data"]["turn"],
        "step": first["data"]["step"],
        "index": chunks[0]["index"],
        "dt": [after["time"] - before["time"] for before, after in pairwise(events)],
    }
    if "id" in chunks[0]:
        data |= {key: chunks[0][key] for key in ("id", "name") if key in chunks[0]}
        data["args"] = [chunk["argumentsDelta"] for chunk in chunks]
    else:
        data["texts"] = [chunk["text"] for chunk in chunks]
    kind = _DELTAS[chunks[0]["type"]]
    return int(first["seq"]), kind, first["time"], stored(data, long), None, None, 0


def rows(events: Iterable[Json], long: int = LONG) -> Iterator[Columns]:
    """The rows of a session: runs of at least three deltas packed, everything else an event."""
    for stream, run in groupby(events, _stream):
        waiting = list(run)
        while stream is not None and len(waiting) >= 3:
            yield packed(waiting[:MOST], long)
            waiting = waiting[MOST:]
        for event in waiting:
            yield scalar(event, long)


def _stream(event: Json) -> str | None:
    """What the deltas of one packed row have in common, or None of any other event."""
    data = event["data"]
    if event["type"] != "assistant/chunk" or len(event) != 4 or not isinstance(data, dict):
        return None
    chunk = data.get("chunk")
    if data.keys() != {"turn", "step", "chunk"} or not isinstance(chunk, dict):
        return None
    text = "argumentsDelta" if chunk.get("type") == "tool-call-delta" else "text"
    common = {key: value for key, value in chunk.items() if key != text}
    wanted = {"type", "index"} | ({"id"} if text != "text" else set())
    counts = (data["turn"], data["step"], chunk.get("index"))
    if (
        chunk.get("type") not in _DELTAS
        or common.keys() - {"name"} != wanted
        or ("name" in common and text == "text")
        or any(type(count) is not int or count < 0 for count in counts)
        or not all(isinstance(chunk.get(key, ""), str) for key in (text, "id", "name"))
        or text not in chunk
    ):
        return None
    return json_text([*counts, common])


# Databases.

HEADER: Final[Json] = {
    "type": "session",
    "version": 0,
    "id": "session",
    "createdAt": 1787000000000,
    "cwd": "/work/demo",
    "delegationDepth": 0,
}


def session_row(header: Json, revision: int = 1) -> tuple[Any, ...]:
    """The columns of a session, in the order of the table."""
    keys = ("id", "version", "createdAt", "cwd", "parentSession", "seedLength", "origin")
    more = ("delegationDepth", "agentPreset")
    return (*(header.get(key) for key in (*keys, *more)), INCARNATION, revision)


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")
    return connection


def make_store(path: Path, *, application: int = 0x44534850, schema: int = 17) -> Path:
    """A store without sessions."""
    with closing(connect(path)) as connection:
        for statement in SCHEMA:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id={application}")
        connection.execute(f"PRAGMA user_version={schema}")
        connection.execute("INSERT INTO persistence_state VALUES (1, ?)", (STORE,))
    return path


def add_session(path: Path, header: Json, columns: Iterable[tuple[Any, ...]] = ()) -> None:
    """A session and its rows, in one transaction."""
    with closing(connect(path)) as connection:
        connection.execute("BEGIN")
        marks = ", ".join("?" * 11)
        connection.execute(f"INSERT INTO sessions VALUES ({marks})", session_row(header))  # noqa: S608 - marks only
        _insert(connection, header["id"], columns)
        connection.execute("COMMIT")


def append(path: Path, identity: str, columns: Iterable[tuple[Any, ...]]) -> None:
    """More rows of a session, as a batch of its writer."""
    with closing(connect(path)) as connection:
        append_in(connection, identity, columns)


def append_in(
    connection: sqlite3.Connection, identity: str, columns: Iterable[tuple[Any, ...]]
) -> None:
    """The same, by a writer that has the database open."""
    connection.execute("BEGIN")
    _insert(connection, identity, columns)
    connection.execute("UPDATE sessions SET revision = revision + 1 WHERE id = ?", (identity,))
    connection.execute("COMMIT")


def run(path: Path, statement: str, *parameters: Any) -> None:
    """Any other change."""
    with closing(connect(path)) as connection:
        connection.execute(statement, parameters)


def _insert(
    connection: sqlite3.Connection, identity: str, columns: Iterable[tuple[Any, ...]]
) -> None:
    connection.executemany(
        "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(identity, *row) for row in columns],
    )


def database(path: Path, events: Iterable[Json], header: Json = HEADER, long: int = LONG) -> Path:
    """A store with one session of these events."""
    make_store(path)
    add_session(path, header, rows(events, long))
    return path
