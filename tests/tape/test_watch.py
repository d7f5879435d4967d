import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.tape.source import FileSource
from inspector.tape.watch import Change, Watch

CONTENT = b"".join(b"line %d\n" % at for at in range(1000))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def watch(path: Path) -> Iterator[Watch]:
    """A watch of a file that was read to its end."""
    with FileSource(path) as source:
        watch = Watch(source)
        watch.mark(source.size())
        yield watch


def write(path: Path, at: int, data: bytes) -> None:
    """Write in place, as a program that has the file open."""
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def test_before_anything_is_read_nothing_has_changed(path: Path) -> None:
    with FileSource(path) as source:
        watch = Watch(source)
        path.unlink()
        assert watch.look() is Change.NONE


def test_what_nobody_touches_does_not_change(watch: Watch) -> None:
    assert [watch.look() for _ in range(3)] == [Change.NONE] * 3


def test_it_grew(path: Path, watch: Watch) -> None:
    write(path, len(CONTENT), b"more\n")
    assert watch.look() is Change.GROWN


def test_growth_is_told_until_it_is_read(path: Path, watch: Watch) -> None:
    write(path, len(CONTENT), b"more\n")
    assert [watch.look(), watch.look()] == [Change.GROWN, Change.GROWN]
    watch.mark(len(CONTENT) + 5)
    assert watch.look() is Change.NONE


def test_what_was_written_while_it_was_read_is_not_missed(path: Path) -> None:
    with FileSource(path) as source:
        watch = Watch(source)
        write(path, len(CONTENT), b"more\n")
        watch.mark(len(CONTENT))
        assert watch.look() is Change.GROWN


@pytest.mark.parametrize("size", [0, 1, 1_000, len(CONTENT) - 1])
def test_it_became_shorter(size: int, path: Path, watch: Watch) -> None:
    os.truncate(path, size)
    assert watch.look() is Change.REPLACED


@pytest.mark.parametrize("content", [CONTENT, CONTENT + b"more\n", b""])
def test_another_file_took_its_place(content: bytes, path: Path, watch: Watch) -> None:
    other = path.with_name("other")
    other.write_bytes(content)
    other.rename(path)
    assert watch.look() is Change.REPLACED


@pytest.mark.parametrize("at", [0, 500, len(CONTENT) - 1, len(CONTENT) - 500])
def test_it_was_written_anew_in_place(at: int, path: Path, watch: Watch) -> None:
    write(path, at, b"#")
    assert watch.look() is Change.REPLACED


def test_it_was_written_anew_in_place_and_is_longer(path: Path, watch: Watch) -> None:
    write(path, 0, b"#" * (len(CONTENT) + 100))
    assert watch.look() is Change.REPLACED


def test_the_same_written_again_is_no_change(path: Path, watch: Watch) -> None:
    write(path, 0, CONTENT)
    os.utime(path)
    assert watch.look() is Change.NONE


def test_it_is_gone(path: Path, watch: Watch) -> None:
    path.unlink()
    assert [watch.look(), watch.look()] == [Change.GONE, Change.GONE]


def test_gone_and_there_again_it_is_another(path: Path, watch: Watch) -> None:
    path.unlink()
    assert watch.look() is Change.GONE
    path.write_bytes(CONTENT)
    assert watch.look() is Change.REPLACED


def test_renamed_away_and_back_it_is_the_same(path: Path, watch: Watch) -> None:
    away = path.with_name("away")
    path.rename(away)
    assert watch.look() is Change.GONE
    away.rename(path)
    assert watch.look() is Change.NONE


def test_an_empty_file_that_is_written_to_grew(path: Path) -> None:
    path.write_bytes(b"")
    with FileSource(path) as source:
        watch = Watch(source)
        watch.mark(0)
        assert watch.look() is Change.NONE
        path.write_bytes(b"first\n")
        assert watch.look() is Change.GROWN


def test_a_file_that_nobody_touches_is_not_read(
    path: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.look()

    def read(_source: FileSource, _offset: int, _length: int) -> bytes:
        raise AssertionError("it was read")

    monkeypatch.setattr(FileSource, "read", read)
    assert [watch.look() for _ in range(3)] == [Change.NONE] * 3


def test_however_long_a_file_is_a_look_reads_little(
    path: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths: list[int] = []
    read = FileSource.read

    def counted(source: FileSource, offset: int, length: int) -> bytes:
        lengths.append(length)
        return read(source, offset, length)

    monkeypatch.setattr(FileSource, "read", counted)
    write(path, len(CONTENT), CONTENT)
    assert watch.look() is Change.GROWN
    assert sum(lengths) <= 2048
