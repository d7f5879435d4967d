"""Records are appended whole, behind the very bytes that were there; or nothing is."""

import errno
from pathlib import Path

import pytest

from inspector.applying.appending import Appending
from inspector.applying.disk import Disk, RealDisk
from inspector.applying.refusal import ApplyError
from tests.applying.faults import FailingDisk, Killed, ScarceDisk

OLD, MORE = b"one\n", b"two\nthree\n"
CALLS = ["open_folder", "open_end", "look_at", "room", "write", "sync", "close", "close"]


def append(path: Path, data: bytes, size: int, disk: Disk) -> None:
    Appending(path, size, disk).append(data)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log"
    path.write_bytes(OLD)
    return path


def test_records_stand_behind_what_was_there(log: Path) -> None:
    disk = FailingDisk()
    append(log, MORE, len(OLD), disk)
    assert log.read_bytes() == OLD + MORE
    assert disk.calls == CALLS


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EROFS, errno.EACCES])
@pytest.mark.parametrize(("at", "name"), list(enumerate(CALLS)))
def test_whichever_call_fails_all_or_nothing_is_there(
    log: Path, at: int, name: str, code: int
) -> None:
    disk = FailingDisk(at, code)
    if name == "close":
        append(log, MORE, len(OLD), disk)
        assert log.read_bytes() == OLD + MORE
        return
    with pytest.raises(ApplyError) as caught:
        append(log, MORE, len(OLD), disk)
    assert caught.value.left == ()
    assert log.read_bytes() == OLD


@pytest.mark.parametrize("at", range(len(CALLS)))
def test_whenever_it_is_killed_all_or_nothing_is_there(log: Path, at: int) -> None:
    with pytest.raises(Killed):
        append(log, MORE, len(OLD), FailingDisk(at, None))
    assert log.read_bytes() == (OLD if at <= CALLS.index("write") else OLD + MORE)


def test_a_write_that_is_taken_in_part_is_taken_back(log: Path) -> None:
    with pytest.raises(ApplyError, match="does not fit: the disk is full") as caught:
        append(log, MORE, len(OLD), ScarceDisk(5))
    assert caught.value.left == ()
    assert log.read_bytes() == OLD


def test_bytes_behind_which_somebody_wrote_are_left_and_said(log: Path) -> None:
    class Busy(ScarceDisk):
        def write(self, file: int, data: bytes) -> int:
            taken = super().write(file, data)
            with log.open("ab") as other:
                other.write(b"theirs\n")
            return taken

    with pytest.raises(ApplyError, match=r"5 bytes of ours are left at the end of .* writes to it"):
        append(log, MORE, len(OLD), Busy(5))
    assert log.read_bytes() == OLD + MORE[:5] + b"theirs\n"


def test_a_log_that_grew_is_not_appended_to(log: Path) -> None:
    with pytest.raises(ApplyError, match="has 4 bytes and not 3: somebody writes to it"):
        append(log, MORE, 3, RealDisk())
    assert log.read_bytes() == OLD


def test_nothing_is_written_through_a_link(log: Path) -> None:
    link = log.with_name("link")
    link.symlink_to(log)
    with pytest.raises(ApplyError, match="is a symbolic link"):
        append(link, MORE, len(OLD), RealDisk())
    assert log.read_bytes() == OLD


def test_a_log_that_is_gone(log: Path) -> None:
    log.unlink()
    with pytest.raises(ApplyError, match="is not there any more"):
        append(log, MORE, len(OLD), RealDisk())


def test_room_is_looked_for_before_a_byte_is_written(log: Path) -> None:
    class Full(RealDisk):
        def room(self, folder: int) -> int:
            return min(len(MORE) - 1, super().room(folder))

    with pytest.raises(ApplyError, match="does not fit: the disk is full"):
        append(log, MORE, len(OLD), Full())
    assert log.read_bytes() == OLD


def test_what_was_appended_can_be_taken_back(log: Path) -> None:
    appending = Appending(log, len(OLD), RealDisk())
    appending.append(MORE)
    assert appending.withdraw() == ()
    assert log.read_bytes() == OLD
    assert appending.withdraw() == ()
