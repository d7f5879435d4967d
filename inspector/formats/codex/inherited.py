"""The records at the beginning of a log that its parent wrote, as far as it can be told."""

from typing import Any

from inspector.formats.codex import rules
from inspector.formats.codex.beside.guessing import OwnPart
from inspector.formats.codex.beside.inheritance import Inheritance
from inspector.formats.codex.header import Header
from inspector.formats.logs.folding import Folding


class Inherited:
    """Tells the builder how many records are the parent's.

    Args:
        folding: of the log.
        copies: tells which records are the parent's, where they may be.
        guess: whether that is not known, and it is to be guessed where the own ones begin.
    """

    def __init__(self, folding: Folding, copies: Inheritance | None, *, guess: bool) -> None:
        self._folding = folding
        self._copies = copies
        self._guess = guess
        self._own: OwnPart | None = None

    @property
    def asks(self) -> bool:
        """Whether it must hear of the next record."""
        return self._copies is not None

    @property
    def asks_of_turns(self) -> bool:
        """Whether it must hear of the next turn that begins."""
        return self._own is not None

    def head(self, header: Header, written: int | None) -> None:
        """The log's own header; ``written`` is its time in milliseconds, or None."""
        if self._guess:
            self._own = OwnPart(header.created, written)

    def record(self, value: dict[str, Any]) -> None:
        """A record comes, and is not an event yet."""
        if self._copies is None:
            return
        same = self._copies.is_copy(value)
        if same:
            self._folding.builder.inherit(self._folding.position + 1)
        elif same is False:
            if self._copies.lacks is not None:
                folding = self._folding
                folding.builder.event = folding.position
                folding.found(rules.MISSING_PARENT, self._copies.lacks, None)
            self._copies = None

    def turn(self, event: dict[str, Any], time: int | None, record: int) -> None:
        """A turn begins with the event begun last; says so if it is the first own one by a guess.

        A guess takes no record for inherited.
        """
        why = None if self._own is None else self._own.reason(event.get("turn_id"), time)
        if why is not None:
            self._own = None
            message = f"its own records begin here, by a guess: {why}"
            self._folding.found_at_event(rules.OWN_PART_GUESS, message, record)
