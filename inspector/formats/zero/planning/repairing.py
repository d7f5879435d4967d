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
from inspector.formats.zero.planning.events import positions, read_ones
from inspector.formats.zero.planning.material import Session
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


@dataclass(frozen=True, slots=True)
class Mending:
    """What is to be mended.

    Attributes:
        closers: one for each thing.
        behind: by the position of a call, the result that is written behind it.
        instead: by the position of a call, its payload with arguments that can be read.
    """

    closers: tuple[Closer, ...]
    behind: dict[int, Sequence[Added]] = field(default_factory=dict)
    instead: dict[int, bytes] = field(default_factory=dict)


def mending(tape: Session) -> Mending:
    """What is wrong with a session, in the order of the file."""
    behind: dict[int, Sequence[Added]] = {}
    instead: dict[int, bytes] = {}
    found = [*_lines(tape), *_end(tape)]
    asks = any(_has(tape, kind) for kind in _PERMISSIONS)
    for event in positions(read_ones(tape, tape.timeline.events)):
        kind = tape.timeline.table.type(event)
        if not kind:
            what = "an event without a type is left out: every fork by Zero fails on it"
            found.append((event, Closer("event", "dropped", what, event=event)))
        elif kind == TOOL_CALL:
            found += _call(tape, event, behind, instead, asks=asks)
    found.sort(key=lambda one: one[0])
    return Mending(tuple(closer for _, closer in found), behind, instead)


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


def _call(
    tape: Session,
    event: int,
    behind: dict[int, Sequence[Added]],
    instead: dict[int, bytes],
    *,
    asks: bool,
) -> Iterator[tuple[int, Closer]]:
    """What a call lacks."""
    value = tape.payload(event)
    payload = value.get("payload")
    if not isinstance(payload, dict):
        return
    identity, name = call_id(payload), text(payload.get("name"))
    said = clean_line(name, _SAID) or "a call"
    if not _can_be_read(payload.get("arguments")):
        instead[event] = lines.value({**payload, "arguments": "{}"})
        what = f"the arguments of {said} are no JSON, and become {{}}"
        yield event, Closer(TOOL_CALL, "altered", what, clean_line(identity, _SAID), event=event)
    if tape.timeline.pairs.result_of(event) is None:
        started = _started(tape, event, identity, asks=asks)
        output = UNKNOWN if started else NOT_RUN
        created = text(value.get("createdAt"))
        behind[event] = (_result(created, identity, name, output),)
        outcome = "its outcome is unknown" if started else "it was not run"
        what = f"{said} gets a result behind it: interrupted, {outcome}"
        code = "unknown" if started else "not-run"
        yield event, Closer(TOOL_RESULT, "added", what, clean_line(identity, _SAID), code, event)


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


def _result(created: str, identity: str, name: str, output: str) -> Added:
    """A result that is neither good nor bad: it has no status."""
    payload = lines.value({"name": name, "output": output, "toolCallId": identity})
    return Added(TOOL_RESULT, created, lambda _names: iter((payload,)))
