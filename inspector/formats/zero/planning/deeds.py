"""Specialists that are started before a cut and not over there (format page 6)."""

from collections.abc import Iterator
from typing import Final

from inspector.formats.parts import Call
from inspector.formats.planning import SUBAGENT, Deed
from inspector.formats.shapes import mapping, text
from inspector.formats.zero.planning.material import Session
from inspector.timeline.words import SpanKind

SPECIALIST: Final = "specialist"
AT_WORK: Final = "at work at the cut"

_SAYS: Final = ("description", "name", "childSessionId")


def deeds(tape: Session, cut: int) -> Iterator[Deed]:
    """The specialists at work at a cut; one that starts behind it is told by its own event.

    Raises:
        SourceError: if the session cannot be read any more.
    """
    timeline = tape.timeline
    if cut == timeline.events:
        return
    for span in timeline.spans[SpanKind.SUBAGENT].open_at(cut):
        event = span.opened - 1
        payload = mapping(tape.payload(event).get("payload"))
        said = next((found for key in _SAYS if (found := text(payload.get(key)))), "")
        what = f"{AT_WORK}: {said}" if said else AT_WORK
        yield Deed(event, Call(None, SPECIALIST, None), SUBAGENT, what)
