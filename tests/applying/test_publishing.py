"""New files come to be whole, together, and never over anything; or nothing does."""

import errno
import os
import signal
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from inspector.applying.disk import RealDisk
from inspector.applying.publishing import Publication
from inspector.applying.refusal import ApplyError
from inspector.formats.planning import How, Write
from tests.applying.faults import FailingDisk, Killed, ScarceDisk, tree


def write(path: Path, text: bytes = b"one\ntwo\n", own: int = 1) -> Write:
    return Write(path, How.CREATE, lambda: iter((text[:3], text[3:])), own)


def session(folder: Path) -> list[Write]:
    """A tape that has a folder for itself, in a folder that is not there yet."""
    own = folder / "project" / "session"
    return [write(own / "events", own=2), write(own / "header", b"{}\n", own=2)]


WHOLE = {
    "project": None,
    "project/session": None,
    "project/session/events": b"one\ntwo\n",
    "project/session/header": b"{}\n",
}


def test_files_and_their_folders_come_to_be(tmp_path: Path) -> None:
    made = Publication(RealDisk(), "mark").publish(session(tmp_path))
    assert tree(tmp_path) == WHOLE
    assert [one.path.name for one in made] == ["events", "header"]
    assert made[0].size == 8
    assert made[0].hash == sha256(b"one\ntwo\n").hexdigest()


def test_what_is_made_is_for_nobody_else(tmp_path: Path) -> None:
    Publication(RealDisk(), "mark").publish(session(tmp_path))
    own = tmp_path / "project" / "session"
    assert own.stat().st_mode & 0o777 == 0o700
    assert (own / "events").stat().st_mode & 0o777 == 0o600


def test_what_was_made_can_be_taken_back(tmp_path: Path) -> None:
    publication = Publication(RealDisk(), "mark")
    publication.publish(session(tmp_path))
    assert publication.withdraw() == ()
    assert tree(tmp_path) == {}


def test_what_somebody_changed_is_left_and_said(tmp_path: Path) -> None:
    publication = Publication(RealDisk(), "mark")
    publication.publish([write(tmp_path / "log")])
    with (tmp_path / "log").open("ab") as other:
        other.write(b"three\n")
    assert publication.withdraw() == (
        f"the file {tmp_path / 'log'} is left: somebody else changed it",
    )
    assert tree(tmp_path) == {"log": b"one\ntwo\nthree\n"}


def calls() -> list[str]:
    """The calls that making a session makes, where none fails."""
    disk = FailingDisk()
    with tempfile.TemporaryDirectory() as folder:
        Publication(disk, "mark").publish(session(Path(folder)))
    return disk.calls


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EROFS, errno.EACCES])
@pytest.mark.parametrize(("at", "name"), list(enumerate(calls())))
def test_whichever_call_fails_all_or_nothing_is_there(
    tmp_path: Path, at: int, name: str, code: int
) -> None:
    disk = FailingDisk(at, code)
    publication = Publication(disk, "mark")
    if name == "close":
        publication.publish(session(tmp_path))
        assert tree(tmp_path) == WHOLE
    else:
        with pytest.raises(ApplyError) as caught:
            publication.publish(session(tmp_path))
        assert caught.value.left == ()
        assert tree(tmp_path) == {}
    assert disk.calls[at] == name


@pytest.mark.parametrize("at", range(len(calls())))
def test_whenever_it_is_killed_a_name_has_its_whole_file_or_none(tmp_path: Path, at: int) -> None:
    with pytest.raises((Killed, ApplyError)):
        Publication(FailingDisk(at, None), "mark").publish(session(tmp_path))
    found = tree(tmp_path)
    for path, content in WHOLE.items():
        assert found.get(path, content) == content
    if "project/session/header" in found:
        assert found["project/session/events"] == b"one\ntwo\n"


@pytest.mark.parametrize("takes", [0, 1, 8, 10])
def test_a_full_disk_leaves_nothing(tmp_path: Path, takes: int) -> None:
    with pytest.raises(ApplyError, match="does not fit: the disk is full"):
        Publication(ScarceDisk(takes), "mark").publish(session(tmp_path))
    assert tree(tmp_path) == {}


def test_a_disk_that_takes_little_at_a_time_gets_all(tmp_path: Path) -> None:
    Publication(ScarceDisk(11), "mark").publish(session(tmp_path))
    assert tree(tmp_path) == WHOLE


@pytest.mark.parametrize("stands", ["file", "folder", "link", "dangling"])
def test_nothing_is_written_over(tmp_path: Path, stands: str) -> None:
    target = tmp_path / "log"
    match stands:
        case "file":
            target.write_bytes(b"mine")
        case "folder":
            target.mkdir()
        case "link":
            (tmp_path / "other").write_bytes(b"mine")
            target.symlink_to("other")
        case "dangling":
            target.symlink_to("nowhere")
    before = tree(tmp_path) if stands != "dangling" else None
    with pytest.raises(ApplyError, match="exists already, and nothing is ever written over"):
        Publication(RealDisk(), "mark").publish([write(target)])
    assert not [path for path in tmp_path.iterdir() if "tmp" in path.name]
    assert before is None or tree(tmp_path) == before


@pytest.mark.parametrize("link", [False, True])
def test_a_folder_that_is_there_is_no_new_one(tmp_path: Path, link: bool) -> None:
    own = tmp_path / "project" / "session"
    own.parent.mkdir()
    if link:
        (tmp_path / "elsewhere").mkdir()
        own.symlink_to(tmp_path / "elsewhere")
    else:
        own.mkdir()
    with pytest.raises(ApplyError, match="exists already"):
        Publication(RealDisk(), "mark").publish(session(tmp_path))
    assert list(own.iterdir()) == []


def test_a_source_that_fails_on_the_way_leaves_nothing(tmp_path: Path) -> None:
    def content() -> Iterator[bytes]:
        yield b"one\n"
        raise ValueError("cannot be read any more")

    with pytest.raises(ValueError, match="any more"):
        Publication(RealDisk(), "mark").publish([Write(tmp_path / "log", How.CREATE, content)])
    assert tree(tmp_path) == {}


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ApplyError, match="permission denied"):
        Publication(RealDisk(), "mark").publish([write(tmp_path / "log")])


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "project").write_bytes(b"mine")
    with pytest.raises(ApplyError, match="has a file where a folder should be"):
        Publication(RealDisk(), "mark").publish(session(tmp_path))
    assert tree(tmp_path) == {"project": b"mine"}


def test_nothing_is_made_in_a_folder_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with pytest.raises(ApplyError, match="is a symbolic link"):
        Publication(RealDisk(), "mark").publish([write(tmp_path / "link" / "log")])
    assert not list((tmp_path / "real").iterdir())
    Publication(RealDisk(), "mark", linked=True).publish([write(tmp_path / "link" / "log")])
    assert (tmp_path / "real" / "log").exists()


def test_a_signal_waits_until_what_was_made_is_noted(tmp_path: Path) -> None:
    class Interrupted(RealDisk):
        def link(self, folder: int, name: str, new: str) -> None:
            super().link(folder, name, new)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        Publication(Interrupted(), "mark").publish(session(tmp_path))
    assert tree(tmp_path) == {}
