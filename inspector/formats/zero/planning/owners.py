"""What the owner's own plans and actions would do to a session (format page 5 to 7, RULES A and D).

Nothing of it is carried out: it is told beside what would be made instead, in the owner's words.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from inspector.formats.planning import PlanError
from inspector.formats.zero import golang
from inspector.formats.zero.event import ABSENT
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.ids import Ids
from inspector.formats.zero.planning import lines
from inspector.formats.zero.planning.composing import decoded
from inspector.formats.zero.planning.events import positions, read_ones, written
from inspector.formats.zero.planning.material import Session
from inspector.formats.zero.planning.restoring import CHECKPOINT
from inspector.formats.zero.planning.restoring import decoded as decode_checkpoint
from inspector.formats.zero.stretches import Stretches, joined
from inspector.formats.zero.vocabulary import COMPACTION, USAGE

KEEPS: Final = 6
"""Events that ``zero sessions compact-plan`` keeps; the screen keeps 8."""


def must_read(tape: Session) -> None:
    """Nothing, if the owner reads a session.

    Raises:
        PlanError: in its words, if it does not.
    """
    verdict = tape.verdict()
    if verdict.opens is False:
        raise PlanError(verdict.reason or "it cannot be read")


class Rewind(NamedTuple):
    """The owner's ``PlanRewind``, which goes by places in the file.

    Attributes:
        target: the position of the event.
        id: the target's id.
        number: its sequence.
        kept: how many events are kept.
        dropped: how many are not.
        last: the id of the last one kept; empty if none is.
    """

    target: int
    id: str
    number: int
    kept: int
    dropped: int
    last: str


def plan_rewind(
    tape: Session, identity: str = "", number: int = 0, *, keep_target: bool = True
) -> Rewind:
    """What the owner would keep of a session.

    Args:
        tape: the session.
        identity: of the event to which it is rewound; empty if only its number is told.
        number: the same; a number of 0 or below counts as none.
        keep_target: whether the event itself is kept.

    Raises:
        PlanError: in the owner's words, if there is no such event.
    """
    must_read(tape)
    events = list(positions(read_ones(tape, tape.timeline.events)))
    if not events:
        name = tape.session or tape.log.path.parent.name
        raise PlanError(f"zero session {name} has no events to rewind")
    numbering = tape.decoder.numbering
    target = _target(tape, identity.strip(golang.SPACE), number)
    place = bisect_left(events, target)
    kept = place + 1 if keep_target else place
    return Rewind(
        target,
        numbering.id(target),
        numbering.number(target) or 0,
        kept,
        len(events) - kept,
        numbering.id(events[kept - 1]) if kept else "",
    )


def _target(tape: Session, identity: str, number: int) -> int:
    """The first event that is meant; of two selectors the first event of that id."""
    numbering, head = tape.decoder.numbering, tape.timeline.events
    if not identity:
        if number <= 0:
            raise PlanError("rewind target event id or sequence is required")
        numbered = numbering.numbered(number, head)
        if not numbered:
            raise PlanError(f"rewind target sequence {number} was not found")
        return min(numbered)
    found = numbering.of(Ids((identity,)), head)
    if not found:
        raise PlanError(f"rewind target event {identity} was not found")
    first = found[0].start
    own = numbering.number(first) or 0
    if number > 0 and own != number:
        raise PlanError(
            f"conflicting rewind target selectors: event {identity} has sequence {own}, "
            f"not {number}"
        )
    return first


class Rewound(NamedTuple):
    """The owner's ``ApplyRewind``, which goes by sequence: what stays, and the marker's number."""

    kept: Stretches
    marker: int


def apply_rewind(tape: Session, number: int) -> Rewound:
    """Which events the owner would leave in the file of a session; the others would be gone.

    It looks for no target, and keeps every event whose number is not above it (RULES 24, 25).

    Raises:
        PlanError: in the owner's words, if it cannot read the session, or a checkpoint behind.
    """
    must_read(tape)
    _decode_checkpoints(tape, number)
    head, numbering = tape.timeline.events, tape.decoder.numbering
    kept = joined(
        range(at, at + 1)
        for at in positions(read_ones(tape, head))
        if (numbering.number(at) or 0) <= number
    )
    count = sum(map(len, kept))
    last = (numbering.number(kept[-1].stop - 1) or 0) if kept else 0
    return Rewound(kept, max(count + 1, last + 1))


def _decode_checkpoints(tape: Session, number: int) -> None:
    """Nothing, if the files of every checkpoint above a number can be told."""
    numbering = tape.decoder.numbering
    for event in tape.timeline.table.of_type(CHECKPOINT, 0, tape.timeline.events):
        own = numbering.number(event)
        if own is not None and own > number:
            try:
                decode_checkpoint(tape.payload(event).get("payload", ABSENT))
            except RefusedError as refusal:
                raise PlanError(f"decode checkpoint payload seq {own}: {refusal.said}") from refusal


class Forked(NamedTuple):
    """The owner's fork of a session.

    Attributes:
        copied: the positions of the events that it copies.
        folded: their new numbers in the order in which the fork is folded, the fork's own event
            included; None if it cannot be folded.
        source: the position of the parent's last event; None without any.
    """

    copied: Stretches
    folded: tuple[int, ...] | None
    source: int | None


def fork(tape: Session) -> Forked:
    """What the owner's fork would hold: all but usage, with compactions that name the parent.

    Raises:
        PlanError: in the owner's words, if it cannot read the session, or would fail and leave an
            empty one behind.
    """
    must_read(tape)
    events = list(positions(read_ones(tape, tape.timeline.events)))
    if any(not tape.timeline.table.type(at) for at in events):
        raise PlanError("event type is required")
    copied = [at for at in events if tape.timeline.table.type(at) != USAGE]
    stretches = joined(range(at, at + 1) for at in copied)
    return Forked(stretches, _folded(tape, copied), events[-1] if events else None)


def _folded(tape: Session, copied: Sequence[int]) -> tuple[int, ...] | None:
    """The ids that a compaction names match nothing in a fork, and a number the fork's own ones."""
    count = len(copied) + 1
    table = tape.timeline.table
    last = max(
        (at for at, event in enumerate(copied) if table.type(event) == COMPACTION), default=-1
    )
    numbers = range(1, count + 1)
    if last < 0:
        return tuple(numbers)
    compaction = decoded(tape, copied[last])
    if compaction is None:
        return None
    own = last + 1
    # What a number covers begins with the first event, so that the summary stands first anyhow.
    through = 0 if compaction.ids else max(0, compaction.through)
    return (own, *(number for number in numbers if number != own and number > through))


