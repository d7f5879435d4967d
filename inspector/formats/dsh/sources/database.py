"""A database of sessions: who made it, what it holds, and why its owner refuses it (page 2.2)."""

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from inspector.formats.contract import SessionEntry
from inspector.formats.dsh.header import Header, other_version
from inspector.formats.dsh.sources import stores
from inspector.formats.dsh.sources.entries import told
from inspector.formats.shapes import natural, text
from inspector.tape.database import Database
from inspector.tape.database_statements import DatabaseFault
from inspector.text.gate import clean_line

_COLUMNS: Final = stores.TABLES["sessions"]
_LISTED: Final = 100_000

_HEX: Final = "[0-9a-fA-F]"
_UUID: Final = "-".join(_HEX * digits for digits in (8, 4, 4, 4, 12))
"""What a UUID looks like to the database."""
_NO_IDENTITY: Final = "session database has no valid store identity"


@dataclass(frozen=True, slots=True)
class Session:
    """A row of table ``sessions``.

    Attributes:
        header: what a header line would say.
        revision: how often the session was written.
        problem: why the owner lists no session at all because of this one, or None.
    """

    header: Header
    revision: int | None
    problem: str | None


class SessionStore:
    """A database that holds sessions, or once meant to.

    Raises:
        DatabaseFault: if the schema cannot be read.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        objects = [thing.name for thing in database.objects()]
        self._tables = [name for name in database.tables() if name in stores.TABLES]
        self.columns = {table: database.columns(table) for table in self._tables}
        self.schema = database.user_version
        self.problems = stores.schema_problems(
            database.application_id, database.user_version, objects, self.columns
        )

    @property
    def readable(self) -> bool:
        """Whether sessions and events are there by name, whatever the owner says of the rest."""
        return all(
            set(wanted) <= set(self.columns.get(table, ()))
            for table, wanted in (("sessions", ("id",)), ("events", stores.TABLES["events"]))
        )

    def refusal(self) -> str | None:
        """Why the owner opens nothing of this database, or None."""
        if self.problems:
            return f"session database: {'; '.join(self.problems)}"
        return None if self._has_identity() else _NO_IDENTITY

    def faults(self) -> list[str]:
        """Everything for which the owner opens nothing of this database."""
        return self.problems or ([] if self._has_identity() else [_NO_IDENTITY])

    def _has_identity(self) -> bool:
        rows = self.database.fetch(
            "SELECT store_id FROM persistence_state WHERE singleton = 1"
        ).rows
        return bool(rows) and _is_uuid(rows[0][0])

    def sessions(self) -> list[SessionEntry]:
        """All sessions, in the order of their ids.

        Raises:
            DatabaseFault: if table ``sessions`` cannot be read.
        """
        names = self._selected()
        rows = self.database.rows(f"SELECT {names} FROM sessions ORDER BY id LIMIT {_LISTED}")  # noqa: S608 - names of ours
        found = [_entry(_session(row).header) for row in rows]
        return told(self.database, self.schema, found) if self.readable else found

    def session(self, identity: str) -> Session | None:
        """One session, or None if there is no such id."""
        rows = self.database.fetch(
            f"SELECT {self._selected()} FROM sessions WHERE id = ?",  # noqa: S608 - names of ours
            (identity,),
        ).rows
        return _session(rows[0]) if rows else None

    def broken_list(self) -> str | None:
        """Why the owner's list of all sessions fails: one bad row is enough (rules G)."""
        try:
            # Rows that may be bad are picked out by the database: there may be any number.
            for row in self.database.rows(
                f"SELECT {self._selected()} FROM sessions WHERE {self._suspect()} LIMIT {_LISTED}"  # noqa: S608 - names of ours
            ):
                session = _session(row)
                if session.problem is not None:
                    return f"{clean_line(session.header.id or '', 80)}: {session.problem}"
        except DatabaseFault as error:
            return str(error)
        return None

    def _suspect(self) -> str:
        there = set(self.columns.get("sessions", ()))
        terms = [
            term
            for column, term in (
                ("cwd", "(cwd IS NOT NULL AND substr(cwd, 1, 1) <> '/')"),
                ("origin", "(origin IS NOT NULL AND origin <> 'subagent')"),
                ("incarnation", f"(incarnation IS NULL OR incarnation NOT GLOB '{_UUID}')"),
                ("created_at", "(typeof(created_at) <> 'integer' OR created_at < 0)"),
                ("delegation_depth", "(delegation_depth < 0 OR typeof(delegation_depth) = 'text')"),
            )
            if column in there
        ]
        return " OR ".join(terms) if terms else "1"

    def _selected(self) -> str:
        there = set(self.columns.get("sessions", ()))
        return ", ".join(name if name in there else "NULL" for name in _COLUMNS)


def _entry(header: Header) -> SessionEntry:
    relation = None if header.parent is None else header.relation
    return SessionEntry(
        header.id or "", header.created, header.cwd, header.parent, relation=relation
    )


def _session(row: tuple[Any, ...]) -> Session:
    column = dict(zip(_COLUMNS, row, strict=True))
    version = column["version"]
    known = isinstance(version, int) and not isinstance(version, bool)
    header = Header(
        version=version if known else 0,
        id=text(column["id"]) or None,
        created=natural(column["created_at"]),
        cwd=text(column["cwd"]) or None,
        parent=text(column["parent_session"]) or None,
        seed_length=natural(column["seed_length"]),
        origin=text(column["origin"]) or None,
        delegation_depth=natural(column["delegation_depth"]),
        preset=text(column["agent_preset"]) or None,
        incarnation=text(column["incarnation"]) or None,
        lineage_problem=_lineage_problem(column),
        problem=_problem(column) or (other_version(version, "0") if known and version else None),
    )
    return Session(header, natural(column["revision"]), _problem(column))


def _problem(column: dict[str, Any]) -> str | None:
    cwd = column["cwd"]
    if cwd is not None and not text(cwd).startswith("/"):
        return "stored session cwd must be absolute"
    if column["origin"] not in (None, "subagent"):
        return "stored session origin must be subagent or null"
    if not _is_uuid(column["incarnation"]):
        return "stored session incarnation must be a UUID"
    if natural(column["created_at"]) is None:
        return "stored session created_at must be a whole number"
    depth = column["delegation_depth"]
    if depth is not None and natural(depth) is None:
        return "stored session delegation_depth must be a whole number or null"
    return None


def _lineage_problem(column: dict[str, Any]) -> str | None:
    seed = column["seed_length"]
    if seed is not None and natural(seed) is None:
        return "seedLength is not a non-negative safe integer"
    return None


def _is_uuid(value: Any) -> bool:
    try:
        return isinstance(value, str) and str(UUID(value)) == value.lower()
    except ValueError:
        return False
