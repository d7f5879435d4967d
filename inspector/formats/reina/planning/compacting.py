"""How the owner compacts (format page 3.3), and what is written for a summary of ours."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from inspector.formats.planning import (
    Check,
    Draft,
    How,
    Making,
    PlanError,
    Prompt,
    Split,
    Write,
)
from inspector.formats.reina.messages import SYNTHETIC, calls_of, content_of
from inspector.formats.reina.planning.composing import REVISED, Composition, Stretch, stretches
from inspector.formats.reina.planning.copying import Copy, line_of
from inspector.formats.reina.planning.material import Session
from inspector.formats.reina.planning.naming import name_of
from inspector.formats.reina.vocabulary import ASSISTANT, COMPACTED, EXERCISE, TOOL, USER
from inspector.formats.shapes import text
from inspector.formats.stamps import stamp
from inspector.text.labels import plural
from inspector.text.redaction import redacted
from inspector.timeline.words import Role

KEEP_LAST: Final = 8
FEWEST: Final = 12
ANCHORED: Final = 40_000
"""Messages that are kept, those below which nothing is compacted, and the most characters from the
last message of a person on with which that is kept too (format page 3.3)."""

KEEPS: Final = (
    f"Reina keeps the last {KEEP_LAST} messages, and all from the person's last one on if these "
    f"have at most {ANCHORED:,} characters; below {FEWEST} messages it compacts nothing "
    "(format page 3.3)"
)

INDEXES: Final = "indexes"
WAITING: Final = "waiting-range"
DIFFER: Final = "the readings of the compactions so far come to different lists"

_ASKED: Final = (
    "(and before it Reina's own request for a summary in sections, the person's task word for "
    "word; the log does not hold its words)"
)

_TOLD: Final = {TOOL: 1_500, ASSISTANT: 1_500}
_OTHERS: Final = 2_000
_ARGUMENTS: Final = 300
_GOES_ON: Final = "…(截断)"
"""The most characters of a message by its role and of arguments, and what follows where they end:
the demo's code has all four (format page 3)."""


# The owner's split and prompt.


def split(tape: Session, keep_last: int | None) -> Split:
    """The owner's division of the surface of the head."""
    rows = [row.node for row in tape.timeline.rows(tape.timeline.events)]
    keep = KEEP_LAST if keep_last is None else keep_last
    if len(rows) < FEWEST:
        return Split(0, f"fewer than {FEWEST} messages: {KEEPS}")
    messages = [sent.message or {} for sent in tape.sent(rows)]
    return Split(_split(messages, max(0, keep)), KEEPS)


def _split(messages: Sequence[dict[str, Any]], keep: int) -> int:
    """How many messages the owner would summarise."""
    found = len(messages) - keep
    if found <= 0:
        return 0
    last = next((at for at in range(len(messages) - 1, -1, -1) if _is_persons(messages[at])), None)
    if last is not None and last < found:
        length = 0
        for message in messages[last:]:
            length += len(content_of(message))
        found = last if length <= ANCHORED else found
    while 0 < found < len(messages) and messages[found].get("role") == TOOL:
        found -= 1
    return found if found > 1 else 0


def _is_persons(message: dict[str, Any]) -> bool:
    return message.get("role") == USER and not content_of(message).startswith(SYNTHETIC)


def prompt(tape: Session, rows: int) -> Prompt:
    """What is sent to have the first rows summarised: each message in a line or two, cut."""
    nodes = [row.node for row in tape.timeline.rows(tape.timeline.events)][:rows]
    cutter = _Cutter()
    lines = [line for sent in tape.sent(nodes) for line in _told(sent.message or {}, cutter)]
    said = redacted("\n".join([*lines, _ASKED]))
    return Prompt(said, len(said), "characters", None, truncated=cutter.cut)


class _Cutter:
    """Cuts texts; ``cut`` says whether it had to cut any."""

    def __init__(self) -> None:
        self.cut = False

    def __call__(self, said: str, most: int) -> str:
        if len(said) <= most:
            return said
        self.cut = True
        return f"{said[:most]}{_GOES_ON}"


