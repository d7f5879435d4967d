"""The lines of a difference: what happened to a group, one of its rows, a text and a pair of texts.

Knows no Textual.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from inspector.export.fitting import fit
from inspector.formats.contract import Tape
from inspector.lenses.text_difference import Piece, text_difference
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens
from inspector.timeline.words import Kind
from inspector.ui.cells import Cell, Line
from inspector.ui.lenses.diff_groups import SIGNS, Group
from inspector.ui.lenses.folds import Folds
from inspector.ui.wrapping import wrapped

SHOWN: Final = 300
"""Characters of a headline."""


class Node(NamedTuple):
    """A node of a tape."""

    tape: Tape
    node: int

    @property
    def tokens(self) -> int:
        """What it weighs, estimated."""
        return self.tape.timeline.surface.nodes.tokens[self.node]

    @property
    def event(self) -> int:
        """The position of the event whose message it shows."""
        return self.tape.timeline.surface.nodes.origin(self.node)

    @property
    def name(self) -> str:
        """Its event as people name it."""
        number = self.tape.number(self.event)
        return f"#{self.event}" if number is None else f"@{number}"

    @property
    def role(self) -> str:
        """Who speaks."""
        nodes = self.tape.timeline.surface.nodes
        return "context" if nodes.kind(self.node) is Kind.CONTEXT else nodes.role(self.node).label

    @property
    def said(self) -> str:
        """The start of what it says, in one line."""
        return clean_line(self.tape.node_headline(self.node).text, SHOWN)

    @property
    def text(self) -> str:
        """All that it says."""
        return "\n".join(
            section.text
            for section in self.tape.node_sections(self.node)
            if section.tone != "dim" and not section.remark
        )

    def lines(self, width: int) -> Iterator[Line]:
        """All of it, in ``width`` columns."""
        for section in self.tape.node_sections(self.node):
            if section.heading:
                yield (Cell(clean_line(section.heading, 80), "dim"),)
            yield from wrapped(section.text, width, "dim" if section.tone == "dim" else "text")


def weights(before: Node | None, node: Node) -> str:
    """What a row weighs, or weighed and weighs."""
    weight = tokens(node.tokens)
    return weight if before is None else f"{tokens(before.tokens)} → {weight}"


def exact(number: int) -> str:
    """A number of tokens with its sign, in full."""
    return f"{'-' if number < 0 else '+'}{count(abs(number))}"


def heading(group: Group, words: str) -> Line:
    """The heading of a group: its sign, what happened in words, and what that adds or takes."""
    sign, tone = SIGNS[group.change]
    weight = f"   {exact(group.tokens)}" if group.tokens else ""
    return (Cell(f"{sign} ", tone), Cell(words, "strong"), Cell(weight, "dim"))


def more(number: int) -> Line:
    """The line that stands for rows that are left out."""
    return (Cell(f"  ⋯ {count(number)} more", "notice"), Cell("   Enter lists them", "faint"))


def row(group: Group, before: Node | None, node: Node, digits: int, by: str) -> Line:
    """A row of a group.

    Args:
        group: whose sign it bears.
        before: what it stands for, of a row that changed.
        node: what is there, or was.
        digits: the columns of the name of an event.
        by: what is said before its text.
    """
    sign, tone = SIGNS[group.change]
    first = node if before is None else before
    weight = weights(before, node)
    return (
        Cell(f"  {sign} ", tone),
        Cell(fit(first.name, digits, right=True), "dim"),
        Cell(f"  {fit(node.role, 9)}  "),
        Cell(fit(weight, 13 if group.weighs_pairs else 6, right=True), "dim"),
        Cell("  "),
        Cell(by, "faint"),
        Cell(node.said, "text"),
    )


def what_enter_does(folds: Folds, group: int) -> Iterator[Line]:
    """What Enter does on the heading of a group that can be folded."""
    if folds.can_turn(group):
        verb = "folds them" if folds.is_open(group) else "lists all of them"
        yield (Cell(f"Enter {verb}", "dim"),)


def pair(before: Node, after: Node, width: int) -> Iterator[Line]:
    """What the texts of two nodes have apart."""
    old, new = before.text, after.text
    if old == new:
        yield (Cell("the tape holds the same text for both forms", "dim"),)
        yield from wrapped(new, width, "text")
        return
    for piece in text_difference(old, new):
        yield from _piece(piece, width)


def _piece(piece: Piece, width: int) -> Iterator[Line]:
    if piece.sign == "…":
        yield (Cell(f"  ⋯ {plural(piece.number, 'line')} in common", "faint"),)
        return
    tone = {"-": "removed", "+": "added"}.get(piece.sign, "dim")
    for line in piece.lines:
        for at, (cell,) in enumerate(wrapped(line, width - 2, tone)):
            yield (Cell(f"{piece.sign if at == 0 else ' '} ", tone), cell)
