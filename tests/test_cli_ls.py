import json
import os
import pty
import sqlite3
import struct
import subprocess
import sys
import termios
import time
from contextlib import closing
from dataclasses import replace
from fcntl import ioctl
from io import BytesIO
from pathlib import Path

import pytest

from inspector.cli import listing
from inspector.export import sessions, written
from inspector.export.fitting import width_of
from inspector.library.row import Row
from tests.commands import SAMPLES, Done, process, run
from tests.guarding import guarded
from tests.library import generated
from tests.library.plainlog import put

KEYS = {
    *("path", "session", "format", "title", "project", "started", "last", "bytes", "events"),
    *("parent", "verdict", "problem"),
}
"""Those of the contract; all others are added ones."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A person's folder with a few sessions of every agent."""
    folder = tmp_path_factory.mktemp("home")
    generated.write(folder, 35)
    return folder


def ls(home: Path, *words: str) -> Done:
    """Run the command as the person of a home does."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TZ": "UTC"}
    with guarded(home):
        done = subprocess.run(
            [sys.executable, "-m", "inspector", "ls", *words],
            capture_output=True,
            check=False,
            cwd=home,
            env={**environment, "PYTHONPATH": str(SAMPLES.parent), "PYTHONDONTWRITEBYTECODE": "1"},
        )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_without_a_path_the_sessions_of_every_agent_are_found(home: Path) -> None:
    done = ls(home, "--json")
    rows = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert {row["format"] for row in rows} == set(generated.WRITERS)
    assert [row["problem"] for row in rows] == [None] * len(rows)
    assert len(rows) == 35
    assert len({(row["path"], row["session"]) for row in rows}) == 35


def test_a_row_has_the_keys_of_the_contract_and_those_of_the_reference_page() -> None:
    (row,) = json.loads(run("ls", SAMPLES / "version-4.session.v4.jsonl", "--json").out)
    assert row.keys() == KEYS | {"id", "relation", "events_estimated"}
    page = (SAMPLES.parent / "docs" / "reference.md").read_text(encoding="utf-8")
    told = next(line for line in page.splitlines() if line.startswith("`ls`: "))
    assert all(f"`{key}`" in told for key in row)
    assert row["path"] == str(SAMPLES / "version-4.session.v4.jsonl")
    assert row["started"] == "2026-03-02T09:00:00.000+00:00"
    assert row["last"] == "2026-03-02T09:00:54.308+00:00"
    assert (row["events"], row["events_estimated"]) == (31, True)
    assert (row["id"], row["parent"]) == ("sample-version-4", "sample-version-4-parent")
    assert (row["relation"], row["project"]) == ("fork", "/srv/signpost")
    assert row["verdict"] == {"owner": "dsh", "opens": None, "reason": None, "event": None}


def test_what_head_and_tail_tell_of_a_verdict_is_told() -> None:
    (row,) = json.loads(run("ls", SAMPLES / "future-version.jsonl", "--json").out)
    assert row["verdict"]["opens"] is False
    assert "version 99" in row["verdict"]["reason"]


def test_json_is_sorted_by_the_last_activity_and_lines_come_as_they_are_found() -> None:
    listed = json.loads(run("ls", SAMPLES, "--json").out)
    lines = [json.loads(line) for line in run("ls", SAMPLES, "--jsonl").out.splitlines()]
    assert [row["last"] for row in listed] == sorted((row["last"] for row in listed), reverse=True)
    assert sorted(lines, key=str) == sorted(listed, key=str)


def test_an_unreadable_file_is_a_row_and_no_failure(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"")
    (tmp_path / "b.jsonl").write_bytes((SAMPLES / "demo.jsonl").read_bytes())
    done = run("ls", tmp_path, "--json")
    bad = next(row for row in json.loads(done.out) if row["problem"] is not None)
    assert (done.code, done.err) == (0, "")
    assert (bad["problem"], bad["format"], bad["verdict"]) == ("empty file (0 bytes)", None, None)
    assert "unreadable: empty file (0 bytes)" in run("ls", tmp_path).out


def test_where_nothing_can_be_read_at_the_paths_given_each_says_why(tmp_path: Path) -> None:
    empty, gone = tmp_path / "empty.jsonl", tmp_path / "gone"
    empty.write_bytes(b"")
    done = run("ls", empty, gone, "--json")
    assert done.code == 3
    assert len(json.loads(done.out)) == 2
    assert sorted(done.err.splitlines()) == sorted(
        [f"inspector: {empty}: empty file (0 bytes)", f"inspector: {gone}: does not exist"]
    )


def test_a_folder_without_sessions_is_told(tmp_path: Path) -> None:
    done = run("ls", tmp_path, "--json")
    assert (done.code, json.loads(done.out)) == (3, [])
    assert done.err == f"inspector: {tmp_path}: no session is there\n"


def test_where_nothing_is_found_it_says_where_it_looked(tmp_path: Path) -> None:
    (tmp_path / ".claude" / "projects").mkdir(parents=True)
    done = ls(tmp_path, "--json")
    assert (done.code, json.loads(done.out)) == (0, [])
    first, *places = done.err.splitlines()
    assert "`inspector demo`" in first
    assert f"inspector: {tmp_path}/.claude/projects: empty (claude)" in places
    assert f"inspector: {tmp_path}/.codex/sessions: not there (codex)" in places
    assert ls(tmp_path, "--jsonl").out == ""
    assert ls(tmp_path).out == ""


def test_a_session_can_be_chosen_by_its_id() -> None:
    done = run("ls", SAMPLES, "--session", "sample-prune", "--json")
    found = {(Path(row["path"]).name, row["session"]) for row in json.loads(done.out)}
    assert found == {("prune.jsonl", None), ("sessions.db", "sample-prune")}


def test_where_only_others_are_the_one_that_is_asked_for_is_said_not_to_be(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes((SAMPLES / "prune.jsonl").read_bytes())
    (tmp_path / "b.jsonl").write_bytes(b"")
    done = run("ls", tmp_path, "--session", "nope", "--json")
    assert (done.code, json.loads(done.out)) == (3, [])
    assert done.err == (
        f"inspector: no such session: nope; 1 other found in {tmp_path}, "
        "and 1 that cannot be read\n"
    )


def test_a_database_is_a_row_for_each_session() -> None:
    rows = json.loads(run("ls", SAMPLES / "sessions.db", "--json").out)
    assert {row["session"] for row in rows} == {"sample-packed-rows", "sample-prune"}


def test_a_path_that_is_no_text_is_printed_and_kept(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.jsonl")
    try:
        (tmp_path / name).write_bytes((SAMPLES / "ten-events.jsonl").read_bytes())
    except OSError:
        pytest.skip("this file system takes no such names")
    (row,) = json.loads(process("ls", tmp_path, "--json").out)
    assert row["path"] == str(tmp_path / name)
    assert process("ls", tmp_path).code == 0


def test_the_first_line_comes_before_the_rest_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(20):
        put(tmp_path / f"{at}.jsonl")
    printed: list[int] = []
    real = written.dumps

    def counted(document: object) -> str:
        out = sys.stdout.buffer
        assert isinstance(out, BytesIO)
        printed.append(out.getvalue().count(b"\n"))
        return real(document)

    monkeypatch.setattr(written, "dumps", counted)
    run("ls", tmp_path, "--jsonl")
    # What was printed when each was made.
    assert printed == list(range(20))


def test_help_imports_nothing_that_is_dear() -> None:
    script = (
        "import sys; from inspector.cli import main\n"
        "try: main(['ls', '--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('textual', 'rich', 'orjson')"
        " or name.startswith(('inspector.formats', 'inspector.library', 'sqlite3'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-1] == "[]"


# The table.


def cells(**more: object) -> Row:
    facts: dict[str, object] = {
        "format": "dsh",
        "id": "a",
        "title": "A title",
        "project": "/work/garden",
        "last": 1_800_000_000_000,
        "bytes": 12_345,
        "events": 1_204,
    }
    return Row("/home/ann/s/a.jsonl", **(facts | more))  # type: ignore[arg-type]


def table(*rows: Row, columns: int | None = None) -> list[str]:
    from datetime import UTC

    return list(sessions.table(rows, columns, Path("/home/ann"), UTC))


def test_a_row_of_the_table() -> None:
    assert table(cells()) == ["2027-01-15 08:00  dsh  1,204  12.3 kB  garden  A title  ~/s/a.jsonl"]


def test_states_are_words() -> None:
    lines = table(
        cells(estimated=True),
        cells(opens=False, reason="too new"),
        cells(parent="b", relation="fork"),
        cells(parent="b"),
        cells(title=""),
        cells(format=None, title="", events=None, problem="empty"),
        cells(session="x"),
    )
    for line, words in zip(
        lines,
        (
            " ~1,204 ",
            " refused: too new; A title ",
            " ↳ fork: A title ",
            " ↳ child: A title ",
            " (no title) a ",
            " unreadable: empty ",
            " ~/s/a.jsonl --session x",
        ),
        strict=True,
    ):
        assert words in f"{line} "


@pytest.mark.parametrize("columns", [20, 30, 40, 50, 60, 80, 99, 100, 120, 200])
def test_a_line_is_as_wide_as_the_terminal_at_the_most(columns: int) -> None:
    wide = "ログインは動きますか？" * 9
    rows = [cells(title=wide), cells(project=f"/{wide}"), cells(title="x" * 200), cells()]
    rows += [cells(problem="y" * 90), cells(session="z" * 90), cells(title="", events=None)]
    lines = table(*rows, columns=columns)
    assert len(lines) == len(rows)
    assert max(map(width_of, lines)) <= columns
    if columns >= 30:
        assert all("x" * 6 in line for line in lines[2:3])


def test_where_it_goes_elsewhere_nothing_is_cut() -> None:
    rows = [
        cells(title="x" * 200, session="z" * 300),
        cells(project=f"/{'y' * 90}"),
        cells(problem=f"no {'w' * 300} tape", format=None),
    ]
    lines = table(*rows)
    assert len(lines) == 3
    assert lines[0].endswith("z" * 300)
    for line, whole in zip(lines, ("x" * 200, "y" * 90, f"no {'w' * 300} tape"), strict=True):
        assert f"  {whole}  " in line.replace("unreadable: ", "")


def test_where_it_is_narrow_columns_are_left_out_before_what_a_session_is_about() -> None:
    row = cells(title="Why the lamps go on late")
    shown = {
        columns: [word in table(row, columns=columns)[0] for word in WORDS]
        for columns in (120, 90, 70, 60, 52, 46, 30)
    }
    assert [words[-2] for words in shown.values()] == [True] * 7
    # From the first column on which one is not there any more it does not come back.
    for each in zip(*shown.values(), strict=True):
        assert sorted(each, reverse=True) == list(each)
    assert [sum(words) for words in shown.values()] == sorted(
        (sum(words) for words in shown.values()), reverse=True
    )
    assert shown[30] == [True, False, False, False, False, True, False]


WORDS = ("01-15", "dsh", "1,204", "12.3 kB", "garden", "Why the lam", "a.jsonl")
"""What stands in the columns."""


def test_what_cannot_be_read_is_told_from_its_like_by_its_path() -> None:
    why = "is a directory that cannot be listed: Permission denied"
    facts = {"format": None, "problem": why, "title": "", "events": None, "bytes": None}
    paths = [Path("/srv") / name / "projects" / "sessions" for name in ("lantern", "quince")]
    rows = [replace(cells(**facts), place=str(path)) for path in paths]
    for columns in (80, 100, 120):
        first, second = table(*rows, columns=columns)
        assert ("lantern" in first, "quince" in second) == (True, True)
        assert "unreadable: is a dir" in first


def test_the_table_fits_the_terminal_that_it_is_printed_to(home: Path) -> None:
    master, slave = pty.openpty()
    ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 90, 0, 0))
    with closing(os.fdopen(master, "rb", buffering=0)) as screen:
        done = subprocess.Popen(
            [sys.executable, "-m", "inspector", "ls", str(home / ".codex")],
            stdout=slave,
            env={**os.environ, "HOME": str(home)},
        )
        os.close(slave)
        text = b""
        try:
            while piece := screen.read(65536):
                text += piece
        except OSError:
            pass
        assert done.wait() == 0
    lines = text.decode().splitlines()
    assert len(lines) == 5
    assert all(60 < width_of(line) <= 90 for line in lines)


def test_hostile_words_reach_no_terminal(tmp_path: Path) -> None:
    for name in ("hostile.jsonl", "unicode.jsonl"):
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes())
    for words in ((), ("--json",), ("--jsonl",)):
        done = run("ls", tmp_path, *words)
        assert all(line.isprintable() for line in done.out.splitlines())


def test_the_columns_of_what_is_no_terminal_are_not_known() -> None:
    assert listing._columns() is None or sys.stdout.isatty()


def test_a_locked_database_is_listed_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    path.write_bytes((SAMPLES / "sessions.db").read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        before = time.perf_counter()
        rows = json.loads(run("ls", path, "--json").out)
        assert time.perf_counter() - before < 5
        connection.execute("ROLLBACK")
    assert len(rows) == 2


@pytest.mark.parametrize("words", [("-",), ("-", "--json"), (".", "-")])
def test_a_stream_is_no_place_to_look_in_and_that_is_said(
    home: Path, words: tuple[str, ...]
) -> None:
    done = ls(home, *words)
    assert (done.code, done.out) == (2, "")
    assert "reads no stream; `inspector check -` says what one holds" in done.err


def test_what_of_a_session_cannot_be_read_stands_before_its_title(tmp_path: Path) -> None:
    folder = tmp_path / ".local/share/zero/sessions/s"
    folder.mkdir(parents=True)
    event = {"id": "s:1", "sessionId": "s", "sequence": 1, "type": "message"}
    event |= {"createdAt": "2026-08-22T09:00:00Z"}
    event |= {"payload": {"role": "user", "content": "hi there"}}  # type: ignore[dict-item]
    (folder / "events.jsonl").write_text(json.dumps(event) + "\n")
    (folder / "metadata.json").symlink_to("metadata.json")
    why = "metadata.json is a loop of symbolic links"
    assert f"{why}; hi there" in ls(tmp_path).out
    (row,) = json.loads(ls(tmp_path, "--json").out)
    assert row["verdict"] == {"owner": "zero", "opens": None, "reason": why, "event": None}
    assert row["problem"] is None
