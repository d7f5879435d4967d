import errno
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.tape import database_files, database_opening
from inspector.tape.database import Database
from inspector.tape.database_files import PrivateCopy, Trouble
from tests.tape.databases import make, one_column, unclosed, with_journal, with_wal
from tests.untouched import untouched

ALL = "SELECT x FROM t ORDER BY rowid"


@pytest.fixture
def private(tmp_path: Path) -> Iterator[Path]:
    """Where copies are made; nothing may be left there."""
    folder = tmp_path / "private"
    folder.mkdir()
    yield folder
    assert list(folder.iterdir()) == []


def sidecar(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def codes(database: Database) -> list[str]:
    return [trouble.code for trouble in database.troubles]


def test_without_a_wal_it_is_opened_in_place(tmp_path: Path, private: Path) -> None:
    path = make(tmp_path / "user" / "input.db", "PRAGMA journal_mode=WAL", "CREATE TABLE t(x)")
    assert path.read_bytes()[18:20] == b"\2\2"
    with untouched(path), Database(path, temporary=private) as database:
        assert database.how == "opened in place, immutable: no -wal beside it"
        assert one_column(database, ALL) == []
        assert list(private.iterdir()) == []


def test_an_empty_wal_holds_nothing(tmp_path: Path, private: Path) -> None:
    path = make(tmp_path / "user" / "input.db", "PRAGMA journal_mode=WAL", "CREATE TABLE t(x)")
    sidecar(path, "-wal").touch()
    with untouched(path), Database(path, temporary=private) as database:
        assert database.how == "opened in place, immutable: the -wal beside it is empty"
        assert database.troubles == []
        assert one_column(database, ALL) == []


def test_a_wal_is_read_in_a_copy_that_only_the_owner_may_enter(
    tmp_path: Path, private: Path
) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    size = sidecar(path, "-wal").stat().st_size
    with untouched(path), Database(path, temporary=private) as database:
        assert one_column(database, ALL) == ["main", "wal"]
        assert database.how == f"copied with its -wal ({size:,} bytes) and opened the copy"
        assert database.troubles == []
        [folder] = private.iterdir()
        assert folder.stat().st_mode & 0o777 == 0o700


def test_a_shm_is_neither_read_nor_copied(tmp_path: Path, private: Path) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    sidecar(path, "-shm").write_bytes(b"\xee" * 32768)
    with untouched(path), Database(path, temporary=private) as database:
        assert one_column(database, ALL) == ["main", "wal"]


def test_a_wal_beside_what_a_link_leads_to_is_read(tmp_path: Path, private: Path) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "link.db"
    link.symlink_to(path)
    with untouched(path, link), Database(link, temporary=private) as database:
        assert one_column(database, ALL) == ["main", "wal"]
        assert database.path == link


def test_a_wal_above_the_limit_is_left_out_and_named(tmp_path: Path, private: Path) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    size = sidecar(path, "-wal").stat().st_size
    with untouched(path), Database(path, temporary=private, copy_limit=10_000) as database:
        assert one_column(database, ALL) == ["main"]
        assert database.how == "opened in place, immutable: its -wal is not read"
        assert database.troubles == [
            Trouble(
                "wal-not-read",
                f"{size:,} bytes of the -wal are not read: a copy would be more than 10,000"
                " bytes; newer rows may be missing",
            )
        ]


@pytest.mark.parametrize("cut", [1, 4000, 4096 + 24])
def test_a_torn_last_transaction_is_left_out_and_named(
    cut: int, tmp_path: Path, private: Path
) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    wal = sidecar(path, "-wal")
    whole = wal.stat().st_size
    with wal.open("ab") as file:
        file.write(wal.read_bytes()[32 : 32 + cut])
    with untouched(path), Database(path, temporary=private) as database:
        assert one_column(database, ALL) == ["main", "wal"]
        [trouble] = database.troubles
    assert trouble == Trouble(
        "wal-torn",
        "the last transaction in the -wal is unfinished or damaged and left out:"
        f" {cut:,} bytes from byte {whole}",
    )


def test_what_an_older_wal_left_behind_is_no_trouble(tmp_path: Path, private: Path) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    frame = bytearray(sidecar(path, "-wal").read_bytes()[32:])
    frame[8:16] = b"old salt"
    with sidecar(path, "-wal").open("ab") as file:
        file.write(frame)
    with untouched(path), Database(path, temporary=private) as database:
        assert one_column(database, ALL) == ["main", "wal"]
        assert database.troubles == []


def test_a_damaged_frame_ends_the_wal_before_it(tmp_path: Path, private: Path) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    raw = bytearray(sidecar(path, "-wal").read_bytes())
    raw[-1] ^= 1
    sidecar(path, "-wal").write_bytes(raw)
    with untouched(path), Database(path, temporary=private) as database:
        assert one_column(database, ALL) == ["main"]
        assert codes(database) == ["wal-torn"]


def test_a_damaged_frame_that_looks_older_ends_the_wal_before_it(
    tmp_path: Path, private: Path
) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    raw = bytearray(sidecar(path, "-wal").read_bytes())
    raw += raw[32:]
    raw[32 + 8 : 32 + 16] = b"old salt"
    sidecar(path, "-wal").write_bytes(raw)
    with untouched(path), Database(path, temporary=private) as database:
        assert one_column(database, ALL) == ["main"]
        assert codes(database) == ["wal-torn"]


@pytest.mark.parametrize("byte", [4, 12, 16, 23, 24, 31])
def test_a_wal_of_whose_header_a_byte_is_damaged_is_named(
    byte: int, tmp_path: Path, private: Path
) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    raw = bytearray(sidecar(path, "-wal").read_bytes())
    raw[byte] ^= 1
    sidecar(path, "-wal").write_bytes(raw)
    with untouched(path), Database(path, temporary=private) as database:
        assert one_column(database, ALL) == ["main"]
        assert database.how == "opened in place, immutable: its -wal is not read"
        assert database.troubles == [
            Trouble(
                "wal-not-read",
                f"{len(raw):,} bytes of the -wal are not read: its header fails its checksum;"
                " newer rows may be missing",
            )
        ]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"x" * 9000, "9,000 bytes of the -wal are not read: it has no header"),
        (b"x", "1 bytes of the -wal are not read: it has no header"),
        (
            struct.pack(">III", 0x377F0682, 3007000, 4096) + bytes(100),
            "112 bytes of the -wal are not read: it holds no whole page",
        ),
    ],
)
def test_a_wal_that_can_hold_nothing_is_not_copied_but_named(
    content: bytes, reason: str, tmp_path: Path, private: Path
) -> None:
    path = make(tmp_path / "user" / "input.db", "CREATE TABLE t(x)")
    sidecar(path, "-wal").write_bytes(content)
    with untouched(path), Database(path, temporary=private) as database:
        assert one_column(database, ALL) == []
        assert database.troubles == [
            Trouble("wal-not-read", f"{reason}; newer rows may be missing")
        ]
        assert list(private.iterdir()) == []


