import os
import tempfile
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape import unpacked_text
from inspector.tape.lines import LineSplitter
from inspector.tape.source import FileSource, Source, SourceError
from inspector.tape.unpacking import Limit, UnpackedSource
from tests.tape.packed import (
    ALL,
    SKIPPABLE,
    account,
    flipped,
    frame,
    member,
    noise,
    opened,
    said,
    streamed,
    unpacked,
)

LINES = [b'{"header":1}\n', b'{"seq":0}\n{"seq":1}\n', b'{"seq":2}\n' * 40]
ZSTD = b"".join(frame(lines) for lines in LINES)
TEXT = b"".join(LINES)


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as writer:
        writer.write(data)


def test_lines_are_cut_from_it_as_from_a_file(tmp_path: Path) -> None:
    source: Source = opened(ZSTD, tmp_path / "tape")
    assert source.path == tmp_path / "tape"
    splitter = LineSplitter(source)
    assert splitter.batch() == (0, TEXT.split(b"\n")[:-1])
    assert splitter.batch() is None
    source.close()


@pytest.mark.parametrize(
    "data",
    [
        ZSTD,
        ZSTD + SKIPPABLE + streamed(LINES[1], LINES[2]) + b"garbage" + frame(b"end"),
        member(LINES[0]) + bytes(9) + member(LINES[2]) + b"garbage" + member(b"end"),
    ],
    ids=["zstd", "zstd-mixed", "gzip"],
)
def test_growing_byte_by_byte_gives_what_is_read_at_once(data: bytes, tmp_path: Path) -> None:
    whole = unpacked(data, tmp_path / "whole")
    path = tmp_path / "tape"
    with opened(data[:4], path) as source:
        before = source.read(0, ALL)
        for at in range(4, len(data)):
            append(path, data[at : at + 1])
            text = source.read(0, ALL)
            assert text.startswith(before)
            before = text
        assert account(source) == whole
    assert before == whole.text


@given(cuts=st.lists(st.integers(1, 400_000), max_size=5), reads=st.integers(1, 500_000))
@settings(derandomize=True, deadline=None, max_examples=25)
def test_growing_by_any_pieces_gives_what_is_read_at_once(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int], reads: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "growing"
    plain = [noise(150_000), b'{"seq":0}\n' * 30_000, noise(150_000, 1)]
    data = ZSTD + streamed(*plain) + ZSTD
    with opened(data[:50], path) as source:
        for cut in sorted(cuts):
            append(path, data[path.stat().st_size : cut])
            source.read(source.size(), reads)
        append(path, data[path.stat().st_size :])
        read = account(source)
    assert read.text == TEXT + b"".join(plain) + TEXT
    assert (read.troubles, read.complete_to) == ([], len(read.text))


def test_a_torn_frame_is_torn_until_its_end_has_come(tmp_path: Path) -> None:
    last = streamed(b'{"seq":3}\n', b'{"seq":4}\n')
    path = tmp_path / "tape"
    with opened(ZSTD + last[:-8], path) as source:
        read = account(source)
        assert read.text == TEXT + b'{"seq":3}\n'
        assert said(read) == [("torn-frame", len(ZSTD), len(TEXT))]
        assert (read.complete_to, read.frames[-1]) == (len(TEXT), (len(ZSTD), len(TEXT), 0))
        append(path, last[-8:])
        read = account(source)
        assert read.text == TEXT + b'{"seq":3}\n{"seq":4}\n'
        assert (read.troubles, read.complete_to) == ([], len(read.text))
        assert read.frames[-1] == (len(ZSTD), len(TEXT), len(last))


def test_a_torn_frame_that_ends_wrong_keeps_the_text_it_gave(tmp_path: Path) -> None:
    last = flipped(streamed(b'{"seq":3}\n', b'{"seq":4}\n'), -1)
    path = tmp_path / "tape"
    with opened(ZSTD + last[:-8], path) as source:
        assert source.read(0, ALL) == TEXT + b'{"seq":3}\n'
        append(path, last[-8:] + frame(b'{"seq":5}\n'))
        read = account(source)
    assert read.text == TEXT + b'{"seq":3}\n{"seq":5}\n'
    assert [trouble.message for trouble in read.troubles] == [
        f"zstd frame at byte {len(ZSTD)} fails its checksum; the text it gave before that stays"
    ]
    assert read.complete_to == len(read.text)


def test_a_file_that_has_not_grown_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(ZSTD[:-5], tmp_path / "tape") as source:
        source.read(0, ALL)
        monkeypatch.setattr(FileSource, "read", lambda *_: pytest.fail("it was read"))
        assert source.read(source.size(), 10) == b""


def test_a_file_that_became_shorter_is_refused_for_good(tmp_path: Path) -> None:
    path = tmp_path / "tape"
    with opened(ZSTD, path) as source:
        text = source.read(0, ALL)
        os.truncate(path, 40)
        for _ in range(2):
            with pytest.raises(SourceError) as caught:
                source.read(len(text), 1)
            assert str(caught.value) == (
                f"became shorter while it was read: 40 bytes now, {len(ZSTD)} before"
            )
        assert source.read(0, 13) == LINES[0]


def test_a_torn_frame_that_was_written_anew_is_refused_for_good(tmp_path: Path) -> None:
    path = tmp_path / "tape"
    with opened(ZSTD + frame(noise(300))[:-100], path) as source:
        source.read(0, ALL)
        os.truncate(path, len(ZSTD))
        append(path, frame(noise(400, 1)))
        for _ in range(2):
            with pytest.raises(SourceError, match=f"was written anew from byte {len(ZSTD)} or"):
                source.read(len(TEXT), 1)


