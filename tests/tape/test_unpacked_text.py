import errno
import os
from pathlib import Path

import pytest

from inspector.tape import unpacked_text as module
from inspector.tape.source import SourceError
from inspector.tape.unpacked_text import UnpackedText


def test_text_is_there_once_it_is_published_and_can_be_dropped_before() -> None:
    text = UnpackedText()
    text.write(b"abc")
    assert (text.size, text.written, text.read(0, 10)) == (0, 3, b"")
    text.publish()
    text.write(b"wrong")
    assert text.read(0, 10) == b"abc"
    text.drop()
    text.write(b"d")
    text.publish()
    assert (text.size, text.read(1, 2), text.read(2, 10)) == (4, b"bc", b"cd")
    assert text.read(4, 1) == b""
    text.close()


def test_a_read_longer_than_a_chunk_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 2)
    text = UnpackedText()
    text.write(b"abcdefg")
    text.publish()
    assert text.read(1, 5) == b"bcdef"
    text.close()


def test_a_text_given_back_says_so_and_can_be_given_back_again() -> None:
    text = UnpackedText()
    text.close()
    text.close()
    with pytest.raises(SourceError, match="is closed"):
        text.read(0, 1)


def test_the_file_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.tempfile, "tempdir", str(tmp_path))
    text = UnpackedText()
    text.write(b"abc")
    assert list(tmp_path.iterdir()) == []
    text.close()


def test_no_room_for_temporary_files_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(module.tempfile, "TemporaryFile", full)
    with pytest.raises(SourceError, match="cannot be unpacked: No space left on device"):
        UnpackedText()
