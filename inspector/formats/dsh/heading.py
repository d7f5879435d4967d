"""What the first line of a log tells a list: nearly every one is as the owner writes it."""

from functools import lru_cache
from typing import Final, NamedTuple

import orjson

from inspector.formats.dsh import header as headers
from inspector.formats.dsh.header import Header, relation_of
from inspector.formats.ends import Edges, beginning
from inspector.formats.shapes import SAFE_INTEGER, natural


class Facts(NamedTuple):
    """What the header says, and why the owner refuses it, at once or later than for a type."""

    version: float = 0
    id: str | None = None
    created: int | None = None
    cwd: str | None = None
    parent: str | None = None
    relation: str | None = None
    headers: int = 0
    readable: bool = True
    refusal: str | None = None
    late_refusal: str | None = None


def facts_of(looked: Edges, name: str) -> Facts:
    """What the first line of a log of this name tells, as far as it is seen."""
    return _plain(looked, name) or _of_header(*_header(looked, name))


def _plain(looked: Edges, name: str) -> Facts | None:
    """What a header says that has only what the owner writes; it refuses none of these."""
    if not looked.tail:
        return None
    try:
        value = orjson.loads(looked.first)
        version, created, depth = value["version"], value["createdAt"], value["delegationDepth"]
        identity, cwd, more = value["id"], value["cwd"], value.keys() - _PLAIN
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    numbers = type(version) is type(created) is type(depth) is int
    if not numbers or type(identity) is not str or type(cwd) is not str:
        return None
    if not (0 <= version <= headers.NEWEST and 0 < created <= SAFE_INTEGER >= depth >= 0):
        return None
    inherits = False
    for key in more:
        held, wanted = value[key], _MORE.get(key)
        if type(held) is not wanted or (key == "seedLength" and natural(held) is None):
            return None
        inherits = inherits or held is True or key == "seedLength"
    wrong = cwd[:1] != "/" or not identity or value.get("origin", "subagent") != "subagent"
    if wrong or ("isSeeded" in more) is not (version > 1) or ("seedLength" in more and version > 1):
        return None
    parent, refusal = value.get("parentSession") or None, _misnamed(name, version)
    relation = None if parent is None else relation_of("origin" in more, inherits)
    return Facts(version, identity, created, cwd, parent, relation, 1, True, refusal)


_PLAIN: Final = frozenset(("type", "version", "id", "createdAt", "cwd", "delegationDepth"))
"""The keys of every header that is looked at no closer (format page 1.4)."""

_MORE: Final[dict[str, type]] = {
    "parentSession": str,
    "agentPreset": str,
    "origin": str,
    "seedLength": int,
    "isSeeded": bool,
}
"""Keys that it may have beside these, and what they hold."""


def _of_header(header: Header | None, refusal: str | None) -> Facts:
    if header is None:
        return Facts(refusal=refusal)
    relation = None if header.parent is None else header.relation
    return Facts(
        header.version,
        header.id,
        header.created,
        header.cwd,
        header.parent,
        relation,
        1,
        header.readable,
        refusal,
        header.lineage_problem,
    )


def _header(looked: Edges, name: str) -> tuple[Header | None, str | None]:
    """The header as far as it is seen, and why the owner refuses it, as far as that is seen."""
    line = looked.first
    if looked.first_is_cut:
        header = headers.of_record(beginning(line))
        # What it lacks may come.
        return header, None if header is None or header.readable else header.problem
    if not looked.tail and looked.whole:
        return headers.parse(line), "empty or header-less session log"
    header, is_json = headers.read(line)
    if header is not None:
        return header, _misnamed(name, header.version) or header.problem
    if is_json:
        return None, "first line is not a session header"
    from inspector.formats.dsh.sources.lines import mended_header  # seldom needed

    found = mended_header(line)
    header = None if found is None else headers.mended(found.pieces[0].value)
    return header, "header line is not valid JSON"


@lru_cache(maxsize=64)
def _misnamed(name: str, version: float) -> str | None:
    return headers.name_problem(Header(version=version), name)
