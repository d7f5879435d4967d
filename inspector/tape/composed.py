"""A text that stands in no file yet, as a source: what would be written is read before it is."""

from pathlib import Path

from inspector.tape.source import FileSource
from inspector.tape.stopping import heed


class Composed(FileSource):
    """A text in memory, where a file is read.

    Args:
        path: where it would be written; nothing is looked for there.
        text: all of it.
    """

    def __init__(self, path: Path, text: bytes) -> None:
        # There is nothing to be opened.
        self.path = path
        self.named = False
        self._descriptor = -1
        self._text = text

    def identity(self) -> tuple[int, int]:
        """That of no file."""
        return 0, 0

    def state(self) -> tuple[int, int]:
        """Its bytes; it is never modified."""
        return len(self._text), 0

    def size(self) -> int:
        """Its bytes."""
        return len(self._text)

    def read(self, offset: int, length: int) -> bytes:
        """Some of them."""
        heed()
        return self._text[offset : offset + length]
