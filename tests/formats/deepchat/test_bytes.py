"""Text of a database that is no UTF-8 is read as the owner reads it, and that is said."""

import sqlite3
from pathlib import Path

import pytest

from inspector.formats.contract import Tape
from tests.formats.deepchat.databases import (
    SCHEMA,
    anchor,
    append,
    execute,
    fold,
    made,
    message,
    surface,
    visibilities,
)


def told(tape: Tape) -> list[tuple[str, str]]:
    return [(found.kind.code, found.message) for found in tape.findings()]


def broken(path: Path, column: str, good: str, bad: bytes, *, blob: bool = False) -> None:
    """Replace some text in a column of the second row by bytes, as text or as a blob."""
    with sqlite3.connect(path) as connection:
        where = "FROM deepchat_tape_entries WHERE entry_id = 2"
        (text,) = connection.execute(f"SELECT {column} {where}").fetchone()
        raw = text.encode().replace(good.encode(), bad)
        connection.execute(
            f"UPDATE deepchat_tape_entries SET {column} = {'?' if blob else 'CAST(? AS TEXT)'} "  # noqa: S608 - names of ours
            "WHERE entry_id = 2",
            (raw,),
        )
    connection.close()


def rows(path: Path) -> Path:
    return made(path, [message("a", 1), message("b", 2, "hi there", note="mine"), message("c", 3)])


@pytest.mark.parametrize("blob", [False, True])
def test_bytes_in_a_payload_are_replaced_as_the_owner_does(blob: bool, tmp_path: Path) -> None:
    path = rows(tmp_path / "agent.db")
    broken(path, "payload_json", "hi", b"\xff\xe2\x82", blob=blob)
    tape = fold(path)
    [(code, what)] = told(tape)
    assert code == "repaired-text"
    assert what.endswith(" of payload_json is not UTF-8; the owner replaces that")
    raw = tape.timeline.table.record(1)
    byte = int(what.split()[1])
    assert raw == 1
    with sqlite3.connect(path) as connection:
        sql = "SELECT CAST(payload_json AS BLOB) FROM deepchat_tape_entries WHERE entry_id = 2"
        assert connection.execute(sql).fetchone()[0].index(b"\xff") == byte
    connection.close()
    assert surface(tape, 3) == [0, 1, 2]
    # One for a byte that begins nothing, one for a character that is cut.
    assert tape.payload(1)["payload"]["record"]["content"] == '{"text": "\ufffd\ufffd there"}'
    assert tape.sums().recovered == 1
    tape.close()


def test_bytes_in_the_meta_are_told(tmp_path: Path) -> None:
    path = rows(tmp_path / "agent.db")
    broken(path, "meta_json", "mine", b"m\x80")
    tape = fold(path)
    assert [code for code, _ in told(tape)] == ["repaired-text"]
    assert tape.payload(1)["meta"] == {"note": "m\ufffd"}
    tape.close()


def test_every_such_row_is_told_also_one_of_a_kind_that_is_none(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1), anchor("x"), anchor("x"), anchor("x")])
    odd = "UPDATE deepchat_tape_entries SET kind = CAST(x'6dff' AS TEXT) WHERE entry_id = ?"
    execute(path, odd, 3)
    execute(path, odd, 4)
    tape = fold(path)
    said = "byte 1 of kind is not UTF-8; the owner replaces that"
    assert told(tape) == [
        ("repaired-text", said),
        ("unknown-kind", "the first row of kind m\ufffd"),
        ("repaired-text", said),
    ]
    assert visibilities(tape) == ["visible", *["log-only"] * 3]
    tape.close()


def test_ids_that_differ_only_there_are_one_id(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1), message("-x-", 2), message("-y-", 2)])
    sql = "UPDATE deepchat_tape_entries SET payload_json = CAST(? AS TEXT) WHERE entry_id = ?"
    for entry, letter in ((2, b"x"), (3, b"y")):
        payload = message(f"-{letter.decode()}-", 2).payload.encode()
        bad = b"-\xfe-" if letter == b"x" else b"-\xff-"
        execute(path, sql, payload.replace(b"-" + letter + b"-", bad), entry)
    tape = fold(path)
    assert surface(tape, 3) == [0, 2]
    assert tape.identified("-\ufffd-") == [1, 2]
    tape.close()


def test_a_transcript_is_read_so_too(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db")
    row = "INSERT INTO deepchat_messages VALUES ('m', 's', 1, 'user', CAST(? AS TEXT), 'sent'"
    execute(path, f"{row}, 0, '{{}}', 1, 1)", b'{"text":"h\xff"}')
    tape = fold(path)
    assert told(tape)[1:] == [
        ("repaired-text", "byte 10 of content is not UTF-8; the owner replaces that")
    ]
    [entry] = tape.request(1)
    assert "h\ufffd" in entry.text
    tape.close()


def test_what_stands_beside_the_rows_is_told_by_its_column(tmp_path: Path) -> None:
    path = rows(tmp_path / "agent.db")
    session = "INSERT INTO new_sessions VALUES ('s', 'g', CAST(? AS TEXT), NULL, 'regular'"
    execute(path, f"{session}, NULL, NULL, 5, 6)", b"\xffA")
    tape = fold(path)
    what = "beside the rows there is text that is not UTF-8: title"
    assert told(tape) == [("repaired-text", what)]
    tape.close()


def test_text_of_any_script_and_lone_surrogates_in_json_are_no_such_text(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(f'PRAGMA encoding="UTF-16"; {SCHEMA}')
    connection.close()
    append(path, [message("\u00e4\U0001f600", 1, "\ud83d".encode("unicode_escape").decode())])
    tape = fold(path)
    assert told(tape) == []
    tape.close()
