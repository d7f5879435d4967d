import os
import random
import struct
from pathlib import Path

import pytest

from inspector.tape.database import Database
from inspector.tape.database_header import MAGIC, read_header
from inspector.tape.source import FileSource, SourceError
from tests.tape.databases import make, one_column, parts
from tests.untouched import untouched


def refusal(path: Path) -> str:
    with untouched(path), pytest.raises(SourceError) as caught:
        Database(path)
    return str(caught.value)


def noise(size: int) -> bytes:
    return random.Random(1).randbytes(size)  # noqa: S311 - the same noise each time


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty file (0 bytes)"),
        (b'{"type":"session"}\n' * 100, "not a database"),
        (bytes(range(32, 127)) * 100, "not a database"),
        (noise(4096), "not an SQLite database, or encrypted (SQLCipher)"),
        (noise(4097), "not a database"),
        (noise(100), "not a database"),
        (bytes(4096), "SQLite header missing"),
        (MAGIC, "file is shorter than an SQLite header (16 bytes of 100)"),
        (
            MAGIC + struct.pack(">H", 1000) + bytes(494),
            "not a readable SQLite database, or encrypted (its header says pages of 1000 bytes)",
        ),
        (
            MAGIC + struct.pack(">H", 0) + bytes(494),
            "not a readable SQLite database, or encrypted (its header says pages of 0 bytes)",
        ),
        (MAGIC + struct.pack(">H", 512) + noise(1006), "file is not a database"),
    ],
)
def test_what_is_no_database_is_named_by_what_it_looks_like(
    content: bytes, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "input.db").write_bytes(content)
    assert refusal(tmp_path / "input.db") == reason


def test_text_of_any_alphabet_is_not_taken_for_noise(tmp_path: Path) -> None:
    text = "".join(chr(0x4E00 + n * 7) for n in range(1024)).encode()
    (tmp_path / "input.db").write_bytes(text[:2048])
    assert refusal(tmp_path / "input.db") == "not a database"


def test_a_path_without_a_file_is_refused_as_any_source(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("none")
    (tmp_path / "folder").mkdir()
    assert refusal(tmp_path / "none") == "does not exist"
    assert refusal(tmp_path / "fifo") == "is not a regular file"
    assert refusal(tmp_path / "folder") == "is a directory"
    assert refusal(tmp_path / "link").startswith("does not exist (broken link to ")


def test_a_file_without_its_last_pages_is_refused_with_both_counts(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    pages = path.stat().st_size // 1024
    os.truncate(path, 1024 * (pages - 3))
    assert refusal(path) == (f"file is shorter than its header says ({pages - 3} pages of {pages})")


def test_a_file_that_lacks_a_part_of_its_last_page_is_read_and_says_so(tmp_path: Path) -> None:
    path = parts(tmp_path / "input.db")
    pages = path.stat().st_size // 1024
    os.truncate(path, 1024 * pages - 1)
    with untouched(path), Database(path) as database:
        assert [tuple(trouble) for trouble in database.troubles] == [
            (
                "truncated",
                f"file is shorter than its header says ({pages - 1} pages of {pages})",
            )
        ]
        assert one_column(database, "SELECT seq FROM part WHERE rowid = 1") == [1]


def test_a_stale_page_count_claims_nothing(tmp_path: Path) -> None:
    path = make(tmp_path / "input.db", "CREATE TABLE t(x)", "INSERT INTO t VALUES (7)")
    with path.open("r+b") as file:
        file.seek(28)
        file.write(struct.pack(">I", 999))
        file.seek(92)
        file.write(struct.pack(">I", 0))
    with FileSource(path) as source:
        assert read_header(source).claimed is None
    with untouched(path), Database(path) as database:
        assert one_column(database, "SELECT x FROM t") == [7]
        assert database.troubles == []


def test_the_largest_page_is_written_as_one(tmp_path: Path) -> None:
    path = make(tmp_path / "input.db", "PRAGMA page_size=65536", "CREATE TABLE t(x)")
    with FileSource(path) as source:
        header = read_header(source)
    assert (header.page_size, header.claimed, header.whole, header.rest) == (65536, 2, 2, 0)
