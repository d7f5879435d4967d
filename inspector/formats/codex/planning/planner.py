"""What is known of plans for one log; see `inspector.formats.planning.Planner`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from inspector.formats.codex.planning import compaction
from inspector.formats.codex.planning.alternatives import Alternatives
from inspector.formats.codex.planning.cuts import cuts
from inspector.formats.codex.planning.deeds import deeds
from inspector.formats.codex.planning.repair import repair
from inspector.formats.codex.planning.rollout import Rollout
from inspector.formats.codex.planning.tools import does
from inspector.formats.codex.planning.writing import Copy, History, event_line
from inspector.formats.codex.replacements import said
from inspector.formats.codex.requesting import Row, unpaired
from inspector.formats.parts import Call
from inspector.formats.planning import (
    Check,
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
    Write,
)
from inspector.formats.stamps import stamp
from inspector.formats.viewing import is_summary, views
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.timeline.words import Kind, Role

_PAGED: Final = "paginated"
_UNSUMMARISED: Final = "(no summary: what was said, as it was said)"
"""What a compaction says that only says what the history is."""

_NO_OTHER: Final = "a rollback gives back what the model saw, and nothing else"
_NOT_LEFT: Final = "no rollback of whole turns leaves what the model saw there"
"""Why a rollback gives no view."""


class CodexPlanner(OwnTools):
    """Plans for a log."""

    owner = "Codex"

    def __init__(self, rollout: Rollout) -> None:
        self._rollout = rollout

    @cached_property
    def _rollbacks(self) -> Alternatives:
        return Alternatives(self._rollout.history, self._rollout.timeline)

    def code(self, problem: Problem) -> str | None:
        """The owner has no words for problems."""
        del problem
        return None

    # How. A reason is told in a line of eighty columns; the longer one is in the documents.

    def ways(self, kind: PlanKind) -> Mapping[How, str | None]:
        """How a plan can be written, the default first."""
        create = self._no_create()
        match kind:
            case PlanKind.FORK:
                why = "a fork of Codex's is a log of its own (format page 2.10)"
                return {How.CREATE: create, How.APPEND: why}
            case PlanKind.REWIND:
                return {How.APPEND: self._no_append(), How.CREATE: create}
            case PlanKind.COMPACT:
                return {How.CREATE: create, How.APPEND: "a compaction always makes a new log"}
            case PlanKind.REPAIR:
                why = "Codex writes nothing behind a log to mend it (RULES R5)"
                return {How.CREATE: None, How.APPEND: why}
            case PlanKind.RESUME:
                why = "Codex takes a session up in its own log (format page 2.10)"
                return {How.APPEND: None, How.CREATE: why}

    def _no_create(self) -> str | None:
        """Why no new log can be made of this one, or None."""
        rollout, header = self._rollout, self._rollout.header
        if header is None or header.id is None:
            return "the log does not say which thread it is"
        if header.bare:
            return "the log is of an older release that Codex does not read"
        if header.mode_problem is not None:
            return f"Codex refuses the log: {clean_line(header.mode_problem, 120)}"
        if header.mode == _PAGED:
            return "the thread is kept in pages: how Codex cuts it is unknown"
        if header.base is not None or rollout.head is None:
            return "it goes on from another log: how Codex cuts it is unknown"
        return None

    def _no_append(self) -> str | None:
        """Why nothing can be appended to the log, or None."""
        rollout = self._rollout
        why = self._no_create()
        if why is not None:
            return why
        if rollout.variant != "jsonl":
            return "Codex unpacks a packed log before it goes on in it"
        if not rollout.named:
            return "the log is no file of its own"
        if rollout.verdict.opens is False:
            return f"Codex refuses the log: {clean_line(rollout.verdict.reason or '', 200)}"
        if rollout.timeline.stopped_at is not None:
            return "the fold stops: what a rollback would leave is unknown"
        if rollout.pending:
            return "what is appended would become a part of a torn line"
        return None

    # Cuts.

    def cuts(self, kind: PlanKind, how: How) -> Cuts:
        """Where the log may be cut."""
        del kind
        return cuts(self._rollout.timeline, self._rollbacks if how is How.APPEND else None)

    def views(self, kind: PlanKind, how: How, cut: int) -> Mapping[View, str | None]:
        """Which histories can be given at a cut."""
        del kind
        if how is How.CREATE:
            return dict.fromkeys(View)
        found = views(self._rollout.timeline, cut)
        given = found.as_of if self._rollbacks.turns_to(cut) is not None else None
        why = _NOT_LEFT if given is None else _NO_OTHER
        return {view: None if found.nodes(view) == given else why for view in View}

    def cut(self, kind: PlanKind, how: How, at: int, view: View, making: Making) -> Draft:
        """What a fork or a rewind would make."""
        del kind
        return (
            self._rolled_back(at, making) if how is How.APPEND else self._forked(at, view, making)
        )

    def _rolled_back(self, at: int, making: Making) -> Draft:
        """A marker behind the log, which changes no setting (format page 2.10, RULES R1)."""
        turns, head = self._rollbacks.turns_to(at), self._rollout.events
        if turns is None:
            return Draft((), at, registers=head)
        if not turns:
            why = "nothing to roll back: the model sees this already"
            return Draft((), at, remarks=(why,), registers=head)
        line = event_line("thread_rolled_back", stamp(making.time), num_turns=turns)
        if not self._rollout.ends_line():
            # So does the owner, whatever stands there (RULES R0).
            line = b"\n" + line
        return Draft(
            (Write(self._rollout.path, How.APPEND, lambda: iter((line,))),),
            at,
            remarks=(
                f"rolls back {plural(turns, 'turn')}, as Codex counts them",
                "there is no undoing of a rollback; what it takes back stays in the log",
            ),
            registers=head,
        )

    def _forked(self, at: int, view: View, making: Making) -> Draft:
        """A new log of the records before the cut."""
        rollout = self._rollout
        found = views(rollout.timeline, at)
        nodes = found.nodes(view)
        if isinstance(nodes, str):
            raise PlanError(nodes)
        if nodes == found.as_of:
            return Copy(rollout, at, making).draft()
        compactions = view is not View.ORIGINALS
        if not compactions and nodes == self._rollbacks.uncompacted(at):
            return Copy(rollout, at, making, compactions=False).draft()
        history = History(self._summary(nodes), nodes)
        draft = Copy(rollout, at, making, compactions=compactions, history=history).draft(
            "behind the copies a compaction in a turn of its own says what the history is",
            *self._from_behind(nodes, at),
        )
        return replace(draft, behind=len(self._behind(nodes, at)))

    def _behind(self, nodes: Sequence[int], at: int) -> list[int]:
        """The compactions behind a cut of which a history has anything."""
        origin = self._rollout.timeline.surface.nodes.origin
        return sorted({event for event in map(origin, nodes) if event >= at})

    def _from_behind(self, nodes: Sequence[int], at: int) -> Iterator[str]:
        found = self._behind(nodes, at)
        if found:
            said = plural(len(found), "compaction says", "compactions say")
            yield f"it has what {said} behind the cut, the first #{found[0]}"

    def _summary(self, nodes: Sequence[int]) -> str:
        """What the last summary among rows says, which may be for the provider alone; or that there
        is none.
        """
        table = self._rollout.timeline.surface.nodes
        for node in reversed(nodes):
            if is_summary(self._rollout.timeline, node) and table.role(node) is Role.SUMMARY:
                return said(self._rollout.item(node))
        return _UNSUMMARISED

    # Repair and compaction.

    def repair(self, making: Making) -> Repair:
        """What would be mended."""
        return repair(self._rollout, making, self._no_create())

    def split(self, keep_last: int | None) -> Split:
        """The owner's division, which counts nothing that could be kept."""
        del keep_last
        return compaction.split(self._rollout.timeline.count(self._rollout.events))

    def prompt(self, rows: int) -> Prompt:
        """What would be sent to have the first rows summarised."""
        return compaction.prompt(self._rollout, rows)

    def compact(self, rows: int, summary: str, making: Making) -> Draft:
        """A new log in which a summary stands for the first rows."""
        return compaction.compacted(self._rollout, rows, summary, making)

    def going_on(self) -> Iterable[Check]:
        """What is going on at the head, which Codex never ends."""
        return compaction.going_on(self._rollout.timeline)

    def keeps_by_default(self) -> str:
        """How much the owner keeps."""
        return compaction.KEEPS

    def restorable(self, cut: int) -> Sequence[Restorable]:
        """None: the owner loads no snapshots any more (format page 2.4)."""
        del cut
        return ()

    def unpaired(self, nodes: Sequence[int]) -> Unpaired:
        """What of a surface the owner finds without its other half (RULES R5)."""
        kinds = self._rollout.timeline.surface.nodes.kind
        rows = [
            Row(node, self._rollout.item(node))
            for node in nodes
            if kinds(node) in (Kind.TOOL_CALL, Kind.TOOL_RESULT)
        ]
        return Unpaired(*unpaired(rows))

    # What is done to the world outside.

    def does(self, call: Call) -> str | None:
        """What a tool of the owner's own does."""
        return does(call, self._foreign)

    def deeds(self, cut: int) -> Iterable[Deed]:
        """What was done behind a cut and is told by no call of the history."""
        return deeds(self._rollout, cut, self._foreign)

    @cached_property
    def _foreign(self) -> frozenset[str]:
        return self._rollout.foreign_tools()
