"""A plan: what would be done to a tape, and what of it would be kept; nothing in here writes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from inspector.formats.contract import RequestEntry, Seal
from inspector.formats.planning import (
    Check,
    Closer,
    How,
    Making,
    PlanKind,
    Prompt,
    Restorable,
    View,
    Write,
)
from inspector.plans.checking import all_kept


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asks for.

    Attributes:
        kind: what is planned.
        cut: the cursor behind the last event that is kept; None where nothing is cut.
        how: the way of writing; None is the format's default.
        view: the history; None is the default of the rule.
        keep_last: how many rows a compaction keeps; None is our default.
        summary: the summary of a compaction; None if there is none yet.
        degraded: whether pieces of the originals may stand for a summary.
        exclude: whether ``cut`` was asked for as "before an event" and not as "behind one".
        into: the folder in which a tape is made; None is where the owner looks for sessions.
    """

    kind: PlanKind
    cut: int | None = None
    how: How | None = None
    view: View | None = None
    keep_last: int | None = None
    summary: str | None = None
    degraded: bool = False
    exclude: bool = False
    into: Path | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a tape is cut: ``before`` and ``after`` are the nearest cuts that are allowed."""

    asked: int
    taken: int
    before: int | None
    after: int | None
    why: str


@dataclass(frozen=True, slots=True)
class ViewChoice:
    """Which history the plan gives, and what the model sees before and after.

    Attributes:
        choice: the view.
        offered: of each view None, or why it is not offered.
        before: the nodes of the surface of the head.
        after: the nodes of the surface that the plan gives.
        tokens_before: the estimate of the one.
        tokens_after: the estimate of the other.
        tokens_of: the estimate of each view that there is.
        leak: what a summary on the surface tells of what is undone; empty if none does.
    """

    choice: View
    offered: Mapping[View, str | None]
    before: tuple[int, ...]
    after: tuple[int, ...]
    tokens_before: int
    tokens_after: int
    tokens_of: Mapping[View, int] = field(default_factory=dict)
    leak: str = ""


class NotUndone(NamedTuple):
    """A call behind the cut that may have changed the world outside.

    Attributes:
        event: that made it.
        tool: its name.
        kind: the class of what it does: terminal, edit, network, subagent, unknown.
        what: the command, the path: what says most.
        restorable: the checkpoint event that could bring its file back, or None.
    """

    event: int
    tool: str
    kind: str
    what: str
    restorable: int | None


@dataclass(frozen=True, slots=True)
class Compaction:
    """What a compaction would hide and say.

    Attributes:
        owner: how many rows the owner's own split would hide, and its rule.
        safe: how many ours hides.
        moved_because: why ours is another one, a sentence each.
        hides: the nodes.
        launch: the node of the launching message if it is quoted in the summary, or None.
        prompt: what would be sent; no model is called.
        summary: what would stand for them; None if none is given.
        degraded: whether the summary is pieces of the originals.
    """

    owner: tuple[int, str]
    safe: int
    moved_because: tuple[str, ...]
    hides: tuple[int, ...]
    launch: int | None
    prompt: Prompt
    summary: str | None
    degraded: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be done; see `inspector.plans.planning`.

    Attributes:
        asked: what a person asked for.
        how: the way that is taken.
        ways: of each way None, or why it is not open.
        owner: the agent.
        path: of the tape.
        seal: of the head to which the plan is bound.
        making: the identity and time of what would be made.
        cut: where, or None.
        kept: events of the tape that are in the result.
        left: how many are not, by why; with ``kept`` all of them.
        checks: in order.
        view: None for a plan that changes no history.
        registers: named values that differ: as of the head, and as of the cut.
        not_undone: calls behind the cut that changed something.
        restorable: files that checkpoints could bring back.
        writes: what would be written, with its size in bytes.
        compaction: of a compaction alone.
        closers: of a repair alone.
        request: of a resume alone: what would be sent next.
        remarks: sentences about what the owner makes of it.
    """

    asked: Asked
    how: How
    ways: Mapping[How, str | None]
    owner: str
    path: Path
    seal: Seal
    making: Making
    kept: int
    left: Mapping[str, int]
    checks: tuple[Check, ...]
    cut: Cut | None = None
    view: ViewChoice | None = None
    registers: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    not_undone: tuple[NotUndone, ...] = ()
    restorable: tuple[Restorable, ...] = ()
    writes: tuple[tuple[Write, int], ...] = ()
    compaction: Compaction | None = None
    closers: tuple[Closer, ...] = ()
    request: tuple[RequestEntry, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def kind(self) -> PlanKind:
        """What is planned."""
        return self.asked.kind

    @property
    def left_behind(self) -> int:
        """How many events of the tape are not in the result."""
        return sum(self.left.values())

    @property
    def is_sound(self) -> bool:
        """Whether every check that blocks is kept."""
        return all_kept(self.checks)
