"""A disk of which the nth call fails, alone or with all that come behind it."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspector.applying.disk import RealDisk


class Killed(BaseException):
    """The process is no more: what it would do behind this is not done."""


class QuickDisk(RealDisk):
    """A disk that is not waited for."""

    def sync(self, held: int) -> None:
        """Look that something is held, and wait for nothing."""
        self.look_at(held)


class FailingDisk(QuickDisk):
    """Counts calls, and fails at one of them.

    Args:
        at: which call fails, from 0; None fails at none.
        code: the error number with which it fails; None kills, and every later call too.
    """

    def __init__(self, at: int | None = None, code: int | None = errno.EIO) -> None:
        self.calls: list[str] = []
        self._at = at
        self._code = code
        self._within = False

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name.startswith("_") or name == "calls" or self._within:
            return found
        return self._counted(name, found)

    def _counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            number = len(self.calls)
            self.calls.append(name)
            if self._code is None and self._at is not None and number >= self._at:
                raise Killed
            if number == self._at:
                if name == "close":
                    call(*arguments)
                assert self._code is not None
                raise OSError(self._code, "it fails here")
            self._within = True
            try:
                return call(*arguments)
            finally:
                self._within = False

        return counted


class ScarceDisk(QuickDisk):
    """A disk that takes so many bytes, in small pieces, and then no more.

    Args:
        takes: how many bytes.
    """

    def __init__(self, takes: int) -> None:
        self._takes = takes

    def write(self, file: int, data: bytes) -> int:
        """Write what there is room for, seven bytes at the most."""
        if not self._takes:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = super().write(file, data[: min(7, self._takes)])
        self._takes -= taken
        return taken


def tree(folder: Path) -> dict[str, bytes | None]:
    """All that stands below a folder: bytes of files, None for folders."""
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
    }
