"""A file as a source of bytes: read-only, by position, never mapped into memory."""

import errno
import os
import stat
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Protocol, Self

from inspector.tape.stopping import heed

CHUNK: Final = 256 * 1024
"""The most bytes read at once."""


class SourceError(Exception):
    """A source from which nothing can be read; the message is one sentence for a person."""


class Source(Protocol):
    """Plain bytes by position, of a file or of what is packed in one; they may grow."""

    @property
    def path(self) -> Path:
        """The file they come from."""

    def size(self) -> int:
        """The bytes that are there now; there may be more to come, of which ``read`` knows."""

    def read(self, offset: int, length: int) -> bytes:
        """The bytes from ``offset``, fewer only where they end.

        Raises:
            SourceError: if they cannot be read.
        """

    def share(self, offset: int) -> float:
        """Which part of the file stands before a byte, from 0 to 1."""

    def close(self) -> None:
        """Give the file back."""


class FileSource:
    """A regular file, opened read-only.

    Args:
        path: of the file.
        descriptor: of the file if it is open already; it is owned from then on.

    Attributes:
        named: whether the path leads to the file.

    Raises:
        SourceError: if there is no readable regular file at the path.
    """

    def __init__(self, path: Path, descriptor: int | None = None) -> None:
        self.path = path
        self.named = descriptor is None
        self._descriptor = self._opened() if descriptor is None else descriptor
        mode = os.fstat(self._descriptor).st_mode
        if not stat.S_ISREG(mode):
            self.close()
            kind = "a directory" if stat.S_ISDIR(mode) else "not a regular file"
            raise SourceError(f"is {kind}")

    def _opened(self) -> int:
        try:
            # A FIFO must not block, and a link to nowhere must be told from a missing file.
            return os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise SourceError(reason_of(self.path, error)) from error
        except ValueError as error:
            raise SourceError("not a path") from error

    @classmethod
    def of_stream(cls, stream: IO[bytes], name: Path) -> Self:
        """What a stream holds up to its end, kept in a file without a name.

        Raises:
            SourceError: if it cannot be read, or there is no room for it.
        """
        from shutil import copyfileobj  # dear, and only for these
        from tempfile import TemporaryFile

        try:
            with TemporaryFile() as kept:
                copyfileobj(stream, kept, CHUNK)
                kept.flush()
                return cls(name, os.dup(kept.fileno()))
        except OSError as error:
            raise SourceError(f"cannot be kept: {error.strerror or error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the descriptor back."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def identity(self) -> tuple[int, int]:
        """Device and inode: which file this is, whatever stands at the path later."""
        status = os.fstat(self._descriptor)
        return status.st_dev, status.st_ino

    def state(self) -> tuple[int, int]:
        """Its bytes, and when it was last modified in nanoseconds since the epoch."""
        status = os.fstat(self._descriptor)
        return status.st_size, status.st_mtime_ns

    def size(self) -> int:
        """The bytes that the file has now."""
        return os.fstat(self._descriptor).st_size

    def share(self, offset: int) -> float:
        """Which part of the file stands before a byte, from 0 to 1."""
        size = self.size()
        return min(1.0, offset / size) if size else 1.0

    def read(self, offset: int, length: int) -> bytes:
        """The bytes from ``offset``, fewer only where the file ends.

        Raises:
            SourceError: if the system cannot read them.
            Stopped: if nobody waits for them any more (`inspector.tape.stopping`).
        """
        heed()
        parts: list[bytes] = []
        while length > 0:
            try:
                part = os.pread(self._descriptor, min(length, CHUNK), offset)
            except OSError as error:
                reason = error.strerror or "unknown reason"
                raise SourceError(f"cannot be read at byte {offset}: {reason}") from error
            if not part:
                break
            parts.append(part)
            offset += len(part)
            length -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)


def reason_of(path: Path, error: OSError) -> str:
    """Why what is at a path cannot be opened, in words that follow it."""
    if error.errno == errno.ENOENT:
        if path.is_symlink():
            return f"does not exist (broken link to {path.readlink()})"
        return "does not exist"
    known = {
        errno.EACCES: "permission denied",
        errno.EPERM: "permission denied",
        errno.ELOOP: "is a loop of symbolic links",
        errno.ENOTDIR: "does not exist (a part of the path is not a directory)",
        errno.ENAMETOOLONG: "does not exist (the name is too long)",
        errno.ENXIO: "is not a regular file",
    }
    return known.get(error.errno or 0, error.strerror or "cannot be read")
