"""The header line of a log (format page 1.4 and 11, and the order of rules page B)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import copysign
from typing import Any, Final

from inspector.formats.shapes import natural, text, whole
from inspector.tape import jsonline

NEWEST: Final = 5
"""The newest log version that this program reads; the first is 0."""

_SEEDED_SINCE: Final = 2
"""From this version on a header says that a log is seeded, and an event says how far."""

_RETIRED: Final = ("sandboxMode", "approvalPolicy")


@dataclass(frozen=True, slots=True)
class Header:
    """A header line, or the row of a session, as far as it can be read.

    Attributes:
        version: as the log says; one that this program does not read is never folded.
        seed_length: how many leading events are inherited, where the header says so.
        seeded: whether leading events are inherited, where an event says how many.
        incarnation: which life of the id this is, where a database counts them.
        problem: why the owner refuses the header before it looks at anything else, or None.
        lineage_problem: why it refuses the header after it has looked at types, or None.
    """

    version: float = 0
    id: str | None = None
    created: int | None = None
    cwd: str | None = None
    parent: str | None = None
    seed_length: int | None = None
    seeded: bool = False
    origin: str | None = None
    delegation_depth: int | None = None
    preset: str | None = None
    incarnation: str | None = None
    problem: str | None = None
    lineage_problem: str | None = None

    @property
    def readable(self) -> bool:
        """Whether the log is of a version that this program folds."""
        return self.version in range(NEWEST + 1)

    @property
    def relation(self) -> str:
        """What a log is to its parent, if it names one."""
        return relation_of(self.origin is not None, self.seeded or self.seed_length is not None)


def relation_of(has_origin: bool, inherits: bool) -> str:
    """What a log is to its parent: only a fork inherits anything (format page 4.1), and only of a
    subagent the header says where it came from (1.4).
    """
    if inherits:
        return "fork"
    return "subagent" if has_origin else "child"


def is_header(record: Any) -> bool:
    """Whether a decoded first line means to be a header."""
    return isinstance(record, dict) and record.get("type") == "session"


def parse(line: bytes) -> Header | None:
    """Read a first line; None if it is not a header at all."""
    return read(line)[0]


def read(line: bytes) -> tuple[Header | None, bool]:
    """The header of a first line, None if it is none, and whether the line is JSON at all."""
    try:
        record, _ = jsonline.parse(line)
    except ValueError:
        return None, False
    # Many an id holds these two bytes, and a look at the whole line is dear.
    doubtful = b"-0" in line and (b"\\u" in line or _MINUS_ZERO.search(line) is not None)
    return of_record(record, signed=doubtful and _is_minus_zero(line)), True


def name_problem(header: Header, name: str) -> str | None:
    """Why the owner does not read a log of this version from a file of this name.

    It chooses its reader by the name: ``session.jsonl`` is version 0, ``session.vN.jsonl`` version
    N (format page 0.2). A name may stand before that.
    """
    found = _GENERATION.search(name)
    named = int(found[1]) if found is not None else 0
    if header.version == named or not header.readable:
        return None
    return other_version(header.version, str(named), named)


_GENERATION: Final = re.compile(r"(?:^|\.)session\.v([0-9]{1,9})\.jsonl(?:\.zstd?)?$")


def seed_problem(header: Header, says_inherited: bool) -> str | None:
    """Why the owner refuses how header and events speak of a seed (format page 4.6).

    Args:
        header: of the log.
        says_inherited: whether an event says how far it reaches.
    """
    if header.version < _SEEDED_SINCE or header.seeded == says_inherited:
        return None
    if header.seeded:
        return "the log is seeded, but no session/end-seed says what it inherited"
    return "the log is not seeded, but a session/end-seed says what it inherited"


def mended(record: Any) -> Header | None:
    """A header from a first line that is no JSON as it stands: the owner refuses the log."""
    found = of_record(record)
    if found is None or not found.readable:
        return found
    return replace(found, problem="header line is not valid JSON")


def of_record(record: Any, *, signed: bool = False) -> Header | None:
    """Read a decoded first line; None if it is not a header at all.

    Args:
        record: any JSON value.
        signed: whether ``createdAt`` is written as minus zero, which only its text tells.
    """
    if not is_header(record):
        return None
    version = record.get("version")
    if not isinstance(version, int | float) or isinstance(version, bool):
        version = 0
    if version not in range(NEWEST + 1):
        return Header(version=version, problem=other_version(version))
    return Header(
        version=version,
        id=text(record.get("id")) or None,
        created=natural(record.get("createdAt")),
        cwd=text(record.get("cwd")) or None,
        parent=text(record.get("parentSession")) or None,
        seed_length=natural(record.get("seedLength")) if version < _SEEDED_SINCE else None,
        seeded=record.get("isSeeded") is True,
        origin=text(record.get("origin")) or None,
        delegation_depth=natural(record.get("delegationDepth")),
        preset=text(record.get("agentPreset")) or None,
        problem=_problem(record, signed),
        lineage_problem=_lineage_problem(record),
    )


_MINUS_ZERO: Final = re.compile(
    rb'"createdAt"[ \t\r]*:[ \t\r]*-0(?:\.0+)?(?:[eE][+-]?[0-9]+)?[ \t\r,}]'
)
"""For a line too deep to be asked otherwise."""


def _is_minus_zero(line: bytes) -> bool:
    """Whether createdAt is -0, which the owner refuses and most readers lose (format page 1.4)."""
    try:
        record = json.loads(line, parse_int=float)
    except ValueError:
        return False
    except RecursionError:
        return _MINUS_ZERO.search(line) is not None
    created = record.get("createdAt")
    return isinstance(created, float) and created == 0 and copysign(1, created) < 0


def other_version(version: float, supported: str = f"0 to {NEWEST}", oldest: int = 0) -> str:
    """Why the owner refuses a version that it does not read."""
    if version > oldest:
        return (
            f"format version {version} is newer than the supported {supported} - "
            "written by a newer harness"
        )
    return f"format version {version} is older than the supported {supported}: no upgrade path"


def _problem(record: Mapping[str, Any], signed: bool) -> str | None:
    """Why the owner refuses a header of a version that it reads, or None."""
    version = whole(record.get("version"))
    shape_ok = (
        version is not None
        and not isinstance(record.get("version"), bool)
        and isinstance(record.get("id"), str)
        and natural(record.get("createdAt")) is not None
        and not signed
        and natural(record.get("delegationDepth")) is not None
        and record.get("origin", "subagent") == "subagent"
        and isinstance(record.get("agentPreset", ""), str)
        and (version < _SEEDED_SINCE or isinstance(record.get("isSeeded"), bool))
    )
    if not shape_ok:
        return "first line is not a session header"
    retired = [key for key in _RETIRED if key in record]
    if retired:
        return f"retired policy baseline fields: {', '.join(retired)}"
    cwd = record.get("cwd", "/")
    return None if isinstance(cwd, str) else "cwd cannot name a storage path"


def _lineage_problem(record: Mapping[str, Any]) -> str | None:
    if not text(record.get("cwd", "/")).startswith("/"):
        return "cwd is not an absolute path"
    if not isinstance(record.get("parentSession", ""), str):
        return "parentSession is not a string"
    if "seedLength" in record and natural(record["seedLength"]) is None:
        return "seedLength is not a non-negative safe integer"
    return None
