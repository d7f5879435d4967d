"""Plans for a session of DeepChat; see `inspector.formats.planning.Planner`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from inspector.formats.deepchat.context.records import ASSISTANT
from inspector.formats.deepchat.planning import compacting, repair
from inspector.formats.deepchat.planning.cuts import cuts
from inspector.formats.deepchat.planning.forking import Copies, Forking
from inspector.formats.deepchat.planning.giving import Giving
from inspector.formats.deepchat.planning.material import Material
from inspector.formats.deepchat.sources.store import forked_from
from inspector.formats.planning import (
    Check,
    Cuts,
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
from inspector.text.gate import clean_line
from inspector.text.labels import plural

WRITES: Final = "writes"
"""The check that a plan which nobody writes does not keep."""

PLAN_ONLY: Final = (
    "plan only: the database is DeepChat's own, its rows are bound to other tables, ids and "
    "hashes, and what looks damaged to it is deleted at its next start"
)
"""Format page 1 and 2."""

_FORK_IS_NEW: Final = "a fork is a session of its own, also where DeepChat makes it"
_DELETES: Final = (
    "DeepChat's own way back appends retractions, and deletes the messages of its transcript, "
    "their search texts and traces for good"
)
_TRANSACTION: Final = (
    "DeepChat writes the anchor together with its settings and its transcript, in one transaction"
)
_IN_MEMORY: Final = "DeepChat mends each request in memory, and its own tables at its next start"
_IN_ITS_TABLES: Final = "DeepChat takes a session up in its own tables"
_NO_SESSION: Final = "a fork of a tape is no session: DeepChat lists none of this id"

_SHOWN: Final = 80


class DeepChatPlanner(OwnTools):
    """Plans for one session, folded to its head."""

    owner: Final = "DeepChat"

    def __init__(self, material: Material) -> None:
        self._material = material
        self._forking = Forking(material)
        self._last: tuple[int, Views, Copies] | None = None

    def _at(self, cut: int) -> tuple[Views, Copies]:
        """The histories of a cut, and what is copied for it: a plan asks for them again."""
        if self._last is None or self._last[0] != cut:
            found = views(self._material.timeline, cut, self._material.named)
            self._last = cut, found, self._forking.copies(cut)
        return self._last[1:]

    def code(self, problem: Problem) -> str | None:
        """The owner has sentences, and no words."""
        del problem
        return None

    # How and where.

    def ways(self, kind: PlanKind) -> dict[How, str | None]:
        """How a plan is made; what is open is a plan alone, see `PLAN_ONLY`."""
        match kind:
            case PlanKind.REPAIR:
                return {How.CREATE: None, How.APPEND: _IN_MEMORY}
        if forked_from(self._material.session.id) is not None:
            return dict.fromkeys(How, _NO_SESSION)
        match kind:
            case PlanKind.RESUME:
                return {How.APPEND: None, How.CREATE: _IN_ITS_TABLES}
            case PlanKind.FORK:
                return {How.CREATE: None, How.APPEND: _FORK_IS_NEW}
            case PlanKind.REWIND:
                return {How.CREATE: None, How.APPEND: _DELETES}
            case PlanKind.COMPACT:
                return {How.CREATE: None, How.APPEND: _TRANSACTION}

    def cuts(self, kind: PlanKind, how: How) -> Cuts:
        """Where the session may be cut."""
        timeline = self._material.timeline

        def gives(cut: int) -> bool:
            return None in self.views(kind, how, cut).values()

        giving = Giving(timeline, self._forking.transcript, gives)
        return cuts(timeline, self._material.pending, giving.nowhere)

    def views(self, kind: PlanKind, how: How, cut: int) -> Mapping[View, str | None]:
        """Which histories the owner's Fork shows."""
        del kind, how
        found, copies = self._at(cut)
        offered: dict[View, str | None] = {}
        for view in View:
            nodes = found.nodes(view)
            if isinstance(nodes, str):
                offered[view] = nodes
            else:
                offered[view] = self._forking.refuses(cut, nodes, copies)
        return offered

    # What.

    def cut(self, kind: PlanKind, how: How, at: int, view: View, making: Making) -> Draft:
        """What the owner's Fork would hold; it is not written.

        Raises:
            PlanError: if it does not show the history.
        """
        del how, making
        found, copies = self._at(at)
        nodes = found.nodes(view)
        if isinstance(nodes, str):
            raise PlanError(nodes)
        if (why := self._forking.refuses(at, nodes, copies)) is not None:
            raise PlanError(why)
        kept, omitted = self._forking.left(at, nodes, copies)
        return Draft((), kept, omitted, (plan_only(),), tuple(self._remarks(kind, at, copies)))

    def _remarks(self, kind: PlanKind, at: int, copies: Copies) -> Iterator[str]:
        if copies.target is not None:
            record = copies.target.record
            who = "answer" if record.role == ASSISTANT else "message"
            yield (
                f"DeepChat's own Fork at the {who} of {self._material.named(copies.target.event)} "
                f"(id {clean_line(record.id, _SHOWN)}) gives this: "
                f"{plural(len(copies.messages), 'sent message')} copied with new ids, numbered "
                "from 1; no pointer to this session remains, its summary is reset, and its tape is "
                "made anew with the times of the copying (format page 7)"
            )
        if at and self._material.number(at - 1) is not None:
            yield (
                "DeepChat's tape fork, which none of its screens calls, would start at "
                f"{self._material.named(at - 1)} and copy no row: DeepChat's fold of it alone "
                "shows nothing of this session (format page 7)"
            )
        if kind is PlanKind.REWIND:
            behind = sum(
                copies.target is None or message.record.order > copies.target.record.order
                for message in self._forking.transcript.now
            )
            yield f"{_DELETES}: here {plural(behind, 'message')}"

    def repair(self, making: Making) -> Repair:
        """What the owner does at its next start and in each request."""
        del making
        return repair.repair(self._material, self._forking.transcript)

    def split(self, keep_last: int | None) -> Split:
        """Where the owner would divide the surface; how many turns it keeps nobody can tell it."""
        del keep_last
        return compacting.split(self._material, self._forking.transcript)

    def prompt(self, rows: int) -> Prompt:
        """What would be sent to have the first rows summarised."""
        return compacting.prompt(self._material, self._forking.transcript, rows)

    def compact(self, rows: int, summary: str, making: Making) -> Draft:
        """An anchor with a summary in the place of the first rows; it is not written."""
        del making
        found = compacting.checks(self._material, self._forking.transcript, rows, summary)
        return Draft(
            (),
            self._material.timeline.events,
            checks=(plan_only(), *found),
            remarks=(compacting.ANCHORS,),
        )

    def keeps_by_default(self) -> str:
        """How much the owner keeps unless told otherwise."""
        return compacting.KEEPS

    def restorable(self, cut: int) -> Sequence[Restorable]:
        """None: the owner makes no checkpoints of files."""
        del cut
        return ()


def plan_only() -> Check:
    """The check that blocks every plan of this agent that would write."""
    return Check(WRITES, ok=False, message=PLAN_ONLY)
