import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.library import finding, listed
from inspector.library.finding import find
from inspector.library.roots import Place, given
from inspector.library.row import Row
from inspector.tape.zstd_writing import frame
from tests.commands import SAMPLES
from tests.hostile import WORDS
from tests.library.plainlog import OWN_FOLDER, PlainFormat, put
from tests.untouched import untouched

HOSTILE = "".join(word for word in WORDS if word.encode("utf-8", "ignore").decode() == word)


def found(*paths: Path, formats: tuple[PlainFormat, ...] = (PlainFormat(),)) -> list[Row]:
    """What is found at paths, which is left alone."""
    with untouched(*(path for path in paths if path.exists())):
        return list(find(given(paths), formats=formats))


def named(rows: list[Row]) -> dict[str, str | None]:
    return {row.path.name: row.problem or row.id for row in rows}


def test_a_row_tells_what_the_ends_tell(tmp_path: Path) -> None:
    path = put(
        tmp_path / "a.jsonl",
        "session-1",
        title=" Two\n words\t",
        project="/work/x",
        last=1_800_000_000_000,
        parent="session-0",
        relation="fork",
        refusal="too new",
    )
    (row,) = found(tmp_path)
    assert row == Row(
        str(path),
        None,
        "plain",
        "session-1",
        "Two words",
        "/work/x",
        None,
        1_800_000_000_000,
        path.stat().st_size,
        None,
        False,
        "session-0",
        "fork",
        False,
        "too new",
    )


def test_the_last_change_of_the_file_stands_for_a_last_event_that_is_not_told(
    tmp_path: Path,
) -> None:
    path = put(tmp_path / "a.jsonl")
    put(tmp_path / "b.jsonl", last=10**18)
    os.utime(path, ns=(10**18, 1_700_000_000_123_456_789))
    os.utime(tmp_path / "b.jsonl", ns=(10**18, 1_700_000_000_123_456_789))
    assert [row.last for row in found(tmp_path)] == [1_700_000_000_123] * 2


def test_folders_are_gone_through_to_any_depth(tmp_path: Path) -> None:
    for at, folder in enumerate(("", "a", "a/b", "c/d/e")):
        put(tmp_path / folder / f"{at}.jsonl", str(at))
    assert sorted(row.id or "" for row in found(tmp_path)) == ["0", "1", "2", "3"]


def test_the_folders_that_changed_last_come_first(tmp_path: Path) -> None:
    for at, folder in enumerate(("b", "a", "c")):
        put(tmp_path / folder / "x.jsonl", folder)
        os.utime(tmp_path / folder, (at + 1_000, at + 1_000))
    assert [row.id for row in found(tmp_path)] == ["c", "a", "b"]


def test_the_order_is_the_same_each_time(tmp_path: Path) -> None:
    for at in range(40):
        put(tmp_path / f"{at % 7}" / f"{at}.jsonl", str(at))
    assert found(tmp_path) == found(tmp_path)


def test_a_folder_of_a_session_is_one_row_and_what_is_below_it_are_others(tmp_path: Path) -> None:
    put(tmp_path / "s" / OWN_FOLDER, "current")
    put(tmp_path / "s" / "older.jsonl", "older")
    put(tmp_path / "s" / "agents" / "one.jsonl", "agent")
    assert [row.id for row in found(tmp_path)] == ["current", "agent"]
    assert [row.id for row in found(tmp_path / "s")] == ["current", "agent"]
    assert [row.id for row in found(tmp_path / "s" / "older.jsonl")] == ["older"]


def test_while_nothing_is_written_in_the_current_log_the_only_other_one_stands_for_it(
    tmp_path: Path,
) -> None:
    put(tmp_path / "s" / "older.jsonl", "older")
    (tmp_path / "s" / OWN_FOLDER).write_bytes(b"")
    assert named(found(tmp_path)) == {"older.jsonl": "older"}
    put(tmp_path / "s" / "oldest.jsonl", "oldest")
    assert named(found(tmp_path)) == {OWN_FOLDER: "empty file (0 bytes)"}


def test_only_names_that_end_as_those_of_sessions_are_looked_at(tmp_path: Path) -> None:
    for name in ("a.txt", "b.json", "c", ".hidden.jsonl", "jsonl"):
        put(tmp_path / name)
    put(tmp_path / ".hidden" / "d.jsonl")
    assert found(tmp_path) == []
    assert [row.id for row in found(tmp_path / "a.txt")] == ["a"]


