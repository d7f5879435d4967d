"""How an event of a tape is named to people, the same wherever it is spoken of."""

from inspector.formats.contract import Tape
from inspector.text.labels import event_words


def named(tape: Tape, event: int) -> str:
    """An event as people name it: by the owner's number, else by its position."""
    return event_words(event, tape.number(event))
