"""The family of a session as rows that lead to its relatives. Knows no Textual, and no visit."""

from collections.abc import Iterator
from datetime import UTC, tzinfo
from typing import Final, NamedTuple

from inspector.export import family as told
from inspector.export.fitting import fit, width_of
from inspector.formats.contract import Tape
from inspector.library.family import Branch, Family
from inspector.library.members import Member
from inspector.library.relations import DISCARDED
from inspector.text.gate import clean_line
from inspector.text.labels import count, size
from inspector.timeline.words import SpanKind
from inspector.ui.cells import Cell, Line, between, cut
from inspector.ui.elsewhere import Elsewhere
from inspector.ui.wrapping import wrapped

_SHOWN: Final = 200
_TITLE: Final = 40
"""Characters of the title above the tree: one line of a narrow terminal."""
_TREE: Final = 0.4
"""The most of a line that the lines of the tree take."""

_MIDDLING: Final = 70
"""Columns below which copied and own events are two numbers: the row in full says more."""

_NARROW: Final = 30
"""Columns below which nothing is counted."""


class Pointed(NamedTuple):
    """What an event has to do with other tapes; it is asked for before a family is looked for.

    Attributes:
        event: its position; None where no event is meant.
        named: what the event is called.
        tapes: the ids of those that it tells of.
        copied: whether it is a copy of the parent's, or the first behind them.
    """

    event: int | None = None
    named: str = ""
    tapes: tuple[str, ...] = ()
    copied: bool = False


def pointed(tape: Tape, event: int | None, named: str) -> Pointed:
    """What an event has to do with other tapes: itself, or the call or result that is its pair."""
    if event is None:
        return Pointed()
    timeline = tape.timeline
    pairs, branchings = timeline.pairs, timeline.branchings
    paired = (event, pairs.result_of(event), pairs.call_of(event))
    tapes = [name for one in paired if one is not None for name in branchings.tapes(one)]
    spans = timeline.spans[SpanKind.SUBAGENT]
    for number in spans.opened_or_closed_by(event):
        name = tape.span_id(spans[number])
        if name is not None and name not in tapes:
            tapes.append(name)
    inherited = timeline.lives.inherited
    return Pointed(event, named, tuple(tapes), bool(inherited) and event <= inherited)