@pytest.mark.parametrize("pack", [frame, member])
def test_no_more_is_unpacked_than_somebody_reads(
    pack: "type[bytes]", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = noise(1_500_000)
    data = b"".join(pack(plain[at : at + 300_000]) for at in range(0, len(plain), 300_000))
    taken: list[int] = []
    read = FileSource.read

    def counted(source: FileSource, offset: int, length: int) -> bytes:
        part = read(source, offset, length)
        taken.append(len(part))
        return part

    with opened(data, tmp_path / "tape") as source:
        monkeypatch.setattr(FileSource, "read", counted)
        assert source.size() == 0
        assert source.read(0, 1000) == plain[:1000]
        assert source.size() < 700_000
        assert sum(taken) < 1_000_000
        assert max(taken) <= 256 * 1024
        assert source.read(1_400_000, ALL) == plain[1_400_000:]


@pytest.mark.parametrize(
    ("limit", "kept", "words"),
    [
        (Limit(bytes=100), 100, "the text is longer than 100 bytes, a limit that can be raised"),
        (
            Limit(ratio=0, floor=150),
            150,
            "is more than 0 times as long as what it came from, a limit that can be raised",
        ),
    ],
)
@pytest.mark.parametrize("pack", [frame, member])
def test_at_a_limit_the_text_ends_with_a_trouble(
    pack: "type[bytes]", limit: Limit, kept: int, words: str, tmp_path: Path
) -> None:
    data = pack(LINES[0]) + pack(b"x" * 3_000_000)
    with opened(data, tmp_path / "tape", limit) as source:
        read = account(source)
        assert read.text == (LINES[0] + b"x" * 1000)[:kept]
        assert [trouble.code for trouble in read.troubles] == ["unpack-limit"]
        assert words in read.troubles[0].message
        assert read.troubles[0].message.startswith("unpacking stops at byte ")
        assert (read.troubles[0].plain, read.complete_to) == (kept, len(LINES[0]))
        assert source.read(kept, 10) == b""
    assert len(unpacked(data, tmp_path / "tape").text) == 3_000_013


def test_a_bomb_stops_at_the_ratio(tmp_path: Path) -> None:
    limit = Limit(ratio=200, floor=1 << 20)
    read = unpacked(frame(bytes(40_000_000)), tmp_path / "tape", limit)
    assert len(read.text) == 1 << 20
    assert [trouble.code for trouble in read.troubles] == ["unpack-limit"]


def test_a_full_disk_ends_the_text_with_a_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, os.strerror(28))

    with opened(ZSTD, tmp_path / "tape") as source:
        source.read(0, 1)
        given = source.size()
        monkeypatch.setattr(unpacked_text.os, "pwrite", full)
        read = account(source)
    assert read.text == TEXT[:given]
    assert [trouble.code for trouble in read.troubles] == ["unpack-limit"]
    assert read.troubles[0].message.endswith("No space left on device")


def test_the_share_runs_from_nothing_to_all(tmp_path: Path) -> None:
    with opened(ZSTD, tmp_path / "tape") as source:
        assert source.share(0) == 0.0
        source.read(0, ALL)
        shares = [source.share(offset) for offset in range(len(TEXT) + 2)]
    assert shares == sorted(shares)
    assert (shares[0], shares[len(TEXT)], shares[-1]) == (0.0, 1.0, 1.0)
    assert shares[13] == len(frame(LINES[0])) / len(ZSTD)


def test_a_torn_end_is_behind_once_it_was_read(tmp_path: Path) -> None:
    with opened(ZSTD[:-5], tmp_path / "tape") as source:
        source.read(0, ALL)
        assert source.share(source.size()) == 1.0


def test_two_threads_read_the_same_text(tmp_path: Path) -> None:
    plain = noise(100_000) + b'{"seq":0}\n' * 50_000
    data = b"".join(frame(plain[at : at + 10_000]) for at in range(0, len(plain), 10_000))
    with opened(data, tmp_path / "tape") as source:
        found: list[bytes] = []

        def read_all(length: int) -> None:
            parts: list[bytes] = []
            at = 0
            while part := source.read(at, length):
                parts.append(part)
                at += len(part)
            found.append(b"".join(parts))

        threads = [Thread(target=read_all, args=(length,)) for length in (7_001, 64_000)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [plain, plain]
        assert len(source.frames) == len(plain) // 10_000


def test_nothing_is_left_beside_the_source_or_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = sorted(os.listdir("/dev/fd"))  # noqa: PTH208 - descriptors, not files
    source = opened(ZSTD, tmp_path / "tape")
    source.read(0, ALL)
    assert [entry.name for entry in tmp_path.iterdir()] == ["tape"]
    source.close()
    source.close()
    with pytest.raises(SourceError):
        source.read(0, 1)
    assert sorted(os.listdir("/dev/fd")) == before  # noqa: PTH208
    assert (tmp_path / "tape").read_bytes() == ZSTD


@pytest.mark.parametrize("data", [b"", b"plain text\n", b"\x28\xb5\x2f"])
def test_a_file_that_is_not_compressed_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "tape").write_bytes(data)
    with (
        FileSource(tmp_path / "tape") as packed,
        pytest.raises(SourceError, match="is not a compressed file"),
    ):
        UnpackedSource(packed)