def _told(message: dict[str, Any], cutter: _Cutter) -> Iterator[str]:
    role, said = text(message.get("role")), content_of(message)
    if role == TOOL:
        yield f"[tool result] {cutter(said, _TOLD[TOOL])}"
    elif role == ASSISTANT:
        if said:
            yield f"[assistant] {cutter(said, _TOLD[ASSISTANT])}"
        for call in calls_of(message):
            yield f"[assistant calls] {call.name}({cutter(call.arguments, _ARGUMENTS)})"
    else:
        yield f"[{role}] {cutter(said, _OTHERS)}"


# What is written.


def appended(tape: Session, rows: int, summary: str, making: Making) -> Draft:
    """One record behind the log, in which a summary stands for the first rows.

    It begins at 0, so the owner comes to it last of all, and its indexes are those of the list by
    then: the same by both readings, as both lists are the same.
    """
    _refuse_systems(tape, rows)
    line = _record(0, rows - 1, summary, making)
    if not tape.ends_line():
        line = b"\n" + line
    path = tape.log.path
    events = tape.timeline.events
    return Draft(
        (Write(path, How.APPEND, lambda: iter((line,)), length=len(line)),),
        events,
        checks=(_of_indexes(tape), *_of_waiting(tape, rows - 1)),
        remarks=("the messages stay in the log, and nothing takes a compaction back",),
        registers=events,
    )


def created(tape: Session, rows: int, summary: str, making: Making) -> Draft:
    """A new log in which a summary stands for the first rows, whose indexes mean one thing only.

    Raises:
        PlanError: if what the rows stand for cannot be told apart.
    """
    _refuse_systems(tape, rows)
    if tape.fold.surface.revised:
        raise PlanError(REVISED)
    timeline = tape.timeline
    head = timeline.events
    origin = timeline.surface.nodes.origin
    events = [origin(row.node) for row in timeline.rows(head)]
    parts = stretches(tape)
    summaries = [
        Stretch(first, last, event)
        for event, (first, last) in zip(events[rows:], parts[rows:], strict=True)
        if timeline.table.type(event) == COMPACTED
    ]
    composition = Composition(False, summaries=tuple(reversed(summaries)))
    own = _record(0, parts[rows - 1][1], summary, making)
    copy = Copy(tape, head, making, composition, (own,))
    return replace(
        copy.draft(f"the new session is {name_of(making)}; the old one stays as it is"),
        registers=None,
    )


def _record(first: int, last: int, summary: str, making: Making) -> bytes:
    time = stamp(making.time)
    record = {"fromIndex": first, "toIndex": last, "summary": summary}
    rest = {"originalLength": last - first + 1, "compressedAt": time}
    return line_of({"ts": time, "type": COMPACTED, "record": {**record, **rest}})


def _of_indexes(tape: Session) -> Check:
    surface = tape.timeline.surface
    nodes = surface.nodes
    head = tape.timeline.events
    table = tape.timeline.table
    if any(table.type(nodes.origin(row.node)) == COMPACTED for row in tape.timeline.rows(head)):
        why = (
            "its range overlaps that of an earlier compaction as both are written; by both "
            "readings it hides the rows that are told here"
        )
        return Check(INDEXES, ok=False, message=why, blocks=False)
    return Check(INDEXES, ok=True, message="its indexes mean the same rows by both readings")


def _of_waiting(tape: Session, last: int) -> Iterator[Check]:
    """Whether a compaction whose range was passed over may hold later, and undo this one."""
    waiting, spoilt = tape.fold.surface.foresee(last)
    if waiting is None:
        return
    event, messages = waiting
    more = plural(messages - tape.fold.surface.messages, "more message")
    why = f"the compaction of #{event} was passed over, and holds with {more}"
    if not spoilt:
        why = f"{why}: what this one hides may be another then"
        yield Check(WAITING, ok=False, message=why, blocks=False)
        return
    why = f"{why}: the next message would take this one away again"
    yield Check(WAITING, ok=False, message=why, blocks=tape.policy == EXERCISE)


def _refuse_systems(tape: Session, rows: int) -> None:
    role = tape.timeline.surface.nodes.role
    first = tape.timeline.rows(tape.timeline.events)[:rows]
    if any(role(row.node) is Role.SYSTEM for row in first):
        raise PlanError("a system message stands among the rows, which no summary may hide")