class FamilyRows:
    """A family as rows; see `inspector.ui.lenses.lens.LensReport`.

    Args:
        family: which.
        about: what the selected event has to do with other tapes.
        zone: of the times shown; that of the machine if None.
        itself: whether the session itself may be opened, as it is not open already.
    """

    def __init__(
        self,
        family: Family,
        about: Pointed | None = None,
        zone: tzinfo | None = UTC,
        *,
        itself: bool = False,
    ) -> None:
        self.family = family
        self._itself = itself
        self._zone = zone
        self._about = about or Pointed()
        self._files = told.files(family)
        self._row, self._said = self._meant()

    def _meant(self) -> tuple[int, str]:
        """The row that the selected event leads to, and what is to be said of it."""
        family, about = self.family, self._about
        here = family.branches[family.here]
        for name in about.tapes:
            row = family.of(name)
            if row is not None and row != family.here:
                return row, self._of_event(row)
        if about.event is not None:
            for row in here.children:
                if family.branches[row].boundary == about.event + 1:
                    return row, self._parting(row)
        if about.copied and here.above is not None:
            return here.above, self._of_event(here.above)
        return family.here, ""

    def _of_event(self, row: int) -> str:
        branch = self.family.branches[row]
        found = ", which is not to be found" if branch.member.missing else ""
        return f"{self._about.named} leads to {told.name(branch.member)}{found}"

    def _parting(self, row: int) -> str:
        """Of one that left the session just after the selected event, which tells nothing of it."""
        branch = self.family.branches[row]
        events = self.family.branches[self.family.here].member.events
        at_head = branch.boundary == events
        where = "at the head" if at_head else f"after {self._about.named}"
        return f"{told.name(branch.member)} parts {where}"

    def heads(self) -> tuple[Line, ...]:
        """Whose family it is, what the selected event leads to, what is odd."""
        family = self.family
        here = family.branches[family.here].member
        whose = f"“{clean_line(here.title, _TITLE)}”" if here.title else told.name(here)
        lines: list[Line] = [(Cell(told.summed(family, whose), "strong"),)]
        if self._said:
            missing = family.branches[self._row].member.missing
            lines.append((Cell(self._said, "notice" if missing else "text"),))
        lines += [(Cell(clean_line(note, _SHOWN), "notice"),) for note in family.notes]
        return tuple(lines)

    def start(self) -> int:
        """The relative that the selected event leads to, else the session itself."""
        return self._row

    def count(self) -> int:
        """How many rows there are."""
        return len(self.family.branches)

    def line(self, row: int, width: int) -> Line:
        """One member in ``width`` columns: its place in the tree, what it is, what is counted."""
        family = self.family
        branch = family.branches[row]
        guides = told.guides(family, row)
        most = int(width * _TREE)
        if width_of(guides) > most:
            depth = f"⋯{count(branch.depth)} "
            guides = f"{depth}{guides[-3:]}"
        relation = told.relation_words(branch)
        member = branch.member
        tone = self._tone(row)
        left = (
            Cell(guides, "faint"),
            Cell(f"{told.sign(family, row)} ", tone),
            *(
                (Cell(f"{relation}  ", "faint" if member.path is None else "accent"),)
                * bool(relation)
            ),
            Cell(clean_line(member.title, _SHOWN) or told.name(member), tone),
            *((Cell(f"  {self._files[row]}", "dim"),) if row in self._files else ()),
        )
        if width < _NARROW:
            return cut(left, width)
        right = Cell(self._counted(branch, row, width), "faint" if member.path is None else "dim")
        return between(left, (right,), width)

    def _tone(self, row: int) -> str:
        member = self.family.branches[row].member
        if row == self.family.here:
            return "strong"
        if member.problem is not None:
            return "notice"
        return "faint" if member.path is None else "text"

    def _counted(self, branch: Branch, row: int, width: int) -> str:
        """What stands at the end of a line; less of it where there is little room."""
        member = branch.member
        if member.unlooked:
            return told.absence(branch)
        if member.missing:
            return "deleted" if branch.status == DISCARDED else "not found"
        if member.problem is not None:
            return fit(f"cannot be read: {member.problem}", min(48, width // 3)).rstrip()
        refused = {False: "refused", "partly": "opens in part"}
        if width < _MIDDLING:
            own = "" if not member.copied else f"{count(member.copied)}+{count(member.own or 0)}"
            return "this one" if row == self.family.here else own
        said = [told.counted(member)]
        if member.opens is False or member.opens == "partly":
            said.append(refused[member.opens])
        if width >= 100 and member.started is not None:
            said.append(told.day(member.started, self._zone))
        if row == self.family.here:
            said.append("this one")
        return "  ".join(one for one in said if one)

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """One member in full."""
        if row >= self.count():
            return
        family = self.family
        branch = family.branches[row]
        member = branch.member
        yield from wrapped(told.name(member), width, "strong")
        for text, tone in self._facts(row):
            yield from wrapped(text, width, tone)
        for note in branch.notes:
            yield from wrapped(note, width, "notice")
        if member.unlooked or (member.missing and branch.status == DISCARDED):
            yield from wrapped(told.absence(branch), width, "notice")
        elif member.missing:
            yield from wrapped("it is named, and not found:", width, "notice")
            for one in told.looked_words(family):
                yield from wrapped(one, width, "dim")

    def _facts(self, row: int) -> Iterator[tuple[str, str]]:
        family = self.family
        branch = family.branches[row]
        member = branch.member
        if member.title:
            yield clean_line(member.title, _SHOWN), "text"
        if branch.above is not None:
            yield self._relation(branch, family.branches[branch.above]), "text"
        if member.path is None:
            return
        counted = told.counted(member)
        if counted:
            yield counted, "text"
        if member.problem is not None:
            yield f"cannot be read: {clean_line(member.problem, _SHOWN)}", "notice"
        if member.opens is False or member.opens == "partly":
            what = "refuses it" if member.opens is False else "opens a part of it"
            why = f": {member.reason}" if member.reason else ""
            yield clean_line(f"{member.format} {what}{why}", 400), "notice"
        known = (time for time in (member.started, member.last) if time is not None)
        times = dict.fromkeys(told.day(time, self._zone) for time in known)
        if times:
            yield " to ".join(times), "dim"
        bytes_ = "" if member.bytes is None else f"  {size(member.bytes)}"
        within = "" if member.session is None else f"  session {clean_line(member.session, 80)}"
        where = "" if member.path is None else told.path_words(member.path)
        yield f"{where}{within}{bytes_}", "dim"

    def _relation(self, branch: Branch, above: Branch) -> str:
        status = f", {branch.status}" if branch.status else ""
        at_head = above.member.read and branch.boundary == above.member.events
        where = ""
        if branch.boundary is not None:
            cursor = count(branch.boundary)
            where = f", from its head ({cursor})" if at_head else f", from its cursor {cursor}"
        return f"{told.told_of_parent(branch, above)}{where}{status}"

    def cursor(self, row: int) -> int | None:
        """No row is a place on the tape."""
        del row
        return None

    def elsewhere(self, row: int) -> Elsewhere | str:
        """What to open of a row, and where; or why it cannot be opened.

        Of one that the session comes from that is where it was left; of one that begins with copies
        where these end.
        """
        if row >= self.count():
            return "there is nothing to open"
        family = self.family
        member = family.branches[row].member
        if row == family.here and not self._itself:
            return "this is the session itself"
        if member.path is None:
            return f"{told.name(member)} is {self._lost(member)}: there is nothing to open"
        if member.problem is not None:
            return f"cannot be read: {clean_line(member.problem, _SHOWN)}"
        at = self._left_at(row)
        if at is None and member.copied and row != family.here:
            at = member.copied
        return Elsewhere(member.path, member.session, None if at is None else str(at))

    @staticmethod
    def _lost(member: Member) -> str:
        return "not looked for to the end" if member.unlooked else "not found"

    def _left_at(self, row: int) -> int | None:
        """The cursor of an ancestor at which the way to the session leaves it."""
        branches = self.family.branches
        at = self.family.here
        above = branches[at].above
        while above is not None and above != row:
            at, above = above, branches[above].above
        return branches[at].boundary if above == row else None

    def text(self) -> str:
        """The tree as it is printed."""
        return "\n".join(told.text(self.family))
