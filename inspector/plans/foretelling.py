"""What a surface says, apart from the tape that it is of: what a plan foretells, and what came."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from inspector.formats.contract import Tape


class Row(NamedTuple):
    """A row of a surface: role, kind and text."""

    role: str
    kind: str
    text: str


def told(tape: Tape, nodes: Sequence[int]) -> list[Row]:
    """What rows say, in order.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    table = tape.timeline.surface.nodes
    return [
        Row(table.role(node).label, table.kind(node).label, _text(tape, node)) for node in nodes
    ]


def at_head(tape: Tape) -> list[Row]:
    """What the model sees at the head of a folded tape.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    return told(tape, tuple(row.node for row in tape.timeline.rows(tape.timeline.events)))


def _text(tape: Tape, node: int) -> str:
    shown = [
        section.text
        for section in tape.node_sections(node)
        if section.tone != "dim" and not section.remark
    ]
    return "\n".join(shown)


def differences(foretold: Sequence[Row], found: Sequence[Row]) -> Iterator[str]:
    """Where two surfaces are apart, a sentence each; the first place says enough."""
    if len(foretold) != len(found):
        yield f"{len(foretold)} rows were foretold, and there are {len(found)}"
    for number, (one, other) in enumerate(zip(foretold, found, strict=False), 1):
        if not _is_same(one, other):
            yield f"row {number} is another: {other.role} {other.kind}"
            return


def _is_same(one: Row, other: Row) -> bool:
    """Whether rows say the same.

    What tells a summary from what a person says is a guess in formats whose compaction leaves no
    mark on the rows that it writes.
    """
    return _plain(one) == _plain(other)


def _plain(row: Row) -> Row:
    if (row.role, row.kind) == ("summary", "summary"):
        return Row("user", "message", row.text)
    return row
