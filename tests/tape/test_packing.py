import pytest

from inspector.tape.packing import Packing, packing
from tests.tape.packed import SKIPPABLE, frame, member


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (frame(b"a"), Packing.ZSTD),
        (SKIPPABLE, Packing.ZSTD),
        (b"\x50\x2a\x4d\x18", Packing.ZSTD),
        (b"\x5f\x2a\x4d\x18", Packing.ZSTD),
        (member(b"a"), Packing.GZIP),
        (b"PK\x03\x04", Packing.ZIP),
        (b"", None),
        (b"\x28\xb5\x2f", None),
        (b"\x60\x2a\x4d\x18", None),
        (b"\x1f", None),
        (b"PK\x05\x06", None),
        (b'{"type":"session"}', None),
    ],
)
def test_a_compression_is_told_from_the_first_bytes(head: bytes, kind: Packing | None) -> None:
    assert packing(head) is kind
    assert packing(head[:4]) is kind
