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
    """A file of a subagent: its id, and what its companion says: which call, as what, and of which
    other subagent it is one.
    """

    id: str
    file: str
    call: str | None = None
    type: str | None = None
    above: str | None = None

    def fact(self, session: str | None = None) -> str:
        """In words; with the session that it belongs to, where that is not the tape's own."""
        what = f" ({clean_line(self.type, _SAID)})" if self.type else ""
        of = f"of call {clean_line(self.call, _SAID)}" if self.call else "of an unknown call"
        said = f"subagent {clean_line(self.id, _SAID)}{what}, {of}"
        if session is not None:
            return f"{said} of session {clean_line(session, _SAID)}"
        return f"{said}: {clean_line(self.file, _SAID)}"


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
        found = [f"this is {self.itself.fact(self.parent)}"] if self.itself else []
        found += [agent.fact() for agent in self.subagents[:_TOLD]]
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
        return Beside(parent or _session_of(path), _subagent(path, path.name))
    session = path.name.partition(".")[0]
    folder = path.with_name(session) / _FOLDER
    files = sorted(_files(folder))
    agents = [_subagent(file, str(file.relative_to(folder))) for file in files[:_MOST]]
    more = max(0, len(files) - _MOST)
    # Older builds put them beside the sessions; only their first line tells whose they are.
    legacy = sorted(_files(path.parent, deep=False))
    known = {agent.id for agent in agents}
    for file in legacy[: _MOST - len(agents)]:
        agent = _subagent(file, file.name)
        if agent.id not in known and _session_of(file) == session:
            agents.append(agent)
    return Beside(None, None, tuple(agents), more)


def _files(folder: Path, *, deep: bool = True) -> list[Path]:
    pattern = f"{_PREFIX}*.jsonl"
    try:
        found = folder.rglob(pattern) if deep else folder.glob(pattern)
        return [file for file in found if file.is_file()]
    except OSError:
        return []


def _session_of(file: Path) -> str | None:
    """The session that the first line of a file names, or None."""
    try:
        with file.open("rb") as opened:
            line = opened.read(_LONGEST).partition(b"\n")[0]
        return text(mapping(orjson.loads(line)).get("sessionId")) or None
    except (OSError, orjson.JSONDecodeError):
        return None


def _subagent(file: Path, name: str) -> Subagent:
    stem = file.name.removesuffix(".jsonl")
    known = _companion(file.with_name(f"{stem}.meta.json"))
    call, kind = text(known.get("toolUseId")), text(known.get("agentType"))
    above = text(known.get("parentAgentId"))
    itself = stem.removeprefix(_PREFIX)
    return Subagent(
        itself, name, call or None, kind or None, above if above not in ("", itself) else None
    )


def _companion(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            return mapping(orjson.loads(opened.read(_LONGEST)))
    except (OSError, orjson.JSONDecodeError):
        return {}
