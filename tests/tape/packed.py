"""Compressed files to read, and all that is said of one."""

import gzip
import struct
import sys
from hashlib import sha512
from pathlib import Path
from typing import NamedTuple

from inspector.tape.source import FileSource
from inspector.tape.troubles import Trouble
from inspector.tape.unpacking import DEFAULT_LIMIT, Limit, UnpackedSource

if sys.version_info >= (3, 14):
    from compression.zstd import CompressionParameter, ZstdCompressor, ZstdDict
else:
    from backports.zstd import CompressionParameter, ZstdCompressor, ZstdDict

SKIPPABLE = b"\x53\x2a\x4d\x18" + struct.pack("<I", 7) + b"nothing"
ALL = 1 << 40


def frame(
    plain: bytes,
    *,
    checksum: bool = True,
    dictionary: ZstdDict | None = None,
    window_log: int | None = None,
) -> bytes:
    options = {CompressionParameter.checksum_flag: int(checksum)}
    if window_log is not None:
        options[CompressionParameter.window_log] = window_log
    return ZstdCompressor(options=options, zstd_dict=dictionary).compress(
        plain, ZstdCompressor.FLUSH_FRAME
    )


def streamed(*blocks: bytes) -> bytes:
    """One frame without a content size, and each piece in blocks of its own."""
    compressor = ZstdCompressor(options={CompressionParameter.checksum_flag: 1})
    parts = [compressor.compress(block, ZstdCompressor.FLUSH_BLOCK) for block in blocks]
    return b"".join(parts) + compressor.flush()


def member(plain: bytes) -> bytes:
    return gzip.compress(plain, mtime=0)


def noise(length: int, seed: int = 0) -> bytes:
    """Bytes that do not compress, the same in every run."""
    blocks = (sha512(b"%d %d" % (seed, at)).digest() for at in range(0, length, 64))
    return b"".join(blocks)[:length]


def flipped(data: bytes, at: int) -> bytes:
    changed = bytearray(data)
    changed[at] ^= 0x55
    return bytes(changed)


class Read(NamedTuple):
    text: bytes
    troubles: list[Trouble]
    frames: list[tuple[int, int, int]]
    complete_to: int


def account(source: UnpackedSource) -> Read:
    text = source.read(0, ALL)
    assert source.size() == len(text)
    frames = source.frames
    rows = [(frames.packed(at), frames.plain(at), frames.length(at)) for at in range(len(frames))]
    return Read(text, source.troubles(), rows, source.complete_to)


def opened(data: bytes, path: Path, limit: Limit = DEFAULT_LIMIT) -> UnpackedSource:
    path.write_bytes(data)
    return UnpackedSource(FileSource(path), limit)


def unpacked(data: bytes, path: Path, limit: Limit = DEFAULT_LIMIT) -> Read:
    with opened(data, path, limit) as source:
        return account(source)


def said(read: Read) -> list[tuple[str, int, int]]:
    """Code, packed byte and plain byte of each trouble."""
    return [(trouble.code, trouble.packed, trouble.plain) for trouble in read.troubles]