def test_a_wal_that_is_no_file_is_named(tmp_path: Path, private: Path) -> None:
    path = make(tmp_path / "user" / "input.db", "CREATE TABLE t(x)")
    os.mkfifo(sidecar(path, "-wal"))
    with untouched(path), Database(path, temporary=private) as database:
        assert database.troubles == [
            Trouble(
                "wal-not-read",
                "the -wal is not read: is not a regular file; newer rows may be missing",
            )
        ]


def test_a_wal_of_another_database_that_breaks_this_one_is_left_out(
    tmp_path: Path, private: Path
) -> None:
    path = make(tmp_path / "user" / "input.db", "CREATE TABLE t(x)", "INSERT INTO t VALUES (7)")
    stranger = unclosed(
        tmp_path / "other" / "input.db",
        "WAL",
        *[f"CREATE TABLE t{number}(a{'x' * 200})" for number in range(40)],
        "PRAGMA wal_checkpoint(TRUNCATE)",
        "CREATE TABLE t(x)",
    )
    sidecar(path, "-wal").write_bytes(sidecar(stranger, "-wal").read_bytes())
    with untouched(path), Database(path, temporary=private) as database:
        assert one_column(database, ALL) == [7]
        [trouble] = database.troubles
    assert trouble.code == "wal-not-read"
    assert "not read: database disk image is malformed; newer" in trouble.message


