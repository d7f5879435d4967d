"""Subagents: their files beside a session, and the session beside theirs (format page 1.1)."""

from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from inspector.formats.shapes import mapping, text
from inspector.text.gate import clean_line
from inspector.text.labels import plural

_MOST: Final = 200
"""Files of subagents that are looked at."""

_TOLD: Final = 20
_SAID: Final = 80
_LONGEST: Final = 64 * 1024
_PREFIX: Final = "agent-"
_FOLDER: Final = "subagents"


class Subagent(NamedTuple):
    """A file of a subagent: its id, and what its companion says: which call, as what."""

    id: str
    file: str
    call: str | None = None
    type: str | None = None

    @property
    def fact(self) -> str:
        """In words."""
        what = f" ({clean_line(self.type, _SAID)})" if self.type else ""
        of = f"of call {clean_line(self.call, _SAID)}" if self.call else "of an unknown call"
        return f"subagent {clean_line(self.id, _SAID)}{what}, {of}: {clean_line(self.file, _SAID)}"


class Beside(NamedTuple):
    """What is known of a transcript from the files around it.

    Attributes:
        parent: the session that a subagent's file belongs to, or None.
        itself: the subagent whose file it is, or None.
        subagents: those of a session.
        more: how many subagents were not looked at.
    """

    parent: str | None = None
    itself: Subagent | None = None
    subagents: tuple[Subagent, ...] = ()
    more: int = 0

    def facts(self) -> tuple[str, ...]:
        """In words, a sentence each."""
        found = [self.itself.fact] if self.itself else []
        found += [agent.fact for agent in self.subagents[:_TOLD]]
        rest = len(self.subagents) - _TOLD + self.more
        if rest > 0:
            found.append(f"{plural(rest, 'more subagent')}")
        return tuple(found)


def look_around(path: Path) -> Beside:
    """What stands around a transcript."""
    if path.name.startswith(_PREFIX):
        parents = [folder.name for folder in path.absolute().parents[:4]]
        parent = None
        if _FOLDER in parents[:-1]:
            parent = parents[parents.index(_FOLDER) + 1]
        return Beside(parent, _subagent(path, path.name))
    folder = path.with_name(path.name.partition(".")[0]) / _FOLDER
    files = sorted(_files(folder))
    agents = tuple(_subagent(file, str(file.relative_to(folder))) for file in files[:_MOST])
    return Beside(None, None, agents, max(0, len(files) - _MOST))


def _files(folder: Path) -> list[Path]:
    try:
        return [file for file in folder.rglob(f"{_PREFIX}*.jsonl") if file.is_file()]
    except OSError:
        return []


def _subagent(file: Path, name: str) -> Subagent:
    stem = file.name.removesuffix(".jsonl")
    known = _companion(file.with_name(f"{stem}.meta.json"))
    call, kind = text(known.get("toolUseId")), text(known.get("agentType"))
    return Subagent(stem.removeprefix(_PREFIX), name, call or None, kind or None)


def _companion(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            return mapping(orjson.loads(opened.read(_LONGEST)))
    except (OSError, orjson.JSONDecodeError):
        return {}
