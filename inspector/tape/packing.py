"""How a file is compressed, told from its first bytes and never from its name."""

from enum import Enum
from typing import Final

ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
GZIP_MAGIC: Final = b"\x1f\x8b"
ZIP_MAGIC: Final = b"PK\x03\x04"

_SKIPPABLE_REST: Final = b"\x2a\x4d\x18"


class Packing(Enum):
    """The compressions that are unpacked."""

    ZSTD = "zstd"
    GZIP = "gzip"
    ZIP = "zip"


def packing(head: bytes) -> Packing | None:
    """How a file with these first bytes is compressed; four are enough, None for plain text."""
    if head.startswith(ZSTD_MAGIC) or is_skippable(head):
        return Packing.ZSTD
    if head.startswith(GZIP_MAGIC):
        return Packing.GZIP
    return Packing.ZIP if head.startswith(ZIP_MAGIC) else None


def is_skippable(head: bytes) -> bool:
    """Whether a skippable frame begins here (RFC 8878 section 3.1.2)."""
    return len(head) >= 4 and head[0] >> 4 == 5 and head[1:4] == _SKIPPABLE_REST
