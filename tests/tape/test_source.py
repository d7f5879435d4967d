import errno
import os
import socket
from pathlib import Path
from threading import Thread

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.tape import source as sources
from inspector.tape.source import FileSource, SourceError
from tests.dsh_tapes import Log
from tests.folding import fold_on


def refusal(path: Path) -> str:
    """Why a path cannot be read; a path that blocks would block the test for good."""
    said: list[str] = []

    def ask() -> None:
        with pytest.raises(SourceError) as caught:
            FileSource(path)
        said.append(str(caught.value))

    asker = Thread(target=ask, daemon=True)
    asker.start()
    asker.join(timeout=10)
    assert not asker.is_alive(), "it waits for somebody to write"
    return said[0]


def test_a_missing_file(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none") == "does not exist"


def test_a_broken_link_names_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "none")
    assert refusal(tmp_path / "link") == f"does not exist (broken link to {tmp_path / 'none'})"


def test_a_loop_of_links(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    assert refusal(tmp_path / "one") == "is a loop of symbolic links"


def test_a_directory(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "is a directory"


def test_a_file_as_part_of_the_path(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert refusal(tmp_path / "file" / "tape") == (
        "does not exist (a part of the path is not a directory)"
    )


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    assert refusal(tmp_path / ("x" * 300)) == "does not exist (the name is too long)"


def test_a_path_with_a_nul() -> None:
    assert refusal(Path("a\0b")) == "not a path"


def test_a_fifo_is_refused_and_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert refusal(tmp_path / "fifo") == "is not a regular file"


def test_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        assert refusal(Path("socket")) == "is not a regular file"


def test_a_device() -> None:
    assert refusal(Path("/dev/null")) == "is not a regular file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    (tmp_path / "tape").touch(mode=0o000)
    assert refusal(tmp_path / "tape") == "permission denied"


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.EACCES, "permission denied"),
        (errno.EPERM, "permission denied"),
        (errno.EIO, os.strerror(errno.EIO)),
        (errno.EMFILE, os.strerror(errno.EMFILE)),
    ],
)
def test_what_the_system_says_becomes_a_reason(
    number: int, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, flags: int) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(sources.os, "open", refuse)
    with pytest.raises(SourceError) as caught:
        FileSource(tmp_path / "tape")
    assert str(caught.value) == reason


@pytest.mark.parametrize("refused", ["folder", "fifo"])
def test_a_refused_source_keeps_no_descriptor(refused: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    before = sorted(os.listdir("/dev/fd"))  # noqa: PTH208 - descriptors, not files
    with pytest.raises(SourceError):
        FileSource(tmp_path / refused)
    assert sorted(os.listdir("/dev/fd")) == before  # noqa: PTH208


def test_reading_past_the_end_gives_what_there_is(tmp_path: Path) -> None:
    (tmp_path / "tape").write_bytes(b"abcdef")
    with FileSource(tmp_path / "tape") as source:
        assert source.size() == 6
        assert source.read(0, 6) == b"abcdef"
        assert source.read(2, 3) == b"cde"
        assert source.read(4, 100) == b"ef"
        assert source.read(6, 1) == b""
        assert source.read(1 << 40, 10) == b""
        assert source.read(0, 0) == b""


def test_a_read_longer_than_a_chunk_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "CHUNK", 4)
    (tmp_path / "tape").write_bytes(b"abcdefghijk")
    with FileSource(tmp_path / "tape") as source:
        assert source.read(0, 11) == b"abcdefghijk"
        assert source.read(1, 8) == b"bcdefghi"
        assert source.read(9, 8) == b"jk"


def test_a_file_that_shrinks_while_it_is_open_gives_what_is_left(tmp_path: Path) -> None:
    path = tmp_path / "tape"
    path.write_bytes(b"abcdef")
    with FileSource(path) as source:
        os.truncate(path, 2)
        assert source.size() == 2
        assert source.read(0, 6) == b"ab"
        assert source.read(4, 2) == b""


def test_a_file_that_grows_while_it_is_open_gives_what_came(tmp_path: Path) -> None:
    path = tmp_path / "tape"
    path.write_bytes(b"ab")
    with FileSource(path) as source:
        with path.open("ab") as writer:
            writer.write(b"cd")
        assert source.size() == 4
        assert source.read(0, 10) == b"abcd"


def test_a_closed_source_reads_no_more_and_closes_again(tmp_path: Path) -> None:
    (tmp_path / "tape").write_bytes(b"ab")
    with FileSource(tmp_path / "tape") as source:
        pass
    with pytest.raises(SourceError):
        source.read(0, 1)
    source.close()


def test_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "tape").write_bytes(b"ab")
    (tmp_path / "link").symlink_to("tape")
    with FileSource(tmp_path / "link") as source:
        assert source.read(0, 2) == b"ab"


@pytest.mark.parametrize("torn", [b"", b'{"type":"turn'])
def test_reading_a_tape_leaves_file_and_folder_as_they_were(torn: bytes, tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.user()
    path = tmp_path / "session.jsonl"
    path.write_bytes(bytes(log) + torn)
    os.utime(path, ns=(1_000_000_000, 2_000_000_000))
    before = path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode
    tmp_path.chmod(0o500)
    tape = open_tape(path, Options())
    fold_on(tape)
    tape.payload(1)
    tape.sections(1)
    tape.verdict()
    assert [entry.name for entry in tmp_path.iterdir()] == ["session.jsonl"]
    tape.close()
    tmp_path.chmod(0o700)
    assert (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode) == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["session.jsonl"]
