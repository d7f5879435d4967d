"""The text of a compressed source, in a private file that has no name."""

import os
import tempfile
from typing import Final

from inspector.tape.source import CHUNK, SourceError

_CLOSED: Final = -1


class UnpackedText:
    """Text that is written at its end; what is not published yet can still be dropped.

    Attributes:
        size: the bytes published: they never change.
        written: the bytes published and held back.

    Raises:
        SourceError: if there is no room for temporary files.
    """

    def __init__(self) -> None:
        try:
            with tempfile.TemporaryFile(buffering=0) as file:
                self._descriptor = os.dup(file.fileno())
        except OSError as error:
            raise SourceError(f"cannot be unpacked: {error.strerror}") from error
        self.size = 0
        self.written = 0

    def write(self, plain: bytes) -> None:
        """Hold text back behind what was written before.

        Raises:
            OSError: if the disk is full.
        """
        rest = memoryview(plain)
        at = self.written
        while rest:
            done = os.pwrite(self._descriptor, rest, at)
            rest, at = rest[done:], at + done
        self.written = at

    def publish(self) -> None:
        """What was held back is text for good."""
        self.size = self.written

    def drop(self) -> None:
        """What was held back never was."""
        self.written = self.size

    def read(self, offset: int, length: int) -> bytes:
        """The published bytes from ``offset``, fewer only where they end.

        Raises:
            SourceError: if the system cannot read them, or the file was given back.
        """
        if self._descriptor == _CLOSED:
            raise SourceError("is closed")
        parts: list[bytes] = []
        end = min(offset + length, self.size)
        while offset < end:
            try:
                part = os.pread(self._descriptor, min(end - offset, CHUNK), offset)
            except OSError as error:
                raise SourceError(
                    f"cannot be read at byte {offset} of its text: {error.strerror}"
                ) from error
            if not part:
                break
            parts.append(part)
            offset += len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def close(self) -> None:
        """Give the file back, and with it the room on the disk."""
        if self._descriptor != _CLOSED:
            os.close(self._descriptor)
            self._descriptor = _CLOSED
