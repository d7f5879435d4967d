"""Programs on a pseudo-terminal of 120x40, and the moment at which something is on it."""

import os
import pstats
import re
import selectors
import shutil
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks.clocks import top_lines
from benchmarks.figures import Unmeasured

SIZE: Final = (40, 120)
LIMIT: Final = 20.0
"""Seconds after which a frame is not waited for any more."""

FOLDED: Final = 300.0
"""The same where a long tape must be folded first."""

READS_KEYS: Final = re.compile(rb"\x1b\[\?2004h")
"""What a Textual program sends when it is ready for keys."""

_TOGETHER: Final = 0.002
"""Seconds without a byte that end a frame."""

_REMEMBERED: Final = 1 << 18
"""Bytes of what was sent that are kept: some frames."""

_PROFILER: Final = """
import cProfile, os, signal, sys
profile, path = cProfile.Profile(), sys.argv[1]
def begin(*_):
    profile.enable()
def end(*_):
    profile.disable()
    profile.dump_stats(path)
    os._exit(0)
signal.signal(signal.SIGUSR1, begin)
signal.signal(signal.SIGUSR2, end)
begin_at_once, sys.argv[1:] = sys.argv[2] == "at once", sys.argv[3:]
if begin_at_once:
    begin()
try:
    from inspector.cli import main
    main()
finally:
    end()
"""
"""Runs the command line under a profile that ends at a signal, or with the command."""


class Terminal:
    """A running program and what it sent since it was last asked something.

    Args:
        command: the program and its arguments.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._master, slave = os.openpty()
        termios.tcsetwinsize(slave, SIZE)
        self._sent = b""
        self.started = self._moment = perf_counter()
        self._program = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"},
        )
        os.close(slave)

    def wait(self, *wanted: "re.Pattern[bytes]", limit: float = LIMIT) -> float:
        """Wait until all of these were sent; the moment at which they were.

        Raises:
            Unmeasured: if they never are.
        """
        due = perf_counter() + limit
        while not all(pattern.search(self._sent) for pattern in wanted):
            if not self._receive(due - perf_counter()):
                missing = [one.pattern for one in wanted if not one.search(self._sent)]
                raise Unmeasured(f"never on the screen: {missing}, but {self._sent[-300:]!r}")
        return perf_counter()

    def finish(self) -> float:
        """Take what is left of the frame; the moment at which its last byte came."""
        while self._receive(_TOGETHER):
            pass
        return self._moment

    def sent(self, pattern: "re.Pattern[bytes]") -> bool:
        """Whether something was sent since the last key."""
        return pattern.search(self._sent) is not None

    def pass_time(self, seconds: float) -> None:
        """Take whatever comes within a time."""
        due = perf_counter() + seconds
        while (left := due - perf_counter()) > 0:
            self._receive(left)

    def press(self, keys: bytes) -> float:
        """Type, and forget what was sent before; the moment at which it was typed."""
        self.forget()
        moment = perf_counter()
        os.write(self._master, keys)
        return moment

    def forget(self) -> None:
        """Take what is left of a frame and forget all that was sent."""
        self.finish()
        self._sent = b""

    def signal(self, number: int) -> None:
        """Send a signal to the program."""
        self._program.send_signal(number)

    def ended(self) -> None:
        """Take everything until the program has ended."""
        while self._program.poll() is None:
            self._receive(0.05)

    def close(self) -> None:
        """End the program."""
        self._program.kill()
        self._program.wait()
        os.close(self._master)

    def _receive(self, seconds: float) -> bool:
        with selectors.DefaultSelector() as selector:
            selector.register(self._master, selectors.EVENT_READ)
            if not selector.select(max(0.0, seconds)):
                return False
        try:
            part = os.read(self._master, 1 << 16)
        except OSError:
            # The other side is closed; Linux calls it an error.
            return False
        self._sent = (self._sent + part)[-_REMEMBERED:]
        self._moment = perf_counter()
        return bool(part)


@contextmanager
def running(command: Sequence[str]) -> Iterator[Terminal]:
    """A program on a terminal, which is ended with the block."""
    terminal = Terminal(command)
    try:
        yield terminal
    finally:
        terminal.close()


def installed() -> str:
    """The installed command.

    Raises:
        Unmeasured: if there is none beside this Python.
    """
    found = shutil.which("inspector", path=str(Path(sys.executable).parent))
    if found is None:
        raise Unmeasured("the command is not installed beside this Python")
    return found


class Profiled:
    """The command on a terminal, under a profile of its main thread.

    Args:
        folder: where the profile is kept for a moment.
        arguments: those of the command.
        at_once: whether the profile begins with the program, and not when told.
    """

    def __init__(self, folder: Path, arguments: Sequence[str], *, at_once: bool) -> None:
        self._path = folder / "profile"
        when = "at once" if at_once else "later"
        program = [sys.executable, "-c", _PROFILER, str(self._path), when, *arguments]
        self.terminal = Terminal(program)

    def begin(self) -> None:
        """Profile from now on."""
        self.terminal.signal(signal.SIGUSR1)

    def end(self) -> list[str]:
        """End program and profile; its top lines."""
        self.terminal.signal(signal.SIGUSR2)
        return self.ended()

    def ended(self) -> list[str]:
        """Wait until the program ends by itself; the top lines of its profile."""
        self.terminal.ended()
        self.terminal.close()
        lines = top_lines(pstats.Stats(str(self._path)))
        self._path.unlink()
        return lines
