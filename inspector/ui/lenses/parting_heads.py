"""What stands above two tapes that were compared. Knows no Textual."""

from typing import NamedTuple

from inspector.export.difference import signed
from inspector.formats.contract import Tape
from inspector.lenses.apart import Apart
from inspector.lenses.parting import Parting
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens
from inspector.ui.cells import Cell, Line


class Met(NamedTuple):
    """Two tapes and what came of comparing them.

    Attributes:
        here: the tape of the visit.
        there: the other one, open.
        found: where they part.
        apart: what their heads have apart.
        command: what prints the same.
    """

    here: Tape
    there: Tape
    found: Parting
    apart: Apart
    command: str

    @property
    def tapes(self) -> tuple[Tape, Tape]:
        """Both."""
        return self.here, self.there


def heads(met: Met) -> tuple[Line, ...]:
    """The two tapes, where they part, what their surfaces have apart, and the command."""
    return (
        _side(met, 0, Cell("- here ", "removed")),
        _side(met, 1, Cell("+ there ", "added")),
        _where(met),
        _surface(met),
        (Cell(met.command, "faint"),),
    )


def _side(met: Met, side: int, sign: Cell) -> Line:
    tape, other, head = met.tapes[side], met.tapes[1 - side], met.found.heads[side]
    identity, reliable = tape.identity, tape.timeline.reliable_to
    # The command names the paths.
    alone = identity.id is not None and identity.id != other.identity.id
    titled = identity.id if alone and identity.id else identity.path.name
    parent = identity.parent
    of = "the other" if parent == other.identity.id else clean_line(parent or "", 60)
    child = "" if parent is None else f", child of {of}"
    doubt = f"   reliable to {count(reliable)} only" if reliable < head else ""
    return (
        sign,
        Cell(clean_line(titled, 100), "text"),
        Cell(f"   {plural(head, 'event')}{child}", "dim"),
        Cell(doubt, "notice"),
    )


def _where(met: Met) -> Line:
    found = met.found
    here, there = (head - at for head, at in zip(found.heads, (found.a, found.b), strict=True))
    common = plural(len(found.pairs), "event")
    if not len(found.pairs):
        return (Cell("they have no event in common", "strong"), Cell(_strange(met), "dim"))
    if not (here or there):
        return (Cell(f"they tell the same: {common}", "strong"),)
    since = f"   since then {count(here)} here, {count(there)} there"
    return (Cell(f"they part after {common} in common", "strong"), Cell(since, "dim"))


def _strange(met: Met) -> str:
    here, there = (tape.identity.format for tape in met.tapes)
    return "" if here == there else f"   {here} and {there}"


def _surface(met: Met) -> Line:
    before, after = (
        tape.timeline.tokens(head) for tape, head in zip(met.tapes, met.found.heads, strict=True)
    )
    numbers = (
        ("-", len(met.apart.only_a), "removed"),
        ("+", len(met.apart.only_b), "added"),
        ("~", len(met.apart.changed), "notice"),
    )
    return (
        Cell("at the heads", "dim"),
        *(
            Cell(f" {sign}{count(number)}", tone if number else "faint")
            for sign, number, tone in numbers
        ),
        Cell(f" ={count(met.found.kept)}", "dim"),
        Cell(f"   {tokens(before)} → {tokens(after)}", "text"),
        Cell(f" ({signed(after - before)}) tokens, estimated", "dim"),
    )
