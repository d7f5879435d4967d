"""Frames that are written can be read, and bear a checksum."""

from inspector.tape.zstd_blob import unpack_frame
from inspector.tape.zstd_writing import frame

_CHECKSUM = 0b100
"""The bit of a frame's descriptor that says so."""


def test_a_frame_holds_what_was_written() -> None:
    data = b"line\n" * 1000
    packed = frame(data)
    assert unpack_frame(packed, len(data)) == data
    assert packed[:4] == b"\x28\xb5\x2f\xfd"
    assert packed[4] & _CHECKSUM
    assert len(packed) < len(data)


def test_the_same_text_gives_the_same_frame() -> None:
    assert frame(b"text") == frame(b"text")
