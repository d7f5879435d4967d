"""The program on a pseudo-terminal: keys in, and every byte that comes out taken apart."""

import os
import re
import selectors
import subprocess
import sys
import termios
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

from tests.guarding import guarded
from tests.hostile import INVISIBLE

QUIET: Final = 0.1
"""Seconds without a byte after which the screen is taken to be finished."""

LIMIT: Final = 20.0
"""Seconds after which nothing is waited for any more."""

_COLOUR: Final = r"[34]8;2;\d{1,3};\d{1,3};\d{1,3}"
OURS: Final = re.compile(
    r"\x1b\[(?:"
    r"(?:H|\d+;\d+H"  # the cursor goes somewhere
    rf"|(?:0|(?:[13479];)*(?:[13479]|{_COLOUR}(?:;{_COLOUR})?))m)"  # true colours only
    r"(?:\r\r?\n(?=\x1b))?"  # a line may end between two sequences, never in text
    r"|\?(?:7|25|1000|1003|1004|1006|1015|1049|2004|2026|2048)[hl]"  # modes: mouse, cursor, screens
    r"|\?(?:2026|2048)\$p"  # whether the terminal knows two of them
    r"|>\d+u|<u"  # the keyboard protocol, on and off
    r")|\x1b\]22;default\x07"  # the shape of the mouse pointer
)
"""All that Textual and the first paint may say to a terminal."""

READS_KEYS: Final = "\x1b[?2004h"
"""What the program sends when it is ready for keys and pastes."""

CONTROL: Final = re.compile(f"[\x00-\x1f\x7f-\x9f{INVISIBLE}]")


class Leak(AssertionError):  # noqa: N818 - not an error of the test
    """Something reached the terminal that is not of the program's own making."""


def taken_apart(output: str) -> tuple[list[str], Counter[str]]:
    """The pieces of text that a terminal would draw, and how often each sequence was sent.

    Raises:
        Leak: at the first sequence that is none of ours, and the first control beside them.
    """
    sequences = Counter(OURS.findall(output))
    pieces = OURS.split(output)
    for piece in pieces:
        found = CONTROL.search(piece)
        if found is not None:
            raise Leak(f"{found.group()!r} in {piece[:200]!r}")
    return pieces, sequences


class Terminal:
    """A running program and what it sent so far."""

    def __init__(self, master: int) -> None:
        self._master = master
        self._sent = bytearray()

    def _receive(self, seconds: float) -> bool:
        """Take what comes within this time; False if nothing does, or nothing will any more."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._master, selectors.EVENT_READ)
            if not selector.select(max(0.0, seconds)):
                return False
        try:
            part = os.read(self._master, 1 << 16)
        except OSError:
            # The other side is closed; Linux calls it an error.
            return False
        self._sent += part
        return bool(part)

    def output(self, since: int = 0) -> str:
        """All that was sent, strictly UTF-8, from a byte on."""
        return bytes(self._sent[since:]).decode()

    def wait_for(self, words: str, since: int = 0) -> None:
        """Wait until these words are drawn, and then until the screen is quiet."""
        self.see(words, since)
        self.settle()

    def see(self, words: str, since: int = 0) -> None:
        """Wait until these words are drawn."""
        due = monotonic() + LIMIT
        while words.encode() not in self._sent[since:]:
            assert monotonic() < due, f"{words!r} never came: {self._sent[since:][-2000:]!r}"
            self._receive(due - monotonic())

    def settle(self) -> None:
        """Wait until the screen is quiet."""
        due = monotonic() + LIMIT
        while self._receive(QUIET):
            assert monotonic() < due, "the screen never becomes quiet"

    def press(self, keys: str, shows: str | None = None) -> None:
        """Type, and wait for words that must appear, or for the screen to be quiet."""
        self.send(keys.encode("utf-8", "replace"), shows)

    def send(self, typed: bytes, shows: str | None = None) -> None:
        """Type any bytes, and wait as `press` does."""
        since = len(self._sent)
        os.write(self._master, typed)
        if shows is None:
            self.settle()
        else:
            self.wait_for(shows, since)

    def paste(self, text: str, shows: str | None = None) -> None:
        """Paste in brackets, as a terminal does that knows them."""
        self.press(f"\x1b[200~{text}\x1b[201~", shows)

    def drain(self) -> None:
        """Take everything until the program has closed its side."""
        due = monotonic() + LIMIT
        while self._receive(due - monotonic()):
            assert monotonic() < due, "the program does not end"


@contextmanager
def on_terminal(*words: str | Path, size: tuple[int, int] = (120, 40)) -> Iterator[Terminal]:
    """Start the program; what is inside drives it, and at the end it must be gone with code 0."""
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (size[1], size[0]))
    paths = [Path(word) for word in words if Path(word).is_absolute()]
    kept = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS")}
    with guarded(*paths):
        program = subprocess.Popen(
            [sys.executable, "-m", "inspector", *map(os.fsencode, words)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**kept, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"},
        )
        os.close(slave)
        terminal = Terminal(master)
        try:
            # Before it reads keys itself, the terminal would edit what is typed.
            terminal.wait_for(READS_KEYS)
            yield terminal
            terminal.drain()
            assert program.wait(LIMIT) == 0, terminal.output()[-2000:]
        finally:
            program.kill()
            program.wait()
            os.close(master)
