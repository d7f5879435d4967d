"""Storage units as JSON files, one unit a file (format page 1.2)."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import orjson

from inspector.formats.dsh.beside.domain import MALFORMED, Domain, Faults, shown
from inspector.formats.dsh.beside.domain_units import (
    KNOWN,
    UNREADABLE,
    Contents,
    json_value,
    name_problem,
    number,
    read_unit,
)
from inspector.formats.dsh.sources.folders import generation
from inspector.formats.dsh.sources.paths import is_project_folder
from inspector.formats.shapes import mapping, text

_START: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"unit"\s*:\s*\{([^{}]*)')


def recognise_file(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a storage unit, whole or damaged."""
    try:
        document = orjson.loads(head)
    except orjson.JSONDecodeError:
        start = _START.match(head)
        return start is not None and b'"name"' in start[1] and b'"version"' in start[1]
    unit = mapping(mapping(document).get("unit"))
    return "name" in unit and ("tables" in document or "global" in document)


def read_file(data: bytes, unit: str | None = None) -> Domain:
    """The domain of a storage file; whatever the bytes are, it is an answer.

    Args:
        data: the whole file.
        unit: the name of the file without ``.json``: the owner refuses any other unit in it.
    """
    faults = Faults()
    document = json_value(data, "the file", faults)
    if not isinstance(document, dict):
        if document is not UNREADABLE:
            faults.add(MALFORMED, "the file", "is not a JSON object")
        return Domain(None, None, faults=faults.told())
    name, version = _header(document.get("unit"), unit, faults)
    known = KNOWN.get(name or "")
    records = {} if known is None else _table(document.get("tables"), known.table, faults)
    place = "tables" if known is None else f"tables.{known.table}"
    state = document.get("global")
    return read_unit(Contents(name, version, state, "global", records.items(), place), faults)


def domain_files(session: Path, names: Callable[[Path], Iterable[str]]) -> list[Path]:
    """The storage files of the home that a session's log stands in, or none.

    Args:
        session: ``<home>/sessions/<project>/<id>/session*.jsonl*``; anything else has none.
        names: the names in a folder, none if there is no such folder.
    """
    if len(session.parents) < 4 or generation(session.name) is None:
        return []
    _, project, root, home = session.parents[:4]
    if root.name != "sessions" or not is_project_folder(project.name):
        return []
    folder = home / "storages"
    return [folder / name for name in sorted(names(folder)) if name.endswith(".json")]


def _header(header: Any, file: str | None, faults: Faults) -> tuple[str | None, float | None]:
    """Name and version of a unit, as far as its file says them."""
    if not isinstance(header, dict):
        faults.add(MALFORMED, "unit", "is not an object")
        return None, None
    version = number(header.get("version"))
    if version is None:
        faults.add(MALFORMED, "unit.version", "is not a number")
    name = text(header.get("name")) or None
    if name is None:
        faults.add(MALFORMED, "unit.name", "is not a name")
        return None, version
    problem = name_problem(name)
    if problem is not None:
        faults.add(MALFORMED, "unit.name", problem)
    elif file not in (None, name):
        message = f"unit {shown(name)} in the file of unit {shown(str(file))}"
        faults.add(MALFORMED, "unit.name", message)
    return name, version


def _table(tables: Any, name: str, faults: Faults) -> dict[str, Any]:
    """The records of a table; one that is not written is empty."""
    if not isinstance(tables, dict):
        faults.add(MALFORMED, "tables", "is not an object")
        return {}
    table = tables.get(name, {})
    if not isinstance(table, dict):
        faults.add(MALFORMED, f"tables.{name}", "is not an object")
        return {}
    return table
