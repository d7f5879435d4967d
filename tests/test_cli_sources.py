"""The command line on every kind of source: folders, archives, compressed files and databases."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.commands import SAMPLES, run
from tests.dsh_tapes import HEADER, Log
from tests.formats.dsh import databases
from tests.tape.packed import frame, member


def log(identity: str = "session", events: int = 3) -> Log:
    """A session of so many messages."""
    found = Log(HEADER | {"id": identity})
    for at in range(events):
        found.user(f"{identity} {at}")
    return found


def zstd(source: Log) -> bytes:
    """As the owner packs it: the header in a frame of its own, then a frame a line."""
    return b"".join(frame(line + b"\n") for line in source.lines)


def add(path: Path, source: Log) -> None:
    """One more session of a database."""
    header, *events = map(json.loads, source.lines)
    databases.add_session(path, header, databases.rows(events))


def store(folder: Path, *sessions: Log) -> Path:
    """A database of sessions."""
    path = databases.make_store(folder / "sessions.db")
    for session in sessions:
        add(path, session)
    return path


def document(*words: str | Path) -> Any:
    """What a command prints as JSON, which must not complain."""
    code, out, err = run(*words, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


# One session, however it is kept.


@pytest.fixture(params=["jsonl", "jsonl.zstd", "jsonl.gzip", "folder", "zip", "sqlite-17"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """How a session is kept, and where."""
    how: str = request.param
    path = tmp_path / "session.jsonl"
    if how == "jsonl":
        path.write_bytes(bytes(log()))
    elif how == "jsonl.zstd":
        path = tmp_path / "session.jsonl.zstd"
        path.write_bytes(zstd(log()))
    elif how == "jsonl.gzip":
        path = tmp_path / "session.jsonl.gz"
        path.write_bytes(member(bytes(log())))
    elif how == "folder":
        path.write_bytes(bytes(log()))
        how, path = "jsonl", tmp_path
    elif how == "zip":
        path = tmp_path / "export.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("session.jsonl", bytes(log()))
        how = "jsonl.zip"
    else:
        path = store(tmp_path, log())
    return how, path


def test_the_same_session_is_shown_however_it_is_kept(kept: tuple[str, Path]) -> None:
    how, path = kept
    shown = document("show", path)
    assert shown["tape"]["variant"] == f"v0/{how}"
    assert shown["tape"]["id"] == "session"
    assert [node["preview"] for node in shown["surface"]] == ["session 0", "session 1", "session 2"]


def test_its_events_know_where_they_stand(kept: tuple[str, Path]) -> None:
    how, path = kept
    rows = document("events", path)
    assert [row["event"] for row in rows] == [0, 1, 2]
    if how.startswith("sqlite"):
        assert [row["row"] for row in rows] == ["seq 0", "seq 1", "seq 2"]
        assert {row["line"] for row in rows} == {None}
    else:
        assert [row["line"] for row in rows] == [2, 3, 4]
        assert {row["row"] for row in rows} == {None}


def test_its_sums_add_up(kept: tuple[str, Path]) -> None:
    code, out, _ = run("check", kept[1], "--json")
    sums = json.loads(out)["sums"]
    parts = ("carriers", "bookkeeping", "blank", "pending", "damaged")
    assert code in (0, 1)
    assert sums["events"] == 3
    assert sums["records"] == sum(sums[part] for part in parts)


def test_its_records_are_those_of_the_sums(kept: tuple[str, Path]) -> None:
    rows = document("rows", kept[1])
    _, out, _ = run("check", kept[1], "--json")
    assert len(rows) == json.loads(out)["sums"]["records"]
    assert sum(row["events"] for row in rows) == 3
    assert all((row["line"] is None) != (row["row"] is None) for row in rows)


def test_every_command_prints_text_and_complains_of_nothing(kept: tuple[str, Path]) -> None:
    for command in ("show", "events", "rows", "check"):
        code, out, err = run(command, kept[1])
        assert code in (0, 1)
        assert out.endswith("\n")
        assert err == ""


def test_another_session_than_the_one_it_holds_is_none(kept: tuple[str, Path]) -> None:
    how, path = kept
    for command in ("show", "events", "rows", "check"):
        code, out, err = run(command, path, "--session", "other")
        assert out == ""
        assert err.count("\n") == 1
        assert "session" in err
        assert "other" in err
        if not how.startswith("sqlite"):
            assert code == 2


# Folders.


def test_of_several_generations_the_newest_is_shown_and_the_others_are_named(
    tmp_path: Path,
) -> None:
    (tmp_path / "session.jsonl").write_bytes(bytes(log("old", 1)))
    (tmp_path / "session.v1.jsonl.zstd").write_bytes(zstd(log("new", 2)))
    about = document("show", tmp_path)["tape"]
    assert (about["id"], about["events"]) == ("new", 2)
    assert Path(about["path"]).name == "session.v1.jsonl.zstd"
    assert "another generation: session.jsonl" in about["beside"]
    assert "another generation: session.jsonl" in run("show", tmp_path).out


def test_an_older_generation_that_is_asked_for_says_that_it_is_one(tmp_path: Path) -> None:
    (tmp_path / "session.jsonl").write_bytes(bytes(log("old", 1)))
    (tmp_path / "session.v1.jsonl").write_bytes(bytes(log("new", 2)))
    _, out, _ = run("check", tmp_path / "session.jsonl", "--json")
    checked = json.loads(out)
    assert checked["tape"]["id"] == "old"
    assert "not the current generation: session.v1.jsonl" in str(checked["findings"])


def test_a_folder_without_a_session_says_so(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("notes")
    reason = "is a directory without a session file (1 name in it)"
    for command in ("show", "check", "rows", "open"):
        assert run(command, tmp_path) == (3, "", f"inspector: {tmp_path}: {reason}\n")


# Archives.


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An export of a session with one subagent."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("session.jsonl", bytes(log("root", 2)))
        file.writestr("subagents/helper/session.jsonl", bytes(log("helper", 4)))
        file.writestr("media/picture.png", b"\x89PNG")
    return path


@pytest.mark.parametrize(
    ("words", "identity", "events"),
    [
        ((), "root", 2),
        (("--session", "root"), "root", 2),
        (("--session", "helper"), "helper", 4),
    ],
)
def test_an_export_shows_its_session_or_the_subagent_asked_for(
    words: tuple[str, ...], identity: str, events: int, archive: Path
) -> None:
    about = document("show", archive, *words)["tape"]
    assert (about["id"], about["events"]) == (identity, events)


def test_an_export_without_the_session_asked_for_says_so(archive: Path) -> None:
    code, out, err = run("show", archive, "--session", "nobody")
    assert (code, out) == (2, "")
    assert "no such session: nobody" in err


def test_an_archive_of_something_else_says_so(tmp_path: Path) -> None:
    path = tmp_path / "photos.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.png", b"")
    for command in ("show", "check"):
        code, out, err = run(command, path)
        assert (code, out) == (3, "")
        assert "a zip archive without a session (1 file)" in err
        assert err.count("\n") == 1


# Compressed files.


def test_a_torn_zstd_file_shows_its_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl.zstd"
    path.write_bytes(zstd(log(events=5))[:-40])
    shown = document("show", path)
    assert [node["preview"] for node in shown["surface"]] == [f"session {at}" for at in range(4)]
    _, out, _ = run("check", path, "--json")
    assert "torn-frame" in {finding["code"] for finding in json.loads(out)["findings"]}


@pytest.mark.parametrize("packed", [zstd, lambda source: member(bytes(source))], ids=["zst", "gz"])
def test_the_unpack_limit_says_so_and_keeps_what_came_before(packed: Any, tmp_path: Path) -> None:
    source = log(events=200)
    path = tmp_path / "session.jsonl.zst"
    path.write_bytes(packed(source))
    limit = len(bytes(source)) // 2
    code, out, err = run("show", path, "--json", "--unpack-limit", str(limit))
    shown = json.loads(out)
    kept = len(shown["surface"])
    assert code == 0
    assert err.count("\n") == 1
    assert f"the text is longer than {limit} bytes, a limit that can be raised" in err
    assert 0 < kept < 200
    assert [node["preview"] for node in shown["surface"]] == [f"session {at}" for at in range(kept)]
    code, out, _ = run("check", path, "--json", "--unpack-limit", str(limit))
    (finding,) = [f for f in json.loads(out)["findings"] if f["code"] == "unpack-limit"]
    assert code == 1
    assert f"the text is longer than {limit} bytes" in finding["message"]
    assert "--unpack-limit raises it" in finding["effect"]


def test_a_limit_that_is_not_reached_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl.zstd"
    path.write_bytes(zstd(log(events=20)))
    assert document("show", path, "--unpack-limit", "1M") == document("show", path)


@pytest.mark.parametrize("limit", ["", "x", "-1", "1.5", "1KK", "1 K", "٣", "1" * 16])
def test_a_limit_that_is_no_size_is_a_wrong_call(limit: str, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(bytes(log()))
    code, out, err = run("show", path, f"--unpack-limit={limit}")
    assert (code, out) == (2, "")
    assert "a size is a number of bytes, or one with K, M, G or T" in err


# Databases.


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A database of two sessions."""
    return store(tmp_path, log("one", 1), log("two", 2))


