"""Where a session's log must stand, by what its header says (format page 1.1)."""

import re
from pathlib import Path
from typing import Final

from inspector.formats.dsh.sources.folders import generation
from inspector.text.gate import clean_line

NO_PROJECT: Final = "_no-cwd"
"""The project folder of sessions without a working directory."""

_LONGEST_SLUG: Final = 251
_SHOWN: Final = 120
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]")
_SEPARATORS_OR_UNSAFE: Final = re.compile(r"[/\\:]+|[^A-Za-z0-9._-]")
_PROJECT: Final = re.compile(r"--[A-Za-z0-9._~-]{1,251}--")
_LOG_SUFFIXES: Final = (".jsonl", ".jsonl.zstd")
_ALL_DOTS: Final = {".": "~002E", "..": "~002E~002E"}


def project_slug(cwd: str) -> str:
    """The name of the project folder of a working directory.

    Many directories have the same: separators fold and long names are cut.
    """
    readable = _SEPARATORS_OR_UNSAFE.sub(_separator_or_escape, cwd).lstrip("-") or "root"
    return f"--{readable[:_LONGEST_SLUG]}--"


def session_segment(identity: str) -> str:
    """The name of the folder of a session.

    Raises:
        ValueError: for the empty id, which has none.
    """
    if not identity:
        raise ValueError("the empty id has no folder")
    return _ALL_DOTS.get(identity) or _UNSAFE.sub(_escape, identity)


def is_project_folder(name: str) -> bool:
    """Whether a name can be that of a project folder."""
    return name == NO_PROJECT or _PROJECT.fullmatch(name) is not None


def path_problems(path: Path, identity: str | None, cwd: str | None) -> list[str]:
    """Why the owner would not find a log where it stands, in sentences.

    Only a log in a tree of sessions can stand in a wrong place; a file anywhere else has no
    problem, and neither has one whose header has no id, for nothing is known of it.
    """
    if not identity:
        return []
    project = path.parent.parent.name
    if generation(path.name) is None or not is_project_folder(project):
        return [_FLAT] if _is_flat(path, identity) else []
    wanted = NO_PROJECT if cwd is None else project_slug(cwd)
    found = [
        _mismatch("session folder", path.parent.name, "id", identity, session_segment(identity)),
        _mismatch("project folder", project, "cwd", cwd, wanted),
    ]
    return [problem for problem in found if problem is not None]


_FLAT: Final = "stands in the old flat layout, which the owner refuses: a session has a folder"


def _is_flat(path: Path, identity: str) -> bool:
    names = (session_segment(identity) + suffix for suffix in _LOG_SUFFIXES)
    return is_project_folder(path.parent.name) and path.name in names


def _mismatch(what: str, name: str, field: str, value: str | None, wanted: str) -> str | None:
    if name == wanted:
        return None
    says = f"no {field}" if value is None else f"{field} {clean_line(value, _SHOWN)}"
    return (
        f"the {what} is {clean_line(name, _SHOWN)}, but the header says {says}, "
        f"which belongs in {clean_line(wanted, _SHOWN)}"
    )


def _separator_or_escape(match: re.Match[str]) -> str:
    return "-" if match.group()[0] in "/\\:" else _escape(match)


def _escape(match: re.Match[str]) -> str:
    """Each UTF-16 code unit as the owner escapes it; a lone surrogate is one of its own."""
    units = match.group().encode("utf-16-be", "surrogatepass")
    return "~" + units.hex("~", 2).upper()
