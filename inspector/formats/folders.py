"""What a folder holds: the session that it is of, or the tapes that lie in it."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from inspector.formats.contract import Format
from inspector.formats.listing import Surroundings
from inspector.formats.registry import all_formats
from inspector.tape.source import SourceError

LOOKED_AT: Final = 500
"""Names of a folder that are looked at for tapes."""


def names_in(folder: Path) -> list[str]:
    """The names in a folder, in order.

    Raises:
        SourceError: if it cannot be listed.
    """
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - of thousands, and no object for each
    except OSError as error:
        raise SourceError(f"is a directory that cannot be listed: {error.strerror}") from error


def current(names: Sequence[str]) -> str | None:
    """The file to open of a session's folder: what the first format says that knows it as one."""
    chosen = (format_.in_folder(names) for format_ in all_formats())
    return next((name for name in chosen if name is not None), None)


def owner_of(path: Path) -> Format | None:
    """The format that a file is of by where it lies, be it empty or of no known kind; or None."""
    return next((format_ for format_ in all_formats() if format_.knows_place(path)), None)


def of_project(folder: Path) -> list[Path]:
    """Where agents keep sessions below a project's own folder, whether or not anything is there."""
    around = Surroundings({}, folder, sys.platform)
    found = (root.path for format_ in all_formats() for root in format_.roots(around))
    return list(dict.fromkeys(path for path in found if path.is_relative_to(folder)))


def tapes_in(folder: Path, names: Sequence[str], is_tape: Callable[[Path], bool]) -> Iterator[str]:
    """The names of the tapes and of the sessions' folders in a folder.

    Args:
        folder: which.
        names: what is in it; no more than `LOOKED_AT` are looked at, and no hidden ones.
        is_tape: whether some format knows a file.
    """
    for name in names[:LOOKED_AT]:
        path = folder / name
        if name.startswith("."):
            continue
        if _is_session_folder(path) or (_is_file(path) and is_tape(path)):
            yield name


def _is_session_folder(path: Path) -> bool:
    try:
        return path.is_dir() and current(names_in(path)) is not None
    except (OSError, SourceError):
        return False


def _is_file(path: Path) -> bool:
    """Whether a path is a file, and no pipe that would be waited for."""
    try:
        return path.is_file()
    except OSError:
        return False


def chosen(found: Sequence[str], session: str) -> str | None:
    """The one that is meant by a name, with or without its ending, or by an id in it; or None."""
    for name in found:
        if session in (name, name.split(".", 1)[0]):
            return name
    having = [name for name in found if session and session in name]
    return having[0] if len(having) == 1 else None
