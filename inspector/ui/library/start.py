"""From a call to the library on the screen, as fast as it goes."""

from collections.abc import Callable, Sequence
from datetime import tzinfo
from pathlib import Path
from time import time
from typing import Final

from inspector.formats.contract import Options
from inspector.library.keeping_up import KeepingUp
from inspector.library.roots import Place
from inspector.ui.canvas import shown
from inspector.ui.elsewhere import Left
from inspector.ui.library.browsing import Browsing
from inspector.ui.library.frame import frame
from inspector.ui.library.looking import Looking
from inspector.ui.memory import settle_memory, steady_memory

_FIRST_ROWS: Final = 60
"""Rows that the first frame waits for: a screen of them."""

_FIRST_WAIT: Final = 0.08
"""Seconds that it waits for them at the most."""


class Showing:
    """The library, however often it is shown; what finds sessions goes on meanwhile.

    Args:
        places: where is looked.
        how: how tapes are read.
        home: the person's folder.
        demo: the tape that is opened where nothing is found.
        zone: of the times shown; None is the machine's own.
        now: the clock, in milliseconds since the epoch.
    """

    def __init__(
        self,
        places: Sequence[Place],
        how: Options,
        home: Path | None,
        demo: Path,
        *,
        zone: tzinfo | None = None,
        now: Callable[[], int] = lambda: int(time() * 1000),
    ) -> None:
        self.browsing = Browsing(places, now, zone, home, demo)
        self._looking = Looking(KeepingUp(places))
        self._how = how
        self._begun = False

    def __enter__(self) -> "Showing":
        """Begin to look."""
        self._looking.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Look no more."""
        self._looking.stop()

    def show(self, said: str) -> tuple[Left, int]:
        """Show the library until the person leaves it.

        Args:
            said: what is to be said first.

        Returns:
            Where the person wants to go, and the exit code of a program that ends with it.
        """
        browsing, looking = self.browsing, self._looking
        if not self._begun:
            self._begun = True
            looking.wait(_FIRST_ROWS, _FIRST_WAIT)
        # The screen comes first: what is to be found shares the one core with it.
        looking.hold()
        gone = browsing.take(looking.taken())
        # What was opened since was read, and other things may be readable as well.
        browsing.forget_problems()
        browsing.message = said or gone
        browsing.looking, browsing.found_there = looking.at, looking.found_there
        browsing.done = looking.done and not looking.pending
        browsing.pass_time()
        with shown(lambda width, height: frame(browsing, width, height)):
            settle_memory()
            from inspector.ui.keyboard import accept_any_byte, end_with_terminal
            from inspector.ui.library.app import LibraryApp  # Textual, only now

            steady_memory()
            accept_any_byte()
            app = LibraryApp(browsing, looking, self._how)
            end_with_terminal(app)
            looking.release()
            left = app.run()
            looking.hold()
            return left, app.return_code or 0
