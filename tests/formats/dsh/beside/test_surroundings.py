"""What stands beside a log and says something about it (format page 1.1, 1.2 and 11)."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options
from inspector.formats.dsh.beside.surroundings import Surroundings, look_around
from inspector.formats.dsh.header import Header
from inspector.formats.opening import open_tape
from tests.dsh_tapes import Json, Log
from tests.folding import fold_on

HEADER = Header(id="s-1", cwd="/work/demo")
PROJECT = "--work-demo--"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home of the owner with the folder of a session, as yet without a log."""
    (tmp_path / "sessions" / PROJECT / "s-1").mkdir(parents=True)
    (tmp_path / "storages").mkdir()
    return tmp_path


def log_in(home: Path, name: str = "session.jsonl", *others: str) -> Path:
    folder = home / "sessions" / PROJECT / "s-1"
    for file in (name, *others):
        (folder / file).touch()
    return folder / name


def store(home: Path, name: str, document: Any) -> None:
    text = document if isinstance(document, str) else json.dumps(document)
    (home / "storages" / f"{name}.json").write_text(text)


def workspaces(*sessions: str, title: str = "Demo", archived: list[str] | None = None) -> Json:
    record = {
        "path": "/work/demo",
        "title": title,
        "sessionIds": list(sessions),
        "createdAt": "2026-08-17T20:53:20.000Z",
        "updatedAt": "2026-08-17T20:53:20.000Z",
    }
    state = {"initialized": True, "workspaceIds": ["w"], "archivedSessionIds": archived or []}
    return {
        "unit": {"name": "workspace", "version": 2},
        "global": state,
        "tables": {"workspaces": {"w": record}},
    }


def messages(found: Surroundings) -> list[tuple[str, str]]:
    return [(finding.kind.code, finding.message) for finding in found.findings]


# Storage domains.


def test_the_workspace_of_a_session_and_whether_it_is_archived(home: Path) -> None:
    store(home, "workspace", workspaces("s-0", "s-1", archived=["s-1"]))
    assert look_around(log_in(home), HEADER) == Surroundings("Demo", archived=True)


def test_what_another_domain_does_not_say_changes_nothing(home: Path) -> None:
    store(home, "workspace", workspaces("s-1", archived=["s-1"]))
    for name in ("message_feedback", "zeta"):
        store(home, name, {"unit": {"name": name, "version": 0}, "global": None, "tables": {}})
    found = look_around(log_in(home), HEADER)
    assert (found.workspace, found.archived, found.findings) == ("Demo", True, ())


def test_a_session_that_no_workspace_lists(home: Path) -> None:
    store(home, "workspace", workspaces("s-0"))
    assert look_around(log_in(home), HEADER) == Surroundings(None, archived=False)


def test_without_storage_nobody_knows(home: Path) -> None:
    assert look_around(log_in(home), HEADER) == Surroundings()


def test_a_workspace_without_a_title_is_named_by_its_path(home: Path) -> None:
    store(home, "workspace", workspaces("s-1", title=""))
    assert look_around(log_in(home), HEADER).workspace == "/work/demo"


def test_without_an_id_no_workspace_is_looked_for(home: Path) -> None:
    store(home, "workspace", workspaces("s-1"))
    assert look_around(log_in(home), Header()) == Surroundings()


def test_storage_that_is_broken_is_told_and_harms_nothing(home: Path) -> None:
    store(home, "message_feedback", "{")
    store(home, "workspace", workspaces("s-1"))
    found = look_around(log_in(home), HEADER)
    assert (found.workspace, found.archived, found.findings) == ("Demo", False, ())
    (sentence,) = found.beside
    assert sentence.startswith("message_feedback.json: the file: ")
    assert sentence.endswith(" (malformed-medium)")


def test_storage_that_cannot_be_read_is_passed_over(home: Path) -> None:
    (home / "storages" / "workspace.json").mkdir()
    assert look_around(log_in(home), HEADER) == Surroundings()