def test_a_change_that_its_writer_did_not_end_is_rolled_back_in_the_copy(
    tmp_path: Path, private: Path
) -> None:
    path = with_journal(tmp_path / "user" / "input.db")
    size = sidecar(path, "-journal").stat().st_size
    assert b"new000" in path.read_bytes(), "the change has reached the file"
    with untouched(path), Database(path, temporary=private) as database:
        rows = one_column(database, "SELECT substr(x, 1, 3) FROM t")
        assert rows == ["old"] * 200
        assert database.how == f"copied with its -journal ({size:,} bytes) and opened the copy"
        assert database.troubles == []


def test_a_journal_above_the_limit_is_left_out_and_named(tmp_path: Path, private: Path) -> None:
    path = with_journal(tmp_path / "user" / "input.db")
    with untouched(path), Database(path, temporary=private, copy_limit=10) as database:
        assert {"old", "new"} == set(one_column(database, "SELECT substr(x, 1, 3) FROM t"))
        [trouble] = database.troubles
        assert trouble.code == "journal-not-read"
        assert trouble.message.endswith("half a change may be showing")


def test_a_journal_that_names_another_file_cannot_make_sqlite_delete_it(
    tmp_path: Path, private: Path
) -> None:
    path = with_journal(tmp_path / "user" / "input.db")
    victim = tmp_path / "user" / "victim"
    victim.write_bytes(b"precious")
    name = os.fsencode(victim)
    magic = bytes.fromhex("d9d505f920a163d7")
    with sidecar(path, "-journal").open("ab") as file:
        file.write(struct.pack(">I", 0xFFFFFFFF) + name)
        file.write(struct.pack(">II", len(name), sum(name)) + magic)
    with untouched(path), Database(path, temporary=private) as database:
        assert one_column(database, "SELECT count(*) FROM t") == [200]
        assert codes(database) == ["journal-not-read"]


@pytest.mark.parametrize("content", [b"", bytes(5000)])
def test_a_journal_of_a_completed_change_is_ignored(
    content: bytes, tmp_path: Path, private: Path
) -> None:
    path = make(tmp_path / "user" / "input.db", "CREATE TABLE t(x)", "INSERT INTO t VALUES (7)")
    sidecar(path, "-journal").write_bytes(content)
    with untouched(path), Database(path, temporary=private) as database:
        assert database.how == "opened in place, immutable: no -wal beside it"
        assert one_column(database, ALL) == [7]
        assert database.troubles == []


@pytest.mark.parametrize("still_after", [1, 3])
def test_files_that_change_while_they_are_copied_are_copied_again(
    still_after: int, tmp_path: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    copies = 0

    class Disturbed(PrivateCopy):
        def __init__(self, *given: object) -> None:
            nonlocal copies
            super().__init__(*given)  # type: ignore[arg-type]
            copies += 1
            if copies <= still_after:
                os.utime(path, ns=(0, copies))

    monkeypatch.setattr(database_opening, "PrivateCopy", Disturbed)
    with Database(path, temporary=private) as database:
        assert copies == still_after + 1
        assert codes(database) == []
        assert one_column(database, ALL) == ["main", "wal"]
        assert len(list(private.iterdir())) == 1


def test_files_that_never_hold_still_are_read_with_a_warning(
    tmp_path: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_wal(tmp_path / "user" / "input.db")

    class Disturbed(PrivateCopy):
        def __init__(self, *given: object) -> None:
            super().__init__(*given)  # type: ignore[arg-type]
            os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))

    monkeypatch.setattr(database_opening, "PrivateCopy", Disturbed)
    with Database(path, temporary=private) as database:
        assert codes(database) == ["changing"]
        assert one_column(database, ALL) == ["main", "wal"]


