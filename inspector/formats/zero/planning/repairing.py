"""What is wrong with a session whose writer stopped in the middle, and a session without it.

The owner mends nothing itself: a dangling call stays one, one bad line makes the session unreadable
and an end without a newline makes its next event so (format page 9, RULES A3). So a new session is
made; nothing of the old one is touched.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from inspector.formats.planning import Closer
from inspector.formats.shapes import mapping, text
from inspector.formats.zero import golang
from inspector.formats.zero.effects.calls import call_id
from inspector.formats.zero.planning import lines
from inspector.formats.zero.planning.copying import Added
from inspector.formats.zero.planning.events import named, positions, read_ones
from inspector.formats.zero.planning.material import Session
from inspector.formats.zero.stretches import Stretches, holds
from inspector.formats.zero.vocabulary import MESSAGE, TOOL_CALL, TOOL_RESULT
from inspector.tape.records import Fate
from inspector.text.gate import clean_line

_SAID: Final = 80
_LOOKED_AT: Final = 64
"""Events behind a call in which it is looked for whether it was allowed to run."""

_PERMISSIONS: Final = ("permission_decision", "permission", "permission_request")

NOT_RUN: Final = (
    "[interrupted: the session ended before this call ran. It was not run; that is no failure, and "
    "it may be called again.]"
)
UNKNOWN: Final = (
    "[interrupted: the session ended before this call had a result. It may have run: its outcome "
    "is unknown. Look before it is called again.]"
)
SUMMARISED: Final = (
    "[the result of this call is among what a compaction stands for; its summary may tell of it.]"
)


@dataclass(frozen=True, slots=True)
class Mending:
    """What is to be mended.

    Attributes:
        closers: one for each thing.
        behind: by the position of a call, the result that is written behind it.
        instead: by the position of a call, its payload with arguments that can be read.
        moved: by the position of a call, that of its result further on, which goes behind it.
    """

    closers: tuple[Closer, ...]
    behind: dict[int, Sequence[Added]] = field(default_factory=dict)
    instead: dict[int, bytes] = field(default_factory=dict)
    moved: dict[int, int] = field(default_factory=dict)


def mending(tape: Session, hidden: Stretches) -> Mending:
    """What is wrong with a session, in the order of the file.

    Args:
        tape: the session.
        hidden: the positions of the events that a compaction hides.
    """
    behind: dict[int, Sequence[Added]] = {}
    instead: dict[int, bytes] = {}
    late = late_results(tape)
    moved = {
        call: result
        for call, result in late.items()
        if holds(hidden, call) == holds(hidden, result)
    }
    found = [*_lines(tape), *_end(tape)]
    asks = any(_has(tape, kind) for kind in _PERMISSIONS)
    for event in positions(read_ones(tape, tape.timeline.events)):
        kind = tape.timeline.table.type(event)
        if not kind:
            what = "an event without a type is left out: every fork by Zero fails on it"
            found.append((event, Closer("event", "dropped", what, event=event)))
        elif kind == TOOL_CALL:
            found += _arguments(tape, event, instead)
            if event in moved:
                found.append(_moved(tape, event, moved[event]))
            elif event not in late:
                found += _interrupted(tape, event, behind, asks=asks)
            elif not holds(hidden, event):
                found.append(_summarised(tape, event, behind))
    found.sort(key=lambda one: one[0])
    return Mending(tuple(closer for _, closer in found), behind, instead, moved)


def _has(tape: Session, kind: str) -> bool:
    return bool(tape.timeline.table.of_type(kind, 0, tape.timeline.events))


# Lines.


def _lines(tape: Session) -> Iterator[tuple[int, Closer]]:
    """The lines that the owner does not take."""
    table, records = tape.timeline.table, tape.log.records
    for event in tape.timeline.rejected:
        line = table.record(event) + 1
        what = f"line {line} is left out: Zero does not take it for an event"
        yield event, Closer("line", "dropped", what, event=event)
    for record in range(len(records)):
        if records.fate(record) is Fate.DAMAGED:
            what = f"line {record + 1} is left out: nothing in it can be read"
            yield table.before_record(record), Closer("line", "dropped", what)
        elif records.is_recovered(record) and not _is_taken(tape, record):
            first = table.first_of_record(record)
            what = f"line {record + 1} is written anew, as far as it can be read"
            place = table.before_record(record)
            yield place, Closer("line", "altered", what, event=first)


def _is_taken(tape: Session, record: int) -> bool:
    try:
        golang.read(golang.decoded(tape.log.raw(record)))
    except golang.RefusedError:
        return False
    return True


def _end(tape: Session) -> Iterator[tuple[int, Closer]]:
    """An end without a newline, on which the owner's next event would be written."""
    head = tape.timeline.events
    if tape.log.unended:
        what = "the last line is ended: Zero's next event would be written on it"
        yield head, Closer("line", "altered", what, event=head - 1)
    elif golang.decoded(tape.log.tail):
        size = len(tape.log.tail)
        what = f"the last {size:,} bytes are left out: no line that ends, and Zero drops them"
        yield head, Closer("line", "dropped", what)


