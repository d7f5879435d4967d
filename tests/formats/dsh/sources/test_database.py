"""A database of sessions: what it holds, what its owner says against it, and one in use."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options, Tape
from inspector.formats.dsh.sources.database import SessionStore
from inspector.formats.opening import (
    OptionError,
    SeveralSessionsError,
    open_tape,
    session_entries,
)
from inspector.tape.database import Database
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from tests.dsh_tapes import Log, codes, surface
from tests.folding import fold_on
from tests.formats.dsh.databases import (
    HEADER,
    Json,
    add_session,
    append_in,
    connect,
    database,
    make_store,
    rows,
    run,
    scalar,
)
from tests.guarding import changing, guarded
from tests.nobody import as_nobody, needs_nobody
from tests.timelines import same_session


def events(turns: int = 2) -> list[Json]:
    log = Log()
    for turn in range(1, turns + 1):
        log.turn(turn)
        log.user(f"question {turn}")
        log.turn_end(turn)
    return [json.loads(line) for line in log.lines[1:]]


def folded(path: Path, session: str | None = None) -> Tape:
    tape = open_tape(path, Options(session=session))
    return fold_on(tape)


def store_of(path: Path) -> Iterator[SessionStore]:
    with Database(path) as opened:
        yield SessionStore(opened)


# What it holds.


def test_sessions_come_in_the_order_of_their_ids(tmp_path: Path) -> None:
    path = make_store(tmp_path / "store.db")
    for name in ("b", "a/β", "c"):
        add_session(path, HEADER | {"id": name, "cwd": f"/{name}", "parentSession": "m"})
    entries = session_entries(path)
    assert [entry.id for entry in entries] == ["a/β", "b", "c"]
    assert {entry.parent for entry in entries} == {"m"}
    assert (entries[1].cwd, entries[1].created) == ("/b", HEADER["createdAt"])


def test_of_several_sessions_one_is_chosen(tmp_path: Path) -> None:
    path = database(tmp_path / "store.db", events(1), HEADER | {"id": "one"})
    add_session(path, HEADER | {"id": "two"}, rows(events(3)))
    with pytest.raises(SeveralSessionsError) as error:
        open_tape(path, Options())
    assert str(error.value) == "holds 2 sessions; choose one with --session: one, two"
    for name, count in (("one", 3), ("two", 9)):
        with closing(folded(path, name)) as tape:
            assert (tape.identity.id, tape.timeline.events) == (name, count)


def test_a_session_that_is_not_there_is_not_opened(tmp_path: Path) -> None:
    path = database(tmp_path / "store.db", events())
    with pytest.raises(OptionError, match="no such session: nobody"):
        open_tape(path, Options(session="nobody"))


def test_the_id_of_a_session_is_only_a_value(tmp_path: Path) -> None:
    name = "x' OR 1=1 --"
    path = database(tmp_path / "store.db", events(1), HEADER | {"id": name})
    with closing(folded(path, name)) as tape:
        assert tape.timeline.events == 3
    with pytest.raises(OptionError):
        open_tape(path, Options(session="y' OR 1=1 --"))


def test_a_store_without_sessions_holds_none(tmp_path: Path) -> None:
    path = make_store(tmp_path / "store.db")
    assert list(session_entries(path)) == []
    with pytest.raises(SourceError, match="holds none"):
        open_tape(path, Options())


def test_a_session_without_events_opens(tmp_path: Path) -> None:
    with closing(folded(database(tmp_path / "store.db", []))) as tape:
        assert (tape.timeline.events, tape.verdict().opens) == (0, True)


def test_a_session_without_a_depth_opens(tmp_path: Path) -> None:
    """A line must tell the depth, a row need not (rules page G)."""
    path = database(tmp_path / "store.db", events(), HEADER | {"delegationDepth": None})
    with closing(folded(path)) as tape:
        assert tape.verdict().opens is True


# What its owner says against it.


@pytest.mark.parametrize(
    ("application", "schema", "problem"),
    [
        (0x44534850, 15, "schema 15, older than 17"),
        (0x44534850, 16, "schema 16, older than 17"),
        (0x44534850, 18, "schema 18 is newer than 17"),
        (12345, 17, "not a harness store (application id 12345)"),
        (
            0x44534851,
            17,
            "not a harness store (application id 1146308689, that of its search index)",
        ),
        (0x44534850, 0, "unversioned (schema 0, application id 1146308688), but not empty"),
    ],
)
def test_a_store_of_another_kind_is_shown_and_what_the_owner_says(
    application: int, schema: int, problem: str, tmp_path: Path
) -> None:
    path = make_store(tmp_path / "store.db", application=application, schema=schema)
    add_session(path, HEADER, [scalar(event) for event in events()])
    with closing(folded(path)) as tape:
        assert surface(tape) == [1, 4]
        assert tape.verdict().opens is False
        assert tape.verdict().reason == f"session database: {problem}"
        assert codes(tape) == ["bad-store"]


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("CREATE INDEX mine ON events(type)", "also holds mine"),
        ("CREATE TABLE mine(x)", "also holds mine"),
        ("CREATE VIEW mine AS SELECT 1", "also holds mine"),
        ("ALTER TABLE events ADD COLUMN mine TEXT", "table events also has mine"),
    ],
)
def test_whatever_is_added_to_a_store_makes_the_owner_refuse_it(
    statement: str, problem: str, tmp_path: Path
) -> None:
    path = database(tmp_path / "store.db", events())
    run(path, statement)
    with closing(folded(path)) as tape:
        assert surface(tape) == [1, 4]
        assert problem in (tape.verdict().reason or "")


@pytest.mark.parametrize(
    "statement",
    ["DELETE FROM persistence_state", "UPDATE persistence_state SET store_id = 'mine'"],
)
def test_a_store_without_an_identity_is_refused_and_said_so(statement: str, tmp_path: Path) -> None:
    path = database(tmp_path / "store.db", events())
    run(path, statement)
    with closing(folded(path)) as tape:
        assert surface(tape) == [1, 4]
        assert tape.verdict().reason == "session database has no valid store identity"
        assert codes(tape) == ["bad-store"]


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("cwd", "relative", "stored session cwd must be absolute"),
        ("cwd", "", "stored session cwd must be absolute"),
        ("origin", "other", "stored session origin must be subagent or null"),
        ("incarnation", "mine", "stored session incarnation must be a UUID"),
        ("created_at", -1, "stored session created_at must be a whole number"),
    ],
)
def test_a_bad_row_of_one_session_breaks_the_list_of_all(
    column: str, value: Any, problem: str, tmp_path: Path
) -> None:
    path = database(tmp_path / "store.db", events(), HEADER | {"id": "bad"})
    add_session(path, HEADER | {"id": "good"}, rows(events(1)))
    run(path, f"UPDATE sessions SET {column} = ? WHERE id = 'bad'", value)  # noqa: S608 - names
    assert [entry.id for entry in session_entries(path)] == ["bad", "good"]
    with closing(folded(path, "bad")) as tape:
        assert tape.verdict().reason == problem
        assert surface(tape) == [1, 4]
        assert codes(tape) == ["bad-header", "broken-list"]
    with closing(folded(path, "good")) as tape:
        assert tape.verdict().opens is True
        assert codes(tape) == ["broken-list"]
        (finding,) = tape.findings()
        assert finding.message == f"bad: {problem}"


def test_a_table_that_lacks_a_column_is_no_store(tmp_path: Path) -> None:
    path = make_store(tmp_path / "store.db")
    run(path, "ALTER TABLE events DROP COLUMN surface_op")
    with pytest.raises(SourceError, match="table events lacks surface_op"):
        open_tape(path, Options())


def test_a_view_in_the_place_of_a_table_is_not_read(tmp_path: Path) -> None:
    path = database(tmp_path / "store.db", events())
    run(path, "ALTER TABLE events RENAME TO hidden")
    run(path, "CREATE VIEW events AS SELECT * FROM hidden")
    with pytest.raises(SourceError):
        folded(path)


# A writer has it open: the rules of case 53.


class Writer:
    """A session database in WAL mode with three events in the file and three in the -wal only."""

    def __init__(self, folder: Path) -> None:
        made = folder / "made" / "store.db"
        made.parent.mkdir()
        database(made, events(1))
        self.connection = connect(made)
        self.connection.execute("PRAGMA journal_mode=WAL")
        append_in(self.connection, "session", map(scalar, events(2)[3:5]))
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        append_in(self.connection, "session", map(scalar, events(3)[5:8]))
        self.made = made

    def copy(self, folder: Path, *suffixes: str) -> Path:
        """The files as they are on the disk now, in a folder of their own."""
        folder.mkdir()
        for suffix in ("", *suffixes):
            shutil.copyfile(f"{self.made}{suffix}", folder / f"store.db{suffix}")
        return folder / "store.db"


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    made = Writer(tmp_path)
    yield made
    made.connection.close()


@pytest.mark.parametrize(
    ("suffixes", "count"), [((), 5), (("-wal",), 8), (("-wal", "-shm"), 8), (("-shm",), 5)]
)
def test_what_stands_in_the_wal_is_read_and_nothing_is_touched(
    suffixes: tuple[str, ...], count: int, writer: Writer, tmp_path: Path
) -> None:
    path = writer.copy(tmp_path / "user", *suffixes)
    with guarded(path):
        with closing(folded(path)) as tape:
            assert tape.timeline.events == count
            assert surface(tape) == [1, 4, 7][: (count + 1) // 3]
            assert tape.verdict().opens is True
            assert codes(tape) == []
            how = tape.identity.how
        assert how is not None
        assert how.startswith("copied with its -wal" if count == 8 else "opened in place")
        assert len(session_entries(path)) == 1


def test_a_transaction_that_is_cut_off_is_left_out(writer: Writer, tmp_path: Path) -> None:
    whole = writer.made.with_name("store.db-wal").stat().st_size
    append_in(writer.connection, "session", map(scalar, events(4)[8:]))
    path = writer.copy(tmp_path / "user", "-wal")
    wal = path.with_name("store.db-wal")
    assert wal.stat().st_size > whole
    wal.write_bytes(wal.read_bytes()[:-100])
    with guarded(path), closing(folded(path)) as tape:
        assert tape.timeline.events == 8
        assert tape.verdict().opens is True
        assert [finding.kind.severity.value for finding in tape.findings()] == ["warning"]


def test_a_database_that_is_being_written_is_followed(writer: Writer) -> None:
    with guarded(writer.made):
        tape = folded(writer.made)
        assert tape.timeline.events == 8
        with changing():
            append_in(writer.connection, "session", map(scalar, events(4)[8:]))
        assert tape.changed() is Change.GROWN
        fold_on(tape)
        assert tape.timeline.events == 12
        with changing():
            writer.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert tape.changed() is Change.GROWN
        fold_on(tape)
        assert tape.changed() is Change.NONE
        assert tape.timeline.events == 12
        with closing(folded(writer.made)) as fresh:
            same_session(tape, fresh)
        tape.close()


@needs_nobody
@pytest.mark.parametrize(("suffixes", "count"), [((), 5), (("-wal",), 8), (("-wal", "-shm"), 8)])
def test_a_folder_that_may_not_be_written_is_read_alike(
    suffixes: tuple[str, ...], count: int, writer: Writer
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        path = writer.copy(folder / "user", *suffixes)
        path.parent.chmod(0o555)
        with guarded(path):
            printed = as_nobody(
                f"""
tape = open_tape(Path({str(path)!r}), Options())
while tape.advance():
    pass
print(tape.timeline.events, [found.message for found in tape.findings()])
tape.close()
"""
            )
        assert printed == f"{count} []\n"


def test_a_name_that_a_uri_would_read_otherwise_is_opened(tmp_path: Path) -> None:
    folder = tmp_path / "50% of?mode=rw#x"
    folder.mkdir()
    path = database(folder / os.fsdecode(b"a\xff b.db"), events())
    with guarded(path), closing(folded(path)) as tape:
        assert surface(tape) == [1, 4]
