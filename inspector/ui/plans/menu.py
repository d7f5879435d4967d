"""The menu of plans: what can be planned here, and why not what cannot. Knows no Textual."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from inspector.export import plan_text
from inspector.export.fitting import fit
from inspector.formats.contract import Tape
from inspector.formats.planning import How, PlanError, PlanKind
from inspector.plans.cutting import cut_of
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.ui.cells import Cell, Line
from inspector.ui.wrapping import wrapped

_DOES: Final = {
    PlanKind.FORK: "a session of its own, cut at the cursor",
    PlanKind.REWIND: "go on from the cursor, what is behind it left",
    PlanKind.COMPACT: "a summary in the place of the first rows of the head",
    PlanKind.REPAIR: "what the owner would write to a session that was cut off",
    PlanKind.RESUME: "what the owner would send next from the cursor",
}

_SOON: Final = 20_000
"""Events of a tape of which it is asked where it may be cut while a person waits."""


class Choice(NamedTuple):
    """One kind of plan.

    Attributes:
        kind: which.
        why_not: why it cannot be made, cleaned; None if it can.
        here: what is to be said of the cursor, cleaned; may be empty.
    """

    kind: PlanKind
    why_not: str | None
    here: str = ""


def choices(tape: Tape, cursor: int) -> list[Choice]:
    """Every kind of plan, whether it can be made or not."""
    return [choice(tape, kind, cursor) for kind in PlanKind]


def choice(tape: Tape, kind: PlanKind, cursor: int) -> Choice:
    """A kind of plan; one that writes nothing can always be made."""
    try:
        planner = tape.planner()
        ways = planner.ways(kind)
        how = next((how for how, why in ways.items() if why is None), None)
        if how is None and kind is not PlanKind.RESUME:
            return Choice(kind, _reasons(ways))
        if kind in (PlanKind.FORK, PlanKind.REWIND) and how and tape.timeline.events <= _SOON:
            cuts = planner.cuts(kind, how)
            return Choice(kind, None, plan_text.cut_line(tape, cut_of(cuts, cursor)))
    except (PlanError, SourceError) as error:
        return Choice(kind, clean_line(str(error), 300))
    return Choice(kind, None)


def _reasons(ways: Mapping[How, str | None]) -> str:
    return clean_line("; ".join(dict.fromkeys(why for why in ways.values() if why)), 300)


class MenuRows:
    """The kinds as rows."""

    def __init__(self, found: list[Choice]) -> None:
        self.choices = found

    def heads(self) -> tuple[Line, ...]:
        """That nothing happens here."""
        words = "a plan shows what would be done and writes nothing"
        return ((Cell(plan_text.NOTHING_CHANGED, "accent"), Cell(f"   {words}", "dim")),)

    def start(self) -> int:
        """The first that can be made."""
        return next((at for at, one in enumerate(self.choices) if one.why_not is None), 0)

    def count(self) -> int:
        """How many rows there are."""
        return len(self.choices)

    def line(self, row: int, width: int) -> Line:
        """One kind: what it does, or why it cannot be made."""
        del width
        one = self.choices[row]
        word = fit(one.kind.value, 9)
        if one.why_not is not None:
            return (Cell(word, "faint"), Cell(f"no: {one.why_not}", "dim"))
        return (Cell(word, "strong"), Cell(_DOES[one.kind]))

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """One kind in full, and what is to be said of the cursor."""
        one = self.choices[row]
        yield from wrapped(f"{one.kind.value}: {_DOES[one.kind]}", width, "text")
        if one.why_not is not None:
            yield from wrapped(f"no: {one.why_not}", width, "notice")
        if one.here:
            yield from wrapped(one.here, width, "dim")

    def cursor(self, row: int) -> int | None:
        """A kind is no place."""
        del row
        return None

    def text(self) -> str:
        """The menu as text for a clipboard."""
        return "\n".join(
            "".join(cell.text for cell in self.line(row, 200)) for row in range(self.count())
        )