@pytest.mark.parametrize("command", ["show", "events", "rows", "open"])
def test_of_several_sessions_one_must_be_chosen(command: str, two: Path) -> None:
    message = "holds 2 sessions; choose one with --session: one, two"
    assert run(command, two) == (2, "one\ntwo\n", f"inspector: {two}: {message}\n")


@pytest.mark.parametrize(("identity", "events"), [("one", 1), ("two", 2)])
def test_the_chosen_session_is_the_one_that_is_read(identity: str, events: int, two: Path) -> None:
    shown = document("show", two, "--session", identity)
    assert (shown["tape"]["id"], shown["tape"]["events"]) == (identity, events)
    assert len(document("events", two, "--session", identity)) == events
    assert len(document("rows", two, "--session", identity)) == events
    assert document("check", two, "--session", identity)["tape"]["id"] == identity


def test_check_goes_over_all_sessions(two: Path) -> None:
    checked = document("check", two)
    assert [one["tape"]["id"] for one in checked] == ["one", "two"]
    assert [one["sums"]["events"] for one in checked] == [1, 2]
    out = run("check", two).out
    assert out.count(str(two)) == 2
    assert "nothing found" in out


def test_one_bad_session_hides_no_other(two: Path) -> None:
    bad = log("bad", 1)
    bad.event("user/message", {}, surfaceOp="append")
    add(two, bad)
    code, out, _ = run("check", two, "--json")
    assert code == 1
    assert [one["tape"]["id"] for one in json.loads(out)] == ["bad", "one", "two"]


