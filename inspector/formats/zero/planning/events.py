"""The events of a session as its owner reads them: only those are planned with, in file order."""

from collections.abc import Iterator

from inspector.formats.shapes import text
from inspector.formats.zero.event import event_of_line
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.planning import lines
from inspector.formats.zero.planning.lines import Written
from inspector.formats.zero.planning.material import Session
from inspector.formats.zero.stretches import Stretches, without
from inspector.text.labels import event_words


def read_ones(tape: Session, cursor: int) -> Stretches:
    """The positions before a cursor whose events are no rows that change nothing."""
    return without([range(cursor)] if cursor else [], rejected(tape, cursor))


def rejected(tape: Session, cursor: int) -> Stretches:
    """The positions before a cursor whose events are not taken, one by one."""
    return [range(at, at + 1) for at in tape.timeline.rejected if at < cursor]


def named(tape: Session, event: int) -> str:
    """An event as people name it."""
    return event_words(event, tape.number(event))


def positions(stretches: Stretches) -> Iterator[int]:
    """Every position of some stretches."""
    for stretch in stretches:
        yield from stretch


def written(tape: Session, event: int) -> Written:
    """What stands on the tape of an event; of a recovered one what was read of it, written anew."""
    line = tape.raw(event)
    found = lines.plain(line)
    if found is not None:
        return found
    try:
        owners = event_of_line(line)
    except RefusedError:
        owners = None
    if owners is not None:
        return lines.careful(line, owners)
    value = tape.payload(event)
    payload = lines.value(value["payload"]) if "payload" in value else None
    return Written(text(value.get("type")), text(value.get("createdAt")), payload)
