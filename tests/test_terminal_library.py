"""The library on a pseudo-terminal: from a call to it, to a session and back."""

from pathlib import Path

from tests.hostile import write_tape
from tests.terminal import on_terminal, taken_apart
from tests.ui.library.shelves import real


def test_without_a_path_and_without_sessions_it_says_where_it_looked_and_opens_the_demo() -> None:
    with on_terminal(size=(100, 40)) as terminal:
        terminal.wait_for("No session was found")
        assert "not there" in terminal.output()
        terminal.press("\r", "Events")
        terminal.press("q", "No session was found")
        terminal.press("q")
    taken_apart(terminal.output())


def test_a_folder_of_several_sessions_is_listed_and_come_back_to(tmp_path: Path) -> None:
    folder = real(tmp_path / "sessions", "demo.jsonl", "compaction.jsonl")
    with on_terminal(folder) as terminal:
        terminal.wait_for("2 sessions")
        terminal.press("\r", "Surface at")
        terminal.press("q", "LIBRARY")
        terminal.press("j\r", "Surface at")
        terminal.press("\x11")


def test_a_folder_of_one_session_is_that_session(tmp_path: Path) -> None:
    folder = real(tmp_path / "sessions", "compaction.jsonl")
    with on_terminal(folder) as terminal:
        terminal.wait_for("Surface at")
        terminal.press("q")


def test_names_and_titles_that_are_hostile_reach_no_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "sess\x1b]0;ions\x07"
    folder.mkdir()
    write_tape(folder)
    (folder / "b\x9b31m\nforged.jsonl").write_bytes(b"\x1b]52;c;aGk=\x07")
    with on_terminal(folder) as terminal:
        terminal.wait_for("LIBRARY")
        terminal.press("G")
        terminal.press("\t")
        terminal.press("/\x1b]52;c;aGk=\x07")
        terminal.press("\x11")
    taken_apart(terminal.output())
