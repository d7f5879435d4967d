"""The ends of a packed text, by little work: its first bytes, and its last where they are near.

Of a zstd file the last frames are unpacked by themselves: agents write one for each batch of
records. Of anything else the end is known only where all of it is small.
"""

import zlib
from collections.abc import Callable
from typing import Final

from inspector.formats.listing import HEAD, LONGEST, TAIL
from inspector.tape._zstd import ZstdDecompressor, ZstdError
from inspector.tape.packing import ZSTD_MAGIC, Packing, is_skippable

PACKED: Final = 16 * 1024
"""Bytes of a packed file that are read at each of its ends, where fewer are not enough."""

BLOCK: Final = 132 * 1024
"""Bytes that are read where these do not hold a whole block, which is all that can be unpacked."""

UNPACKED: Final = 64 * 1024
"""Bytes of text that are unpacked of it, at each end."""

_TRIED: Final = 16
"""Places at which a last frame is looked for: the magic may stand in what is packed too."""

Read = Callable[[int, int], bytes]
"""The bytes of a file from a place on, at most so many."""


def unpacked_ends(
    packed: Packing, head: bytes, tail: bytes, size: int, read: Read
) -> tuple[bytes, bytes, bool]:
    """The ends of the text of a packed file.

    Args:
        packed: how it is packed; of an archive nothing is known.
        head: the first bytes of the file.
        tail: the last ones that are not in ``head``.
        size: of the file.
        read: more of it.

    Returns:
        First and last bytes of the text, and whether they are all of it. Nothing where they cannot
        be unpacked.
    """
    if packed is Packing.ZIP:
        return b"", b"", False
    unpack = _zstd if packed is Packing.ZSTD else _gzip
    if len(head) + len(tail) == size:
        text, ended = unpack(head + tail, UNPACKED)
        return _parted(text) if ended else (text[: _end_of_head(text)], b"", False)
    text, _ = unpack(head, HEAD)
    for length in (PACKED, BLOCK):
        if len(text) < HEAD:
            text, _ = unpack(read(0, length), HEAD)
    if _end_of_head(text) > HEAD:
        text, _ = unpack(read(0, BLOCK), LONGEST)
    last = b""
    if packed is Packing.ZSTD:
        last = _last(tail) or _last(read(max(0, size - PACKED), PACKED))
    return text[:LONGEST], last[-TAIL:], False


def _parted(text: bytes) -> tuple[bytes, bytes, bool]:
    """Head and tail of a text that is there as a whole."""
    end = _end_of_head(text)
    start = max(end, len(text) - TAIL)
    return text[:end], text[start:], start == end or start >= len(text)


def _end_of_head(text: bytes) -> int:
    """Where the head of a text ends: further on where its first line is longer."""
    return HEAD if len(text) < HEAD or b"\n" in text[:HEAD] else LONGEST


def _zstd(packed: bytes, most: int) -> tuple[bytes, bool]:
    """The text of the frames that begin at the first byte, and whether they end with the last.

    Args:
        packed: the frames.
        most: bytes of text that are wanted; where there are more the end is not reached.
    """
    text = b""
    while packed:
        if not packed.startswith(ZSTD_MAGIC):
            if not is_skippable(packed):
                return text, False
            packed = packed[8 + int.from_bytes(packed[4:8], "little") :]
            continue
        decoder = ZstdDecompressor()
        try:
            text += decoder.decompress(packed, most - len(text))
        except (ZstdError, MemoryError):
            return text, False
        if not decoder.eof or len(text) >= most:
            return text, False
        packed = decoder.unused_data
    return text, True


def _last(packed: bytes) -> bytes:
    """The text of the frame with which a file ends; nothing if it does not begin in these bytes."""
    at = len(packed)
    for _ in range(_TRIED):
        at = packed.rfind(ZSTD_MAGIC, 0, at)
        if at < 0:
            break
        text, ended = _zstd(packed[at:], UNPACKED)
        if ended and text:
            return text
    return b""


def _gzip(packed: bytes, most: int) -> tuple[bytes, bool]:
    """The same of gzip members."""
    found: list[bytes] = []
    length = 0
    while packed.strip(b"\0"):
        inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            text = inflater.decompress(packed, most - length)
        except zlib.error:
            return b"".join(found), False
        found.append(text)
        length += len(text)
        if not inflater.eof or length >= most:
            return b"".join(found), False
        packed = inflater.unused_data
    return b"".join(found), True
