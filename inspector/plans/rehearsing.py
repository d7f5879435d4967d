"""What the model would see of a tape that is not written: it is composed in memory, and folded."""

from collections.abc import Sequence
from typing import Final

from inspector.formats.contract import OptionError, Options, Tape
from inspector.formats.planning import How, Write
from inspector.formats.texts import open_text
from inspector.plans.checking import STREAM
from inspector.plans.plan import Asked, Seen
from inspector.tape.composed import Composed
from inspector.tape.source import FileSource, SourceError

_LARGEST: Final = 64 << 20
"""Bytes up to which a tape is composed to look at it."""


def rehearsed(tape: Tape, writes: Sequence[Write], asked: Asked) -> Seen | None:
    """What the model would see of a tape that is made, as the same reader reads it.

    Args:
        tape: of which it is made.
        writes: what would be written; of several files the first one that is a tape counts.
        asked: how the tape was opened.

    Returns:
        How much it would be; None where that cannot be read before it is there: a database, what
        is appended to a packed file, too much of it.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    options = Options(policy=tape.identity.policy, past_unknown=asked.past_unknown)
    for write in writes:
        text = _text(tape, write)
        if text is None:
            continue
        try:
            made = open_text(Composed(write.to, text), options)
        except (SourceError, OptionError):
            continue
        try:
            while made.advance():
                pass
            timeline = made.timeline
            nodes = [row.node for row in timeline.rows(timeline.events)]
            weights = timeline.surface.nodes.tokens
            return Seen(len(nodes), sum(weights[node] for node in nodes))
        finally:
            made.close()
    return None


def _text(tape: Tape, write: Write) -> bytes | None:
    """All that a file would hold, or None where that is too much or cannot be had."""
    pieces = _there(tape, write) if write.how is How.APPEND else []
    if pieces is None:
        return None
    room = _LARGEST - sum(map(len, pieces))
    for piece in write.content():
        pieces.append(piece)
        room -= len(piece)
        if room < 0:
            return None
    return b"".join(pieces)


def _there(tape: Tape, write: Write) -> list[bytes] | None:
    """What a file holds behind which something would be written; None where that is no plain text.

    Raises:
        SourceError: if it cannot be read any more.
    """
    if not tape.identity.variant.endswith("jsonl") or tape.identity.path == STREAM:
        return None
    with FileSource(write.to) as file:
        there = file.read(0, _LARGEST + 1)
    return None if len(there) > _LARGEST else [there]
