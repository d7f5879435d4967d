"""A log that goes on from a part of another: both as one text (format page 2.10)."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from inspector.formats.logs.container import Container, container_of
from inspector.tape.source import Source
from inspector.tape.watch import Change
from inspector.timeline.findings import Finding


class Part(NamedTuple):
    """The beginning of a log that another one goes on from.

    Attributes:
        source: the log.
        length: the bytes of it that count.
        ended: whether these end with a newline; else one is put behind them.
    """

    source: Source
    length: int
    ended: bool


class Chain:
    """Parts of other logs and then a whole one, as a source and its container; owns them all.

    Args:
        parts: in order; the first is the oldest.
        last: the log that goes on.

    Attributes:
        starts: the byte of the text at which each log begins, that of the last one last.
    """

    def __init__(self, parts: Sequence[Part], last: Source) -> None:
        self._parts = parts
        self._last = last
        self._container = container_of(last)
        self._bases: list[Container] = [container_of(part.source) for part in parts]
        starts = [0]
        for part in parts:
            starts.append(starts[-1] + part.length + (not part.ended))
        self.starts: Sequence[int] = tuple(starts)
        self._before = starts[-1] / (starts[-1] + max(1, last.size()))

    # The source.

    @property
    def path(self) -> Path:
        """The file of the log that goes on."""
        return self._last.path

    def size(self) -> int:
        """The bytes that are there now."""
        return self.starts[-1] + self._last.size()

    def read(self, offset: int, length: int) -> bytes:
        """The bytes from ``offset``, fewer only where they end."""
        pieces: list[bytes] = []
        while length > 0:
            piece = self._piece(offset, length)
            if not piece:
                break
            pieces.append(piece)
            offset += len(piece)
            length -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _piece(self, offset: int, length: int) -> bytes:
        """Bytes of one log."""
        at = self.part(offset)
        if at == len(self._parts):
            return self._last.read(offset - self.starts[at], length)
        part, within = self._parts[at], offset - self.starts[at]
        found = part.source.read(within, min(length, part.length - within))
        # What a log lost since it was measured must not move what stands behind it.
        return found or b"\n" * min(length, self.starts[at + 1] - offset)

    def share(self, offset: int) -> float:
        """Which part of the files stands before a byte."""
        start = self.starts[-1]
        if offset < start:
            return self._before * offset / start
        return self._before + (1 - self._before) * self._last.share(offset - start)

    def close(self) -> None:
        """Give all files back."""
        for part in self._parts:
            part.source.close()
        self._last.close()

    def part(self, offset: int) -> int:
        """Which log a byte is of, the last one being the log that goes on."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def name(self, part: int) -> str | None:
        """The name of the file of a log; None of the one that goes on."""
        return self._parts[part].source.path.name if part < len(self._parts) else None

    # The container: that of the log that goes on.

    @property
    def variant(self) -> str:
        """How the log is kept."""
        return self._container.variant

    @property
    def how(self) -> str | None:
        """What was done to open it."""
        names = ", ".join(part.source.path.name for part in self._parts)
        said = (self._container.how, f"behind the records of {names}")
        return "; ".join(filter(None, said))

    @property
    def frames(self) -> int | None:
        """How many frames it has."""
        return self._container.frames

    @property
    def torn(self) -> str | None:
        """What of it is unended."""
        return self._container.torn

    def frame(self, byte: int) -> int | None:
        """The frame that a byte of it comes from."""
        start = self.starts[-1]
        return None if byte < start else self._container.frame(byte - start)

    def holes(self) -> int | None:
        """The first byte of the text behind which some is missing."""
        found = [
            start + hole
            for start, container in self._kept()
            if (hole := container.holes()) is not None
        ]
        return min(found, default=None)

    def troubles(self, record_at: Callable[[int], int]) -> Iterator[Finding]:
        """What is wrong with the containers of all logs."""
        for start, container in self._kept():
            yield from container.troubles(_moved(record_at, start))

    def read_to(self, byte: int) -> None:
        """The text was read up to here."""
        self._container.read_to(max(0, byte - self.starts[-1]))

    def changed(self) -> Change:
        """What happened to the file of the log that goes on."""
        return self._container.changed()

    def _kept(self) -> Iterator[tuple[int, Container]]:
        return zip(self.starts, (*self._bases, self._container), strict=True)


def _moved(record_at: Callable[[int], int], start: int) -> Callable[[int], int]:
    """The record at a byte of a log that begins at a byte of the text."""
    return lambda byte: record_at(byte + start)
