"""The owner's databases: which is a store of sessions, and which only looks like one.

The owner compares the text of the schema and refuses the least difference. A reader needs names
only, so these are compared (format page 2.2, 2.3, 2.6 and 2.7).
"""

from collections.abc import Iterable, Mapping
from typing import Final

from inspector.text.gate import clean_line

STORE_APPLICATION: Final = 0x44534850
SEARCH_APPLICATION: Final = 0x44534851

SCHEMA: Final = 17
"""The schema of the newest store; 15 has the same tables and columns."""

SEARCH_INDEX: Final = "the harness's search index (DSHQ): copies of texts, not a store of sessions"

TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "persistence_state": ("singleton", "store_id"),
    "sessions": (
        "id",
        "version",
        "created_at",
        "cwd",
        "parent_session",
        "seed_length",
        "origin",
        "delegation_depth",
        "agent_preset",
        "incarnation",
        "revision",
    ),
    "events": (
        "session_id",
        "seq",
        "type",
        "time",
        "data",
        "source_event_seqs",
        "surface_op",
        "ignorable",
    ),
}
"""The tables of a store and their columns."""

_SEARCH_TABLES: Final = frozenset(("search_state", "persisted_sessions", "persisted_docs"))
_NAMES_TOLD: Final = 5
_SHOWN: Final = 80


def is_search_index(application_id: int, tables: Iterable[str]) -> bool:
    """Whether a database is the search index; say so with `SEARCH_INDEX`."""
    return application_id == SEARCH_APPLICATION and set(tables) >= _SEARCH_TABLES


def schema_problems(
    application_id: int,
    user_version: int,
    objects: Iterable[str],
    columns: Mapping[str, Iterable[str]],
) -> list[str]:
    """Why the owner refuses a database as a store of its newest schema, in sentences.

    Args:
        application_id: whose database its header says it is.
        user_version: the schema that its header says it has.
        objects: the names of tables, indexes, views and triggers.
        columns: the names of the columns by table.
    """
    present = {name for name in objects if not name.startswith("sqlite_")}
    if user_version == 0 and (application_id or present):
        return [f"unversioned (schema 0, application id {application_id}), but not empty"]
    if not present and not application_id:
        return ["SQLite without tables"]
    if application_id != STORE_APPLICATION:
        whose = ", that of its search index" if application_id == SEARCH_APPLICATION else ""
        return [f"not a harness store (application id {application_id}{whose})"]
    problems = _version_problems(user_version)
    problems += _missing(present, columns)
    if user_version <= SCHEMA:
        problems += _added(present, columns)
    return problems


def _version_problems(version: int) -> list[str]:
    if version == SCHEMA:
        return []
    if version > SCHEMA:
        return [f"schema {version} is newer than {SCHEMA}"]
    return [f"schema {version}, older than {SCHEMA}"]


def _missing(present: set[str], columns: Mapping[str, Iterable[str]]) -> list[str]:
    problems: list[str] = []
    for table, wanted in TABLES.items():
        if table not in present:
            problems.append(f"no table {table}")
            continue
        there = set(columns.get(table, ()))
        absent = [name for name in wanted if name not in there]
        if absent:
            problems.append(f"table {table} lacks {_listed(absent)}")
    return problems


def _added(present: set[str], columns: Mapping[str, Iterable[str]]) -> list[str]:
    """What the tables of a known schema do not have; a newer schema may have more."""
    problems: list[str] = []
    added = sorted(present - TABLES.keys())
    if added:
        problems.append(f"also holds {_listed(added)}; the owner refuses an added index or table")
    for table, known in TABLES.items():
        more = sorted(set(columns.get(table, ())) - set(known))
        if more and table in present:
            problems.append(f"table {table} also has {_listed(more)}; the owner refuses that")
    return problems


def _listed(names: list[str]) -> str:
    told = ", ".join(clean_line(name, _SHOWN) for name in names[:_NAMES_TOLD])
    rest = len(names) - _NAMES_TOLD
    return f"{told} and {rest:,} more" if rest > 0 else told
