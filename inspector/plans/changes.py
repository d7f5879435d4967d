"""What a cut changes beside the history: registers, and what stays done in the world outside."""

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

_HARMLESS: Final = frozenset((CardKind.READ, CardKind.SEARCH, CardKind.TODO))
"""Classes of tools that look and change nothing."""

_CLASSES: Final = {
    CardKind.TERMINAL: "terminal",
    CardKind.DIFF: "edit",
    CardKind.SUBAGENT: "subagent",
}

_NETWORK: Final = frozenset(
    ("http", "https", "post", "request", "fetch", "browser", "email", "send")
)
"""Words of the names of tools that speak to somebody outside."""


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
                kind = kind_of(part.name, part.arguments)
                if kind not in _HARMLESS:
                    what = title_of(kind, part.arguments)[0]
                    word = _CLASSES.get(kind) or _by_name(part.name)
                    yield NotUndone(event, part.name, word, what, _checkpoint(checkpoints, what))


def calling(timeline: Timeline, cut: int) -> list[int]:
    """The events behind a cut that make calls, calls within calls included, in order."""
    found: set[int] = set()
    for kind in (SpanKind.TOOL_CALL, SpanKind.CODE_DISPATCH):
        opened = timeline.spans[kind].opened
        found.update(cursor - 1 for cursor in opened[bisect_left(opened, cut + 1) :])
    return sorted(found)


def _by_name(name: str) -> str:
    words = set(name.lower().replace("-", "_").split("_"))
    return "network" if words & _NETWORK else "unknown"


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
