"""What is out of balance at the head, which the owner mends with each request (format page 3.4)."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, Literal

from inspector.formats.planning import Closer, Draft, Repair
from inspector.formats.reina.messages import ToolCall, calls_of
from inspector.formats.reina.planning.material import Session
from inspector.formats.reina.request import Balance, balance
from inspector.formats.reina.vocabulary import COMPLETED, FAILED, REJECTED, TOOL_CALL, TOOL_UPDATE
from inspector.formats.shapes import mapping, text
from inspector.text.gate import clean_line
from inspector.timeline.words import Mark

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
    said = _said(tape) if found.missing else {}
    for node, calls in found.missing.items():
        event = origin(node)
        for call in calls:
            status = said.get((event, call.id or ""), "")
            what = f"a result behind {_name(call)}: it was not run, and may be called again"
            if status:
                what = f"{what}; its last record says {clean_line(status, _SAID)}"
            code = "ended" if status in _ENDED else "not-run"
            told.append((event, Closer("message", "added", what, _id(call.id), code, event)))
    for node, calls in found.broken.items():
        event = origin(node)
        for call in calls:
            what = f"the arguments of {_name(call)} are no JSON, and become {{}}"
            told.append((event, Closer("message", "altered", what, _id(call.id), event=event)))
    results: tuple[tuple[Iterable[int], Literal["dropped", "altered"], str], ...] = (
        (found.orphans, "dropped", "a result of which no call is in the history"),
        (found.second, "dropped", "a result of a call that has one already"),
        (
            chain.from_iterable(found.moved.values()),
            "altered",
            "a result with other messages before it, which goes directly behind its call",
        ),
    )
    for nodes, does, what in results:
        events = list(map(origin, nodes))
        told.extend((event, _of_result(tape, event, does, what)) for event in events)
    told.sort(key=lambda one: one[0])
    yield from (closer for _, closer in told)


def _of_result(tape: Session, event: int, does: Literal["dropped", "altered"], what: str) -> Closer:
    answered = text(mapping(tape.payload(event).get("message")).get("tool_call_id"))
    return Closer("message", does, what, _id(answered), event=event)


def _name(call: ToolCall) -> str:
    name = clean_line(call.name, _SAID) or "a call"
    return name if call.id else f"{name} without an id"


def _id(call: str | None) -> str | None:
    return clean_line(call, _SAID) if call else None


def _said(tape: Session) -> dict[tuple[int, str], str]:
    """What the last record of each call says, by the event that makes it and its id.

    Records behind a message that uses an id again are of that call.
    """
    timeline = tape.timeline
    table, head = timeline.table, timeline.events
    calls = timeline.marks.events(Mark.TOOL_CALL)
    records = (at for kind in (TOOL_CALL, TOOL_UPDATE) for at in table.of_type(kind, 0, head))
    made: dict[str, int] = {}
    early: dict[str, str] = {}
    found: dict[tuple[int, str], str] = {}
    for event in sorted({*calls, *records}):
        payload = tape.payload(event)
        for call in calls_of(mapping(payload.get("message"))):
            if call.id:
                made[call.id] = event
                found[event, call.id] = early.pop(call.id, "")
        record = mapping(payload.get("record"))
        call_id, status = text(record.get("id")), text(record.get("status"))
        if call_id in made and status:
            found[made[call_id], call_id] = status
        elif call_id and status:
            early[call_id] = status
    return found
