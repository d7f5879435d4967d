"""The header line of a DeepSeek Harness log (format page 1.4, and the order of rules page B)."""

from dataclasses import dataclass
from typing import Any, Final

from inspector.formats.dsh import parsing
from inspector.formats.shapes import natural, text, whole

VERSION: Final = 0
"""The log version that this module reads."""

_RETIRED: Final = ("sandboxMode", "approvalPolicy")


@dataclass(frozen=True, slots=True)
class Header:
    """A header line as far as it can be read.

    Attributes:
        problem: why the owner refuses the header before it looks at anything else, or None.
        lineage_problem: why it refuses the header after it has looked at types, or None.
        other_version: the version, if it is one that this module does not read.
    """

    id: str | None = None
    created: int | None = None
    cwd: str | None = None
    parent: str | None = None
    seed_length: int | None = None
    problem: str | None = None
    lineage_problem: str | None = None
    other_version: float | None = None


def is_header(record: Any) -> bool:
    """Whether a decoded first line means to be a header."""
    return isinstance(record, dict) and record.get("type") == "session"


def parse(line: bytes) -> Header | None:
    """Read a first line; None if it is not a header at all."""
    try:
        record, _ = parsing.parse(line)
    except ValueError:
        return None
    if not is_header(record):
        return None
    version = record.get("version")
    if isinstance(version, int | float) and not isinstance(version, bool) and version != VERSION:
        return Header(problem=_other_version(version), other_version=version)
    return Header(
        id=text(record.get("id")) or None,
        created=natural(record.get("createdAt")),
        cwd=text(record.get("cwd")) or None,
        parent=text(record.get("parentSession")) or None,
        seed_length=natural(record.get("seedLength")),
        problem=_problem(record),
        lineage_problem=_lineage_problem(record),
    )


def _other_version(version: float) -> str:
    if version > VERSION:
        return (
            f"format version {version} is newer than the supported {VERSION} - "
            "written by a newer harness"
        )
    return f"format version {version} is older than the supported {VERSION}: no upgrade path"


def _problem(record: dict[str, Any]) -> str | None:
    """Why the owner refuses a header of its own version, or None."""
    shape_ok = (
        whole(record.get("version")) == VERSION
        and isinstance(record.get("id"), str)
        and natural(record.get("createdAt")) is not None
        and natural(record.get("delegationDepth")) is not None
        and record.get("origin", "subagent") == "subagent"
        and isinstance(record.get("agentPreset", ""), str)
    )
    if not shape_ok:
        return "first line is not a session header"
    retired = [key for key in _RETIRED if key in record]
    if retired:
        return f"retired policy baseline fields: {', '.join(retired)}"
    return None


def _lineage_problem(record: dict[str, Any]) -> str | None:
    cwd = record.get("cwd", "/")
    if not isinstance(cwd, str) or not cwd.startswith("/"):
        return "cwd is not an absolute path"
    if not isinstance(record.get("parentSession", ""), str):
        return "parentSession is not a string"
    if "seedLength" in record and natural(record["seedLength"]) is None:
        return "seedLength is not a non-negative safe integer"
    return None
