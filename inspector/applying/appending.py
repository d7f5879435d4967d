"""Records behind those of a tape: one write, behind the very head that the plan was made for."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from inspector.applying.disk import Disk, Standing
from inspector.applying.refusal import ApplyError, why
from inspector.text.gate import clean_line


class Appended(NamedTuple):
    """What was appended: to which file, how many bytes it had, and how many more it has now."""

    path: Path
    before: int
    size: int


def append(path: Path, data: bytes, size: int, disk: Disk) -> Appended:
    """Append to a file in one write.

    A write that is taken in part (a full disk) is taken back: these bytes are ours, and nobody
    has seen a whole record of them.

    Args:
        path: of the file; not through a link.
        data: the records, with the ends of their lines.
        size: how many bytes the file must have.
        disk: where.

    Raises:
        ApplyError: if it cannot be done; the file is as before.
    """
    named = clean_line(str(path))
    try:
        with _held(path, disk) as (folder, file):
            before = disk.look_at(file)
            _must_be(named, before, size)
            if disk.room(folder) < len(data):
                raise ApplyError(f"{named} cannot grow: the disk is full")
            _write(named, file, data, before, disk)
    except OSError as error:
        raise ApplyError(f"{named} {why(error)}") from error
    return Appended(path, size, len(data))


def _must_be(named: str, found: Standing, size: int) -> None:
    if not found.regular:
        raise ApplyError(f"{named} is no regular file")
    if found.size != size:
        raise ApplyError(f"{named} has {found.size} bytes and not {size}: it is written to")


@contextmanager
def _held(path: Path, disk: Disk) -> Iterator[tuple[int, int]]:
    folder = disk.open_folder(path.parent)
    try:
        file = disk.open_end(folder, path.name)
        try:
            yield folder, file
        finally:
            with suppress(OSError):
                disk.close(file)
    finally:
        with suppress(OSError):
            disk.close(folder)


def _write(named: str, file: int, data: bytes, before: Standing, disk: Disk) -> None:
    taken = disk.write(file, data)
    try:
        if taken < len(data):
            raise OSError(errno.ENOSPC, "the disk is full")
        disk.sync(file)
    except OSError as error:
        raise ApplyError(
            f"{named} {why(error)}", _taken_back(named, file, before, taken, disk)
        ) from error


def _taken_back(named: str, file: int, before: Standing, taken: int, disk: Disk) -> tuple[str, ...]:
    """Take our own bytes away, unless somebody wrote behind them; says what is left."""
    try:
        if disk.look_at(file).size != before.size + taken:
            return (f"{taken} bytes of ours are left in {named}, somebody wrote behind them",)
        disk.shorten(file, before.size)
        disk.sync(file)
    except OSError as error:
        return (f"{taken} bytes of ours may be left at the end of {named}: {error.strerror}",)
    return ()
