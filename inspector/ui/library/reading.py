"""Reads the sessions near the one in hand, one at a time, in a thread: what they say takes the
place of what their ends let one guess.
"""

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Final

from textual.widget import Widget
from textual.worker import get_current_worker

from inspector.formats.contract import Options
from inspector.library.row import Row
from inspector.library.shelf import Identity, identity
from inspector.ui.library.browsing import Browsing
from inspector.ui.library.facts import can_be_read, facts_of, is_worth_reading
from inspector.ui.library.learned import Facts

REST: Final = 0.3
"""Seconds for which a row is in hand before more of it is read."""

_AGAIN: Final = 30.0
"""Seconds before a session that goes on, or that could not be read, is read once more."""

_NEAR: Final = 4
"""Rows on either side of the one in hand that are read as well."""

_GROUP: Final = "facts"


class Reading:
    """Reads sessions for a screen.

    Args:
        widget: whose workers read.
        browsing: the visit; it is told what was read.
        how: how tapes are read.
        learned: is called when it was told something.
    """

    def __init__(
        self, widget: Widget, browsing: Browsing, how: Options, learned: Callable[[], None]
    ) -> None:
        self._widget = widget
        self._browsing = browsing
        self._how = how
        self._learned = learned
        self._since = perf_counter()
        self._in_hand: Identity | None = None
        self._busy = False
        self._begun: dict[Identity, float] = {}

    def go_on(self) -> None:
        """Read the next session near the one in hand, once that rests; none that was left."""
        row = self._browsing.shelf.selected
        one = None if row is None else identity(row)
        if one != self._in_hand:
            self._in_hand, self._since = one, perf_counter()
            self._widget.workers.cancel_group(self._widget, _GROUP)
        rests = perf_counter() - self._since >= REST
        wanted = self._next() if rests and self._browsing.done and not self._busy else None
        if wanted is None:
            return
        self._busy = True
        self._begun[identity(wanted)] = perf_counter()
        self._widget.run_worker(
            partial(self._read, wanted),
            name=_GROUP,
            group=_GROUP,
            thread=True,
            exit_on_error=False,
        )

    def again(self) -> None:
        """Read at once what was read a moment ago, where there is more to know."""
        self._begun.clear()

    def _next(self) -> Row | None:
        """The nearest session of which more can be known, as it was found."""
        at = self._browsing.line
        if at is None:
            return None
        first = max(0, at - _NEAR)
        lines = enumerate(self._browsing.shelf.window(first, at + _NEAR + 1), first)
        near = sorted(lines, key=lambda pair: abs(pair[0] - at))
        rows = (self._browsing.found(row) for _, row in near if isinstance(row, Row))
        return next((row for row in rows if self._wants(row)), None)

    def _wants(self, row: Row) -> bool:
        begun = self._begun.get(identity(row))
        soon = begun is not None and perf_counter() - begun < _AGAIN
        if soon or self._browsing.knows(row):
            return False
        grown = self._browsing.as_of(row) is not None
        return can_be_read(row) if grown else is_worth_reading(row)

    def _read(self, row: Row) -> None:
        worker = get_current_worker()
        found: Facts | None = None
        try:
            found = facts_of(row, self._how, lambda: not worker.is_cancelled)
        finally:
            if self._widget.app.is_running:
                left = worker.is_cancelled
                self._widget.app.call_from_thread(self._tell, row, found, left)

    def _tell(self, row: Row, found: Facts | None, left: bool) -> None:
        self._busy = False
        if found is not None:
            self._browsing.learn(row, found)
            self._learned()
        elif left:
            self._begun.pop(identity(row), None)
