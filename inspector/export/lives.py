"""Where a tape was begun and taken up again: a document for scripts, and its text."""

from collections.abc import Iterator
from typing import Any, Final

from inspector.formats.contract import Tape
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural

_LIVES: Final = 5
"""Lives that are told by their cursors, the last ones; of more it is said how many there are."""


def document(tape: Tape, cursor: int) -> dict[str, Any]:
    """How many events were inherited, and the cursors at which later lives began."""
    lives = tape.timeline.lives
    return {
        "inherited": min(lives.inherited, cursor),
        "began": [event + 1 for event in lives.began if event < cursor],
    }


def lines(lives: dict[str, Any], parent: str | None) -> Iterator[str]:
    """The text of `document`; nothing of a tape that was written in one go.

    Args:
        lives: the document.
        parent: the tape from which the first events come, where it is known.
    """
    if lives["inherited"]:
        source = "" if parent is None else f", from {clean_line(parent, 120)}"
        yield f"inherited: the first {plural(lives['inherited'], 'event')}{source}"
    if lives["began"]:
        began = lives["began"]
        shown = ", ".join(map(count, began[-_LIVES:]))
        more = f"{plural(len(began), 'new life', 'new lives')} began"
        yield f"{more}, the last at {shown}" if len(began) > _LIVES else f"{more} at {shown}"