def test_what_cannot_be_read_is_a_row_with_the_reason(tmp_path: Path) -> None:
    put(tmp_path / "good.jsonl", "good")
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "blank.jsonl").write_bytes(b"\n\n")
    (tmp_path / "text.jsonl").write_bytes(b"hello\n")
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    (tmp_path / "nowhere.jsonl").symlink_to("gone")
    (tmp_path / "torn.jsonl.zst").write_bytes(frame(b'{"plain":"x"}\n')[:9])
    os.mkfifo(tmp_path / "pipe.jsonl")
    rows = named(found(tmp_path))
    assert rows.pop("text.jsonl") == ("not a session tape: text that is not JSON (line 1: hello)")
    assert str(rows.pop("torn.jsonl.zst")).startswith("holds no text: torn zstd frame at byte 0")
    assert rows == {
        "good.jsonl": "good",
        "empty.jsonl": "empty file (0 bytes)",
        "blank.jsonl": "nothing but 2 blank lines",
        "loop.jsonl": "is a loop of symbolic links",
        "nowhere.jsonl": "does not exist (broken link to gone)",
        "pipe.jsonl": "is not a regular file",
    }


def test_a_file_that_may_not_be_read_and_a_folder_that_cannot_be_listed_are_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shut = put(tmp_path / "shut.jsonl")
    put(tmp_path / "dark" / "a.jsonl")
    real_open, real_list = os.open, os.scandir

    def opened(path: str, *more: int) -> int:
        if path == str(shut):
            raise PermissionError(13, "Permission denied", path)
        return real_open(path, *more)

    def scanned(path: str) -> Iterator[os.DirEntry[str]]:
        if path.endswith("dark"):
            raise PermissionError(13, "Permission denied", path)
        return real_list(path)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(listed.os, "scandir", scanned)
    assert named(list(find(given([tmp_path]), formats=[PlainFormat()]))) == {
        "shut.jsonl": "permission denied",
        "dark": "is a directory that cannot be listed: Permission denied",
    }


def test_hidden_folders_in_which_agents_keep_sessions_of_a_project_are_looked_through(
    tmp_path: Path,
) -> None:
    for name in (".plain", ".git", "shown"):
        put(tmp_path / "project" / name / "sessions" / "a.jsonl", name)

    class OfProjects(PlainFormat):
        def roots(self, surroundings: Surroundings) -> list[Root]:
            return [Root("plain", surroundings.folder / ".plain" / "sessions")]

    rows = find(given([tmp_path]), formats=[OfProjects()])
    assert sorted(row.id or "" for row in rows) == [".plain", "shown"]


def test_a_file_that_vanishes_between_the_list_and_the_look_is_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = put(tmp_path / "gone.jsonl")
    put(tmp_path / "here.jsonl", "here")
    real = finding.look

    def looked(text: str) -> finding.Looked:
        gone.unlink(missing_ok=True)
        return real(text)

    monkeypatch.setattr(finding, "look", looked)
    rows = named(list(find(given([tmp_path]), formats=[PlainFormat()])))
    assert rows == {"here.jsonl": "here"} or rows["gone.jsonl"] == "does not exist"


def test_a_fault_of_a_format_costs_one_row(tmp_path: Path) -> None:
    class Broken(PlainFormat):
        def glance(self, ends: Ends) -> Glance | None:
            if ends.path.name == "b.jsonl":
                raise KeyError("x")
            return super().glance(ends)

    for name in "abc":
        put(tmp_path / f"{name}.jsonl", name)
    rows = named(list(find(given([tmp_path]), formats=[Broken()])))
    assert rows == {
        "a.jsonl": "a",
        "b.jsonl": "cannot be listed, a fault of this program: KeyError",
        "c.jsonl": "c",
    }


# Whose it is.


def test_the_owner_of_a_place_is_asked_first_and_then_the_others(tmp_path: Path) -> None:
    put(tmp_path / "a.jsonl")
    first, second = PlainFormat("first"), PlainFormat("second")
    (row,) = find([Place(tmp_path, ("second",))], formats=[first, second])
    assert row.format == "second"
    assert not first.seen
    (row,) = find([Place(tmp_path)], formats=[first, second])
    assert row.format == "first"


def test_what_the_owner_does_not_know_is_shown_to_the_others(tmp_path: Path) -> None:
    class Blind(PlainFormat):
        def glance(self, ends: Ends) -> Glance | None:
            del ends
            return None

    put(tmp_path / "a.jsonl")
    (row,) = find([Place(tmp_path, ("blind",))], formats=[Blind("blind"), PlainFormat()])
    assert row.format == "plain"


def test_known_places_that_are_not_there_are_passed_over_and_given_ones_told(
    tmp_path: Path,
) -> None:
    gone = tmp_path / "gone"
    assert list(find([Place(gone, ("plain",), there=False)])) == []
    assert named(list(find(given([gone])))) == {"gone": "does not exist"}


# Links and depths.


