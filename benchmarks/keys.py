"""From a key to its frame on the terminal, while the program does something else as well."""

import re
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.appending import LogWriter, writing
from benchmarks.clocks import chances, percentile
from benchmarks.figures import Figure, Unmeasured, times
from benchmarks.tapes import Shelf
from benchmarks.terminal import FOLDED, READS_KEYS, Profiled, Terminal, installed, running
from inspector.text.labels import count

_MOST: Final = 30.0
_KEYS: Final = 60
_FEWEST: Final = 10
_PROGRAMS: Final = 4
_LONG: Final = 60_000
"""Events of the shortest tape that takes long enough to be typed at while it is folded."""

_EACH_TIME: Final = 20
"""Events that are written at once while the tape is followed."""

_BEFORE: Final = re.compile(rb"(?:before|\(paused\)) 0/")
_READING: Final = re.compile(rb" reading \d+%")

_BARE: Final = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    folded = 0
    def compose(self):
        yield Static("", id="status")
    def on_key(self, event):
        self.folded = 0 if event.key == "g" else self.folded + 1
        word = "REPLAY" if self.folded else "before"
        self.query_one("#status").update(f" {word} {self.folded}/0")
Bare().run()
"""


def figures(shelf: Shelf) -> Iterator[Figure]:
    """Against the same program at rest, and a bare Textual app."""
    command, keys = installed(), shelf.rounds(_KEYS)
    bare = percentile(_typed([sys.executable, "-c", _BARE], keys), 0.95)
    rest = percentile(_typed([command, str(shelf.plain())], keys, shelf.events), 0.95)
    against = f"a bare Textual app of {bare:.1f} ms"
    yield Figure("key to frame, at rest, p95", rest, "ms", None, times(rest, bare, against))
    for name, seconds, look in (
        ("indexing", _while_indexing(shelf, keys), partial(_look_indexing, shelf)),
        ("following", _while_following(shelf, keys), partial(_look_following, shelf)),
    ):
        taken = percentile(seconds, 0.95)
        middle = percentile(seconds, 0.5)
        beside = (
            f"{times(taken, rest, 'at rest')}, {times(taken, bare, 'a bare Textual app')}; "
            f"p50 {middle:.1f} ms"
        )
        yield Figure(f"key to frame, while {name}, p95", taken, "ms", _MOST, beside, look)


def folded(events: int) -> "re.Pattern[bytes]":
    """What the status line says once so many events are folded, and no more are to come."""
    number = count(events).encode()
    return re.compile(rb"(?:HEAD|LIVE) " + number + rb" \x1b\[0m\x1b\[[\d;]*m(?! reading)")


def typed(terminal: Terminal, keys: int) -> Iterator[float]:
    """Go before the first event and step on; the seconds of each step."""
    terminal.press(b"g")
    terminal.wait(_BEFORE)
    chance = chances()
    for number in range(1, keys + 1):
        # A person is no faster, and not in step with the screen.
        terminal.pass_time(chance.uniform(0.02, 0.06))
        start = terminal.press(b"l")
        terminal.wait(re.compile(rb"(?:REPLAY|\(paused\)) %d/" % number))
        yield terminal.finish() - start


def _typed(command: list[str], keys: int, events: int | None = None) -> list[float]:
    with running(command) as terminal:
        terminal.wait(READS_KEYS if events is None else folded(events), limit=FOLDED)
        return list(typed(terminal, keys))


def _while_indexing(shelf: Shelf, keys: int) -> list[float]:
    """Type at fresh programs until there are enough keys that were obeyed while they folded."""
    seconds: list[float] = []
    for _ in range(_PROGRAMS):
        with running([installed(), str(_long(shelf))]) as terminal:
            terminal.wait(READS_KEYS)
            seconds.extend(_typed_while_reading(terminal, keys - len(seconds)))
        if len(seconds) >= keys:
            break
    if len(seconds) < _FEWEST:
        raise Unmeasured(f"only {len(seconds)} keys were obeyed while the tape was folded")
    return seconds


def _typed_while_reading(terminal: Terminal, keys: int) -> Iterator[float]:
    for moment in typed(terminal, keys):
        if not terminal.sent(_READING):
            return
        yield moment


def _while_following(shelf: Shelf, keys: int) -> list[float]:
    with closing(LogWriter(shelf)) as writer, running(_following(writer.path)) as terminal:
        terminal.wait(folded(writer.events), limit=FOLDED)
        with writing(writer, _EACH_TIME):
            return list(typed(terminal, keys))


def _following(path: Path) -> list[str]:
    return [installed(), str(path), "--follow"]


def _long(shelf: Shelf) -> Path:
    return shelf.plain(max(shelf.events, _LONG))


def _look_indexing(shelf: Shelf) -> list[str]:
    program = Profiled(shelf.folder, [str(_long(shelf))], at_once=False)
    program.terminal.wait(READS_KEYS)
    program.begin()
    for _ in _typed_while_reading(program.terminal, _KEYS):
        pass
    return program.end()


def _look_following(shelf: Shelf) -> list[str]:
    with closing(LogWriter(shelf)) as writer:
        program = Profiled(shelf.folder, [str(writer.path), "--follow"], at_once=False)
        program.terminal.wait(folded(writer.events), limit=FOLDED)
        program.begin()
        with writing(writer, _EACH_TIME):
            for _ in typed(program.terminal, _KEYS):
                pass
        return program.end()
