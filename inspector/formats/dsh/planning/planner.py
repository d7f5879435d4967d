"""Plans for a log of DeepSeek Harness; see `inspector.formats.planning.Planner`."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from inspector.formats.dsh.planning import compacting, kept
from inspector.formats.dsh.planning import cuts as rules
from inspector.formats.dsh.planning.brackets import bracket_lines, later_brackets
from inspector.formats.dsh.planning.deeds import deeds, does
from inspector.formats.dsh.planning.ending import FORKED, closing_lines
from inspector.formats.dsh.planning.kept import Kept
from inspector.formats.dsh.planning.late import late_results
from inspector.formats.dsh.planning.material import Material
from inspector.formats.dsh.planning.repair import moved, no_append, repair_of
from inspector.formats.dsh.planning.writing import Child, last_time
from inspector.formats.parts import Call
from inspector.formats.planning import (
    Cuts,
    Deed,
    Draft,
    How,
    Making,
    OwnTools,
    PlanKind,
    Problem,
    Prompt,
    Repair,
    Restorable,
    Split,
    View,
)

_NO_REWIND: Final = (
    "DeepSeek Harness has no rewind: what its clients call so is a fork at an earlier turn"
)
_FORK_IS_NEW: Final = "a fork is a session of its own"
_COMPACTS_ANEW: Final = (
    "a compaction is written into a new tape only: its own agent may be at this one"
)
_IN_ITS_LOG: Final = "DeepSeek Harness takes a session up in its own log"
_ANSWERED: Final = (
    "a call has no result there, and the owner puts one into the fork that is in no history"
)
_UNREADABLE: Final = "the tape is of a version whose rules are not known"


class DshPlanner(OwnTools):
    """Plans for one log, folded to its head."""

    owner: Final = "dsh"

    def __init__(self, material: Material, *, readable: bool) -> None:
        self._material = material
        self._readable = readable
        self._last: tuple[int, Kept | str] | None = None

    def code(self, problem: Problem) -> str | None:
        """The owner's word for a problem (page 4.1)."""
        return rules.CODES.get(problem)

    def ways(self, kind: PlanKind) -> dict[How, str | None]:
        """How a plan can be written, the default first; None, or why it cannot."""
        if not self._readable:
            return dict.fromkeys(How, _UNREADABLE)
        match kind:
            case PlanKind.FORK:
                return {How.CREATE: None, How.APPEND: _FORK_IS_NEW}
            case PlanKind.REWIND:
                return {How.CREATE: None, How.APPEND: _NO_REWIND}
            case PlanKind.COMPACT:
                return {How.CREATE: None, How.APPEND: _COMPACTS_ANEW}
            case PlanKind.REPAIR:
                why_not = no_append(self._material)
                whole = "" if why_not else "what closes the turn is appended, as the owner does it"
                return {How.APPEND: why_not, How.CREATE: whole or None}
            case PlanKind.RESUME:
                return {How.APPEND: None, How.CREATE: _IN_ITS_LOG}

    def cuts(self, kind: PlanKind, how: How) -> Cuts:
        """Where the tape may be cut; a rewind is a fork."""
        del kind, how
        late = late_results(self._material)
        return rules.cuts(self._material.timeline, self._material.version, late)

    def views(self, kind: PlanKind, how: How, cut: int) -> dict[View, str | None]:
        """Which histories can be written; None, or why not."""
        del kind, how
        if self._would_answer(cut):
            return dict.fromkeys(View, _ANSWERED)
        found = self._originals(cut)
        return {
            View.AS_OF: None,
            View.COMPACTED: None,
            View.ORIGINALS: found if isinstance(found, str) else None,
        }

    def _would_answer(self, cut: int) -> bool:
        """Whether the owner puts results into a fork that no history has (page 4.6)."""
        return rules.forks_in_turns(self._material.version) and any(
            closer.error is not None for closer in self._material.closers(cut)
        )

    def _originals(self, cut: int) -> Kept | str:
        # A plan asks whether they can be given, and then for them.
        if self._last is None or self._last[0] != cut:
            self._last = cut, kept.unshortened(self._material, cut)
        return self._last[1]

    def cut(self, kind: PlanKind, how: How, at: int, view: View, making: Making) -> Draft:
        """The fork of a tape that is cut at a cursor."""
        del kind, how
        material = self._material
        found = self._originals(at) if view is View.ORIGINALS else kept.as_it_is(material, at)
        if isinstance(found, str):
            return Draft((), at)
        child = Child(material, found, making)
        own = list(self._closing(found, child.next, making))
        if view is View.COMPACTED:
            for bracket in later_brackets(material, found):
                number = child.next + len(own)
                own += bracket_lines(bracket, number, making.time, material.version)
        child = Child(material, found, making, own=own)
        return child.draft(remarks=self._host(at))

    def _closing(self, found: Kept, number: int, making: Making) -> Iterator[bytes]:
        """What closes a turn in which later versions fork (page 4.6)."""
        material = self._material
        if not rules.forks_in_turns(material.version):
            return
        closers = moved(material, found, material.closers(found.cut))
        time = last_time(material, found.cut, making)
        yield from closing_lines(closers, number, time, material.version, FORKED)

    def _host(self, at: int) -> Iterator[str]:
        host = rules.host_cut(self._material.timeline, at)
        if host is None:
            yield "the owner's host would say fork-unavailable: no turn ends there or behind"
        elif host != at:
            yield f"the owner's host would cut at {host}: behind the turn, up to the next one"

    def repair(self, making: Making) -> Repair:
        """What the owner would do to the tape if it opened it as it is."""
        return repair_of(self._material, making)

    def split(self, keep_last: int | None) -> Split:
        """Where the owner would divide the surface; it counts tokens, so rows tell it nothing."""
        del keep_last
        return compacting.split_of(self._material)

    def prompt(self, rows: int) -> Prompt:
        """What would be sent to have the first rows summarised."""
        return compacting.prompt_of(self._material, rows)

    def compact(self, rows: int, summary: str, making: Making) -> Draft:
        """A fork in which a summary stands for the first rows."""
        return compacting.compacted_log(self._material, rows, summary, making)

    def keeps_by_default(self) -> str:
        """How much the owner keeps unless told otherwise (page 7.1)."""
        return compacting.KEEPS

    def restorable(self, cut: int) -> Sequence[Restorable]:
        """None: the owner makes no checkpoints of files."""
        del cut
        return ()

    def does(self, call: Call) -> str | None:
        """What a tool of the owner's own does."""
        return does(call)

    def deeds(self, cut: int) -> Iterable[Deed]:
        """The agents of workflows, which no call tells of."""
        return deeds(self._material, cut)
