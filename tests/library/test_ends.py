import gzip
import os
import stat
from pathlib import Path

import pytest

from inspector.formats.listing import HEAD, LONGEST, TAIL
from inspector.library import ends as module
from inspector.library.ends import look, why_not
from inspector.library.unpacking import PACKED
from inspector.tape.packing import Packing
from inspector.tape.zstd_writing import frame
from tests.untouched import untouched


def lines(count: int) -> bytes:
    return b"".join(
        b'{"n":%d,"said":"%s"}\n' % (n, os.urandom(30).hex().encode()) for n in range(count)
    )


def written(folder: Path, data: bytes, name: str = "a.jsonl") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("size", [0, 1, HEAD, HEAD + 1, HEAD + TAIL])
def test_of_a_small_text_all_is_there(tmp_path: Path, size: int) -> None:
    data = (b"{" + os.urandom(size))[:size]
    path = written(tmp_path, data)
    found = look(str(path)).ends
    assert found.whole
    assert found.head + found.tail == data
    assert len(found.head) <= HEAD
    assert found.size == size
    assert found.modified == path.stat().st_mtime_ns // 1_000_000


def test_of_a_long_text_the_first_and_the_last_bytes_are_there(tmp_path: Path) -> None:
    data = b"{\n" + os.urandom(HEAD + TAIL)
    path = written(tmp_path, data)
    found = look(str(path)).ends
    assert (found.head, found.tail, found.whole) == (data[:HEAD], data[-TAIL:], False)


