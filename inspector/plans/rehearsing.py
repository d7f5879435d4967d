"""What the model would see of a tape that is not written: it is composed in memory, and folded."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from inspector.formats.contract import OptionError, Options, Tape, Verdict
from inspector.formats.planning import How, Write
from inspector.formats.texts import open_text, unpacked
from inspector.plans.checking import STREAM
from inspector.plans.plan import Asked, Seen
from inspector.tape.composed import Composed
from inspector.tape.packing import packing
from inspector.tape.source import FileSource, Source, SourceError

_LARGEST: Final = 64 << 20
"""Bytes up to which a tape is composed to look at it, packed or not."""

_HEAD: Final = 4
_APPENDED_TO: Final = ("jsonl", "jsonl.zstd")
"""How tapes are kept behind which something can be written."""


class Rehearsal(NamedTuple):
    """How much the model would see of a tape that is made, and what its owner would say of it."""

    seen: Seen
    verdict: Verdict


def rehearsed(tape: Tape, writes: Sequence[Write], asked: Asked) -> Rehearsal | None:
    """What a tape that is made would be, as the same reader reads it.

    Args:
        tape: of which it is made.
        writes: what would be written; of several files the first one that is a tape counts.
        asked: how the tape was opened.

    Returns:
        What it would be; None where that cannot be read before it is there: a database, what
        is appended to a tape that is in no file, too much of it.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    options = Options(
        policy=tape.identity.policy, past_unknown=asked.past_unknown, unpacked=_LARGEST
    )
    for write in writes:
        held = _held(tape, write)
        if held is None:
            continue
        file = Composed(write.to, held)
        try:
            text = unpacked(file, packing(held[:_HEAD]), options)
            made = open_text(text, options)
        except (SourceError, OptionError):
            continue
        try:
            while made.advance():
                pass
            if _is_cut_off(text):
                return None
            timeline = made.timeline
            nodes = [row.node for row in timeline.rows(timeline.events)]
            weights = timeline.surface.nodes.tokens
            whole = Seen(len(nodes), sum(weights[node] for node in nodes))
            return Rehearsal(whole, made.verdict())
        finally:
            made.close()
    return None


def _is_cut_off(text: Source) -> bool:
    """Whether there is more in a packed file than is unpacked to look at it."""
    from inspector.tape.troubles import TroubleCode
    from inspector.tape.unpacking import UnpackedSource  # dear, and only for what is packed

    return isinstance(text, UnpackedSource) and any(
        trouble.code is TroubleCode.UNPACK_LIMIT for trouble in text.troubles()
    )


def _held(tape: Tape, write: Write) -> bytes | None:
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
    """What a file holds behind which something would be written; None where it cannot be had.

    Raises:
        SourceError: if it cannot be read any more.
    """
    if not tape.identity.variant.endswith(_APPENDED_TO) or tape.identity.path == STREAM:
        return None
    with FileSource(write.to) as file:
        there = file.read(0, _LARGEST + 1)
    return None if len(there) > _LARGEST else [there]
