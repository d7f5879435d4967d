"""Finds the log of a thread near another log (format page 2.1)."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import orjson

from inspector.formats.codex import header as headers
from inspector.formats.codex.header import Header
from inspector.tape.packing import packing
from inspector.tape.source import FileSource, Source, SourceError

_NAMES: Final = 50_000
"""Names that are looked at."""
_HEADERS: Final = 200
"""Logs whose header is looked at because their names say nothing."""
_CANDIDATES: Final = 64
"""Logs whose header is looked at because their names bear the thread's id."""
_FIRST: Final = 64 * 1024
_LONGEST: Final = 16 * 1024 * 1024
_LINES: Final = 20

_ENDINGS: Final = (".jsonl", ".jsonl.zst")


def header_of(source: Source) -> Header | None:
    """What a log says of itself on its first lines, or None.

    Raises:
        SourceError: if it cannot be read.
    """
    length = _FIRST
    head = source.read(0, length)
    while b"\n" not in head and len(head) == length < _LONGEST:
        length *= 8
        head = source.read(0, length)
    for line in head.split(b"\n", _LINES)[:_LINES]:
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if isinstance(value, dict) and headers.is_meta(value):
            return headers.of_record(value)
    return None


def file_of(source: Source) -> FileSource | None:
    """The file that a log is kept in; None where it is none."""
    if isinstance(source, FileSource):
        return source
    from inspector.tape.unpacking import UnpackedSource  # a plain log need not wait for it

    return source.packed if isinstance(source, UnpackedSource) else None


def is_named(source: Source) -> bool:
    """Whether the path of a source leads to its file, so that something can stand beside it."""
    file = file_of(source)
    return file is not None and file.named


def opened(path: Path) -> Source:
    """A log as a source of its text.

    Raises:
        SourceError: if it cannot be opened.
    """
    file = FileSource(path)
    try:
        if packing(file.read(0, 4)) is None:
            return file
        from inspector.tape.unpacking import UnpackedSource  # dear, and only for these

        return UnpackedSource(file)
    except BaseException:
        file.close()
        raise


def found(near: Path, thread: str, rollout: str | None = None) -> Source | None:
    """The log of a thread, open, or None.

    Args:
        near: another log, which is not taken itself.
        thread: the id in the header of the log that is looked for.
        rollout: the id of the very log, where a thread has several.
    """
    named: list[Path] = []
    others: list[Path] = []
    for path in _logs(near):
        if thread in path.name or (rollout and rollout in path.name):
            named.append(path)
        elif path.parent == near.parent:
            others.append(path)
    # The very log first; of several the newest, which its name tells; the plain one of two.
    named.sort(key=lambda path: (bool(rollout and rollout in path.name), path.name), reverse=True)
    named.sort(key=lambda path: path.name.endswith(".zst"))
    for path in (*named[:_CANDIDATES], *others[:_HEADERS]):
        source = _of_thread(path, thread)
        if source is not None:
            return source
    return None


def _of_thread(path: Path, thread: str) -> Source | None:
    """A log if it is of a thread by its header."""
    try:
        source = opened(path)
    except SourceError:
        return None
    try:
        header = header_of(source)
    except SourceError:
        header = None
    if header is not None and header.id == thread:
        return source
    source.close()
    return None


def _logs(near: Path) -> Iterator[Path]:
    """The logs near another, but not the log itself."""
    names = (
        path
        for folder in _folders(near.parent.absolute(), near.parent)
        for path in _listed(folder)
        if path.name.endswith(_ENDINGS) and path.name != near.name
    )
    return islice(names, _NAMES)


def _folders(folder: Path, as_named: Path) -> Iterator[Path]:
    """The folder itself, then those of the days, and the one of archived logs."""
    yield as_named
    days = folder.parents[2] if len(folder.parents) > 2 else folder
    is_day = all(part.isdecimal() for part in folder.parts[-3:])
    if not is_day and folder.name != "archived_sessions":
        return
    home = days.parent if is_day else folder.parent
    sessions = days if is_day else folder.parent / "sessions"
    for year in sorted(_listed(sessions), reverse=True):
        for month in sorted(_listed(year), reverse=True):
            yield from (day for day in sorted(_listed(month), reverse=True) if day != folder)
    if is_day:
        yield home / "archived_sessions"


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []
