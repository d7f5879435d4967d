"""How long the installed command takes to its first full frame, on a pseudo-terminal of 120x40."""

import argparse
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("arguments", nargs="*", default=["demo"])
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    found = shutil.which("inspector", path=str(Path(sys.executable).parent))
    if found is None:
        raise SystemExit("the command is not installed beside this Python")
    ours: list[float] = []
    bare: list[float] = []
    python: list[float] = []
    for _ in range(options.runs + 1):
        ours.append(first_frame([found, *options.arguments]))
        bare.append(first_frame([sys.executable, "-c", _BARE], (b"Surface at help context",)))
        start = time.perf_counter()
        os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", "pass"])
        python.append(time.perf_counter() - start)
    measured = {"inspector": ours, "bare Textual app": bare, "python -c pass": python}
    for name, times in measured.items():
        middle = statistics.median(times[1:])
        print(f"{name:18} median {middle * 1000:6.0f} ms   min {min(times[1:]) * 1000:6.0f} ms")
    print(f"ratio to the bare app: {statistics.median(ours[1:]) / statistics.median(bare[1:]):.2f}")


if __name__ == "__main__":
    main()
