"""The first and the last bytes of a file, read once, for a list of thousands."""

import os
import stat
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from inspector.formats.listing import HEAD, LONGEST, TAIL, Ends
from inspector.tape.packing import Packing, packing
from inspector.tape.source import reason_of

DATABASE: Final = b"SQLite format 3\x00"
"""The first bytes of a database."""

_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
"""A pipe must not block; a link is followed, as opening a tape does."""

_OPENING: Final = (b"{", b"\xef")
"""How a text of records begins: with an object, or with the mark of UTF-8."""

_BOTH: Final = HEAD + TAIL

_ends: Final = partial(tuple.__new__, Ends)
"""Makes one of its fields in a tuple: of thousands, by name is three times as dear."""


class Stamp(NamedTuple):
    """What of a file changes with what is in it, or with who may read it: bytes on the disk, inode,
    when what is in it changed, and when anything of it did, in nanoseconds since the epoch.
    """

    size: int
    inode: int
    modified: int
    changed: int


class Looked(NamedTuple):
    """What is known of a file after one look.

    Attributes:
        ends: of its text; of a packed text as far as little work unpacks it, of a database none.
        status: of the file.
        packing: how it is compressed, or None.
        database: whether it begins as one.
    """

    ends: Ends
    status: os.stat_result
    packing: Packing | None = None
    database: bool = False

    @property
    def stamp(self) -> Stamp:
        """As it was then."""
        status = self.status
        return Stamp(status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns)


def is_there(text: str) -> bool:
    """Whether something is at a path, or may be where the way to it may not be searched."""
    try:
        os.lstat(text)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    return True


_looked: Final = partial(tuple.__new__, Looked)
"""The same."""


class NotRegularError(OSError):
    """What is at a path is no file; the message says what it is."""


def look(text: str) -> Looked:
    """Read the ends of a file: opened once, and no more of it read than its ends, unless its first
    line is longer.

    Args:
        text: the path of the file, as the system takes it.

    Raises:
        OSError: if it cannot be read.
    """
    descriptor = os.open(text, _FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            what = "a directory" if stat.S_ISDIR(status.st_mode) else "not a regular file"
            raise NotRegularError(f"is {what}")
        size, modified = status.st_size, status.st_mtime_ns // 1_000_000
        if size <= _BOTH:
            both = os.pread(descriptor, _BOTH, 0)
            head, tail, whole = both[:HEAD], both[HEAD:], True
        else:
            head, whole = os.pread(descriptor, HEAD, 0), False
            tail = os.pread(descriptor, TAIL, size - TAIL)
            if b"\n" not in head and head[:1] in _OPENING:
                head += os.pread(descriptor, min(size - TAIL, LONGEST) - HEAD, HEAD)
                whole = len(head) + len(tail) == size
        packed = None
        if head[:1] != b"{":
            if head.startswith(DATABASE):
                empty = Ends(text, size, modified, b"", b"", False)
                return Looked(empty, status, None, True)
            packed = packing(head)
            if packed is not None:
                head, tail, whole = _unpacked(descriptor, packed, head, tail, size)
        ends = _ends((text, size, modified, head, tail, whole, packed is not None))
        return _looked((ends, status, packed, False))
    finally:
        os.close(descriptor)


def _unpacked(
    descriptor: int, packed: Packing, head: bytes, tail: bytes, size: int
) -> tuple[bytes, bytes, bool]:
    """Head and tail of what is packed, and whether they are all of it."""
    from inspector.library.unpacking import unpacked_ends  # dear, and only for these

    return unpacked_ends(
        packed, head, tail, size, lambda offset, length: os.pread(descriptor, length, offset)
    )


def why_not(path: Path, error: OSError) -> str:
    """Why a file cannot be read, in one sentence, as opening a tape says it."""
    return str(error) if isinstance(error, NotRegularError) else reason_of(path, error)
