"""What the owner does to a log whose writer stopped in the middle (page 5, rules A2, B, F and G).

The owner cuts off what it does not read, and appends what closes the turn. We append where nothing
is to be cut off, and else make a log of what it reads.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from inspector.formats import planning
from inspector.formats.dsh.closing import NOT_STARTED, Closer
from inspector.formats.dsh.planning.ending import INTERRUPTED, closing_lines, sound
from inspector.formats.dsh.planning.kept import Kept, as_it_is
from inspector.formats.dsh.planning.material import Material
from inspector.formats.dsh.planning.writing import Child, framed, last_time
from inspector.formats.planning import Draft, How, Making, Repair, Write
from inspector.text.gate import clean_line
from inspector.text.labels import plural

DROPPED: Final = "dropped by the owner"

_PACKED: Final = "jsonl.zstd"
_APPENDABLE: Final = ("jsonl", _PACKED)
"""How logs are kept that the owner appends to as a file."""

_SHOWN: Final = 120
_NO_TURN: Final = (
    "the turn that is open has no number: the owner closes it all the same, and from then on it "
    "refuses the file"
)


def no_append(material: Material) -> str | None:
    """Why nothing can be appended to a log, or None."""
    log = material.log
    if log.variant not in _APPENDABLE:
        return f"the tape is kept as {log.variant}: what the owner appends there is no text"
    if material.drops_from is not None:
        return "the owner cuts off records that it does not read, and nothing is cut off here"
    if log.pending or log.torn is not None:
        return "the tape ends inside a record, which the owner cuts off; nothing is cut off here"
    return None


def repair_of(material: Material, making: Making) -> Repair:
    """What the owner would do if it opened the log as it is.

    Raises:
        SourceError: if the log cannot be read any more.
    """
    verdict = material.verdict()
    if verdict.opens is False:
        reason = clean_line(verdict.reason or "", _SHOWN)
        return Repair((), None, f"the owner refuses the tape, and repairs nothing: {reason}")
    events = material.timeline.events
    dropping = material.drops_from
    read = events if dropping is None else dropping
    found = material.closers(read)
    closers = (*_dropped(material, read), *map(_told, found))
    if not closers:
        return Repair(())
    if not sound(found):
        return Repair(closers, None, _NO_TURN)
    why_not = no_append(material)
    time = last_time(material, read, making)
    if why_not is None:
        return Repair(closers, Draft((_append(material, found, time),), kept=events))
    kept = as_it_is(material, read)
    lines = closing_lines(
        moved(material, kept, found), kept.count, time, material.version, INTERRUPTED
    )
    child = Child(material, kept, making, closed=tuple(lines))
    return Repair(closers, child.draft(remarks=(why_not,), dropped={DROPPED: events - read}))


def _append(material: Material, found: list[Closer], time: int) -> Write:
    number = material.timeline.events

    def content() -> Iterator[bytes]:
        lines = closing_lines(found, number, time, material.version, INTERRUPTED)
        batch = b"".join(lines)
        if material.log.variant == _PACKED:
            yield from framed((batch,))
        else:
            yield batch

    return Write(material.log.path, How.APPEND, content)


def moved(material: Material, kept: Kept, found: list[Closer]) -> list[Closer]:
    """Closers that cite calls by the numbers that these have in a log that is made."""
    return [_renumbered(material, kept, closer) for closer in found]


def _renumbered(material: Material, kept: Kept, closer: Closer) -> Closer:
    if closer.recorded is None:
        return closer
    spans = material.positions([range(closer.recorded, closer.recorded + 1)])
    number = kept.number(spans[0].start) if spans and kept.holds(spans[0].start) else None
    return replace(closer, recorded=number)


def _dropped(material: Material, read: int) -> Iterator[planning.Closer]:
    log, events = material.log, material.timeline.events
    if material.drops_from is not None:
        count = plural(events - read, "event", "events")
        what = f"what it does not read and all behind it: {count} of ours"
        yield planning.Closer("record", "dropped", what, event=read if read < events else None)
    if log.pending:
        yield planning.Closer("line", "dropped", f"{log.pending} bytes that end no line")
    elif log.torn is not None:
        yield planning.Closer(log.torn, "dropped", f"a {log.torn} that was not ended")


def _told(closer: Closer) -> planning.Closer:
    if closer.error is None:
        what = "ends the step" if closer.kind == "step/end" else "ends the turn as interrupted"
        return planning.Closer(closer.kind, "added", what)
    what = (
        "interrupted before it ran; no failure, may be called again"
        if closer.error == NOT_STARTED
        else "interrupted after it was started; whether it took effect is not known"
    )
    call = closer.call if isinstance(closer.call, str) else None
    return planning.Closer(closer.kind, "added", what, call, closer.error[1], event=closer.recorded)
