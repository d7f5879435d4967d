"""A single compressed value: one zstd frame in memory, with nothing before or behind it."""

from inspector.tape._zstd import ZstdDecompressor, ZstdError


def unpack_frame(data: bytes, limit: int) -> bytes:
    """What one frame holds.

    Raises:
        ValueError: if the bytes are not exactly one whole frame of at most ``limit`` plain bytes.
    """
    decompressor = ZstdDecompressor()
    try:
        plain = decompressor.decompress(data, max_length=limit + 1)
    except ZstdError as error:
        raise ValueError(f"not a zstd frame: {error}") from error
    if len(plain) > limit:
        raise ValueError(f"a zstd frame of more than {limit} bytes")
    if not decompressor.eof:
        raise ValueError("a zstd frame that ends early")
    if decompressor.unused_data:
        raise ValueError("more than one zstd frame")
    return plain
