"""What a list of the sessions in a database tells: by their first and last rows (page 2.3, 2.4).

One statement for all sessions each; by the key of the table, so that none reads all of its rows,
but for the bytes, which only a small database is asked for.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from inspector.formats.contract import SessionEntry
from inspector.formats.dsh.effects.messages import is_human
from inspector.formats.dsh.packed import is_row, measure
from inspector.formats.dsh.sources.rows import COLUMNS, Row, decode
from inspector.formats.ends import title
from inspector.formats.shapes import items, mapping, natural, text, whole
from inspector.tape.database import Database
from inspector.tape.database_statements import DatabaseFault, Values

_LISTED: Final = 100_000
"""Sessions that are looked at."""

_LOOKED: Final = 64
"""Rows at the beginning and at the end of a session that are looked at for what it is called."""

_LONGEST: Final = 64 * 1024
"""Bytes of a row's data that is looked at for that."""

_WEIGHED: Final = 64 << 20
"""Bytes of a database in which the rows are weighed: that reads all of it."""

_EVENT: Final = ", ".join(f"e.{name}" for name in COLUMNS)


def told(database: Database, schema: int, found: list[SessionEntry]) -> list[SessionEntry]:
    """Entries with what the rows of their sessions tell; what cannot be read is left out.

    Args:
        database: a store of sessions.
        schema: its schema.
        found: what the table of sessions says of each.
    """
    ends = dict(_ends(database, schema))
    titles = _titles(database, schema)
    weights = dict(_weights(database))
    entries = []
    for entry in found:
        events, last = ends.get(entry.id, (0, None))
        entries.append(
            replace(
                entry,
                title=titles.get(entry.id),
                last=last,
                events=events,
                estimated=bool(events),
                bytes=weights.get(entry.id, 0 if weights else None),
            )
        )
    return entries


def _read(database: Database, sql: str) -> Iterator[Values]:
    """The rows that can be read."""
    try:
        yield from database.rows(sql)
    except DatabaseFault:
        return


def _ends(database: Database, schema: int) -> Iterator[tuple[str, tuple[int | None, int | None]]]:
    """By session: how many events it has, and when the last one was."""
    # What a row holds is only read of a packed one, which tells how many members it has.
    event = _EVENT.replace("e.data", "CASE WHEN e.ignorable = 0 THEN e.data ELSE '{}' END")
    last_rows = _chosen("max(seq)", "1")
    for session, *row in _read(database, f"SELECT c.id, {event} {last_rows}"):
        last = Row(*row)
        number, time = natural(last.seq), whole(last.time)
        value = decode(last, schema) if last.ignorable == 0 else None
        if isinstance(value, dict) and is_row(value):
            packed = measure(value)
            if isinstance(packed, str):
                yield text(session), (None, time)
                continue
            number, time = packed.first + len(packed.times) - 1, packed.times[-1]
        yield text(session), (None if number is None else number + 1, time)


_HUMAN: Final = (
    "type = 'user/message' AND (typeof(data) = 'blob' OR instr(data, '\"kind\":\"user\"'))"
)
_TITLE: Final = "type = 'session/title'"
_FIRST: Final = f"seq < {_LOOKED}"
_LAST: Final = (
    "seq > (SELECT max(seq) FROM events WHERE session_id = s.id) - "  # noqa: S608 - names of ours
    f"{_LOOKED}"
)


def _chosen(which: str, where: str) -> str:
    """One row of each session: chosen first, so that no more of them are looked at."""
    return (
        f"FROM (SELECT s.id AS id, (SELECT {which} FROM events "  # noqa: S608 - names of ours
        f"WHERE session_id = s.id AND {where}) AS seq FROM sessions s LIMIT {_LISTED}) c "
        "CROSS JOIN events e ON e.session_id = c.id AND e.seq = c.seq"
    )


def _titles(database: Database, schema: int) -> dict[str, str]:
    """By session: the owner's last title that is seen, else what the person said first."""
    return (
        _named(database, schema, _chosen("min(seq)", f"{_FIRST} AND {_HUMAN}"))
        | _named(database, schema, _chosen("max(seq)", f"{_FIRST} AND {_TITLE}"))
        | _named(database, schema, _chosen("max(seq)", f"{_LAST} AND {_TITLE}"))
    )


def _named(database: Database, schema: int, chosen: str) -> dict[str, str]:
    """By session: what one of its rows calls it."""
    found: dict[str, str] = {}
    for session, *row in _read(
        database,
        f"SELECT c.id, {_EVENT} {chosen} WHERE length(e.data) <= {_LONGEST}",
    ):
        named = _name(Row(*row), schema)
        if named is not None:
            found[text(session)] = named
    return found


def _name(row: Row, schema: int) -> str | None:
    """What a row calls its session."""
    event = decode(row, schema)
    data: dict[str, Any] = mapping(event.get("data")) if isinstance(event, dict) else {}
    if row.type == "session/title":
        return title(data.get("title"))
    if is_human(data):
        for block in items(data.get("content")):
            said = title(text(mapping(block).get("text")))
            if said is not None:
                return said
    return None


def _weights(database: Database) -> dict[str, int]:
    """By session: the bytes of its data as they are kept."""
    try:
        if database.path.stat().st_size > _WEIGHED:
            return {}
    except OSError:
        return {}
    return {
        session: weight
        for session, weight in _read(
            database,
            "SELECT session_id, sum(length(CAST(data AS BLOB))) FROM events GROUP BY session_id",
        )
        if isinstance(session, str) and isinstance(weight, int)
    }
