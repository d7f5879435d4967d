"""A log is a session's by where it lies, even before there is a line of it (RULES 9, A1, A3)."""

import json
import os
from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from tests.folding import fold_on
from tests.formats.zero.sessions import log, user
from tests.untouched import untouched

METADATA = {
    "sessionId": "s",
    "title": "Left behind",
    "sessionKind": "fork",
    "parentSessionId": "p",
    "createdAt": "2026-08-22T09:00:00Z",
    "updatedAt": "2026-08-22T09:00:00Z",
    "eventCount": 0,
}


def laid(folder: Path, content: bytes | None) -> Path:
    """A session's folder; without a log if there is no content."""
    folder.mkdir()
    (folder / "metadata.json").write_text(json.dumps(METADATA))
    (folder / "session.lock").touch()
    if content is not None:
        (folder / "events.jsonl").write_bytes(content)
    return folder


@pytest.mark.parametrize(
    ("content", "events"),
    [
        (b"", 0),
        (b"\n \n", 0),
        (b'{"id":"s:1","sess', 0),
        (b"{}\nnull\n{}\n", 3),
        (b"\x00\x00\n", 0),
    ],
)
def test_whatever_the_log_holds_it_is_the_sessions(
    tmp_path: Path, content: bytes, events: int
) -> None:
    folder = laid(tmp_path / "one", content)
    for path in (folder, folder / "events.jsonl"):
        with untouched(folder / "events.jsonl"):
            tape = fold_on(open_tape(path, Options()))
            assert tape.identity.format == "zero"
            assert tape.identity.path == folder / "events.jsonl"
            assert (tape.identity.id, tape.identity.parent) == ("s", "p")
            assert tape.timeline.events == events
            assert tape.timeline.registers.state(0)["title"].value == "Left behind"
            tape.close()


def test_without_metadata_an_empty_log_is_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"")
    with pytest.raises(SourceError, match="empty file"):
        open_tape(path, Options())
    path.write_bytes(b"{}\n")
    with pytest.raises(SourceError, match="not a session tape"):
        open_tape(path, Options())


def test_an_empty_log_that_grows_comes_alive_and_so_does_one_emptied_in_place(
    tmp_path: Path,
) -> None:
    folder = laid(tmp_path / "one", b"")
    path = folder / "events.jsonl"
    for _ in range(2):
        tape = fold_on(open_tape(folder, Options()))
        assert (tape.timeline.events, tape.changed()) == (0, Change.NONE)
        with path.open("ab") as file:
            file.write(log(user(), user()))
        assert tape.changed() is Change.GROWN
        assert fold_on(tape).timeline.events == 2
        os.truncate(path, 0)
        assert tape.changed() is Change.REPLACED
        tape.close()


def test_metadata_alone_are_another_tape_once_there_is_a_log(tmp_path: Path) -> None:
    folder = laid(tmp_path / "one", None)
    tape = fold_on(open_tape(folder, Options()))
    assert (tape.identity.path.name, tape.changed()) == ("metadata.json", Change.NONE)
    (folder / "events.jsonl").write_bytes(b"")
    assert tape.changed() is Change.REPLACED
    tape.close()
    again = fold_on(open_tape(folder, Options()))
    assert (again.identity.path.name, again.changed()) == ("events.jsonl", Change.NONE)
    again.close()


def test_a_log_that_is_a_folder_is_named(tmp_path: Path) -> None:
    folder = laid(tmp_path / "one", None)
    (folder / "events.jsonl").mkdir()
    with pytest.raises(SourceError, match=r"events\.jsonl in it: is a directory"):
        open_tape(folder, Options())
