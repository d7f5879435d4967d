"""Looks for sessions in a thread of its own, which outlasts the screens that show them. Knows no
Textual.
"""

from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Final

from inspector.library.keeping_up import Gone, KeepingUp
from inspector.library.roots import Place, said_of
from inspector.library.row import Row
from inspector.text.gate import clean_line

_PAUSE: Final = 2.0
"""Seconds between two looks at what changed."""

_PART: Final = 2_000
"""Rows that are given at once at the most: drawing comes between them."""

_PATIENCE: Final = 2.0
"""Seconds that the end of the program waits for the end of a look."""

_LONG_PATIENCE: Final = 0.005
"""Seconds between two looks of somebody who waits for the first rows."""


class Looking:
    """Finds all sessions, then what changes, until it is stopped.

    Args:
        keeping: finds them.
        pause: seconds between two looks.
        said_of: what is said of a place where no session is.

    Attributes:
        at: the path that was found last; None before the first, and when all was looked at.
        done: whether all was looked at once.
        rounds: how often was looked at what changed since.
        found_there: by place, what is said of it where it holds no session, as of the last look.
        trouble: why it looks no more; empty where it does.
    """

    def __init__(
        self,
        keeping: KeepingUp,
        pause: float = _PAUSE,
        said_of: Callable[[Place], str] = said_of,
    ) -> None:
        self.at: Path | None = None
        self.done = False
        self.rounds = 0
        self.found_there: Mapping[Path, str] = {}
        self.trouble = ""
        self._keeping = keeping
        self._pause = pause
        self._said_of = said_of
        self._found: deque[Row | Gone] = deque()
        self._stopped = False
        self._free, self._wake = Event(), Event()
        self._free.set()
        self._thread = Thread(target=self._run, name="library", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def wait(self, rows: int, seconds: float) -> None:
        """Wait until so many rows were found, or all, or so much time passed."""
        due = monotonic() + seconds
        while len(self._found) < rows and not self.done and monotonic() < due:
            self._thread.join(_LONG_PATIENCE)

    def hold(self) -> None:
        """Look no further until `release`."""
        self._free.clear()

    def release(self) -> None:
        """Go on."""
        self._free.set()

    def again(self) -> None:
        """Look at what changed now, and not in a while."""
        self._wake.set()

    def stop(self) -> None:
        """Look no more, and wait until that is so."""
        self._stopped = True
        self._free.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(_PATIENCE)

    def taken(self) -> list[Row | Gone]:
        """What was found and not given yet, up to a part that is drawn at once."""
        found = self._found
        return [found.popleft() for _ in range(min(len(found), _PART))]

    @property
    def pending(self) -> bool:
        """Whether anything was found that was not given yet."""
        return bool(self._found)

    def _going(self) -> bool:
        return not self._stopped

    def _run(self) -> None:
        try:
            for row in self._keeping.find(self._going):
                self.at = row.path
                self._put(row)
            self._see_places()
            self.at, self.done = None, True
            while self._going():
                self._wake.wait(self._pause)
                self._wake.clear()
                self._free.wait()
                for change in self._keeping.again(self._going):
                    self._put(change)
                self._see_places()
                self.rounds += 1
        except Exception as fault:  # noqa: BLE001 - a thread that fails would write over the screen
            self.trouble = clean_line(f"stopped looking: {fault}", 200)
            self.at, self.done = None, True

    def _see_places(self) -> None:
        places = self._keeping.places
        self.found_there = {place.path: self._said_of(place) for place in places}

    def _put(self, found: Row | Gone) -> None:
        self._found.append(found)
        self._free.wait()
