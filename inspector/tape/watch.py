"""What became of a file since it was read: grown, replaced, gone, or nothing."""

from enum import Enum
from typing import Final

from inspector.tape.source import FileSource, SourceError

_COMPARED: Final = 1024
"""Bytes at the beginning and before the end that show whether a file was written anew in place."""


class Change(Enum):
    """What happened to a source since it was read to its end."""

    NONE = "nothing"
    GROWN = "it grew"
    REPLACED = "it was replaced"
    GONE = "it is gone"


class Watch:
    """Looks at one file now and then, and compares it with what was read of it.

    Args:
        source: the file, open.
    """

    def __init__(self, source: FileSource) -> None:
        self._source = source
        self._identity = source.identity()
        self._size = 0
        self._time = -1
        self._head = self._tail = b""

    def mark(self, size: int) -> None:
        """So many bytes were read, and nothing is missed that is behind them later."""
        if size == self._size and self._time >= 0:
            return
        now, self._time = self._source.state()
        if now != size:
            # Something was written since: the next look compares.
            self._time = 0
        self._size = size
        self._head, self._tail = self._ends()

    def look(self) -> Change:
        """What happened since the last mark."""
        if self._time < 0 or not self._source.named:
            return Change.NONE
        try:
            status = self._source.path.stat()
        except OSError:
            return Change.GONE
        if (status.st_dev, status.st_ino) != self._identity or status.st_size < self._size:
            return Change.REPLACED
        if status.st_size == self._size and status.st_mtime_ns == self._time:
            return Change.NONE
        try:
            if self._ends() != (self._head, self._tail):
                return Change.REPLACED
        except SourceError:
            return Change.GONE
        if status.st_size > self._size:
            return Change.GROWN
        self._time = status.st_mtime_ns
        return Change.NONE

    def _ends(self) -> tuple[bytes, bytes]:
        length = min(_COMPARED, self._size)
        return self._source.read(0, length), self._source.read(self._size - length, length)
