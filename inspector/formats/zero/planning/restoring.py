"""Files that checkpoints keep as they were before a call changed them (format page 4 and 6)."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from posixpath import normpath
from typing import Any, Final, NamedTuple

from inspector.formats.planning import Restorable
from inspector.formats.shapes import natural, text
from inspector.formats.zero import golang
from inspector.formats.zero.event import ABSENT
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.metadata import EVENTS
from inspector.formats.zero.planning.material import Session
from inspector.text.gate import clean_line
from inspector.text.labels import plural

CHECKPOINT: Final = "session_checkpoint"

_BLOBS: Final = ("checkpoints", "blobs")
_NAME: Final = re.compile(r"[0-9a-f]{64}")
_SAID: Final = 60
_MOST: Final = 3
"""Blobs that are named."""


_TEXTS: Final = ("path", "blob")
_TRUTHS: Final = ("absent", "skipped")
_WHOLE: Final = ("bytes", "mode")
_NAMES: Final = golang.names_of("tool", "files")
_OF_FILE: Final = golang.names_of(*_TEXTS, *_TRUTHS, *_WHOLE)


class Kept(NamedTuple):
    """One file of a checkpoint: the event, and what it says of the file."""

    event: int
    tool: str
    file: dict[str, Any]


def kept(tape: Session, start: int, stop: int) -> Iterator[Kept]:
    """The files of the checkpoints from one position on and before another, in order."""
    for event in tape.timeline.table.of_type(CHECKPOINT, start, stop):
        try:
            tool, files = decoded(tape.payload(event).get("payload", ABSENT))
        except RefusedError:
            # It stops the owner's rewind; what files it means nobody knows.
            continue
        for file in files:
            if file.get("path"):
                yield Kept(event, tool, file)


def decoded(payload: Any) -> tuple[str, list[dict[str, Any]]]:
    """The tool and the files of a checkpoint as the owner decodes them.

    Raises:
        RefusedError: if it does not.
    """
    if payload is ABSENT:
        raise RefusedError("not JSON", "there is no payload")
    tool, files = "", []
    for name, value in golang.named(_object("the payload", payload).items(), _NAMES):
        if name == "tool" and value is not None:
            tool = golang.text_of(name, value)
        elif name == "files" and value is not None:
            if not isinstance(value, list):
                raise RefusedError("the wrong type", f"files is {golang.kind_of(value)}")
            files = [_file(one) for one in value]
    return tool, files


def _object(name: str, value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RefusedError("the wrong type", f"{name} is {golang.kind_of(value)}")
    return value


def _file(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, held in golang.named(_object("a file", value).items(), _OF_FILE):
        if held is None:
            continue
        if name in _TEXTS:
            found[name] = golang.text_of(name, held)
        elif name in _WHOLE:
            found[name] = golang.whole_of(name, held)
        elif type(held) is bool:
            found[name] = held
        else:
            raise RefusedError("the wrong type", f"{name} is {golang.kind_of(held)}")
    return found


def restorable(tape: Session, cut: int) -> list[Restorable]:
    """What the owner's rewind would do to files: of each the checkpoint nearest to the cut counts.

    Looks whether the blobs are there, and reads none.
    """
    found: dict[str, Restorable] = {}
    for one in kept(tape, cut, tape.timeline.events):
        path = text(one.file.get("path"))
        plain = normpath(path)
        if plain not in found:
            nothing, how = _how(tape, one, plain)
            folder = tape.metadata.whole("cwd")
            found[plain] = Restorable(path, one.event, how, not nothing, folder)
    return list(found.values())


def _how(tape: Session, one: Kept, plain: str) -> tuple[bool, str]:
    """Whether nothing could be done, and why, or what would be."""
    before = f"before {clean_line(one.tool, _SAID) or 'a call'}"
    if plain.startswith(("/", "..")):
        return True, "it is outside the workspace"
    if one.file.get("skipped") is True:
        return True, "it was not kept, being too large, unreadable or outside the workspace"
    if one.file.get("absent") is True:
        return False, f"delete: it was not there {before}"
    name = text(one.file.get("blob"))
    if not name:
        return True, "the checkpoint keeps no content"
    size = natural(one.file.get("bytes"))
    there = _size(tape, name)
    short = clean_line(name, 12)
    if there is None:
        return True, f"its blob {short} is not there"
    if size is not None and size != there:
        return True, f"its blob {short} has {there:,} bytes and not {size:,}"
    mode = natural(one.file.get("mode"))
    with_mode = "" if mode is None else f", mode {mode & 0o7777:o}"
    return False, f"put back as it was {before}: {plural(there, 'byte')}{with_mode}, blob {short}"


def blobs(tape: Session) -> Path | None:
    """The folder of a session's blobs; None of a log that is in no folder of its own."""
    path = tape.log.path
    return path.parent.joinpath(*_BLOBS) if path.name == EVENTS else None


def _size(tape: Session, name: str) -> int | None:
    """The bytes of a blob; None if it is not there, or its name is none of a blob."""
    folder = blobs(tape)
    if folder is None or not _NAME.fullmatch(name):
        return None
    try:
        found = os.lstat(folder / name)
    except OSError:
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def of_copy(tape: Session, cut: int) -> str:
    """What a copy of the events before a cut lacks for its checkpoints; empty if nothing."""
    names = {
        text(one.file.get("blob")): natural(one.file.get("bytes")) or 0
        for one in kept(tape, 0, cut)
        if _NAME.fullmatch(text(one.file.get("blob")))
    }
    if not names:
        return ""
    shown = ", ".join(f"{name[:12]}…" for name in list(names)[:_MOST])
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    counted = plural(len(names), "blob")
    where = blobs(tape)
    return (
        f"the checkpoints in it need {counted} of {sum(names.values()):,} bytes "
        f"({shown}{more}), which are not copied: without them Zero restores no file in it; "
        f"they are in {clean_line(str(where), 400) if where is not None else 'no known folder'}"
    )
