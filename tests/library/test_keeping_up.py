import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from inspector.library import keeping_up
from inspector.library.keeping_up import Gone, KeepingUp
from inspector.library.roots import Place, given
from inspector.library.row import Row
from tests.commands import SAMPLES
from tests.library.plainlog import OWN_FOLDER, PlainFormat, put
from tests.nobody import NOBODY, as_nobody, needs_nobody
from tests.untouched import untouched


class Kept:
    """Places that are kept up with, and what is known of them by what was told."""

    def __init__(self, *places: Place | Path, format_: PlainFormat | None = None) -> None:
        self.format = format_ or PlainFormat()
        given_ = [one if isinstance(one, Place) else given([one])[0] for one in places]
        self._keeping = KeepingUp(given_, formats=[self.format])
        self.rows = {(row.path, row.session): row for row in self._keeping.find()}

    def again(self) -> list[Row | Gone]:
        """What is told at one more look."""
        self.format.seen.clear()
        news = list(self._keeping.again())
        for one in news:
            if isinstance(one, Gone):
                del self.rows[one.path, one.session]
            else:
                self.rows[one.path, one.session] = one
        return news

    def settle(self) -> None:
        """Look until folders that changed just now are known as they are."""
        for _ in range(3):
            assert self.again() == []

    def ids(self) -> list[str | None]:
        return sorted((row.id or row.problem for row in self.rows.values()), key=str)


@pytest.fixture(autouse=True)
def _no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping_up, "_REST", 0)


def test_where_nothing_changed_nothing_is_told_and_no_file_is_read(tmp_path: Path) -> None:
    for at in range(9):
        put(tmp_path / f"{at % 3}" / f"{at}.jsonl", str(at))
    kept = Kept(tmp_path)
    with untouched(tmp_path):
        kept.settle()
    assert kept.format.seen == []


def test_new_files_and_folders_are_told(tmp_path: Path) -> None:
    put(tmp_path / "a" / "1.jsonl", "1")
    kept = Kept(tmp_path)
    put(tmp_path / "a" / "2.jsonl", "2")
    put(tmp_path / "b" / "c" / "3.jsonl", "3")
    kept.again()
    assert kept.ids() == ["1", "2", "3"]
    assert sorted(ends.path.name for ends in kept.format.seen) == ["2.jsonl", "3.jsonl"]
    kept.settle()


def test_a_file_that_grew_is_read_again_and_told_once(tmp_path: Path) -> None:
    path = put(tmp_path / "a" / "1.jsonl", "1")
    put(tmp_path / "a" / "2.jsonl", "2")
    kept = Kept(tmp_path)
    with path.open("ab") as file:
        file.write(b"more\n")
    (row,) = kept.again()
    assert isinstance(row, Row)
    assert (row.id, row.bytes) == ("1", path.stat().st_size)
    assert len(kept.format.seen) == 1
    kept.settle()


def test_a_file_that_is_replaced_by_one_of_the_same_size_is_read_again(tmp_path: Path) -> None:
    path = put(tmp_path / "1.jsonl", "1")
    kept = Kept(tmp_path)
    other = put(tmp_path / "other", "2")
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    other.replace(path)
    kept.again()
    assert kept.ids() == ["2"]


def test_what_is_gone_is_told(tmp_path: Path) -> None:
    for at in range(4):
        put(tmp_path / f"{at % 2}" / f"{at}.jsonl", str(at))
    kept = Kept(tmp_path)
    (tmp_path / "1" / "1.jsonl").unlink()
    assert kept.again() == [Gone(tmp_path / "1" / "1.jsonl", None)]
    shutil.rmtree(tmp_path / "0")
    kept.again()
    assert kept.ids() == ["3"]
    kept.settle()


def test_a_folder_that_is_renamed_is_found_again(tmp_path: Path) -> None:
    put(tmp_path / "a" / "b" / "1.jsonl", "1")
    kept = Kept(tmp_path)
    (tmp_path / "a" / "b").rename(tmp_path / "a" / "c")
    kept.again()
    assert [path for path, _ in kept.rows] == [tmp_path / "a" / "c" / "1.jsonl"]
    kept.settle()


