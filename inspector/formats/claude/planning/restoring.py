"""Files that checkpoints could bring back to what they were (format page 1.1, 1.4 and 1.8)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from inspector.formats.claude.planning.branch import SNAPSHOT
from inspector.formats.claude.planning.material import Material
from inspector.formats.planning import Restorable
from inspector.formats.shapes import mapping, natural, text
from inspector.text.gate import clean_line
from inspector.timeline.words import SpanKind

_NAME: Final = re.compile(r"[0-9A-Za-z]{1,80}@v[0-9]{1,9}")
_SESSION: Final = re.compile(r"[0-9A-Fa-f-]{36}")
_PROJECTS: Final = "projects"
_FOLDER: Final = "file-history"


class _Kept(NamedTuple):
    """What a checkpoint says of a file, its event, and before which event the file was so."""

    event: int
    before: int
    backup: dict[str, Any]


def restorable(material: Material, cut: int) -> list[Restorable]:
    """What going back to the cut would do to files.

    Checkpoints are made at prompts. Of each file the first counts that is of a prompt behind the
    cut; of one that none of those knows, the last one before the cut, which goes further back.
    """
    behind: dict[str, _Kept] = {}
    earlier: dict[str, _Kept] = {}
    for path, kept in _kept(material):
        if kept.before < cut:
            earlier[path] = kept
        elif path not in behind or kept.before < behind[path].before:
            behind[path] = kept
    last = _last_prompt(material, cut)
    for path, kept in earlier.items():
        if path not in behind and kept.before == last:
            behind[path] = kept
    return [_restorable(material, path, kept, cut) for path, kept in behind.items()]


def _restorable(material: Material, path: str, kept: _Kept, cut: int) -> Restorable:
    nothing, how = _how(material, kept, cut)
    folder = text(material.payload(kept.before).get("cwd"))
    return Restorable(path, kept.event, how, not nothing, folder)


def _kept(material: Material) -> Iterator[tuple[str, _Kept]]:
    for event in material.timeline.table.of_type(SNAPSHOT, 0, material.head):
        record = material.payload(event)
        snapshot = mapping(record.get("snapshot"))
        prompt = material.find(record.get("messageId") or snapshot.get("messageId"))
        before = event if prompt is None else prompt
        for path, backup in mapping(snapshot.get("trackedFileBackups")).items():
            yield path, _Kept(event, before, mapping(backup))


def _last_prompt(material: Material, cut: int) -> int | None:
    """The last prompt before a cut behind which something follows: within a turn."""
    spans = material.timeline.spans[SpanKind.TURN]
    found: int | None = None
    for span in spans.open_at(cut):
        found = span.opened - 1
    return found


def _how(material: Material, kept: _Kept, cut: int) -> tuple[bool, str]:
    """Whether nothing could be done, and why, or what would be."""
    line = material.timeline.table.record(kept.before) + 1
    before = f"before line {line}"
    if kept.before < cut:
        before += ", which the cut keeps"
    name = kept.backup.get("backupFileName", "")
    if name is None:
        return False, f"delete: it was not there {before}"
    if not _NAME.fullmatch(text(name)):
        return True, "the checkpoint names no copy of it"
    version = natural(kept.backup.get("version"))
    said = f"copy {clean_line(text(name), 40)}" + (
        "" if version is None else f", version {version}"
    )
    where = folder_of(material)
    if where is None:
        return True, f"{said}, of how it was {before}; where copies are kept is not known here"
    there = (where / text(name)).is_file()
    if not there:
        return True, f"its {said}, is not there"
    return False, f"put back as it was {before}, {said}"


def folder_of(material: Material) -> Path | None:
    """Where the owner keeps copies of files for a session; None outside of its folders."""
    projects = material.path.absolute().parent.parent
    session = material.session
    if projects.name != _PROJECTS or session is None or not _SESSION.fullmatch(session):
        return None
    return projects.parent / _FOLDER / session
