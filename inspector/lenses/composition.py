"""What a request was made of, by who speaks: estimated tokens."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from inspector.formats.contract import Tape
from inspector.timeline.words import Kind, Role

PREAMBLE: Final = "preamble"
"""System prompt and tools that stand outside the surface."""


class Share(NamedTuple):
    """One kind of what was sent: its word, how many rows it has, and their estimated tokens."""

    kind: str
    rows: int
    tokens: int


def composition(tape: Tape, cursor: int) -> list[Share]:
    """The kinds of which the context at a cursor consists, the preamble first, then the largest.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    return next(compositions(tape, [cursor]))


def compositions(tape: Tape, cursors: Iterable[int]) -> Iterator[list[Share]]:
    """`composition` at several cursors, none before the one in front of it: the work of each is
    what changed since.
    """
    timeline = tape.timeline
    nodes = timeline.surface.nodes
    rows: Counter[str] = Counter()
    weights: Counter[str] = Counter()
    before = 0
    for cursor in cursors:
        changes = timeline.changes(before, cursor)
        for node, sign in (
            *((departure.node, -1) for departure in changes.left),
            *((row.node, 1) for row in changes.entered),
        ):
            kind = _kind(nodes.role(node), nodes.kind(node))
            rows[kind] += sign
            weights[kind] += sign * nodes.tokens[node]
        before = cursor
        parts = tape.preamble(cursor)
        found = [Share(PREAMBLE, len(parts), sum(part.tokens for part in parts))] if parts else []
        yield found + [
            Share(kind, rows[kind], weight) for kind, weight in weights.most_common() if rows[kind]
        ]


def _kind(role: Role, kind: Kind) -> str:
    if kind is Kind.SUMMARY:
        return Role.SUMMARY.label
    if kind is Kind.CONTEXT and role is Role.USER:
        # No person said it.
        return Kind.CONTEXT.label
    return role.label
