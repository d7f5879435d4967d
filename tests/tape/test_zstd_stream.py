from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape import unpacking
from inspector.tape.zstd_stream import WINDOW_MOST, ZstdCodec
from tests.tape.packed import (
    SKIPPABLE,
    ZstdDict,
    account,
    flipped,
    frame,
    noise,
    opened,
    said,
    streamed,
    unpacked,
)

LINES = [b'{"header":1}\n', b'{"seq":0}\n{"seq":1}\n', b'{"seq":2}\n' * 40]
FRAMES = [frame(lines) for lines in LINES]
SECOND = len(FRAMES[0])
THIRD = SECOND + len(FRAMES[1])
RESERVED_TYPE = b"\x28\xb5\x2f\xfd\x20\x03\x07\x00\x00"


@pytest.mark.parametrize("checksum", [True, False])
def test_all_frames_to_the_end_of_the_file_are_the_text(checksum: bool, tmp_path: Path) -> None:
    frames = [frame(lines, checksum=checksum) for lines in [*LINES, b"", b"end"]]
    read = unpacked(b"".join(frames), tmp_path / "tape")
    assert read.text == b"".join(LINES) + b"end"
    assert read.troubles == []
    assert read.complete_to == len(read.text)
    assert [length for _, _, length in read.frames] == [len(data) for data in frames]
    assert [packed for packed, _, _ in read.frames[:3]] == [
        0,
        len(frames[0]),
        len(b"".join(frames[:2])),
    ]
    assert [plain for _, plain, _ in read.frames] == [0, 13, 33, 433, 433]


@pytest.mark.parametrize("at", range(9, len(FRAMES[1])))
def test_a_damaged_frame_gives_nothing_and_reading_goes_on(at: int, tmp_path: Path) -> None:
    data = FRAMES[0] + flipped(FRAMES[1], at) + FRAMES[2]
    read = unpacked(data, tmp_path / "tape")
    assert read.text == LINES[0] + LINES[2]
    assert said(read) == [("damaged-frame", SECOND, len(LINES[0]))]
    assert read.complete_to == len(read.text)


def test_a_wrong_checksum_is_named_with_the_byte_of_the_frame(tmp_path: Path) -> None:
    read = unpacked(FRAMES[0] + flipped(FRAMES[1], -1) + FRAMES[2], tmp_path / "tape")
    assert [trouble.message for trouble in read.troubles] == [
        f"zstd frame at byte {SECOND} fails its checksum; its text is left out"
    ]
    assert read.frames == [
        (0, 0, SECOND),
        (SECOND, 13, len(FRAMES[1])),
        (THIRD, 13, len(FRAMES[2])),
    ]


def test_a_frame_without_a_structure_is_passed_over_to_the_next(tmp_path: Path) -> None:
    data = FRAMES[0] + RESERVED_TYPE + b"garbage" + FRAMES[2]
    read = unpacked(data, tmp_path / "tape")
    assert read.text == LINES[0] + LINES[2]
    assert said(read) == [("damaged-frame", SECOND, 13)]
    assert read.troubles[0].message == (
        f"zstd frame at byte {SECOND} has a block of the reserved type at byte {SECOND + 6}; "
        "its text is left out; 16 bytes are skipped"
    )


def test_frames_written_behind_a_torn_one_are_found(tmp_path: Path) -> None:
    torn = frame(noise(70))[:40]
    read = unpacked(FRAMES[0] + torn + FRAMES[1] + FRAMES[2], tmp_path / "tape")
    assert read.text == b"".join(LINES)
    assert said(read) == [("damaged-frame", SECOND, len(LINES[0]))]
    assert read.troubles[0].message.endswith("40 bytes are skipped")


def test_a_skippable_frame_is_skipped_with_the_words_of_the_owner(tmp_path: Path) -> None:
    read = unpacked(SKIPPABLE + FRAMES[0] + SKIPPABLE + FRAMES[1], tmp_path / "tape")
    assert read.text == LINES[0] + LINES[1]
    second = len(SKIPPABLE + FRAMES[0])
    assert said(read) == [("skipped-frame", 0, 0), ("skipped-frame", second, 13)]
    assert read.troubles[1].message == (
        f"invalid frame magic at byte {second}: a skippable frame of 15 bytes is skipped"
    )


@pytest.mark.parametrize("cut", range(4, len(SKIPPABLE)))
def test_a_skippable_frame_that_is_cut_is_torn(cut: int, tmp_path: Path) -> None:
    read = unpacked(FRAMES[0] + SKIPPABLE[:cut], tmp_path / "tape")
    assert (read.text, said(read)) == (LINES[0], [("torn-frame", SECOND, 13)])


def test_bytes_that_are_no_frame_are_skipped_to_the_next_frame(tmp_path: Path) -> None:
    false = b"\x28\xb5\x2f\xfd\xff"
    read = unpacked(FRAMES[0] + b"garbage" + false + FRAMES[1], tmp_path / "tape")
    assert read.text == LINES[0] + LINES[1]
    assert [trouble.message for trouble in read.troubles] == [
        f"invalid frame magic at byte {SECOND}; 12 bytes are skipped"
    ]
    assert said(read) == [("not-a-frame", SECOND, 13)]


