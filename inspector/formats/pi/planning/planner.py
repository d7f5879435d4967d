"""What is known of plans for one session; see `inspector.formats.planning.Planner`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from inspector.formats.parts import Call
from inspector.formats.pi.planning import compacting, moving, prompting, repairing, splitting, tools
from inspector.formats.pi.planning.composing import History
from inspector.formats.pi.planning.forking import forked
from inspector.formats.pi.planning.material import Material, Session
from inspector.formats.pi.planning.pairing import pairs
from inspector.formats.pi.planning.unhiding import Unhidden, unhidden
from inspector.formats.planning import (
    Cuts,
    Deed,
    Draft,
    How,
    Making,
    OwnTools,
    PlanError,
    PlanKind,
    Problem,
    Prompt,
    Repair,
    Restorable,
    Split,
    Unpaired,
    View,
)
from inspector.formats.viewing import Views, views

_NO_OTHER: Final = "a move gives back what the model saw there, and nothing else"
_PASSES_OVER: Final = "a line that is no JSON, which Pi passes over"
_IN_FILE: Final = "Pi itself moves within the file (`/tree`); this makes a session of its own"


class PiPlanner(OwnTools):
    """Plans for a session."""

    owner = "Pi"

    def __init__(self, session: Session) -> None:
        self._material = Material(session)
        self._views: tuple[tuple[int, int], Views] | None = None
        self._originals: tuple[tuple[int, int], Unhidden] | None = None

    def code(self, problem: Problem) -> str | None:
        """The owner has no words for problems."""
        del problem
        return None

    # How.

    def ways(self, kind: PlanKind) -> Mapping[How, str | None]:
        """How a plan can be written, the default first."""
        match kind:
            case PlanKind.FORK:
                why = "a fork is a session of its own, also where Pi makes it (format page 4.3)"
                return {How.CREATE: None, How.APPEND: why}
            case PlanKind.REWIND:
                return {How.APPEND: moving.no_append(self._material), How.CREATE: None}
            case PlanKind.COMPACT:
                why_not = compacting.no_append(self._material)
                if why_not is None:
                    why = "Pi appends a compaction to the session's own file (format page 4.2)"
                    return {How.APPEND: None, How.CREATE: why}
                return {How.CREATE: None, How.APPEND: why_not}
            case PlanKind.REPAIR:
                why = "Pi mends what it sends, and no file of its own (rules page P4)"
                return {How.APPEND: None, How.CREATE: why}
            case PlanKind.RESUME:
                why = "Pi takes a session up in its own file (format page 4.3)"
                return {How.APPEND: None, How.CREATE: why}

    # Where.

    def cuts(self, kind: PlanKind, how: How) -> Cuts:
        """Where the session may be cut: the owner forks and moves at every entry."""
        del kind
        if how is How.APPEND:
            return moving.cuts(self._material)
        return Cuts(self._material.head, ())

    def views(self, kind: PlanKind, how: How, cut: int) -> Mapping[View, str | None]:
        """Which histories can be given at a cut."""
        del kind
        found = self._found(cut)
        if how is How.APPEND:
            if not moving.cuts(self._material).legal(cut):
                return dict.fromkeys(View, moving.NAMED.why)
            same = {view: found.nodes(view) == found.as_of for view in View}
            same[View.ORIGINALS] &= not self._unhidden(cut).why_not
            return {view: None if same[view] else _NO_OTHER for view in View}
        lacking = self._unhidden(cut).why_not or None
        return {view: lacking if view is View.ORIGINALS else None for view in View}

    def _found(self, cut: int) -> Views:
        """The histories at a cut, which are looked for once."""
        asked = cut, self._material.head
        if self._views is None or self._views[0] != asked:
            own = self._unhidden(cut)
            found = views(self._material.timeline, cut)
            self._views = asked, found._replace(originals=own.nodes)
        return self._views[1]

    def _unhidden(self, cut: int) -> Unhidden:
        asked = cut, self._material.head
        if self._originals is None or self._originals[0] != asked:
            self._originals = asked, unhidden(self._material, cut)
        return self._originals[1]

    def originals(self, cut: int) -> Sequence[int]:
        """The rows of the path to a cut, whatever hides them."""
        return self._unhidden(cut).nodes

    def passes_over(self) -> str | None:
        """Lines that are no JSON are passed over (rules page P1); packed files are not read."""
        whole = self._material.timeline.stopped_at is None
        return _PASSES_OVER if whole and self._material.session.log.variant == "jsonl" else None

    # What.

    def cut(self, kind: PlanKind, how: How, at: int, view: View, making: Making) -> Draft:
        """What a fork or a rewind would make.

        Raises:
            PlanError: if it cannot have the history.
        """
        self._followed(at)
        if how is How.APPEND:
            return moving.moved(self._material, at, making)
        nodes = self._found(at).nodes(view)
        if isinstance(nodes, str):
            raise PlanError(nodes)
        history = History(self._material, at, nodes, view is not View.ORIGINALS)
        remarks = (_IN_FILE,) if kind is PlanKind.REWIND else ()
        if kind is PlanKind.FORK and (back := moving.moved_back(self._material, at)):
            remarks = (back,)
        checks = (repairing.answered(self._material, nodes),)
        return forked(history, making, checks, remarks)

    def _followed(self, at: int) -> None:
        """Raises `PlanError` for a cursor behind the one at which the fold stops."""
        stop = self._material.timeline.stopped_at
        if stop is not None and at > stop:
            raise PlanError(f"the fold stops at cursor {stop}: what is behind it is not known")

    # Repair and compaction.

    def repair(self, making: Making) -> Repair:
        """What the owner would mend, none of which it writes down."""
        del making
        return repairing.repair(self._material)

    def split(self, keep_last: int | None) -> Split:
        """The owner's division, which counts tokens and no rows."""
        del keep_last
        return splitting.split(self._material)

    def prompt(self, rows: int) -> Prompt:
        """What would be sent to have the first rows summarised."""
        return prompting.prompt(self._material, rows)

    def compact(self, rows: int, summary: str, making: Making) -> Draft:
        """A compaction whose summary stands for the first rows."""
        self._followed(self._material.head)
        return compacting.compacted(self._material, rows, summary, making)

    def compact_anew(self, rows: int, summary: str, making: Making) -> Draft:
        """The same at the end of a copy."""
        self._followed(self._material.head)
        return compacting.compacted(self._material, rows, summary, making, anew=True)

    def keeps_by_default(self) -> str:
        """How much the owner keeps."""
        return splitting.KEEPS

    def restorable(self, cut: int) -> Sequence[Restorable]:
        """None: the owner keeps no copies of files."""
        del cut
        return ()

    # What stays done.

    def does(self, call: Call) -> str | None:
        """What a tool does to the world outside, if it is the owner's or only looks."""
        return tools.does(call)

    def deeds(self, cut: int) -> Iterable[Deed]:
        """What was done behind a cut and is told by no call of the model."""
        return tools.deeds(self._material, cut)

    def unpaired(self, nodes: Sequence[int]) -> Unpaired:
        """What of a surface the owner finds without its other half (rules page P4)."""
        found = pairs(self._material, nodes)
        return Unpaired(found.orphans, list(dict.fromkeys(one.node for one in found.waiting)))