def test_a_folder_that_was_deleted_and_made_again_is_found_again(tmp_path: Path) -> None:
    put(tmp_path / "a" / "1.jsonl", "1")
    kept = Kept(tmp_path)
    shutil.rmtree(tmp_path / "a")
    put(tmp_path / "a" / "2.jsonl", "2")
    kept.again()
    kept.again()
    assert kept.ids() == ["2"]
    kept.settle()


def test_a_new_generation_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    put(tmp_path / "s" / "old.jsonl", "old")
    kept = Kept(tmp_path)
    assert kept.ids() == ["old"]
    put(tmp_path / "s" / OWN_FOLDER, "new")
    kept.again()
    assert kept.ids() == ["new"]
    kept.settle()


def test_the_log_of_a_sessions_folder_is_kept_up_with(tmp_path: Path) -> None:
    put(tmp_path / "s" / "old.jsonl", "old")
    current = tmp_path / "s" / OWN_FOLDER
    current.write_bytes(b"")
    kept = Kept(tmp_path)
    assert kept.ids() == ["old"]
    put(current, "new")
    kept.again()
    assert kept.ids() == ["new"]
    kept.settle()


def test_a_place_that_comes_to_be_is_found(tmp_path: Path) -> None:
    kept = Kept(Place(tmp_path / "later", ("plain",), there=False), tmp_path / "named")
    assert kept.ids() == ["does not exist"]
    kept.settle()
    put(tmp_path / "later" / "1.jsonl", "1")
    put(tmp_path / "named" / "2.jsonl", "2")
    kept.again()
    assert kept.ids() == ["1", "2"]
    shutil.rmtree(tmp_path / "named")
    shutil.rmtree(tmp_path / "later")
    kept.again()
    assert kept.ids() == ["does not exist"]
    kept.settle()


def test_a_file_that_is_named_comes_and_goes(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    kept = Kept(path)
    put(path, "1")
    kept.again()
    assert kept.ids() == ["1"]
    path.unlink()
    kept.again()
    assert kept.ids() == ["does not exist"]
    kept.settle()


def test_what_cannot_be_read_is_tried_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"")
    kept = Kept(tmp_path)
    assert kept.ids() == ["empty file (0 bytes)"]
    kept.settle()
    put(path, "1")
    kept.again()
    assert kept.ids() == ["1"]


