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
from inspector.plans.checking import all_kept, broken


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
        summary_file: the file that the summary comes from; None where it is none.
        past_unknown: whether the tape was folded past a required unknown event.
        unpack_limit: the most bytes that it might unpack to; None is the stated limit.
        moved_from: the cursor that was asked for, where ``cut`` is the nearest allowed one to it.
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
    summary_file: Path | None = None
    past_unknown: bool = False
    unpack_limit: int | None = None
    moved_from: int | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a tape is cut: ``before`` and ``after`` are the nearest cuts that are allowed.

    ``why`` tells why none is allowed at the cursor that was ``asked`` for; empty if one is.
    """

    asked: int
    taken: int
    before: int | None
    after: int | None
    why: str


class Seen(NamedTuple):
    """How much the model sees: rows, or entries of a request, and their estimated tokens."""

    rows: int
    tokens: int


class Reported(NamedTuple):
    """The tokens of the context that the provider last reported, and the event that tells it."""

    tokens: int
    event: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What the model sees before and after what is planned.

    Attributes:
        before: the surface of the head; of a resume that at its cursor.
        after: what is made, or what is sent; of a compaction without a summary all but that.
        nodes_before: the rows of the one.
        nodes_after: those of the other, None for one that is no row of the tape; no list at all
            where it is not known which they are.
        summary: the tokens of a compaction's summary; None where there is none yet, or none at all.
        entries: whether ``after`` counts the entries of a request.
        reported: what the provider last reported of the context, up to the head or the cursor.
    """

    before: Seen
    after: Seen
    nodes_before: tuple[int, ...]
    nodes_after: tuple[int | None, ...] | None
    summary: int | None = None
    entries: bool = False
    reported: Reported | None = None


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
        declined: whether the tape tells that it was not allowed, and so did nothing.
        waits: whether somebody was asked to allow it, and nothing tells of an answer.
    """

    event: int
    tool: str
    kind: str
    what: str
    restorable: int | None
    declined: bool = False
    waits: bool = False


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
        summary: what would stand for them, secrets masked; None if none is given.
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
        effect: what the model sees before and after.
        view: None for a plan that changes no history.
        registers: named values that differ: as of the head, and in what is made.
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
    effect: Effect
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

    @property
    def broken(self) -> list[Check]:
        """The checks that block and are not kept."""
        return broken(self.checks)
