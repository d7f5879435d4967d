"""The journal is a log: what was begun, done and undone is a fold of it."""

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.applying.disk import RealDisk
from inspector.applying.journal import NAME, Deed, Grown, Journal, State
from inspector.applying.publishing import Made
from inspector.applying.refusal import ApplyError
from tests.applying.faults import FailingDisk, ScarceDisk

DEED = Deed(
    id="one",
    plan="plan",
    time=1_790_000_000_000,
    kind="fork",
    owner="zero",
    path=Path("/logs/\udcff\n\x1b[31m.jsonl"),
    session="s\x00",
    policy="model",
    events=12,
    made=(Made(Path("/logs/new/events.jsonl"), 8, "ab"), Made(Path("/logs/new/meta"), 2, "cd")),
    own=2,
    folders=(Path("/logs"), Path("/logs/new")),
)


def test_a_deed_is_read_as_it_was_kept(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "data" / "inspector", RealDisk())
    assert journal.deeds() == []
    journal.put(DEED)
    other = replace(DEED, id="two", made=(), own=1, grown=Grown(Path("/logs/a"), 10, 3, "ef"))
    journal.put(other)
    assert journal.deeds() == [DEED, other]
    assert journal.find("plan") == other
    assert journal.find("another") is None


def test_how_far_a_deed_has_come_is_the_last_word_of_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path, RealDisk())
    journal.put(DEED)
    journal.put(replace(DEED, state=State.DONE))
    journal.put(replace(DEED, state=State.UNDONE, trash=tmp_path / "trash"))
    assert journal.deeds() == [replace(DEED, state=State.UNDONE, trash=tmp_path / "trash")]


def test_of_the_deeds_of_a_plan_the_last_that_stands_is_found(tmp_path: Path) -> None:
    journal = Journal(tmp_path, RealDisk())
    for name, state in (("one", State.DONE), ("two", State.UNDONE)):
        journal.put(replace(DEED, id=name))
        journal.put(replace(DEED, id=name, state=state))
    found = journal.find("plan")
    assert found is not None
    assert (found.id, found.state) == ("one", State.DONE)


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / NAME)
    with pytest.raises(ApplyError, match="not a regular file"):
        Journal(tmp_path, RealDisk()).deeds()
    with pytest.raises(ApplyError, match="the journal"):
        Journal(tmp_path, RealDisk()).put(DEED)


def test_nobody_else_reads_it(tmp_path: Path) -> None:
    Journal(tmp_path / "data", RealDisk()).put(DEED)
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "data" / NAME).stat().st_mode & 0o777 == 0o600


def test_a_torn_line_hides_neither_the_one_before_nor_the_one_behind(tmp_path: Path) -> None:
    journal = Journal(tmp_path, RealDisk())
    journal.put(DEED)
    with (tmp_path / NAME).open("ab") as file:
        file.write(b'{"id":"torn","state":"be')
    journal.put(replace(DEED, id="two"))
    assert [deed.id for deed in journal.deeds()] == ["one", "two"]


@pytest.mark.parametrize(
    "line",
    [b"[]", b"1", b"{}", b'{"id":"x","state":"done"}', b'{"id":"x","state":"begun"}', b"\xff\x00"],
)
def test_a_line_that_is_none_of_ours_is_passed_over(tmp_path: Path, line: bytes) -> None:
    (tmp_path / NAME).write_bytes(line + b"\n")
    assert Journal(tmp_path, RealDisk()).deeds() == []


@pytest.mark.parametrize("at", range(5))
def test_what_cannot_be_kept_is_said(tmp_path: Path, at: int) -> None:
    Journal(tmp_path, RealDisk()).put(DEED)
    with pytest.raises(ApplyError, match=r"the journal .* cannot be written"):
        Journal(tmp_path, FailingDisk(at, errno.EIO)).put(replace(DEED, state=State.DONE))


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    with pytest.raises(ApplyError, match="the disk is full"):
        Journal(tmp_path, ScarceDisk(5)).put(DEED)
    assert Journal(tmp_path, RealDisk()).deeds() == []


def test_a_folder_in_its_place_is_said(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    with pytest.raises(ApplyError, match="cannot be read"):
        Journal(tmp_path, RealDisk()).deeds()