def test_bytes_that_are_no_frame_at_the_end_are_counted(tmp_path: Path) -> None:
    read = unpacked(FRAMES[0] + bytes(16), tmp_path / "tape")
    assert read.text == LINES[0]
    assert [trouble.message for trouble in read.troubles] == [
        f"invalid frame magic at byte {SECOND}; 16 bytes to the end of the file are skipped"
    ]


@pytest.mark.parametrize("stray", [b"\0", b"\0\0", b"abc"])
def test_up_to_three_stray_bytes_are_a_torn_frame(stray: bytes, tmp_path: Path) -> None:
    read = unpacked(FRAMES[0] + stray, tmp_path / "tape")
    assert (read.text, said(read)) == (LINES[0], [("torn-frame", SECOND, 13)])
    assert read.troubles[0].message == f"torn zstd frame at byte {SECOND}"


def test_a_magic_over_the_border_of_two_pieces_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "PIECE", 16)
    for length in range(8, 40):
        read = unpacked(FRAMES[0] + b"x" * length + FRAMES[1], tmp_path / "tape")
        assert read.text == LINES[0] + LINES[1]


def test_of_a_torn_last_frame_the_complete_blocks_are_read(tmp_path: Path) -> None:
    blocks = [b'{"seq":0}\n', b"random " + noise(100) + b"\n", b'{"seq":2}\n' * 9]
    last = streamed(*blocks)
    whole = LINES[0] + b"".join(blocks)
    before = b""
    for cut in range(1, len(last)):
        read = unpacked(FRAMES[0] + last[:cut], tmp_path / "tape")
        assert whole.startswith(read.text)
        assert read.text.startswith(before)
        assert said(read) == [("torn-frame", SECOND, 13)]
        assert read.complete_to == len(LINES[0])
        before = read.text
    assert before == whole


def test_a_frame_that_needs_a_dictionary_is_said_and_passed(tmp_path: Path) -> None:
    known = ZstdDict(b'{"seq":' * 30, is_raw=True)
    needs = bytearray(frame(LINES[1], dictionary=known))
    # A raw dictionary has no number, so one is put into the header.
    needs[4] |= 1
    at = 5 if needs[4] & 0x20 else 6
    data = FRAMES[0] + bytes(needs[:at]) + b"\x09" + bytes(needs[at:]) + FRAMES[2]
    read = unpacked(data, tmp_path / "tape")
    assert read.text == LINES[0] + LINES[2]
    assert said(read) == [("unreadable-frame", SECOND, 13)]
    assert "needs dictionary 9, which is not here" in read.troubles[0].message


def test_a_frame_with_a_window_too_large_is_said_and_passed(tmp_path: Path) -> None:
    large = bytearray(streamed(b"some", b"text"))
    large[5] = 18 << 3
    read = unpacked(FRAMES[0] + bytes(large) + FRAMES[2], tmp_path / "tape")
    assert read.text == LINES[0] + LINES[2]
    assert said(read) == [("unreadable-frame", SECOND, 13)]
    assert f"window of {2 * WINDOW_MOST} bytes" in read.troubles[0].message


def test_a_large_frame_is_given_out_before_its_end_and_then_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ZstdCodec, "hold", 1 << 20)
    lines = b"".join(
        b'{"seq":%d,"id":"%s"}\n' % (n, noise(20, n).hex().encode()) for n in range(40_000)
    )
    data = flipped(frame(lines), -1)
    with opened(data + FRAMES[1], tmp_path / "tape") as source:
        first = source.read(0, 10)
        assert (first, source.complete_to, source.troubles()) == (lines[:10], 0, [])
        assert source.size() < len(lines)
        read = account(source)
    given = len(read.text) - len(LINES[1])
    assert 1 << 20 <= given <= len(lines)
    assert read.text == lines[:given] + LINES[1]
    assert said(read) == [("damaged-frame", 0, 0)]
    assert read.troubles[0].message == (
        "zstd frame at byte 0 fails its checksum; the text it gave before that stays"
    )
    assert read.complete_to == len(read.text)


@pytest.mark.parametrize(
    "unit",
    [RESERVED_TYPE, b"\x28\xb5\x2f\xfd" * 2, b"\x28\xb5\x2f\xfd\x00\x58" + bytes(30), SKIPPABLE],
    ids=["reserved", "magics", "empty-blocks", "skippable"],
)
def test_a_file_of_false_beginnings_comes_to_an_end(unit: bytes, tmp_path: Path) -> None:
    read = unpacked(FRAMES[0] + unit * 2000, tmp_path / "tape")
    assert read.text == LINES[0]
    assert 1 <= len(read.troubles) <= 1001


@given(
    at=st.integers(0, 10_000),
    change=st.sampled_from((b"", b"\0", b"\xff", b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18\xff")),
    gone=st.integers(0, 9),
)
@settings(derandomize=True, deadline=None, max_examples=50)
def test_damage_anywhere_leaves_the_frames_before_it(
    tmp_path_factory: pytest.TempPathFactory, at: int, change: bytes, gone: int
) -> None:
    data = b"".join(FRAMES)
    at %= len(data)
    damaged = data[:at] + change + data[at + gone :]
    intact = LINES[: 0 if at < SECOND else 1 if at < THIRD else 2]
    path = tmp_path_factory.getbasetemp() / "damaged"
    with opened(FRAMES[0] + damaged, path) as source:
        read = account(source)
    assert read.text.startswith(LINES[0] + b"".join(intact))
    assert read.troubles or read.text == LINES[0] + b"".join(LINES)