def test_a_session_that_is_not_there_is_told(two: Path) -> None:
    code, out, err = run("show", two, "--session", "three")
    assert code != 0
    assert out == ""
    assert err == f"inspector: {two}: no such session: three; it holds one, two\n"


def test_the_code_of_a_session_that_is_not_there_is_that_of_a_wrong_call(two: Path) -> None:
    assert run("show", two, "--session", "three").code == 2


def test_a_database_that_is_written_to_is_read_with_its_wal(tmp_path: Path) -> None:
    path = store(tmp_path, log("session", 1))
    writer = databases.connect(path)
    writer.execute("PRAGMA journal_mode=WAL")
    more = [json.loads(line) for line in log("session", 3).lines[2:]]
    databases.append_in(writer, "session", databases.rows(more))
    shown = document("show", path)
    writer.close()
    assert shown["tape"]["events"] == 3
    assert "copied with its -wal" in shown["tape"]["how"]


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        ((), "SQLite without tables"),
        (
            ("CREATE TABLE photos(id)",),
            "SQLite, but no known session tables (found: photos)",
        ),
    ],
)
def test_a_foreign_database_says_what_it_is(
    statements: tuple[str, ...], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "foreign.db"
    databases.run(path, "PRAGMA user_version=1")
    for statement in statements:
        databases.run(path, statement)
    for command in ("show", "events", "rows", "check", "open"):
        code, out, err = run(command, path)
        assert (code, out) == (3, "")
        assert err.startswith(f"inspector: {path}: {reason}")
        assert err.count("\n") == 1


@pytest.mark.parametrize("content", [b"no database\n", bytes(4096)])
def test_what_is_no_database_under_the_name_of_one_says_so(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    path.write_bytes(content)
    for command in ("show", "events", "rows", "check", "open"):
        code, out, err = run(command, path)
        assert (code, out) == (3, "")
        assert err.startswith(f"inspector: {path}: ")
        assert err.count("\n") == 1
        assert "database" in err


def test_a_store_without_sessions_says_so(tmp_path: Path) -> None:
    path = store(tmp_path)
    for command in ("show", "check"):
        reason = "a database of sessions that holds none"
        assert run(command, path) == (3, "", f"inspector: {path}: {reason}\n")


# The agent's other files.


def workspaces() -> dict[str, Any]:
    """The list of workspaces as the owner keeps it."""
    record = {
        "path": "/work/demo",
        "title": "Demo",
        "sessionIds": ["s1", "s2"],
        "createdAt": "2026-08-17T20:53:20.000Z",
        "updatedAt": "2026-08-18T20:53:20.000Z",
    }
    state = {"initialized": True, "workspaceIds": ["w1"], "archivedSessionIds": ["s2"]}
    unit = {"name": "workspace", "version": 2}
    return {"unit": unit, "global": state, "tables": {"workspaces": {"w1": record}}}


@pytest.fixture
def domain(tmp_path: Path) -> Path:
    path = tmp_path / "workspace.json"
    path.write_text(json.dumps(workspaces()))
    return path


def test_check_says_what_a_list_of_workspaces_says(domain: Path) -> None:
    checked = document("check", domain)
    assert checked["tape"] is None
    assert checked["verdict"] is None
    assert "1 workspace with 2 sessions" in checked["annexes"][0]["facts"]
    out = run("check", domain).out
    assert "storage domain workspace version 2, not a session" in out
    assert "workspace Demo: 2 sessions" in out
    assert "nothing found" in out


def test_what_is_wrong_with_it_is_an_error_finding(domain: Path) -> None:
    broken = workspaces()
    del broken["tables"]["workspaces"]["w1"]["title"]
    broken["tables"]["workspaces"]["w1"]["sessionIds"] = 7
    domain.write_text(json.dumps(broken))
    code, out, err = run("check", domain, "--json")
    assert (code, err) == (1, "")
    assert json.loads(out)["findings"]


def test_it_cannot_be_shown_as_a_session(domain: Path) -> None:
    for command in ("show", "events", "rows", "open"):
        code, out, err = run(command, domain)
        assert (code, out) == (3, "")
        assert "a storage domain), not a session" in err


def test_check_says_what_the_storage_database_says(tmp_path: Path) -> None:
    path = tmp_path / "storage.db"
    whole = workspaces()
    for statement in (
        "CREATE TABLE units (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT",
        "CREATE TABLE unit_globals (unit TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
        "CREATE TABLE u_workspace_workspaces (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
        "INSERT INTO units VALUES ('workspace', 2)",
    ):
        databases.run(path, statement)
    databases.run(
        path, "INSERT INTO unit_globals VALUES ('workspace', ?)", json.dumps(whole["global"])
    )
    record = json.dumps(whole["tables"]["workspaces"]["w1"])
    databases.run(path, "INSERT INTO u_workspace_workspaces VALUES ('w1', ?)", record)
    checked = document("check", path)
    assert checked["tape"] is None
    assert "1 workspace with 2 sessions" in checked["annexes"][0]["facts"]
    code, out, err = run("show", path)
    assert (code, out) == (3, "")
    assert "a storage domain), not a session" in err


def test_tapes_and_other_files_are_checked_together(domain: Path, two: Path) -> None:
    checked = document("check", domain, two, SAMPLES / "ten-events.jsonl")
    ids = [one["tape"] and one["tape"]["id"] for one in checked]
    assert ids == [None, "one", "two", checked[3]["tape"]["id"]]
    assert len(checked) == 4


# Records.


def test_rows_are_documents_in_one_list_or_a_line_each() -> None:
    path = SAMPLES / "packed-rows.jsonl"
    rows = document("rows", path)
    _, lines, _ = run("rows", path, "--jsonl")
    assert [json.loads(line) for line in lines.splitlines()] == rows
    assert {
        "record",
        "line",
        "byte",
        "row",
        "length",
        "frame",
        "fate",
        "event",
        "events",
        "seq",
        "drift",
        "preview",
    } <= rows[0].keys()
    assert any(row["events"] > 1 for row in rows)


def test_rows_as_text_are_a_line_each() -> None:
    path = SAMPLES / "packed-rows.jsonl"
    out = run("rows", path).out
    assert out.count("\n") == len(document("rows", path))
    assert "#" in out
    assert out.startswith("      line 1")


def test_rows_of_a_zstd_file_say_their_frame(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl.zstd"
    path.write_bytes(zstd(log()))
    assert [row["frame"] for row in document("rows", path)] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("deepchat.db", "sample-orchard"),
        ("sessions.db", "sample-packed-rows"),
        ("zero/lantern", "zero_20260622080000_1782115200000000000_1"),
    ],
)
def test_a_session_that_is_not_there_is_answered_with_those_that_are(name: str, held: str) -> None:
    code, out, err = run("show", SAMPLES / name, "--session", "nope")
    assert (code, out) == (2, "")
    assert f"no such session: nope; it holds {held}" in err
    assert len(err.splitlines()) == 1