@pytest.mark.parametrize("size", [100, 6_000, 200_000])
def test_a_file_is_opened_once_and_only_its_ends_are_read(
    tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, b"{\n" * (size // 2))
    opened: list[str] = []
    read: list[int] = []
    real_open, real_read = os.open, os.pread

    def counted_open(text: str, flags: int) -> int:
        opened.append(text)
        return real_open(text, flags)

    def counted_read(descriptor: int, length: int, offset: int) -> bytes:
        data = real_read(descriptor, length, offset)
        read.append(len(data))
        return data

    monkeypatch.setattr(module.os, "open", counted_open)
    monkeypatch.setattr(module.os, "pread", counted_read)
    with untouched(tmp_path):
        look(str(path))
    assert opened == [str(path)]
    assert len(read) <= 2
    assert sum(read) == min(size, HEAD + TAIL)


@pytest.mark.parametrize("rest", [0, 1, TAIL - 1, TAIL, TAIL + 1, LONGEST])
def test_of_a_first_line_that_is_longer_more_is_read(tmp_path: Path, rest: int) -> None:
    data = b'{"instructions":"' + b"x" * HEAD + b'"}\n' + b"{}\n" * (rest // 3)
    path = written(tmp_path, data)
    ends = look(str(path)).ends
    assert ends.head == data[: len(ends.head)]
    assert ends.tail == data[len(data) - len(ends.tail) :]
    assert b"\n" in ends.head + ends.tail
    assert len(ends.head) <= LONGEST
    assert ends.whole == (len(ends.head) + len(ends.tail) == len(data))
    assert len(ends.head) + len(ends.tail) <= len(data)


@pytest.mark.parametrize("rest", [0, 10, 3_000, 60_000])
@pytest.mark.parametrize("pack", [frame, gzip.compress], ids=["zstd", "gzip"])
def test_the_same_of_a_packed_text(tmp_path: Path, rest: int, pack) -> None:  # type: ignore[no-untyped-def]
    first = b'{"instructions":"' + os.urandom(9_000).hex().encode() + b'"}\n'
    data = first + lines(rest // 75)
    path = written(tmp_path, pack(data))
    ends = look(str(path)).ends
    assert first in ends.head
    assert ends.head == data[: len(ends.head)]
    assert len(ends.head) <= LONGEST
    if ends.tail:
        assert ends.tail == data[len(data) - len(ends.tail) :]
    assert ends.whole <= (ends.head + ends.tail == data)


def test_of_a_line_that_does_not_end_so_much_is_read(tmp_path: Path) -> None:
    data = b"{" + b"x" * (4 << 20)
    path = written(tmp_path, data)
    ends = look(str(path)).ends
    assert (len(ends.head), len(ends.tail), ends.whole) == (LONGEST, TAIL, False)


def test_nothing_stays_open(tmp_path: Path) -> None:
    path = written(tmp_path, b"{}\n")
    before = len(list(Path("/proc/self/fd").iterdir()))
    look(str(path))
    with pytest.raises(OSError, match="directory"):
        look(str(tmp_path))
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.parametrize("pack", [frame, gzip.compress], ids=["zstd", "gzip"])
def test_a_packed_text_that_is_small_is_there_as_a_whole(tmp_path: Path, pack) -> None:  # type: ignore[no-untyped-def]
    data = lines(20)
    half = data.index(b'{"n":10')
    path = written(tmp_path, pack(data[:half]) + pack(data[half:]))
    looked = look(str(path))
    assert looked.packing in (Packing.ZSTD, Packing.GZIP)
    assert looked.ends.head + looked.ends.tail == data
    assert looked.ends.whole
    assert looked.ends.size == path.stat().st_size


def test_of_many_frames_the_first_and_the_last_are_unpacked(tmp_path: Path) -> None:
    batches = [lines(24) for _ in range(60)]
    path = written(tmp_path, b"".join(map(frame, batches)))
    assert path.stat().st_size > 2 * PACKED
    ends = look(str(path)).ends
    assert ends.head == b"".join(batches[:4])[:HEAD]
    assert ends.packed
    assert ends.tail
    assert batches[-1].endswith(ends.tail)
    assert not ends.whole


def test_of_one_large_frame_only_the_head_is_unpacked(tmp_path: Path) -> None:
    data = lines(20_000)
    path = written(tmp_path, frame(data))
    ends = look(str(path)).ends
    assert (ends.head, ends.tail, ends.whole) == (data[:HEAD], b"", False)


def test_of_a_large_gzip_file_only_the_head_is_unpacked(tmp_path: Path) -> None:
    data = lines(20_000)
    path = written(tmp_path, gzip.compress(data))
    ends = look(str(path)).ends
    assert (ends.head, ends.tail, ends.whole) == (data[:HEAD], b"", False)


def test_a_small_file_that_unpacks_to_much_is_unpacked_to_its_head(tmp_path: Path) -> None:
    data = b"[\n" * (32 << 20)
    for pack in (frame, gzip.compress):
        path = written(tmp_path, pack(data))
        assert path.stat().st_size < 200_000
        ends = look(str(path)).ends
        assert (ends.head, ends.tail, ends.whole) == (data[:HEAD], b"", False)


def test_a_torn_frame_gives_what_stands_before_it(tmp_path: Path) -> None:
    first, second = lines(10), lines(20)
    path = written(tmp_path, frame(first) + frame(second)[:-30])
    ends = look(str(path)).ends
    assert ends.head.startswith(first)
    assert (ends.tail, ends.whole) == (b"", False)


@pytest.mark.parametrize("rest", [b"", b"\x00" * 40, b"garbage that is no frame"])
def test_packed_garbage_is_no_text(tmp_path: Path, rest: bytes) -> None:
    path = written(tmp_path, b"\x28\xb5\x2f\xfd" + rest)
    assert look(str(path)).ends.head == b""


def test_of_a_database_nothing_is_read_but_what_it_is(tmp_path: Path) -> None:
    path = written(tmp_path, b"SQLite format 3\x00" + bytes(9_000))
    looked = look(str(path))
    assert looked.database
    assert (looked.ends.head, looked.ends.tail) == (b"", b"")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    os.mkfifo(path)
    assert stat.S_ISFIFO(path.stat().st_mode)
    with pytest.raises(OSError, match="is not a regular file") as found:
        look(str(path))
    assert why_not(path, found.value) == "is not a regular file"
