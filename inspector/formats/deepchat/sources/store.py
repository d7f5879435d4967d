"""A database of the owner: its sessions, and what each of them is."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from inspector.formats.contract import SessionEntry
from inspector.formats.deepchat.entry import SETTINGS_COLUMNS
from inspector.formats.deepchat.sources import schema
from inspector.formats.deepchat.sources.entries import Tables, is_small, told
from inspector.formats.deepchat.values import not_utf8, read_object
from inspector.formats.deepchat.vocabulary import FORK_DISCARD, FORK_MARK, FORK_MERGE, LINKED
from inspector.formats.shapes import natural, text
from inspector.tape.database import Database
from inspector.tape.database_statements import DatabaseFault, Value, Values

_LISTED: Final = 100_000
_SESSION_COLUMNS: Final = (
    "id",
    "title",
    "project_dir",
    "parent_session_id",
    "session_kind",
    "created_at",
)
_ANCHORS: Final = (
    "kind = 'anchor' AND (name IN ('compaction/auto', 'compaction/manual', "
    "'compaction/context_pressure', 'compaction/resume', 'compaction/migrated_summary', "
    "'auto_handoff/context_overflow', 'summary/reset') "
    "OR name LIKE 'handoff/%' OR name LIKE 'auto_handoff/%')"
)

_TELLING: Final = {
    FORK_MERGE: "forkSessionId",
    FORK_DISCARD: "forkSessionId",
    LINKED: "childSessionId",
}
"""The events that tell of another session, and what of their data is its id."""


@dataclass(frozen=True, slots=True)
class Session:
    """What the tables beside the tape say of a session; None where they do not.

    Attributes:
        id: the owner's id.
        kind: ``regular`` or ``subagent``.
        own_parent: whether it is named as its own parent.
        settings: the columns of ``deepchat_sessions`` that are not NULL, as they are now.
        fork_head: the parent's entry up to which a fork of its tape sees it.
        has_tape: whether it has rows on the tape.
        mended: the columns whose text is not UTF-8.
    """

    id: str
    title: str | None = None
    cwd: str | None = None
    parent: str | None = None
    own_parent: bool = False
    kind: str | None = None
    created: int | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    fork_head: int | None = None
    has_tape: bool = True
    mended: tuple[str, ...] = ()


class Store:
    """A database that may hold sessions.

    Attributes:
        columns: of each table that a reader needs; empty where it is not there.
        unread: by table, why it is there and not read, as a clause.
        version: of the schema, or None.
        fault: why something that was asked could not be read, or None.

    Raises:
        DatabaseFault: if the schema cannot be read.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.fault: str | None = None
        tables, others = schema.there(database)
        self.columns: dict[str, list[str]] = {}
        self.unread: dict[str, str] = {}
        for table in schema.TABLES:
            columns = database.columns(table) if table in tables else []
            self.columns[table] = [schema.plain(name) for name in columns]
            if columns and (lacks := schema.lacking(table, self.columns[table])) is not None:
                self.unread[table] = lacks
            elif table in others:
                self.unread[table] = f"{table} is {others[table]}, and only tables are read"
        self.version = self._version() if schema.VERSIONS in tables else None

    def has(self, table: str) -> bool:
        """Whether a table is there and can be read."""
        return bool(self.columns[table]) and table not in self.unread

    def _version(self) -> int | None:
        found = self._first("SELECT max(version) FROM schema_versions")
        return found[0] if found and isinstance(found[0], int) else None

    # Sessions.

    def sessions(self) -> list[SessionEntry]:
        """All sessions: those that the owner lists, then those that only have rows.

        Raises:
            DatabaseFault: if none can be listed, because the database is damaged.
        """
        listed = [_entry(row) for row in self._listed()]
        known = {entry.id for entry in listed}
        for table in (schema.TAPE, schema.MESSAGES):
            for identity in self._with_rows(table):
                if identity not in known:
                    known.add(identity)
                    listed.append(self._unlisted(identity))
        if not listed and self.fault is not None:
            raise DatabaseFault(self.fault)
        there = frozenset(table for table in self.columns if self.has(table))
        return told(Tables(self.database, there, self.columns), listed[:_LISTED])

    def _listed(self) -> Iterator[Values]:
        if self.has(schema.SESSIONS):
            there = self.columns[schema.SESSIONS]
            names = ", ".join(schema.selected(_SESSION_COLUMNS, there))
            order = "created_at, id" if "created_at" in there else "id"
            try:
                yield from self.database.rows(
                    f"SELECT {names} FROM {schema.SESSIONS} ORDER BY {order} LIMIT {_LISTED}"  # noqa: S608 - names of ours
                )
            except DatabaseFault as fault:
                # Those that it lists no more may be found by their rows.
                self.fault = str(fault)

    def _with_rows(self, table: str) -> Iterator[str]:
        """The sessions that have rows in a table."""
        if not self.has(table):
            return
        found = self._all_with_rows if is_small(self.database) else self._each_with_rows
        for identity in found(table):
            if not isinstance(identity, str):
                return
            yield identity

    def _all_with_rows(self, table: str) -> Iterator[Value]:
        """The same in one statement, which goes through all rows; what is no text comes last."""
        try:
            for (identity,) in self.database.rows(
                f"SELECT DISTINCT session_id FROM {table} WHERE session_id >= '' "  # noqa: S608 - names of ours
                f"ORDER BY session_id LIMIT {_LISTED}"
            ):
                yield identity
        except DatabaseFault as fault:
            self.fault = str(fault)

    def _each_with_rows(self, table: str) -> Iterator[Value]:
        """The same by one step of the index each, however many rows there are."""
        # An empty text is the first of all texts, and may be an id.
        last: Value = ""
        beyond = ">="
        for _ in range(_LISTED):
            found = self._first(
                f"SELECT session_id FROM {table} WHERE session_id {beyond} ? "  # noqa: S608 - names of ours
                "ORDER BY session_id LIMIT 1",
                last,
            )
            if found is None:
                return
            yield found[0]
            last, beyond = found[0], ">"

    def tellers(self) -> Iterator[tuple[str, str]]:
        """The sessions that tell of others, each with one of these, as `effects.links` has it.

        A fork that was made elsewhere and is only referred to says nothing of who merged it.
        """
        if not self.has(schema.TAPE):
            return
        names = ", ".join(f"'{name}'" for name in _TELLING)
        try:
            for teller, name, payload in self.database.rows(
                f"SELECT session_id, name, payload_json FROM {schema.TAPE} "  # noqa: S608 - names of ours
                f"WHERE kind = 'event' AND name IN ({names}) LIMIT {_LISTED}"
            ):
                data = read_object(payload)[0].get("data") if isinstance(payload, str) else None
                told = text(data.get(_TELLING[text(name)])) if isinstance(data, dict) else ""
                if told and isinstance(teller, str):
                    yield teller, told
        except DatabaseFault as fault:
            self.fault = str(fault)

    def has_nameless(self) -> bool:
        """Whether the tape has rows whose session is no text: nobody can ask for them."""
        asked = f"SELECT 1 FROM {schema.TAPE} WHERE session_id {{}} LIMIT 1"  # noqa: S608 - names of ours
        return any(
            self._first(asked.format(kind)) is not None for kind in ("IS NULL", "< ''", ">= x''")
        )

    def _unlisted(self, identity: str) -> SessionEntry:
        parent = forked_from(identity)
        relation = None if parent is None else "fork"
        return SessionEntry(identity, self._began(identity), parent=parent, relation=relation)

    def _began(self, identity: str) -> int | None:
        """The time of the first row of a tape."""
        if not self.has(schema.TAPE):
            return None
        found = self._first(
            f"SELECT created_at FROM {schema.TAPE} WHERE session_id = ? ORDER BY entry_id LIMIT 1",  # noqa: S608 - names of ours
            identity,
        )
        return natural(found[0]) if found else None

    def session(self, identity: str) -> Session | None:
        """One session, or None if there is none of this id."""
        listed = self._by_id(schema.SESSIONS, _SESSION_COLUMNS, identity)
        on_tape = self._any(schema.TAPE, identity)
        if listed is None and not on_tape and not self._any(schema.MESSAGES, identity):
            return None
        column = listed or {}
        parent = forked_from(identity)
        told = text(column.get("parent_session_id"))
        head = self._fork_head(identity) if parent is not None and on_tape else None
        settings = self._by_id(schema.SETTINGS, SETTINGS_COLUMNS, identity) or {}
        beside = column | settings
        return Session(
            id=identity,
            title=text(column.get("title")) or None,
            cwd=text(column.get("project_dir")) or None,
            parent=parent if told in ("", identity) else told,
            own_parent=bool(told) and told == identity,
            kind=text(column.get("session_kind")) or None,
            created=natural(column.get("created_at")) or self._began(identity),
            settings=settings,
            fork_head=head,
            has_tape=on_tape,
            mended=tuple(name for name, value in beside.items() if not_utf8(value) is not None),
        )

    def _by_id(self, table: str, wanted: tuple[str, ...], identity: str) -> dict[str, Any] | None:
        if not self.has(table):
            return None
        names = ", ".join(schema.selected(wanted, self.columns[table]))
        row = self._first(f"SELECT {names} FROM {table} WHERE id = ?", identity)  # noqa: S608 - names of ours
        if row is None:
            return None
        return {name: value for name, value in zip(wanted, row, strict=True) if value is not None}

    def _any(self, table: str, identity: str) -> bool:
        return (
            self.has(table)
            and self._first(
                f"SELECT 1 FROM {table} WHERE session_id = ? LIMIT 1",  # noqa: S608 - names of ours
                identity,
            )
            is not None
        )

    def _fork_head(self, identity: str) -> int | None:
        """The entry of the parent up to which a fork sees it, as its own first rows say."""
        row = self._first(
            f"SELECT payload_json FROM {schema.TAPE} WHERE session_id = ? AND kind = 'anchor' "  # noqa: S608 - names of ours
            "AND name = 'fork/start' ORDER BY entry_id LIMIT 1",
            identity,
        )
        if row is None or not isinstance(row[0], str):
            return None
        state = read_object(row[0])[0].get("state")
        if not isinstance(state, dict) or state.get("parentSessionId") != forked_from(identity):
            return None
        return natural(state.get("parentHeadEntryId"))

    def anchored(self, identity: str) -> bool:
        """Whether a tape has a reconstruction anchor; looks through its anchors."""
        return (
            self._first(
                f"SELECT 1 FROM {schema.TAPE} WHERE session_id = ? AND {_ANCHORS} LIMIT 1",  # noqa: S608 - names of ours
                identity,
            )
            is not None
        )

    def unwritten(self, identity: str) -> int:
        """How many answers are being written and so are not on the tape yet."""
        told_apart = {"source_type", "source_id"} <= set(self.columns[schema.TAPE])
        if not self.has(schema.MESSAGES) or not told_apart:
            return 0
        row = self._first(
            f"SELECT count(*) FROM {schema.MESSAGES} WHERE session_id = ? "  # noqa: S608 - names of ours
            "AND status = 'pending' AND role = 'assistant' AND NOT EXISTS (SELECT 1 "
            f"FROM {schema.TAPE} WHERE {schema.TAPE}.session_id = {schema.MESSAGES}.session_id "
            f"AND kind = 'message' AND source_type = 'message' "
            f"AND source_id = {schema.MESSAGES}.id)",
            identity,
        )
        return natural(row[0]) or 0 if row else 0

    def _first(self, sql: str, *parameters: Value) -> Values | None:
        """The first row; where a page is damaged none, and that is remembered."""
        fetched = self.database.fetch(sql, parameters, 1)
        if fetched.fault is not None:
            self.fault = str(fetched.fault)
        return fetched.rows[0] if fetched.rows else None


def _entry(row: Values) -> SessionEntry:
    identity, title, cwd, told, _, created = row
    fork = forked_from(text(identity))
    parent = fork if text(told) in ("", text(identity)) else text(told)
    relation = None if parent is None else "fork" if parent == fork else "subagent"
    return SessionEntry(
        id=text(identity),
        created=natural(created),
        cwd=text(cwd) or None,
        parent=parent,
        title=text(title) or None,
        relation=relation,
    )


def forked_from(identity: str) -> str | None:
    """The session whose tape a fork continues, by the fork's id."""
    parent, mark, fork = identity.rpartition(FORK_MARK)
    return parent if mark and parent and fork else None