# Calls.


def late_results(tape: Session) -> dict[int, int]:
    """By the position of a call that had no result when its turn was over, that of its result.

    One that comes later belongs to the last call of its id before it, unless that has one.
    """
    timeline = tape.timeline
    head, pairs = timeline.events, timeline.pairs
    late = [
        event
        for event in timeline.table.of_type(TOOL_RESULT, 0, head)
        if pairs.call_of(event) is None and not timeline.is_rejected(event)
    ]
    if not late:
        return {}
    found: dict[int, int] = {}
    latest: dict[str, int] = {}
    results = frozenset(late)
    for event in sorted([*late, *timeline.table.of_type(TOOL_CALL, 0, late[-1])]):
        if timeline.is_rejected(event):
            continue
        payload = mapping(tape.payload(event).get("payload"))
        if event not in results:
            latest[call_id(payload)] = event
            continue
        call = latest.get(text(payload.get("toolCallId")))
        if call is not None and pairs.result_of(call) is None:
            found.setdefault(call, event)
    return found


def _arguments(
    tape: Session, event: int, instead: dict[int, bytes]
) -> Iterator[tuple[int, Closer]]:
    """Arguments of a call that cannot be read."""
    payload = mapping(tape.payload(event).get("payload"))
    if not _can_be_read(payload.get("arguments")):
        instead[event] = lines.value({**payload, "arguments": "{}"})
        what = f"the arguments of {_name(payload)} are no JSON, and become {{}}"
        yield event, Closer(TOOL_CALL, "altered", what, _id(payload), event=event)


def _moved(tape: Session, event: int, result: int) -> tuple[int, Closer]:
    payload = mapping(tape.payload(event).get("payload"))
    what = f"the result of {_name(payload)}, {named(tape, result)}, goes directly behind its call"
    return event, Closer(TOOL_RESULT, "altered", what, _id(payload), "moved", event)


def _summarised(
    tape: Session, event: int, behind: dict[int, Sequence[Added]]
) -> tuple[int, Closer]:
    """A call whose result is hidden, while it is not."""
    value = tape.payload(event)
    payload = mapping(value.get("payload"))
    behind[event] = (_result(text(value.get("createdAt")), payload, SUMMARISED),)
    what = f"{_name(payload)} gets a result behind it: its own is hidden by a compaction"
    return event, Closer(TOOL_RESULT, "added", what, _id(payload), "summarised", event)


def _interrupted(
    tape: Session, event: int, behind: dict[int, Sequence[Added]], *, asks: bool
) -> Iterator[tuple[int, Closer]]:
    """A call without any result."""
    value = tape.payload(event)
    payload = value.get("payload")
    if not isinstance(payload, dict) or tape.timeline.pairs.result_of(event) is not None:
        return
    started = _started(tape, event, call_id(payload), asks=asks)
    output = UNKNOWN if started else NOT_RUN
    behind[event] = (_result(text(value.get("createdAt")), payload, output),)
    outcome = "its outcome is unknown" if started else "it was not run"
    what = f"{_name(payload)} gets a result behind it: interrupted, {outcome}"
    code = "unknown" if started else "not-run"
    yield event, Closer(TOOL_RESULT, "added", what, _id(payload), code, event)


def _name(payload: dict[str, Any]) -> str:
    return clean_line(text(payload.get("name")), _SAID) or "a call"


def _id(payload: dict[str, Any]) -> str:
    return clean_line(call_id(payload), _SAID)


def _can_be_read(arguments: Any) -> bool:
    if not isinstance(arguments, str) or not arguments.strip(golang.SPACE):
        return True
    try:
        return isinstance(orjson.loads(arguments), dict)
    except ValueError:
        pass
    try:
        return isinstance(golang.read(arguments.strip(golang.SPACE))[0], dict)
    except golang.RefusedError:
        return False


def _started(tape: Session, event: int, identity: str, *, asks: bool) -> bool:
    """Whether a call may have begun to run: nearly every one that may run is allowed first.

    In a session without a word of permission that is not known.
    """
    table = tape.timeline.table
    for other in range(event + 1, min(tape.timeline.events, event + _LOOKED_AT)):
        kind = table.type(other)
        if kind == "session_checkpoint":
            return True
        if kind == MESSAGE:
            payload = mapping(tape.payload(other).get("payload"))
            if payload.get("role") == "user":
                break
        if kind in _PERMISSIONS:
            payload = mapping(tape.payload(other).get("payload"))
            if text(payload.get("toolCallId")) == identity and payload.get("action") == "allow":
                return True
    return not asks


def _result(created: str, call: dict[str, Any], output: str) -> Added:
    """A result that is neither good nor bad: it has no status."""
    payload = lines.value(
        {"name": text(call.get("name")), "output": output, "toolCallId": call_id(call)}
    )
    return Added(TOOL_RESULT, created, lambda _names: iter((payload,)))