def test_a_title_is_cleaned(home: Path) -> None:
    store(home, "workspace", workspaces("s-1", title="\x1b[2Jred\nline" + "x" * 500))
    workspace = look_around(log_in(home), HEADER).workspace or ""
    assert "\x1b" not in workspace
    assert "\n" not in workspace
    assert len(workspace) < 200


# The folder.


def test_of_several_generations_the_newest_is_current(home: Path) -> None:
    old = log_in(home, "session.jsonl", "session.v3.jsonl", "session.v4.jsonl.zstd")
    found = look_around(old, HEADER)
    assert found.beside == (
        "another generation: session.v4.jsonl.zstd",
        "another generation: session.v3.jsonl",
    )
    assert messages(found) == [
        (
            "other-generation",
            "not the current generation: session.v4.jsonl.zstd stands beside it",
        )
    ]
    newest = look_around(old.with_name("session.v4.jsonl.zstd"), HEADER)
    assert newest.findings == ()
    assert len(newest.beside) == 2


def test_two_encodings_of_one_log_are_refused_by_the_owner(home: Path) -> None:
    log = log_in(home, "session.jsonl", "session.jsonl.zstd")
    for name, other in (
        ("session.jsonl", "session.jsonl.zstd"),
        ("session.jsonl.zstd", "session.jsonl"),
    ):
        found = look_around(log.with_name(name), HEADER)
        assert found.beside == (f"the same generation in another encoding: {other}",)
        message = f"the owner refuses two encodings of one log: {other} is there"
        assert messages(found) == [("two-encodings", message)]


def test_a_lock_and_what_a_first_write_left(home: Path) -> None:
    log = log_in(home, "session.jsonl", "session.lock", "session.jsonl.0123456789ab.tmp", "notes")
    found = look_around(log, HEADER)
    assert found.findings == ()
    unfinished = "left by a first write that was cut off; no part of the session"
    assert found.beside == (
        f"session.jsonl.0123456789ab.tmp: {unfinished}",
        "session.lock: a writer has the session open, or had when it ended",
    )


def test_a_log_in_the_wrong_folder_is_told(home: Path) -> None:
    found = look_around(log_in(home), Header(id="other", cwd="/elsewhere"))
    assert [code for code, _ in messages(found)] == ["misplaced", "misplaced"]
    assert [finding.record for finding in found.findings] == [None, None]


@pytest.mark.parametrize("name", ["demo.jsonl", "session.txt", "session.jsonl.gz"])
def test_a_log_by_another_name_has_no_surroundings(name: str, home: Path) -> None:
    store(home, "workspace", workspaces("s-1"))
    log = log_in(home, name, "session.v3.jsonl", "session.lock")
    assert look_around(log, HEADER) == Surroundings()


def test_a_folder_that_cannot_be_listed_has_nothing_in_it(tmp_path: Path) -> None:
    assert look_around(tmp_path / "gone" / "session.jsonl", HEADER) == Surroundings()


def test_names_of_files_are_cleaned(home: Path) -> None:
    found = look_around(log_in(home, "session.jsonl", "\x1b[31m.tmp"), HEADER)
    assert len(found.beside) == 1
    assert "\x1b" not in found.beside[0]


# On a tape.


def test_a_tape_tells_of_its_surroundings(home: Path) -> None:
    store(home, "workspace", workspaces("session", archived=["session"]))
    log = Log()
    log.user()
    folder = home / "sessions" / PROJECT / "session"
    folder.mkdir()
    (folder / "session.jsonl").write_bytes(bytes(log))
    (folder / "session.v1.jsonl").write_bytes(bytes(log))
    tape = open_tape(folder / "session.jsonl", Options())
    fold_on(tape)
    identity = tape.identity
    assert (identity.workspace, identity.archived) == ("Demo", True)
    assert identity.beside == ("another generation: session.v1.jsonl",)
    assert [finding.kind.code for finding in tape.findings()] == ["other-generation"]
    assert tape.timeline.reliable_to == 1
    assert tape.verdict().opens is True
    tape.close()
