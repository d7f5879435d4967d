"""A terminal that goes away without a word."""

import os
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from inspector.ui import canvas
from tests.guarding import guarded
from tests.terminal import LIMIT, READS_KEYS, Terminal, on_terminal
from tests.ui.driving import SAMPLES

GONE = 128 + signal.SIGHUP
"""The exit code of a program whose terminal is gone."""

DEMO = SAMPLES / "demo.jsonl"


def test_what_is_typed_at_once_behind_a_key_that_opens_a_layer_is_of_the_layer() -> None:
    with guarded(DEMO), on_terminal(DEMO, "--at", "200") as terminal:
        terminal.press("pjj\r", shows="PLAN compact")
        terminal.press("qF10l", shows="cut at 210")
        terminal.press("q", shows="REPLAY 200/434")
        terminal.press("Gq")


def test_no_key_is_kept_by_the_terminal_before_the_screen_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    master, slave = os.openpty()
    ending = signal.getsignal(signal.SIGTERM)
    try:
        # Nothing of the page is read here: it is empty, and fits.
        termios.tcsetwinsize(slave, (1, 1))
        with os.fdopen(slave, "w") as terminal:
            monkeypatch.setattr(sys, "stdin", terminal)
            monkeypatch.setattr(sys, "stdout", terminal)
            with canvas.shown(lambda _width, height: canvas.Canvas(height)):
                os.write(master, b"\x11\x16\x0f\x03q\r")
                assert os.read(slave, 10) == b"\x11\x16\x0f\x03q\r"
            monkeypatch.undo()
    finally:
        os.close(master)
        signal.signal(signal.SIGTERM, ending)


@contextmanager
def deaf(data: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The program, which hears no hang-up, and the other side of its terminal, not closed here."""
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (40, 120))
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        program = subprocess.Popen(
            [sys.executable, "-m", "inspector", str(DEMO)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "XDG_DATA_HOME": str(data)},
        )
    finally:
        signal.signal(signal.SIGHUP, before)
        os.close(slave)
    try:
        yield program, master
    finally:
        program.kill()
        program.wait()


@pytest.mark.parametrize(
    ("keys", "shows"),
    [("", "HEAD"), ("g ", "▶ "), ("158GF", "PLAN fork")],
    ids=["rests", "plays", "plans"],
)
def test_a_program_whose_terminal_is_gone_ends(keys: str, shows: str, tmp_path: Path) -> None:
    with guarded(DEMO), deaf(tmp_path) as (program, master):
        terminal = Terminal(master)
        try:
            terminal.wait_for(READS_KEYS)
            os.write(master, keys.encode())
            terminal.see(shows)
        finally:
            os.close(master)
        assert program.wait(LIMIT) == GONE
    # Where the tape was left is kept, as by any other end.
    assert [*tmp_path.rglob("*.json")] or not keys
