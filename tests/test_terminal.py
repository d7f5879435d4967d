"""The real program on a terminal, over tapes and names that want to take hold of it."""

from pathlib import Path

import pytest

from tests.commands import process, run
from tests.hostile import FILE_NAME, WORDS, write_tape
from tests.terminal import CONTROL, Leak, Terminal, on_terminal, taken_apart

EVENTS = len(WORDS) * 2 + 22
"""At least as many as the hostile tape has."""

NO_ESCAPES = "".join(word for word in WORDS if "\x1b" not in word and "\n" not in word)
"""What stays one paste: Textual ends it, and takes what follows for keys, at some escapes."""


def assert_clean(terminal: Terminal, *drawn: str) -> None:
    """Nothing but ours was sent, from entering the screen to leaving it, and these were drawn."""
    pieces, sequences = taken_apart(terminal.output())
    text = "\n".join(pieces)
    assert (sequences["\x1b[?1049h"], sequences["\x1b[?1049l"]) == (2, 1)
    assert not [words for words in drawn if words not in text]


# What would be noticed.


LEAVE = "\x1b[?1049l"
ESCAPES = [word for word in WORDS if "\x1b" in word and word != LEAVE]


@pytest.mark.parametrize("word", [*"\x00\x07\x0b\n\r\t\x7f\x85\x9b\u202e\u200b\ufeff", *ESCAPES])
def test_a_leak_is_noticed(word: str) -> None:
    with pytest.raises(Leak):
        taken_apart(f"\x1b[Hfirst\x1b[0m\r\r\n\x1b[0mlast {word} words\x1b[2;1H")


def test_what_the_program_says_to_a_terminal_is_no_leak() -> None:
    ours = f"\x1b[Ha\x1b[0m\r\r\n\x1b[1;38;2;1;2;3;48;2;4;5;6mb [/foo]\x1b[12;3H\r\n\x1b[0mc{LEAVE}"
    pieces, sequences = taken_apart(ours)
    assert [piece for piece in pieces if piece] == ["a", "b [/foo]", "c"]
    assert sequences[LEAVE] == 1


# The full screen.


def test_nothing_hostile_comes_through_any_pane(tmp_path: Path) -> None:
    path = write_tape(tmp_path)
    with on_terminal(path, "--at", "0") as terminal:
        terminal.press("2l" * (EVENTS // 2) + "Gl", shows="no event after")
        terminal.press("r" + "3h" * (EVENTS // 3) + "gh", shows="no event before")
        terminal.press("i" + "5l" * (EVENTS // 5) + "Gl", shows="no event after")
        terminal.press("i\t\t" + "j" * 40)
        terminal.press("\t" + "h" * 4 + "P", shows="Reliable to")
        terminal.press("G?", shows="a number before a key")
        terminal.press("G", shows="tape: ")
        terminal.press("q", shows="Surface at")
        terminal.press("q")
    assert_clean(terminal, "Raw", "State", "The fold stops at", "@click=app.quit")


def test_nothing_hostile_comes_through_what_is_typed_and_pasted(tmp_path: Path) -> None:
    path = write_tape(tmp_path)
    with on_terminal(path, size=(80, 24)) as terminal:
        terminal.press(":", shows=" events folded")
        terminal.paste(NO_ESCAPES)
        terminal.press("\r", shows="'<U+009D>52;c;UFdO")
        terminal.press(":id:\u202e\x9d52;c;UFdO\x9c\r", shows="no such event")
        terminal.press("\x10", shows="Search")
        terminal.paste("go\u202e\x9d52;c;UFdO", shows="go<U+202E>")
        terminal.press("\x1b", shows="Events")
        # No UTF-8, alone and in the middle of what is.
        terminal.send(b"\xff\x80\xe2\x82h", shows="REPLAY")
        terminal.press(":", shows=" events folded")
        terminal.paste("x\x1b]52;c;UFdO\x07\x1b[?1049l")
        terminal.press("\x11")
    assert_clean(terminal, "<U+009C>", "<U+200B>")


# What is printed to a terminal before, after or instead of the screen.


@pytest.mark.parametrize("words", [("--help",), ("show", "--help"), ("--at", "nowhere")])
def test_nothing_hostile_comes_with_help_and_complaints(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    done = process(*words, write_tape(tmp_path), "--session", "\x1b]0;PWN\x07\u202e")
    assert not CONTROL.search((done.out + done.err).replace("\n", ""))
    assert "usage: inspector" in done.out or done.err.count("\n") == 1


@pytest.mark.parametrize("command", ["open", "show", "events", "check"])
@pytest.mark.parametrize("content", [None, b"", b"hello\n", b'{"a":1}\n'])
def test_a_complaint_about_a_hostile_name_is_one_clean_line(
    tmp_path: Path, command: str, content: bytes | None
) -> None:
    path = tmp_path / FILE_NAME
    if content is not None:
        path.write_bytes(content)
    done = run(command, path)
    assert (done.code, done.out) == (3, "")
    assert done.err.count("\n") == 1
    assert not CONTROL.search(done.err.rstrip("\n"))


@pytest.mark.parametrize("words", [(), ("--json",), ("--past-unknown",)])
@pytest.mark.parametrize("command", ["show", "events", "check"])
def test_nothing_hostile_is_printed(tmp_path: Path, command: str, words: tuple[str, ...]) -> None:
    done = run(command, write_tape(tmp_path), *words)
    assert "PWN" in done.out
    assert not CONTROL.search(done.out.replace("\n", ""))
    assert not CONTROL.search(done.err.replace("\n", ""))


def test_every_line_of_a_hostile_tape_is_a_line_of_print(tmp_path: Path) -> None:
    done = run("events", write_tape(tmp_path))
    assert not [line for line in done.out.splitlines() if line.lstrip()[:1] not in ("@", "#")]


def test_a_process_prints_no_more_than_the_same_call_in_a_test(tmp_path: Path) -> None:
    path = write_tape(tmp_path)
    assert process("check", path) == run("check", path)
