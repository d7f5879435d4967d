"""What is out of balance at the head, which the owner mends with each request (format page 3.4)."""

from collections.abc import Iterator
from typing import Final

from inspector.formats.planning import Closer, Draft, Repair
from inspector.formats.reina.planning.material import Session
from inspector.formats.reina.request import Balance, balance
from inspector.formats.reina.vocabulary import COMPLETED, FAILED, REJECTED, TOOL_CALL, TOOL_UPDATE
from inspector.formats.shapes import mapping, text
from inspector.text.gate import clean_line

_IN_MEMORY: Final = "Reina balances the history before it sends it, and writes nothing of that"
_SAID: Final = 80
_ENDED: Final = frozenset({COMPLETED, FAILED, REJECTED})


def repair(tape: Session, lost: str | None) -> Repair:
    """What would be mended.

    Args:
        tape: the log.
        lost: why the owner's next record would be lost, or None.
    """
    closers = tuple(_closers(tape))
    draft = None if lost is None else Draft((), tape.timeline.events, remarks=(_advised(lost),))
    return Repair(closers, draft, _IN_MEMORY if closers else "")


def _advised(lost: str) -> str:
    return f"{lost}: make a fork of the head, and go on there"


def balance_of(tape: Session) -> Balance:
    """What is out of balance at the head."""
    rows = [row.node for row in tape.timeline.rows(tape.timeline.events)]
    return balance(tape.sent(rows))


def _closers(tape: Session) -> Iterator[Closer]:
    found = balance_of(tape)
    origin = tape.timeline.surface.nodes.origin
    told: list[tuple[int, Closer]] = []
    for node, calls in found.missing.items():
        event = origin(node)
        for call in calls:
            status = _status(tape, event, call.id)
            what = f"a result behind {_name(call.name)}: it was not run, and may be called again"
            if status:
                what = f"{what}; its last record says {clean_line(status, _SAID)}"
            code = "ended" if status in _ENDED else "not-run"
            told.append((event, Closer("message", "added", what, _id(call.id), code, event)))
    for node, calls in found.broken.items():
        event = origin(node)
        for call in calls:
            what = f"the arguments of {_name(call.name)} are no JSON, and become {{}}"
            told.append((event, Closer("message", "altered", what, _id(call.id), event=event)))
    for node in found.orphans:
        event = origin(node)
        answered = text(mapping(tape.payload(event).get("message")).get("tool_call_id"))
        what = "a result of which no call is in the history"
        told.append((event, Closer("message", "dropped", what, _id(answered), event=event)))
    told.sort(key=lambda one: one[0])
    yield from (closer for _, closer in told)


def _name(name: str) -> str:
    return clean_line(name, _SAID) or "a call"


def _id(call: str | None) -> str | None:
    return clean_line(call, _SAID) if call else None


def _status(tape: Session, made: int, call: str | None) -> str:
    """What the last record of a call says that was made at an event, perhaps nothing."""
    table, head = tape.timeline.table, tape.timeline.events
    kinds = (TOOL_CALL, TOOL_UPDATE)
    events = sorted(at for kind in kinds for at in table.of_type(kind, made, head))
    found = ""
    for event in events:
        record = mapping(tape.payload(event).get("record"))
        if call is not None and record.get("id") == call:
            found = text(record.get("status")) or found
    return found