def test_links_are_followed_and_no_folder_is_gone_through_twice(tmp_path: Path) -> None:
    put(tmp_path / "real" / "a.jsonl")
    (tmp_path / "real" / "up").symlink_to("..")
    (tmp_path / "also").symlink_to("real")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b.jsonl").symlink_to("../real/a.jsonl")
    rows = found(tmp_path)
    assert sorted(row.path.name for row in rows) == ["a.jsonl", "b.jsonl"]
    outside = put(tmp_path / "outside" / "c.jsonl", "c")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "link").symlink_to(outside.parent)
    assert [row.id for row in found(tmp_path / "inside")] == ["c"]


def test_a_place_in_another_is_gone_through_once(tmp_path: Path) -> None:
    put(tmp_path / "within" / "a.jsonl")
    rows = list(find(given([tmp_path, tmp_path / "within"]), formats=[PlainFormat()]))
    assert [row.id for row in rows] == ["a"]


def test_a_very_deep_tree_is_gone_through(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(300):
        folder /= "deep"
    put(folder / "a.jsonl")
    assert [row.id for row in found(tmp_path)] == ["a"]


def test_names_that_are_no_text_are_found(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.jsonl")
    try:
        put(tmp_path / name, "a")
    except OSError:
        pytest.skip("this file system takes no such names")
    (row,) = found(tmp_path)
    assert (row.id, row.path.name) == ("a", name)


@pytest.mark.parametrize(
    ("member", "most"), [("title", 200), ("project", 400), ("relation", 40), ("refusal", 400)]
)
def test_what_a_row_says_is_clean_and_short(tmp_path: Path, member: str, most: int) -> None:
    put(tmp_path / "a.jsonl", "\x1b[2J", **{member: (HOSTILE * 50)[:500]})
    (row,) = found(tmp_path)
    assert row.id == "\x1b[2J"
    text = getattr(row, "reason" if member == "refusal" else member)
    assert text.isprintable()
    assert 10 < len(text) <= most


def test_a_problem_is_clean(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\x1b[31mred\x1b[0m \xe2\x80\xae\n")
    (row,) = found(tmp_path)
    assert row.problem is not None
    assert row.problem.isprintable()


# Databases.


def test_each_session_of_a_database_is_a_row() -> None:
    rows = list(find(given([SAMPLES / "sessions.db"])))
    assert [(row.session, row.id, row.format) for row in rows] == [
        ("sample-packed-rows", "sample-packed-rows", "dsh"),
        ("sample-prune", "sample-prune", "dsh"),
    ]
    assert {row.path for row in rows} == {SAMPLES / "sessions.db"}


def test_a_database_of_something_else_is_a_row_with_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    (row,) = found(path)
    assert row.problem == "SQLite, but no known session tables (found: recipes)"


def test_what_is_no_database_by_a_name_of_one_is_a_row(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(b"not a database at all\n")
    (tmp_path / "b.sqlite").write_bytes(b"")
    (tmp_path / "c.sqlite3").write_bytes(os.urandom(4_096))
    rows = named(found(tmp_path))
    assert rows["a.db"] == "not a database"
    assert rows["b.sqlite"] == "empty file (0 bytes)"
    assert str(rows["c.sqlite3"]).startswith("not an SQLite database, or encrypted (SQLCipher)")


def test_a_wal_that_is_too_large_to_copy_is_a_row_beside_the_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inspector.library import stored

    path = tmp_path / "sessions.db"
    path.write_bytes((SAMPLES / "sessions.db").read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("UPDATE sessions SET cwd = '/work/other'")
        whole = list(find(given([path])))
        assert {row.project for row in whole} == {"/work/other"}
        monkeypatch.setattr(stored, "COPIED", 10)
        with untouched(tmp_path):
            *rows, last = find(given([path]))
        assert [row.problem for row in rows] == [None, None]
        assert last.problem is not None
        assert "-wal are not read" in last.problem


# Stopping and streaming.


def test_rows_come_before_the_rest_is_looked_at(tmp_path: Path) -> None:
    for at in range(50):
        put(tmp_path / f"{at}" / "a.jsonl")
    format_ = PlainFormat()
    rows = find(given([tmp_path]), formats=[format_])
    next(rows)
    assert len(format_.seen) == 1


def test_a_walk_ends_where_nobody_waits_for_it(tmp_path: Path) -> None:
    for at in range(50):
        put(tmp_path / f"{at}.jsonl")
    format_ = PlainFormat()
    rows = list(find(given([tmp_path]), formats=[format_], going=lambda: len(format_.seen) < 5))
    assert len(rows) == len(format_.seen) <= 5 + finding._AT_A_TIME


def test_the_first_rows_of_a_folder_of_very_many_come_soon(tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for at in range(20_000):
        (many / f"{at}.txt").touch()
    put(many / "a.jsonl")
    before = time.perf_counter()
    next(find(given([tmp_path]), formats=[PlainFormat()]))
    # A fifth of the names that must be listed within 300 ms, and room for a busy machine.
    assert time.perf_counter() - before < 1
