"""What a cut changes beside the history: registers, and what stays done in the world outside."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from inspector.formats.contract import Tape
from inspector.formats.parts import Call
from inspector.formats.planning import Restorable
from inspector.lenses.tools import CardKind, kind_of, title_of
from inspector.plans.plan import NotUndone
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind

_LOOKS: Final = frozenset((CardKind.READ, CardKind.SEARCH))
"""Classes of tools that look and change nothing, unless their name says more."""

_CLASSES: Final = {
    CardKind.TERMINAL: "terminal",
    CardKind.DIFF: "edit",
    CardKind.SUBAGENT: "subagent",
}

_NETWORK: Final = frozenset(
    ("http", "https", "post", "request", "fetch", "browser", "email", "send")
)
"""Words of the names of tools that speak to somebody outside."""

_EDITS: Final = frozenset(
    ("write", "replace", "patch", "edit", "delete", "remove", "rename", "move", "insert")
)
_RUNS: Final = frozenset(("apply", "execute", "run", "start", "submit"))
_DOES: Final = (
    (_NETWORK - {"http", "https", "fetch"})
    | _EDITS
    | _RUNS
    | {"create", "update", "set", "add", "put", "push", "publish", "upload", "install"}
)
"""Words of the names of tools that do something, whatever else the name says."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LONGEST: Final = 200
_FOLLOWS: Final = 32
"""Events behind one that only names a call, among which another may tell what it was given."""


def registers(tape: Tape, cut: int) -> dict[str, tuple[Any, Any]]:
    """The named values that are others at the head than at a cut: at the head, and at the cut.

    None stands for a value that was not set.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    timeline = tape.timeline
    now, then = (timeline.registers.state(cursor) for cursor in (timeline.events, cut))
    found: dict[str, tuple[Any, Any]] = {}
    for name in [*now, *(name for name in then if name not in now)]:
        if now.get(name) == then.get(name):
            continue
        at_head, at_cut = (
            tape.value(name, state[name]) if name in state else None for state in (now, then)
        )
        if at_head != at_cut:
            found[name] = at_head, at_cut
    return found


def not_undone(tape: Tape, cut: int, restorable: Sequence[Restorable]) -> Iterator[NotUndone]:
    """The calls behind a cut that may have changed the world outside, in order.

    A tool is taken for harmless only where its name or what it is given tells that it only looks.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    checkpoints = {one.path: one.event for one in restorable}
    for event in calling(tape.timeline, cut):
        for part in tape.parts(event):
            if isinstance(part, Call):
                call = part if part.arguments is not None else _in_full(tape, event, part)
                kind = kind_of(call.name, call.arguments)
                word = _class(kind, call.name)
                if word is not None:
                    given = call.arguments
                    what = title_of(kind, given)[0] or title_of(CardKind.GENERIC, given)[0]
                    yield NotUndone(event, call.name, word, what, _checkpoint(checkpoints, what))


def _in_full(tape: Tape, event: int, call: Call) -> Call:
    """A call of which its event tells only the name, as one of the next ones tells it."""
    if call.id is None:
        return call
    for later in range(event + 1, min(event + 1 + _FOLLOWS, tape.timeline.events)):
        for part in tape.parts(later):
            if isinstance(part, Call) and part.id == call.id and part.arguments is not None:
                return part
    return call


def calling(timeline: Timeline, cut: int) -> list[int]:
    """The events behind a cut that make calls, calls within calls included, in order."""
    found: set[int] = set()
    for kind in (SpanKind.TOOL_CALL, SpanKind.CODE_DISPATCH):
        opened = timeline.spans[kind].opened
        found.update(cursor - 1 for cursor in opened[bisect_left(opened, cut + 1) :])
    return sorted(found)


def _class(kind: CardKind, name: str) -> str | None:
    """What a tool does to the world outside; None where its name tells that it only looks."""
    words = {word.lower() for word in _WORD.findall(name[:_LONGEST])}
    if kind is CardKind.TODO and not words & (_RUNS | {"post", "send"}):
        return None
    if kind in _LOOKS and not words & _DOES:
        return None
    if kind in _CLASSES:
        return _CLASSES[kind]
    if words & _NETWORK:
        return "network"
    return "edit" if words & _EDITS else "unknown"


def _checkpoint(known: Mapping[str, int], path: str) -> int | None:
    """The checkpoint of a file, by its path as the call has it, or by the end of that."""
    if not path:
        return None
    if path in known:
        return known[path]
    return next(
        (
            event
            for name, event in known.items()
            if path.endswith(f"/{name}") or name.endswith(f"/{path}")
        ),
        None,
    )
