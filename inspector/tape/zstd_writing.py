"""Zstandard frames that are written."""

from typing import Final

from inspector.tape._zstd import CompressionParameter, ZstdCompressor

_LEVEL: Final = 3


def frame(data: bytes) -> bytes:
    """A frame of its own with a checksum, at the library's usual level."""
    options: dict[int, int] = {
        CompressionParameter.compression_level: _LEVEL,
        CompressionParameter.checksum_flag: 1,
    }
    compressor = ZstdCompressor(options=options)
    return compressor.compress(data, ZstdCompressor.FLUSH_FRAME)
