"""Storage units in one SQLite database (format page 2.7)."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol

from inspector.formats.dsh.beside.domain import (
    CUT_SHORT,
    MALFORMED,
    VERSION_MISMATCH,
    Domain,
    Faults,
    shown,
)
from inspector.formats.dsh.beside.domain_units import (
    KNOWN,
    LONGEST,
    UNREADABLE,
    Contents,
    json_value,
    name_problem,
    read_unit,
)
from inspector.tape.source import SourceError

DATABASE_VERSION: Final = 1
"""The user_version of a database that is laid out so."""

MOST_UNITS: Final = 1_000
"""Units that are read of one database."""

_OWN_TABLES: Final = frozenset(("units", "unit_globals"))


class SchemaObject(Protocol):
    """A row of a database's schema."""

    @property
    def type(self) -> str:
        """What it is: table, index, view or trigger."""

    @property
    def name(self) -> str:
        """What it is called."""


class Database(Protocol):
    """As much of a database as is asked for here."""

    @property
    def application_id(self) -> int:
        """Whose database it is; 0 if it does not say."""

    @property
    def user_version(self) -> int:
        """The version of its layout, as its owner counts."""

    def objects(self) -> Sequence[SchemaObject]:
        """The schema.

        Raises:
            SourceError: if it cannot be read.
        """

    def rows(self, sql: str, parameters: Sequence[Any] = (), /) -> Iterator[tuple[Any, ...]]:
        """The rows of a query.

        Raises:
            SourceError: if they cannot be read, after those that could be.
        """


def recognise_database(database: Database) -> bool:
    """Whether a database holds storage units and not sessions; its version does not matter."""
    return database.application_id == 0 and _tables(database, Faults()) >= _OWN_TABLES


def read_database(database: Database) -> list[Domain]:
    """The domains of a database; whatever it holds, it is an answer.

    Where something is wrong that belongs to no unit, a last domain without a name tells it.
    """
    stray = Faults()
    # The owner stamps its version on a database that has none yet.
    if database.user_version not in (0, DATABASE_VERSION):
        message = f"database version {database.user_version}, known version {DATABASE_VERSION}"
        stray.add(VERSION_MISMATCH, "user_version", message)
    tables = _tables(database, stray)
    versions = _versions(database, stray)
    for name, known in KNOWN.items():
        table = _table_name(name, known.table)
        if name not in versions and table in tables:
            stray.add(MALFORMED, "units", f"no row for unit {name}, but there is a table {table}")
            versions[name] = None
    domains = [_domain(database, *unit, tables) for unit in versions.items()]
    faults = stray.told()
    return [*domains, Domain(None, None, faults=faults)] if faults else domains


def _tables(database: Database, faults: Faults) -> frozenset[str]:
    try:
        found = database.objects()
    except SourceError as error:
        faults.add(MALFORMED, "the schema", str(error))
        return frozenset()
    return frozenset(entry.name for entry in found if entry.type == "table")


def _table_name(unit: str, table: str) -> str:
    return f"u_{unit}_{table}"


def _versions(database: Database, faults: Faults) -> dict[str, int | None]:
    """The units that the database says it holds, with their versions."""
    found: dict[str, int | None] = {}
    query = "SELECT name, version FROM units LIMIT ?"
    for name, version in _rows(database, query, (MOST_UNITS + 1,), "units", faults):
        if len(found) == MOST_UNITS:
            message = f"{MOST_UNITS:,} units are read; the rest are not"
            faults.add(CUT_SHORT, "units", message)
            break
        if not isinstance(name, str):
            faults.add(MALFORMED, "units", "a name is not text")
        elif name in found:
            faults.add(MALFORMED, "units", f"unit {shown(name)} has two rows; the first counts")
        else:
            found[name] = version if isinstance(version, int) else None
    return found


def _domain(database: Database, name: str, version: int | None, tables: frozenset[str]) -> Domain:
    faults = Faults()
    place = f"units.{shown(name)}"
    problem = name_problem(name)
    if problem is not None:
        faults.add(MALFORMED, place, problem)
    if version is None:
        faults.add(MALFORMED, place, "has no version")
    known = KNOWN.get(name)
    if known is None:
        return Domain(name, version, faults=faults.told())
    table = _table_name(name, known.table)
    state = _state(database, name, faults)
    records = _records(database, table, faults) if table in tables else ()
    return read_unit(Contents(name, version, state, "unit_globals", records, table), faults)


def _state(database: Database, unit: str, faults: Faults) -> Any:
    """The global value of a unit; None where it has none, as in a file."""
    query = "SELECT substr(value, 1, ?) FROM unit_globals WHERE unit = ?"
    try:
        for (value,) in database.rows(query, (LONGEST + 1, unit)):
            return _value(value, "unit_globals", faults)
    except SourceError as error:
        faults.add(MALFORMED, "unit_globals", str(error))
        return UNREADABLE
    return None


def _records(database: Database, table: str, faults: Faults) -> Iterator[tuple[str, Any]]:
    # The name of the table is made of constants; a parameter cannot stand for it.
    query = f'SELECT key, substr(value, 1, ?) FROM "{table}"'  # noqa: S608
    for key, value in _rows(database, query, (LONGEST + 1,), table, faults):
        if not isinstance(key, str):
            faults.add(MALFORMED, table, "a key is not text")
            continue
        record = _value(value, f"{table}.{shown(key)}", faults)
        if record is not UNREADABLE:
            yield key, record


def _value(value: Any, place: str, faults: Faults) -> Any:
    if not isinstance(value, str):
        faults.add(MALFORMED, place, "the value is not text")
        return UNREADABLE
    try:
        data = value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = value.encode("utf-8", "surrogatepass")
    return json_value(data, place, faults)


def _rows(
    database: Database, query: str, parameters: Sequence[Any], place: str, faults: Faults
) -> Iterator[tuple[Any, ...]]:
    try:
        yield from database.rows(query, parameters)
    except SourceError as error:
        faults.add(MALFORMED, place, str(error))
