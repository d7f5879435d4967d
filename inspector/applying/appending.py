"""Records behind those of a tape: one write, behind the very head that the plan was made for."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from inspector.applying.disk import Disk
from inspector.applying.interrupts import held_back
from inspector.applying.refusal import ApplyError, named, why


class Appending:
    """Bytes of ours at the end of a file, which can be taken back while they are the last.

    Args:
        path: of the file; not through a link.
        size: how many bytes it must have before.
        disk: where.
    """

    def __init__(self, path: Path, size: int, disk: Disk) -> None:
        self._path = path
        self._size = size
        self._disk = disk
        self._taken = 0

    def append(self, data: bytes) -> None:
        """Append in one write; a write that is taken in part (a full disk) is taken back.

        Raises:
            ApplyError: if it cannot be done; the file is as before but for what the error names.
        """
        try:
            with held_back(), self._held() as (folder, file):
                self._must_have(file, self._size)
                if self._disk.room(folder) < len(data):
                    raise OSError(errno.ENOSPC, "the disk is full")
                self._taken = self._disk.write(file, data)
                if self._taken < len(data):
                    raise OSError(errno.ENOSPC, "the disk is full")
                self._disk.sync(file)
        except OSError as error:
            raise ApplyError(f"{self._named} {why(error)}", self.withdraw()) from error

    def withdraw(self) -> tuple[str, ...]:
        """Take our bytes away, unless somebody wrote behind them; says what is left.

        They are ours alone: nothing that anybody else wrote is ever taken away.
        """
        if not self._taken:
            return ()
        try:
            with held_back(), self._held() as (_, file):
                self._must_have(file, self._size + self._taken)
                self._disk.shorten(file, self._size)
                self._disk.sync(file)
        except (ApplyError, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            return (f"{self._taken} bytes of ours are left at the end of {self._named}: {reason}",)
        self._taken = 0
        return ()

    def _must_have(self, file: int, size: int) -> None:
        found = self._disk.look_at(file)
        if not found.regular:
            raise ApplyError(f"{self._named} is no regular file")
        if found.size != size:
            raise ApplyError(
                f"{self._named} has {found.size} bytes and not {size}: somebody writes to it"
            )

    @property
    def _named(self) -> str:
        return named(self._path)

    @contextmanager
    def _held(self) -> Iterator[tuple[int, int]]:
        disk = self._disk
        folder = disk.open_folder(self._path.parent)
        try:
            file = disk.open_end(folder, self._path.name)
            try:
                yield folder, file
            finally:
                with suppress(OSError):
                    disk.close(file)
        finally:
            with suppress(OSError):
                disk.close(folder)
