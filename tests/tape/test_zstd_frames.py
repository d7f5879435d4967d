from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape.source import FileSource
from inspector.tape.units import Window
from inspector.tape.zstd_frames import (
    BLOCK_MOST,
    FrameHeader,
    FrameWalk,
    StructureError,
    Walk,
    frame_header,
)
from tests.tape.packed import ALL, frame, noise, streamed

MAGIC = b"\x28\xb5\x2f\xfd"
RAW_LAST = (3 << 3 | 1).to_bytes(3, "little") + b"abc"


def walked(data: bytes, path: Path, until: int = ALL) -> tuple[Walk, int]:
    path.write_bytes(data)
    with FileSource(path) as source:
        walk = FrameWalk(Window(source), 0)
        return walk.go(until), walk.end


@pytest.mark.parametrize(
    ("descriptor_and_fields", "header"),
    [
        ("20 05", FrameHeader(6, 5, 0, 5, False)),
        ("24 05", FrameHeader(6, 5, 0, 5, True)),
        ("00 00", FrameHeader(6, 1024, 0, None, False)),
        ("00 0a", FrameHeader(6, 2048 + 512, 0, None, False)),
        ("01 00 07", FrameHeader(7, 1024, 7, None, False)),
        ("02 00 07 01", FrameHeader(8, 1024, 263, None, False)),
        ("63 01 00 00 01 02 00", FrameHeader(11, 258, 0x0100_0001, 258, False)),
        ("80 00 04 03 02 01", FrameHeader(10, 1024, 0, 0x0102_0304, False)),
        ("c0 58 01 00 00 00 00 00 00 01", FrameHeader(14, 1 << 21, 0, (1 << 56) + 1, False)),
    ],
)
def test_the_fields_of_a_header(descriptor_and_fields: str, header: FrameHeader) -> None:
    head = MAGIC + bytes.fromhex(descriptor_and_fields)
    assert frame_header(head + b"beyond") == header
    assert frame_header(head) == header
    assert [frame_header(head[:cut]) for cut in range(len(head))] == [None] * len(head)


def test_the_reserved_bit_is_an_error() -> None:
    with pytest.raises(StructureError, match="reserved bit"):
        frame_header(MAGIC + b"\x08\x00")


@pytest.mark.parametrize(
    "data",
    [
        frame(b""),
        frame(b"a" * 300),
        frame(b"abc", checksum=False),
        frame(b"\0" * 500_000),
        frame(noise(300_000)),
        streamed(b"one", noise(200_000), b"three" * 1000),
    ],
    ids=["empty", "small", "without-checksum", "repeated", "raw", "blocks"],
)
def test_a_frame_ends_where_the_next_begins(data: bytes, tmp_path: Path) -> None:
    assert walked(data + frame(b"next"), tmp_path / "tape") == (Walk.COMPLETE, len(data))


@given(cut=st.integers(0, 2000), pieces=st.lists(st.binary(max_size=900), min_size=1, max_size=3))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_a_frame_that_the_file_cuts_is_torn_and_goes_on(
    tmp_path_factory: pytest.TempPathFactory, cut: int, pieces: list[bytes]
) -> None:
    path = tmp_path_factory.getbasetemp() / "walk"
    data = streamed(*pieces)
    cut %= len(data)
    path.write_bytes(data[:cut])
    with FileSource(path) as source:
        window = Window(source)
        walk = FrameWalk(window, 0)
        assert walk.go(ALL) is Walk.TORN
        assert walk.end <= cut
        path.write_bytes(data)
        window.refresh()
        assert walk.go(ALL) is Walk.COMPLETE
        assert walk.go(ALL) is Walk.COMPLETE
        assert walk.end == len(data)


def test_a_walk_pauses_behind_the_byte_it_was_sent_to(tmp_path: Path) -> None:
    data = streamed(*[noise(BLOCK_MOST, seed) for seed in range(3)])
    going, end = walked(data, tmp_path / "tape", until=100)
    assert going is Walk.GOING
    assert 100 <= end < len(data) // 2


def test_the_reserved_block_type_is_an_error_with_its_byte(tmp_path: Path) -> None:
    with pytest.raises(StructureError, match="reserved type at byte 6"):
        walked(MAGIC + b"\x20\x03" + b"\x07\x00\x00" + RAW_LAST, tmp_path / "tape")


def test_a_block_larger_than_asked_for_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "tape"
    path.write_bytes(MAGIC + b"\x00\x58" + (BLOCK_MOST + 1 << 3).to_bytes(3, "little"))
    with FileSource(path) as source:
        assert FrameWalk(Window(source), 0).go(ALL) is Walk.TORN
        with pytest.raises(StructureError, match="too large at byte 6"):
            FrameWalk(Window(source), 0).go(ALL, block_most=BLOCK_MOST)


@pytest.mark.parametrize("empty", [1, 2, 5_000])
@pytest.mark.parametrize("size", [3, 32, 8192])
def test_empty_blocks_end_where_the_first_that_is_not_empty_begins(
    empty: int, size: int, tmp_path: Path
) -> None:
    going = (size << 3).to_bytes(3, "little") + noise(size)
    data = MAGIC + b"\x00\x58" + bytes(3 * empty) + going + bytes(3 * empty) + RAW_LAST
    assert walked(data + b"\0", tmp_path / "tape") == (Walk.COMPLETE, len(data))
