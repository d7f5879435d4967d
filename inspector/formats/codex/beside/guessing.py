"""Where the own records of a fork of the older kind begin, by a guess: its parent is away.

Nothing marks the place, and it begins with a turn (format page 2.10).
"""

import re
from typing import Any, Final

_TIMED: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
"""An id that begins with its time, in milliseconds (UUID version 7)."""

_AT_ONCE: Final = 2_000
"""Milliseconds within which the copies of a fork are written."""


class OwnPart:
    """Hears of every turn that begins, until the first that is a fork's own by a guess.

    Args:
        forked: when the fork was made, in milliseconds, or None.
        written: when its first line was, or None.
    """

    def __init__(self, forked: int | None, written: int | None) -> None:
        self._forked = forked
        self._written = written

    def reason(self, turn: Any, time: int | None) -> str | None:
        """Why a turn is the first own one, or None if it is told from no copy.

        Args:
            turn: its id.
            time: when its beginning was written, in milliseconds, or None.
        """
        if isinstance(turn, str) and _TIMED.fullmatch(turn) and self._forked is not None:
            begun = int(turn[:8] + turn[9:13], 16)
            return "the id of its turn is later than the fork" if begun >= self._forked else None
        if time is not None and self._written is not None and time > self._written + _AT_ONCE:
            return "it was written later than copies are, which are written at once"
        return None
