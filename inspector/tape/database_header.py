"""What a file says about itself before SQLite is asked: sqlite.org/fileformat.html section 1.3."""

import struct
from typing import Final, NamedTuple

from inspector.tape.source import FileSource, SourceError

MAGIC: Final = b"SQLite format 3\x00"

_LOOKED_AT: Final = 512
"""Bytes looked at to tell noise from text; the smallest page."""
_NOISE: Final = 170
"""Different values among as many random bytes: 221 on average, never below 190; text has 100."""


class DatabaseHeader(NamedTuple):
    """The facts of a header that decide how a file is opened.

    Attributes:
        size: bytes of the file.
        page_size: bytes of one page.
        claimed: pages that the file should have; None where an old writer left that stale.
        whole: whole pages that the file has.
        rest: bytes after the last whole page.
    """

    size: int
    page_size: int
    claimed: int | None
    whole: int
    rest: int

    def shortness(self) -> str | None:
        """The sentence for a file that lacks pages, or None."""
        if self.claimed is None or self.claimed <= self.whole:
            return None
        return f"file is shorter than its header says ({self.whole} pages of {self.claimed})"

    def lacks_pages(self) -> bool:
        """SQLite reads nothing from such a file; a page that is there in part it does read."""
        return self.claimed is not None and self.claimed > self.whole + (self.rest > 0)


class EncryptedError(SourceError):
    """What may be an encrypted database, or nothing but noise; nobody can tell the two apart."""


def read_header(source: FileSource) -> DatabaseHeader:
    """The header of a database.

    Raises:
        EncryptedError: if it may be an encrypted one.
        SourceError: if this is no SQLite file; the message says what it looks like.
    """
    head = source.read(0, _LOOKED_AT)
    size = source.size()
    if not head:
        raise SourceError("empty file (0 bytes)")
    if not head.startswith(MAGIC):
        raise _stranger(head, size)
    if len(head) < 100:
        raise SourceError(f"file is shorter than an SQLite header ({len(head)} bytes of 100)")
    raw_page_size, changes, pages, valid_for = struct.unpack(">16xH6xII60xI", head[:96])
    page_size = 65536 if raw_page_size == 1 else raw_page_size
    if page_size < 512 or page_size & (page_size - 1):
        raise SourceError(
            f"not a readable SQLite database, or encrypted (its header says pages of "
            f"{page_size} bytes)"
        )
    whole, rest = divmod(size, page_size)
    claimed = pages if pages and changes == valid_for else None
    return DatabaseHeader(size, page_size, claimed, whole, rest)


def _stranger(head: bytes, size: int) -> SourceError:
    if head.startswith(bytes(16)):
        return SourceError("SQLite header missing")
    if size % 512 == 0 and len(set(head)) >= _NOISE:
        return EncryptedError("not an SQLite database, or encrypted (SQLCipher)")
    return SourceError("not a database")


def encrypted_header(source: FileSource, page_size: int) -> DatabaseHeader:
    """The header of an encrypted database, of which only the length of the file is known."""
    size = source.size()
    whole, rest = divmod(size, page_size)
    return DatabaseHeader(size, page_size, None, whole, rest)
