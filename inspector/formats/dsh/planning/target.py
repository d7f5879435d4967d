"""Where a session that is made would stand, and what its header says (page 1.1, 1.3 and 1.4)."""

from pathlib import Path
from typing import Any, NamedTuple

from inspector.formats.dsh.header import Header
from inspector.formats.dsh.sources.folders import generation
from inspector.formats.dsh.sources.paths import (
    NO_PROJECT,
    is_project_folder,
    project_slug,
    session_segment,
)
from inspector.formats.planning import Making
from inspector.text.jsontext import json_bytes

DEPTH = 0
"""How many agents stand above a session that is made: none (page 4.1)."""

SEEDED_SINCE = 2
"""From this version on the header says that a log is seeded, and an event how far (page 4.6)."""


class Target(NamedTuple):
    """A log that does not exist yet.

    Attributes:
        path: where it would stand.
        packed: whether it is kept as zstd frames.
        found: whether the owner looks there for sessions.
    """

    path: Path
    packed: bool
    found: bool


def target_of(source: Path, cwd: str | None, version: int, making: Making) -> Target:
    """Where a log would stand that is made of another.

    Of a log in a tree of sessions in the same tree, in the same encoding: the owner refuses a tree
    that holds both. Of any other, plain in a folder of its own beside it.
    """
    suffix = f".v{version}.jsonl" if version else ".jsonl"
    folder = session_segment(making.id)
    log, project = generation(source.name), source.parent.parent.name
    if log is None or not is_project_folder(project):
        return Target(source.parent / folder / f"session{suffix}", packed=False, found=False)
    root = source.parent.parent.parent
    name = f"session{suffix}{'.zstd' if log.packed else ''}"
    home = NO_PROJECT if cwd is None else project_slug(cwd)
    return Target(root / home / folder / name, packed=log.packed, found=True)


def working_directory(header: Header) -> str | None:
    """The working directory of a log, None where the owner would refuse it."""
    return header.cwd if header.cwd is not None and header.cwd.startswith("/") else None


def header_line(header: Header, version: int, seed: int, making: Making) -> bytes:
    """The header of a fork: origin, depth and preset of its parent are not inherited (page 4.1).

    Args:
        header: of the parent.
        version: of both.
        seed: how many events it inherits.
        making: identity and time of the fork.
    """
    cwd = working_directory(header)
    said: dict[str, Any] = {
        "type": "session",
        "version": version,
        "id": making.id,
        "createdAt": making.time,
    }
    if cwd is not None:
        said["cwd"] = cwd
    if header.id is not None:
        said["parentSession"] = header.id
    said |= {"isSeeded": True} if version >= SEEDED_SINCE else {"seedLength": seed}
    said["delegationDepth"] = DEPTH
    return json_bytes(said) + b"\n"
