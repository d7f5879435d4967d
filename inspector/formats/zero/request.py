"""What the owner makes of the rehydrated events when it goes on (format page 5 and 10).

``zero exec --resume`` writes one prompt: a line for each of the last events of some types. The
screen sends messages.
"""

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal

from inspector.formats.contract import RequestEntry
from inspector.formats.shapes import mapping, text
from inspector.formats.zero import golang, rehydration
from inspector.formats.zero.compaction import compaction_of, payload_members
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.ids import Ids
from inspector.formats.zero.stretches import without
from inspector.formats.zero.vocabulary import COMPACTION, MESSAGE, REWIND, TUI
from inspector.timeline.marks import Marks
from inspector.timeline.words import Kind, Mark

if TYPE_CHECKING:
    from inspector.formats.zero.reading import ZeroTape

_TOLD: Final = frozenset(
    {
        MESSAGE,
        COMPACTION,
        "session_fork",
        "session_child",
        "specialist_start",
        "specialist_stop",
        "error",
    }
)
"""The types that a prompt tells of."""

_LAST: Final = 80
"""The most events that a prompt tells of."""

_BYTES: Final = 500
"""The most bytes of one of them."""

_HEADED: Final = "[Summary of earlier conversation]"


def entries(tape: "ZeroTape", cursor: int) -> list[RequestEntry]:
    """What the owner would send at a cursor, made of the events before it."""
    return list(_messages(tape, cursor) if tape.policy == TUI else _prompt(tape, cursor))


# The screen.


def _messages(tape: "ZeroTape", cursor: int) -> Iterator[RequestEntry]:
    nodes = tape.timeline.surface.nodes
    for row in tape.timeline.rows(cursor):
        kind, role = nodes.kind(row.node), nodes.role(row.node)
        if kind is not Kind.SUMMARY:
            yield RequestEntry(row.node, type=kind.label, role=role.label)
            continue
        payload = mapping(tape.payload(nodes.origin(row.node)).get("payload"))
        said = f"{_HEADED}\n{text(payload.get('summary'))}"
        why = "a summary is sent as a message of the user"
        yield RequestEntry(row.node, "altered", "message", "user", said, why=why)


# The prompt of exec.


def _prompt(tape: "ZeroTape", cursor: int) -> Iterator[RequestEntry]:
    folded = list(chain.from_iterable(rehydrated(tape, cursor)))
    told = [at for at in folded if tape.timeline.table.type(at) in _TOLD] or folded
    kept = set(told[-_LAST:])
    if not folded:
        return
    how = "Forked from" if tape.timeline.lives.inherited else "Continuing"
    head = f"{how} Zero session {tape.session}.\nPrevious session context:"
    why = "one prompt tells of the session"
    yield RequestEntry(None, "added", "prompt", "user", head, why=why)
    nodes = tape.timeline.surface.nodes
    for event in folded:
        node = nodes.of_event(event)
        if event in kept:
            why = "a line of the prompt, its words in any order"
            said = _line(tape, event)
            note: Literal["added", "altered"] = "added" if node is None else "altered"
            yield RequestEntry(node, note, "prompt", "user", said, why=why)
        elif node is not None:
            left_out = tape.timeline.table.type(event) not in _TOLD
            why = "no prompt tells of its type" if left_out else f"only the last {_LAST} are told"
            yield RequestEntry(node, "dropped", nodes.kind(node).label, why=why)


def _line(tape: "ZeroTape", event: int) -> str:
    payload = tape.payload(event).get("payload")
    said = _words(payload).encode("utf-8", "surrogatepass")[:_BYTES].decode("utf-8", "ignore")
    return f"- #{tape.number(event) or 0} {tape.timeline.table.type(event)}: {said}"


def _words(payload: Any) -> str:
    if not isinstance(payload, dict):
        return payload if isinstance(payload, str) else ""
    summary = text(payload.get("summary"))
    if summary.strip(golang.SPACE):
        return summary
    return " ".join(value for _, value in sorted(payload.items()) if isinstance(value, str))


def rehydrated(tape: "ZeroTape", cursor: int) -> list[range]:
    """The positions of the first so many events in the order in which the owner loads them.

    An event that it does not read is left out.
    """
    unread = [range(event, event + 1) for event in tape.timeline.rejected if event < cursor]
    return [part for stretch in _ordered(tape, cursor) for part in without([stretch], unread)]


def _ordered(tape: "ZeroTape", cursor: int) -> list[range]:
    event = _counting(tape, cursor)
    raw = [range(cursor)] if cursor else []
    if event is None:
        return raw
    text_of_line = golang.decoded(tape.raw(event))
    try:
        compaction = compaction_of(payload_members(text_of_line))
    except RefusedError:
        return raw
    numbering, ids = tape.decoder.numbering, Ids(compaction.ids)
    same = numbering.of(Ids((numbering.id(event),)), cursor)
    found = rehydration.coverage(numbering, ids, same, compaction, cursor)
    return rehydration.order(found, event, cursor)


def _counting(tape: "ZeroTape", cursor: int) -> int | None:
    """The compaction that counts at a cursor, or None."""
    event = _last(tape.timeline.marks, cursor)
    if event is None or tape.policy != TUI:
        return event
    table = tape.timeline.table
    rewound = any(table.type(at) == REWIND for at in range(event, cursor))
    return None if rewound else event


def _last(marks: Marks, cursor: int) -> int | None:
    events = marks.events(Mark.COMPACTION)
    before = marks.within(Mark.COMPACTION, 0, cursor)
    return events[before - 1] if before else None
