"""How long the installed command takes to its first full frame, on a pseudo-terminal of 120x40."""

import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import sys
import termios
import time
from pathlib import Path

_FULL = (b"Surface at", b"help", b"context")
"""What the top, the middle and the bottom of a full frame say."""


def first_frame(command: list[str], wanted: tuple[bytes, ...] = _FULL) -> float:
    """Seconds from the start of a command to the moment at which all of a frame was written."""
    start = time.perf_counter()
    child, descriptor = pty.fork()
    if not child:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
        time.sleep(0)
        os.execv(command[0], command)
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    seen = b""
    try:
        while time.perf_counter() - start < 30:
            ready, _, _ = select.select([descriptor], [], [], 5)
            if not ready:
                break
            seen += os.read(descriptor, 65536)
            if all(word in seen for word in wanted):
                return time.perf_counter() - start
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(descriptor)
    raise SystemExit(f"no full frame from {command}: {seen[-2000:]!r}")


_BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("Surface at help context")
Bare().run()
"""


def report(arguments: list[str], runs: int = 5) -> None:
    """Print the median over some runs beside a bare Textual app and a bare Python."""
    found = shutil.which("inspector", path=str(Path(sys.executable).parent))
    if found is None:
        raise SystemExit("the command is not installed beside this Python")
    measured: dict[str, list[float]] = {"inspector": [], "bare Textual app": [], "bare Python": []}
    for _ in range(runs + 1):
        measured["inspector"].append(first_frame([found, *arguments]))
        bare = first_frame([sys.executable, "-c", _BARE], (b"Surface at help context",))
        measured["bare Textual app"].append(bare)
        start = time.perf_counter()
        os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", "pass"])
        measured["bare Python"].append(time.perf_counter() - start)
    medians = [
        f"{name} {statistics.median(times[1:]) * 1000:.0f} ms" for name, times in measured.items()
    ]
    print(f"first full frame of {Path(arguments[-1]).name}: {', '.join(medians)} (budget 300)")
