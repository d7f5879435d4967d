"""A database that is encrypted, and the file beside it that says so."""

import os
import sys
from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import annexes, open_tape, session_entries
from inspector.tape.database_cipher import KEY_VARIABLE, Cipher
from inspector.tape.source import SourceError
from tests.formats.deepchat import databases
from tests.formats.deepchat.databases import append, fold, message, surface, written
from tests.untouched import untouched

SECURITY = {"version": 1, "enabled": True, "cipher": "sqlcipher", "passwordStorage": "manual"}


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """A password in the environment, where there is a driver."""
    pytest.importorskip("sqlcipher3")
    monkeypatch.setenv(KEY_VARIABLE, 'it\'s "secret" ü')
    return 'it\'s "secret" ü'


def encrypted(path: Path, key: str) -> Path:
    """A database with one tape under SQLCipher."""
    from sqlcipher3 import dbapi2

    connection = dbapi2.connect(str(path), isolation_level=None)
    connection.set_key(key.encode())
    connection.executescript(databases.SCHEMA)
    plain = databases.made(path.with_name("plain.db"), [message("a", 1), message("b", 2)])
    connection.execute(f"ATTACH '{plain}' AS plain KEY ''")
    connection.execute(
        "INSERT INTO deepchat_tape_entries SELECT * FROM plain.deepchat_tape_entries"
    )
    connection.close()
    plain.unlink()
    return path


def noise(path: Path) -> Path:
    path.parent.mkdir(parents=True)
    path.write_bytes(os.urandom(8192))
    return path


def test_an_encrypted_tape_is_read_where_it_lies(key: str, tmp_path: Path) -> None:
    path = encrypted(tmp_path / "agent.db", key)
    with untouched(path):
        tape = fold(path)
        assert surface(tape, 2) == [0, 1]
        assert [entry.id for entry in session_entries(path)] == ["s"]
        tape.close()


def test_the_wal_of_an_encrypted_database_is_read_in_a_copy(key: str, tmp_path: Path) -> None:
    from sqlcipher3 import dbapi2

    path = encrypted(tmp_path / "agent.db", key)
    writer = dbapi2.connect(str(path), isolation_level=None)
    writer.set_key(key.encode())
    writer.execute("PRAGMA journal_mode=WAL").fetchall()
    writer.execute("UPDATE deepchat_tape_entries SET entry_id = 9 WHERE entry_id = 2")
    tape = fold(path)
    assert (tape.identity.how or "").startswith("copied with its -wal")
    assert [tape.number(at) for at in range(2)] == [1, 9]
    tape.close()
    writer.close()


def test_a_file_that_the_key_does_not_open_is_said(key: str, tmp_path: Path) -> None:
    path = noise(tmp_path / "x" / "agent.db")
    with pytest.raises(SourceError, match=f"no database that the key in {KEY_VARIABLE} opens"):
        open_tape(path, Options())


def test_a_plain_database_needs_no_key(key: str, tmp_path: Path) -> None:
    path = databases.made(tmp_path / "agent.db")
    append(path, [message("a", 1)])
    tape = fold(path)
    assert "SQLCipher" not in (tape.identity.how or "")
    tape.close()


def test_without_the_driver_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "secret")
    monkeypatch.setitem(sys.modules, "sqlcipher3", None)
    monkeypatch.delitem(sys.modules, "sqlcipher3.dbapi2", raising=False)
    with pytest.raises(SourceError, match=r"install tape-inspector\[sqlcipher\]$") as caught:
        open_tape(noise(tmp_path / "x" / "agent.db"), Options())
    assert "secret" not in str(caught.value)


def test_without_a_key_there_is_no_cipher(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    assert Cipher.found() is None


def test_what_the_owner_keeps_beside_it_tells_it_from_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    path = noise(tmp_path / "app_db" / "agent.db")
    (tmp_path / "database-security.json").write_text(written({"metadata": SECURITY}))
    with pytest.raises(SourceError) as caught:
        open_tape(path, Options())
    assert str(caught.value) == (
        "not an SQLite database, or encrypted (SQLCipher); "
        "DeepChat says that its database is encrypted with sqlcipher; "
        "the password is typed in at every start; "
        "to read an encrypted one, install tape-inspector[sqlcipher] and set "
        "INSPECTOR_SQLCIPHER_KEY to its password"
    )


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        (
            {"metadata": {**SECURITY, "enabled": False}},
            ["DeepChat says that its database is not encrypted"],
        ),
        ({"metadata": {"enabled": "yes", "passwordStorage": "none"}}, []),
        ({}, []),
        ([], []),
    ],
)
def test_the_file_is_known_by_what_it_says(
    content: object, facts: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "database-security.json"
    path.write_text(written(content))
    assert [fact for annex in annexes(path) for fact in annex.facts] == facts
