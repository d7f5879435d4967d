"""Bytes to lines: a line is what stands between two 0x0A bytes, and nothing else ends one."""

from collections.abc import Iterator
from itertools import accumulate, count
from operator import add

from inspector.tape.source import CHUNK, Source, SourceError


class LineSplitter:
    """Cuts a growing source into whole lines, a batch at a time.

    Attributes:
        offset: the byte at which the first line not yet given out begins. What stands between it
            and the end of the source is *pending*: no newline has come.
        written_on: something else than a newline came behind a tail that was taken for a line.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._read_to = 0
        self._carry: list[bytes] = []
        self._taken = False
        self.offset = 0
        self.written_on = False

    @property
    def read_to(self) -> int:
        """The byte up to which the source was read."""
        return self._read_to

    @property
    def pending(self) -> int:
        """Bytes read that no newline has ended yet."""
        return self._read_to - self.offset

    def batch(self) -> tuple[int, list[bytes]] | None:
        """The next whole lines, without their newlines, and the byte offset of the first.

        Reads at most one chunk; an empty list means that the chunk ended no line. None at the end
        of the source, for now: asking again later reads what was appended.

        Raises:
            SourceError: if the source cannot be read, or became shorter than what was read of it.
        """
        chunk = self._source.read(self._read_to, CHUNK)
        if not chunk:
            if self._source.size() < self._read_to:
                raise SourceError(
                    f"became shorter while it was read: {self._source.size()} bytes now, "
                    f"{self._read_to} before"
                )
            return None
        if self._taken:
            if chunk[:1] != b"\n":
                self.written_on = True
                return None
            self._taken = False
            self._read_to += 1
            self.offset = self._read_to
            return self.offset, []
        self._read_to += len(chunk)
        start = self.offset
        lines = chunk.split(b"\n")
        last = lines.pop()
        if not lines:
            self._carry.append(chunk)
            return start, []
        if self._carry:
            self._carry.append(lines[0])
            lines[0] = b"".join(self._carry)
        self._carry = [last] if last else []
        self.offset = self._read_to - len(last)
        return start, lines

    def tail(self) -> bytes:
        """The pending bytes."""
        return b"".join(self._carry)

    def take_tail(self) -> tuple[int, bytes]:
        """The pending bytes as a line, and their offset: nothing but a newline is to follow."""
        found = self.offset, self.tail()
        self._carry = []
        self._taken = True
        self.offset = self._read_to
        return found


def offsets(first: int, lines: list[bytes]) -> Iterator[int]:
    """The byte offsets of consecutive lines and of what follows them, from that of the first."""
    # One byte more for each newline before.
    return map(add, accumulate(map(len, lines), initial=first), count())
