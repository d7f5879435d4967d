import gzip
import io
from pathlib import Path

import pytest

from tests.tape.packed import flipped, member, noise, said, unpacked

FIRST = b'{"seq":0}\n{"seq":1}\n'
SECOND = b'{"seq":2}\n' * 50
AT = len(member(FIRST))


def fully_headed(plain: bytes) -> bytes:
    """A member with every optional part of a header."""
    extra = b"\x03\x00abc"
    header = b"\x1f\x8b\x08\x1e" + bytes(6) + extra + b"name\0" + b"comment\0" + b"\x00\x00"
    return header + member(plain)[10:]


def test_all_members_are_the_text(tmp_path: Path) -> None:
    data = member(FIRST) + fully_headed(SECOND) + member(b"") + member(b"end")
    read = unpacked(data, tmp_path / "tape")
    assert read.text == FIRST + SECOND + b"end"
    assert read.troubles == []
    assert read.complete_to == len(read.text)
    assert sum(length for _, _, length in read.frames) == len(data)
    assert [plain for _, plain, _ in read.frames] == [0, 20, 520, 520]


def test_a_member_larger_than_a_piece_is_whole(tmp_path: Path) -> None:
    plain = noise(600_000) + bytes(5_000_000)
    assert unpacked(member(plain), tmp_path / "tape").text == plain


def test_a_stream_that_is_cut_gives_what_it_holds(tmp_path: Path) -> None:
    data = fully_headed(SECOND)
    before = b""
    for cut in range(2, len(data)):
        read = unpacked(member(FIRST) + data[:cut], tmp_path / "tape")
        assert (FIRST + SECOND).startswith(read.text)
        assert read.text.startswith(before)
        assert said(read) == [("torn-stream", AT, len(FIRST))]
        assert read.complete_to == len(FIRST)
        before = read.text
    assert before == FIRST + SECOND
    assert read.troubles[0].message == (f"gzip stream ends early: the member at byte {AT} is cut")


@pytest.mark.parametrize(
    ("at", "reason"), [(-8, "fails its checksum"), (-1, "is not as long as it says")]
)
def test_a_member_that_fails_at_its_end_keeps_its_text(
    at: int, reason: str, tmp_path: Path
) -> None:
    read = unpacked(flipped(member(FIRST), at) + member(SECOND), tmp_path / "tape")
    assert read.text == FIRST + SECOND
    assert said(read) == [("damaged-frame", 0, 0)]
    assert read.troubles[0].message == (
        f"gzip member at byte 0 {reason}; the text it gave before that stays"
    )
    assert read.complete_to == len(read.text)


def test_a_fault_in_the_middle_keeps_the_text_before_it(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as file:
        file.write(FIRST)
        file.flush()
        good = len(buffer.getvalue())
        file.write(SECOND)
    data = buffer.getvalue()[:good] + b"\xff" * 20
    read = unpacked(data + member(b"end"), tmp_path / "tape")
    assert read.text == FIRST + b"end"
    assert said(read) == [("damaged-frame", 0, 0)]
    message = read.troubles[0].message
    assert f"cannot be decoded from byte {good} on; the text it gave before that stays" in message
    assert message.endswith(f"{len(data)} bytes are skipped")


def test_zeros_behind_a_member_are_padding(tmp_path: Path) -> None:
    data = member(FIRST) + bytes(100) + member(SECOND) + bytes(700_000)
    read = unpacked(data, tmp_path / "tape")
    assert (read.text, read.troubles) == (FIRST + SECOND, [])


def test_other_bytes_behind_a_member_are_skipped_to_the_next(tmp_path: Path) -> None:
    false = b"\x1f\x8b\x08\x00" + b"\xff" * 30
    read = unpacked(member(FIRST) + b"x" + false + member(SECOND) + b"rest", tmp_path / "tape")
    assert read.text == FIRST + SECOND
    assert [trouble.code for trouble in read.troubles] == ["not-a-frame", "not-a-frame"]
    assert read.troubles[0].message == (
        f"invalid frame magic at byte {AT}; {1 + len(false)} bytes are skipped"
    )


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (b"\x1f\x8b\x07\x00" + bytes(6), "packed with method 7"),
        (b"\x1f\x8b\x08\xe0" + bytes(6), "reserved flags"),
        (b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * 70_000, "a header without an end"),
    ],
)
def test_a_header_that_cannot_be_read_is_said(header: bytes, reason: str, tmp_path: Path) -> None:
    read = unpacked(member(FIRST) + header, tmp_path / "tape")
    assert read.text == FIRST
    assert said(read) == [("damaged-frame", AT, len(FIRST))]
    assert reason in read.troubles[0].message
