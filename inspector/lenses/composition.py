"""What a request was made of, by who speaks: estimated tokens."""

from collections import Counter
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
    nodes = tape.timeline.surface.nodes
    rows: Counter[str] = Counter()
    weights: Counter[str] = Counter()
    for row in tape.timeline.rows(cursor):
        kind = _kind(nodes.role(row.node), nodes.kind(row.node))
        rows[kind] += 1
        weights[kind] += nodes.tokens[row.node]
    parts = tape.preamble(cursor)
    found = [Share(PREAMBLE, len(parts), sum(part.tokens for part in parts))] if parts else []
    return found + [Share(kind, rows[kind], weight) for kind, weight in weights.most_common()]


def _kind(role: Role, kind: Kind) -> str:
    if kind is Kind.SUMMARY:
        return Role.SUMMARY.label
    if kind is Kind.CONTEXT and role is Role.USER:
        # No person said it.
        return Kind.CONTEXT.label
    return role.label
