"""What the owner would read of a log that is not written."""

from typing import Final, NamedTuple

from inspector.formats.codex.planning.rollout import Rehearsed, Rollout
from inspector.formats.planning import Check, Draft
from inspector.tape.composed import Composed
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Role

MODEL_VIEW: Final = "model-view"

_LARGEST: Final = 256 * 1024 * 1024
"""Bytes up to which a log is composed to look at it."""


def rehearsed(rollout: Rollout, draft: Draft) -> Rehearsed | None:
    """What would be read of a draft of one log; None where that is too much to compose."""
    (write,) = draft.writes
    pieces: list[bytes] = []
    room = _LARGEST
    for piece in write.content():
        pieces.append(piece)
        room -= len(piece)
        if room < 0:
            return None
    return rollout.rehearsed(Composed(write.to, b"".join(pieces)))


def model_view(rollout: Rollout, made: Rehearsed | None) -> Check:
    """Whether the model sees the same by a new log as by the one there is."""
    if made is None:
        why = "the new log is too large to be folded here: what the model sees may change"
        return Check(MODEL_VIEW, ok=False, message=why, blocks=False)
    if _seen(rollout.timeline) == _seen(made.timeline):
        return Check(MODEL_VIEW, ok=True, message="the model sees the same rows by the new log")
    why = "the model sees other rows by the new log: Codex reads in it what it skips now"
    return Check(MODEL_VIEW, ok=False, message=why, blocks=False)


class _Row(NamedTuple):
    """A row of one log that is compared with one of another."""

    role: Role
    kind: Kind
    tokens: int


def _seen(timeline: Timeline) -> list[_Row]:
    """What the model sees at the head of a log."""
    nodes = timeline.surface.nodes
    return [
        _Row(nodes.role(row.node), nodes.kind(row.node), nodes.tokens[row.node])
        for row in timeline.rows(timeline.events)
    ]