class Appended(NamedTuple):
    """The owner's next event: its number, whether that is taken, and the line that it would ruin.

    Attributes:
        number: the sequence.
        taken: whether another event has it.
        ruined: the physical line that could not be read any more; None if every one could.
    """

    number: int
    taken: bool
    ruined: int | None


def append(tape: Session, ended: int) -> Appended:
    """What becomes of the next event that the owner writes to a session (RULES A2, A3).

    Args:
        tape: the session.
        ended: the number on the last line that a newline ends.
    """
    count = tape.metadata.count or 0
    number = max(count, ended) + 1
    taken = bool(tape.decoder.numbering.numbered(number, tape.timeline.events))
    unended = tape.log.unended or bool(tape.log.tail)
    return Appended(
        number, taken, len(tape.log.records) - tape.log.unended + 1 if unended else None
    )


def lines_of(tape: Session, events: Stretches) -> Iterator[bytes]:
    """Events as the owner writes them when it writes its file anew (RULES 26)."""
    numbering = tape.decoder.numbering
    for at in positions(events):
        found = written(tape, at)
        payload = None if found.payload is None else lines.compact(found.payload)
        session = str(tape.payload(at).get("sessionId") or "")
        number = numbering.number(at) or 0
        yield lines.event_line(
            session, number, found.kind, found.created, payload, own=numbering.id(at)
        )
