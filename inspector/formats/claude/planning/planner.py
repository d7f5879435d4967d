"""What is known of plans for one transcript; see `inspector.formats.planning.Planner`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from inspector.formats.claude.planning import compacting, restoring, tools
from inspector.formats.claude.planning.composing import History
from inspector.formats.claude.planning.cuts import cuts
from inspector.formats.claude.planning.deeds import deeds
from inspector.formats.claude.planning.forking import forked
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.planning.repair import repair
from inspector.formats.claude.tree.store import MESSAGE, REMINDER
from inspector.formats.parts import Call
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
    View,
)
from inspector.formats.viewing import Views, views

_SUBAGENT: Final = (
    "it is the transcript of a subagent, which is no session: Claude Code keeps it with the "
    "session that it belongs to (format page 1.1)"
)
_NO_MESSAGE: Final = (
    "it ends with an attachment, and this reader shows none behind the last message"
)
_REWINDS: Final = (
    "Claude Code writes nothing on a rewind: the next message takes an older parent "
    "(format page 1.8)"
)


class ClaudePlanner(OwnTools):
    """Plans for a transcript."""

    owner = "Claude Code"

    def __init__(self, material: Material) -> None:
        self._material = material
        self._views: tuple[int, Views] | None = None

    def code(self, problem: Problem) -> str | None:
        """The owner has no words for problems."""
        del problem
        return None

    # How.

    def ways(self, kind: PlanKind) -> Mapping[How, str | None]:
        """How a plan can be written, the default first."""
        create = self._no_create()
        match kind:
            case PlanKind.FORK:
                why = "a fork is a session of its own, also where Claude Code makes it"
            case PlanKind.REWIND:
                why = _REWINDS
            case PlanKind.COMPACT:
                why = "a compaction always makes a new session"
            case PlanKind.REPAIR:
                why = "Claude Code writes nothing behind a transcript to mend it"
                return {How.CREATE: None, How.APPEND: why}
            case PlanKind.RESUME:
                why = "Claude Code takes a session up in its own transcript (format page 1.8)"
                return {How.APPEND: None, How.CREATE: why}
        return {How.CREATE: create, How.APPEND: why}

    def _no_create(self) -> str | None:
        """Why no new session can be made of the transcript, or None."""
        return _SUBAGENT if self._material.subagent else None

    # Cuts.

    def cuts(self, kind: PlanKind, how: How) -> Cuts:
        """Where the transcript may be cut."""
        del how
        return cuts(self._material, kind)

    def views(self, kind: PlanKind, how: How, cut: int) -> Mapping[View, str | None]:
        """Which histories can be given at a cut: a new session can be given nearly any."""
        del kind
        why = self._no_create() if how is How.CREATE else _REWINDS
        if why is not None or not self._material.policy.reload:
            return dict.fromkeys(View, why)
        found = self._found(cut)
        return {view: self._no_end(found.nodes(view)) for view in View}

    def _found(self, cut: int) -> Views:
        """The histories at a cut, which are looked for once."""
        if self._views is None or self._views[0] != cut:
            self._views = cut, views(self._material.timeline, cut)
        return self._views[1]

    def _no_end(self, nodes: tuple[int, ...] | str) -> str | None:
        """Why a reader that opens a whole file would not show rows to the end, or None."""
        if isinstance(nodes, str) or not nodes:
            return None
        flags = [self._material.row_flags(event) for event in self._material.origins(nodes)]
        ends = not flags[-1] & REMINDER and any(one & MESSAGE for one in flags)
        return None if ends else _NO_MESSAGE

    def cut(self, kind: PlanKind, how: How, at: int, view: View, making: Making) -> Draft:
        """What a fork or a rewind would make."""
        del kind, how
        nodes = self._found(at).nodes(view)
        if isinstance(nodes, str):
            raise PlanError(nodes)
        summaries = view is not View.ORIGINALS
        return forked(History(self._material, at, nodes, summaries), making)

    # Repair and compaction.

    def repair(self, making: Making) -> Repair:
        """What would be mended."""
        return repair(self._material, making, self._no_create())

    def split(self, keep_last: int | None) -> Split:
        """The owner's division, which counts nothing that could be kept."""
        del keep_last
        return compacting.split(self._material)

    def prompt(self, rows: int) -> Prompt:
        """What would be sent to have the first rows summarised."""
        return compacting.prompt(self._material, rows)

    def compact(self, rows: int, summary: str, making: Making) -> Draft:
        """A new session in which a summary stands for the first rows."""
        return compacting.compacted(self._material, rows, summary, making)

    def keeps_by_default(self) -> str:
        """How much the owner keeps."""
        return compacting.KEEPS

    def restorable(self, cut: int) -> Sequence[Restorable]:
        """The files that checkpoints could bring back."""
        return restoring.restorable(self._material, cut)

    # What stays done.

    def does(self, call: Call) -> str | None:
        """What a tool does to the world outside, if it is the owner's or only looks."""
        return tools.does(call)

    def deeds(self, cut: int) -> Iterable[Deed]:
        """Commands of the person behind a cut, and calls that the provider ran."""
        return deeds(self._material, cut)