def test_a_wal_that_only_grew_needs_no_second_copy(
    tmp_path: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    copies = 0

    class Growing(PrivateCopy):
        def __init__(self, *given: object) -> None:
            nonlocal copies
            super().__init__(*given)  # type: ignore[arg-type]
            copies += 1
            with sidecar(path, "-wal").open("ab") as file:
                file.write(b"x")

    monkeypatch.setattr(database_opening, "PrivateCopy", Growing)
    with Database(path, temporary=private) as database:
        assert (copies, codes(database)) == (1, [])
        assert database.refresh(), "what was appended is read by the next look"


def test_a_wal_that_vanishes_while_it_is_copied_is_no_longer_needed(
    tmp_path: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_wal(tmp_path / "user" / "input.db")

    class Late(PrivateCopy):
        def __init__(self, *given: object) -> None:
            writer = sqlite3.connect(path)
            writer.execute("SELECT * FROM t").fetchall()
            writer.close()
            super().__init__(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(database_opening, "PrivateCopy", Late)
    with Database(path, temporary=private) as database:
        assert database.how == "opened in place, immutable: no -wal beside it"
        assert one_column(database, ALL) == ["main", "wal"]


def test_a_live_writer_is_followed(tmp_path: Path, private: Path) -> None:
    path = tmp_path / "user" / "input.db"
    path.parent.mkdir()
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.execute("CREATE TABLE t(x)")
    with untouched(path):
        database = Database(path, temporary=private)
    for number in range(3):
        writer.execute("INSERT INTO t VALUES (?)", (number,))
        with untouched(path):
            assert database.refresh()
            assert not database.refresh()
            assert one_column(database, ALL) == list(range(number + 1))
            assert len(list(private.iterdir())) == 1
    writer.close()
    with untouched(path):
        assert database.refresh()
        assert one_column(database, ALL) == [0, 1, 2]
        assert list(private.iterdir()) == []
        database.close()


def test_a_full_disk_leaves_the_wal_out_and_says_so(
    tmp_path: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_wal(tmp_path / "user" / "input.db")

    def full(original: Path, target: int) -> bool:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(database_files, "_clone", full)
    with untouched(path), Database(path, temporary=private) as database:
        assert one_column(database, ALL) == ["main"]
        [trouble] = database.troubles
        assert "it cannot be copied: No space left on device" in trouble.message


def test_without_a_place_for_a_copy_the_wal_is_left_out(tmp_path: Path) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    with untouched(path), Database(path, temporary=tmp_path / "none") as database:
        assert one_column(database, ALL) == ["main"]
        assert "no temporary folder: No such file or directory" in database.troubles[0].message


def test_a_file_system_that_shares_blocks_needs_no_room(
    tmp_path: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_wal(tmp_path / "user" / "input.db")

    def share(original: Path, target: int) -> bool:
        os.write(target, original.read_bytes())
        return True

    monkeypatch.setattr(database_files, "_clone", share)
    with untouched(path), Database(path, temporary=private, copy_limit=0) as database:
        assert one_column(database, ALL) == ["main", "wal"]
        assert database.troubles == []


def test_a_copy_that_nobody_closed_goes_with_its_reader(tmp_path: Path, private: Path) -> None:
    path = with_wal(tmp_path / "user" / "input.db")
    copy = PrivateCopy(path, [], 1 << 20, private)
    assert len(list(private.iterdir())) == 1
    del copy
    assert list(private.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("wal", [False, True])
def test_a_folder_that_may_not_be_written_is_read(wal: bool) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        path = with_wal(folder / "user" / "input.db")
        if not wal:
            sidecar(path, "-wal").unlink()
        path.parent.chmod(0o555)
        folder.chmod(0o755)
        program = (
            "import os, sys, pathlib\n"
            "from inspector.tape.database import Database\n"
            "os.setgid(65534); os.setuid(65534)\n"
            "try:\n"
            "    open(sys.argv[1] + '-shm', 'x')\n"
            "    sys.exit('may write')\n"
            "except PermissionError:\n"
            "    pass\n"
            "with Database(pathlib.Path(sys.argv[1])) as database:\n"
            "    print([x for (x,) in database.rows('SELECT x FROM t')], database.troubles)\n"
        )
        with untouched(path):
            done = subprocess.run(
                [sys.executable, "-c", program, path],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
                cwd=Path(__file__).parents[2],
            )
        assert (done.stdout, done.stderr) == (
            f"{['main', 'wal'] if wal else ['main']} []\n",
            "",
        )
    finally:
        shutil.rmtree(folder)
