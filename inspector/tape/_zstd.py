"""The one door to the Zstandard library: of Python itself from 3.14 on, its backport before."""

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import (
        CompressionParameter,
        ZstdCompressor,
        ZstdDecompressor,
        ZstdError,
    )
else:
    from backports.zstd import (
        CompressionParameter,
        ZstdCompressor,
        ZstdDecompressor,
        ZstdError,
    )

__all__ = ["CompressionParameter", "ZstdCompressor", "ZstdDecompressor", "ZstdError"]