def test_a_database_is_read_again_when_its_wal_grows(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    path.write_bytes((SAMPLES / "sessions.db").read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        keeping = KeepingUp(given([tmp_path]))
        assert len(list(keeping.find())) == 2
        assert list(keeping.again()) == []
        connection.execute("UPDATE sessions SET cwd = '/work/a' WHERE id = 'sample-prune'")
        (row,) = keeping.again()
        assert isinstance(row, Row)
        assert (row.session, row.project) == ("sample-prune", "/work/a")
        connection.execute("DELETE FROM events WHERE session_id = 'sample-prune'")
        connection.execute("DELETE FROM sessions WHERE id = 'sample-prune'")
        assert list(keeping.again()) == [Gone(path, "sample-prune")]


def test_a_look_asks_for_a_bounded_number_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping_up, "NEWEST", 10)
    monkeypatch.setattr(keeping_up, "IN_TURN", 20)
    for at in range(100):
        put(tmp_path / f"{at:03}.jsonl", str(at))
        os.utime(tmp_path / f"{at:03}.jsonl", (at + 1_000, at + 1_000))
    kept = Kept(tmp_path)
    kept.settle()
    asked: list[str] = []
    real = keeping_up._stamp

    def counted(text: str) -> keeping_up.Stamp | None:
        asked.append(text)
        return real(text)

    monkeypatch.setattr(keeping_up, "_stamp", counted)
    kept.again()
    assert len(asked) == 30
    assert {f"{at:03}.jsonl" for at in range(90, 100)} <= {Path(text).name for text in asked}
    for _ in range(4):
        kept.again()
    # All others have had their turn.
    assert len(set(asked)) == 100


def test_a_look_that_is_stopped_goes_on_at_the_next(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    for at in range(20):
        put(tmp_path / f"{at}.jsonl", str(at))
    told: list[Row | Gone] = []
    told += kept._keeping.again(lambda: len(told) < 3)
    told += kept._keeping.again()
    assert len({row.path for row in told}) == 20


# What cannot be seen any more.


@needs_nobody
def test_what_lies_in_a_folder_that_may_not_be_searched_any_more_is_not_gone(
    tmp_path: Path,
) -> None:
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o755)
    shutil.copytree(SAMPLES / "zero", tmp_path / "kept" / "zero")
    # Whoever owns it may take the right away, and give it back.
    os.chown(tmp_path / "kept", NOBODY, NOBODY)
    said = as_nobody(f"""
from inspector.library.keeping_up import KeepingUp
from inspector.library.roots import Place
root = Path({str(tmp_path / "kept")!r})
keeping = KeepingUp([Place(root, ("zero",))])
print(len(list(keeping.find())), list(keeping.again()))
for mode in (0o000, 0o444):
    root.chmod(mode)
    print([(one.path.name, one.problem) for one in keeping.again()], list(keeping.again()))
    root.chmod(0o755)
    print([(type(one).__name__, one.path.name) for one in keeping.again()], list(keeping.again()))
""")
    *_, shut, back, unsearched, found = said.splitlines()
    why = "is a directory that cannot be listed: Permission denied"
    assert said.splitlines()[0] == "2 []"
    assert shut == f"[('kept', '{why}')] []"
    assert back == "[('Gone', 'kept')] []"
    assert unsearched.endswith(f"('zero', '{why}')] []")
    assert found == "[('Gone', 'zero')] []"


def test_a_folder_whose_path_is_too_long_is_told_once_and_is_not_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(22):
        # Each by its name: the whole path is longer than the system takes.
        Path("d" * 200).mkdir()
        os.chdir("d" * 200)
    kept = Kept(tmp_path)
    ((_, row),) = kept.rows.items()
    assert row.problem == "is a directory that cannot be listed: File name too long"
    kept.settle()
    os.chdir(tmp_path)
    shutil.rmtree("d" * 200)
    kept.again()
    assert kept.rows == {}


@needs_nobody
def test_a_file_that_may_be_read_no_more_or_again_is_told_though_nothing_in_it_changed(
    tmp_path: Path,
) -> None:
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o755)
    shutil.copytree(SAMPLES / "zero", tmp_path / "kept")
    events = tmp_path / "kept" / "lantern" / "events.jsonl"
    for path in (tmp_path / "kept", events.parent, events):
        os.chown(path, NOBODY, NOBODY)
    said = as_nobody(f"""
from pathlib import Path
from inspector.library import keeping_up
from inspector.library.keeping_up import KeepingUp
from inspector.library.roots import Place
keeping_up._REST = 0
def chmod(path, mode):
    before = path.stat().st_ctime_ns
    # The clock of a file system goes in steps.
    while path.stat().st_ctime_ns == before:
        path.chmod(mode)
keeping = KeepingUp([Place(Path({str(tmp_path / "kept")!r}), ("zero",))])
print(len(list(keeping.find())), list(keeping.again()))
events = Path({str(events)!r})
for mode in (0o000, 0o600, 0o000, 0o600):
    chmod(events, mode)
    print([one.problem for one in keeping.again()], list(keeping.again()))
folder = events.parent.parent
for mode in (0o311, 0o755):
    chmod(folder, mode)
    print([getattr(one, "problem", "gone") for one in keeping.again()], list(keeping.again()))
""")
    no = "['permission denied'] []"
    assert said.splitlines() == [
        "2 []",
        *(no, "[None] []") * 2,
        "['is a directory that cannot be listed: Permission denied'] []",
        "['gone'] []",
    ]


def test_what_the_owner_puts_in_the_place_of_a_sidecar_is_told(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "zero", tmp_path / "kept")
    keeping = KeepingUp([Place(tmp_path / "kept", ("zero",))])
    assert len(list(keeping.find())) == 2
    sidecar = tmp_path / "kept" / "lantern" / "metadata.json"
    other = sidecar.with_name("metadata.json.tmp-1")
    other.write_text(json.dumps({**json.loads(sidecar.read_text()), "title": "another"}))
    other.replace(sidecar)
    (row,) = keeping.again()
    assert isinstance(row, Row)
    assert row.title == "another"
