"""Whether what stands on a surface is sent at all: of some rows the owner makes no message."""

from dataclasses import replace
from typing import Final

from inspector.formats.contract import Tape
from inspector.lenses.why import Why, why

_ROWS: Final = 2_000
"""Rows of a surface of which the whole request is made to see whether one of them is sent."""

NO_MESSAGE: Final = "the owner makes no message of it"
"""Why a row is not sent of which no more is known."""


def told(tape: Tape, event: int, cursor: int) -> tuple[Why, str | None]:
    """Why an event can be seen at a cursor, and why a row of it that is there is not sent.

    What is not sent was seen in no request. Of a cursor at which the owner makes no request, only
    rows are told of which it never makes a message.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    found = why(tape.timeline, event, cursor)
    unsent = _unsent(tape, found)
    nodes = tape.timeline.surface.nodes
    made = list(nodes.all_of_event(event))
    if unsent is None and not (made and all(nodes.silent(node) for node in made)):
        return found, None
    seen = tuple(
        0 if hop.event == event else number
        for hop, number in zip(found.chain, found.seen, strict=True)
    )
    return replace(found, seen_in=0, seen=seen), unsent


def _unsent(tape: Tape, found: Why) -> str | None:
    """Why the owner sends nothing of an event that is there at a cursor; None if it does."""
    timeline, cursor = tape.timeline, found.cursor
    surface = timeline.surface
    rows = {
        node for node in surface.nodes.all_of_event(found.event) if surface.is_there(node, cursor)
    }
    if not rows:
        return None
    silent = all(surface.nodes.silent(node) for node in rows)
    if timeline.count(cursor) > _ROWS or not timeline.settled.at(cursor):
        return NO_MESSAGE if silent else None
    entries = [entry for entry in tape.request(cursor) if entry.node in rows]
    if all(entry.note == "dropped" for entry in entries) and (entries or silent):
        return (entries[0].why if entries else "") or NO_MESSAGE
    return None


def sees(found: Why, unsent: str | None) -> bool:
    """Whether the model sees an event by itself, in whatever form."""
    return found.now == found.event and unsent is None
