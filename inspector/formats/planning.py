"""What a format must say of plans: where its tapes may be cut, and what would be written.

A planner reads its tape and writes nothing. Identities and times of what is made are given to it,
so that the same question gives the same bytes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol
from uuid import UUID, uuid5

from inspector.formats.parts import Call


class PlanError(Exception):
    """A plan that cannot be made; one sentence, and the owner's word for it where it has one."""

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code


class PlanKind(Enum):
    """What is planned."""

    FORK = "fork"
    REWIND = "rewind"
    COMPACT = "compact"
    REPAIR = "repair"
    RESUME = "resume"


class How(Enum):
    """How it would be written: records behind the tape's own, or a tape of its own."""

    APPEND = "append"
    CREATE = "create"


class View(Enum):
    """Which history a cut is given (``docs/reference.md``)."""

    AS_OF = "as-of"
    COMPACTED = "compacted"
    ORIGINALS = "originals"


class Problem(Enum):
    """What is wrong with a call for a plan, for which an owner may have a word."""

    NO_SUCH_CUT = "no such cut"
    NO_SUCH_TAPE = "no such tape"
    EXISTS = "the target exists"


class Stop(NamedTuple):
    """Why a tape may not be cut at a cursor.

    Attributes:
        rule: a word for it, the same in every format.
        why: completes "no: …".
        kept: what is so where the rule allows a cut, a sentence without its stop; empty where that
            is not to be told.
        code: the owner's word, where it has one.
    """

    rule: str
    why: str
    kept: str
    code: str | None = None


OPEN_TURN: Final = "open-turn"
UNANSWERED: Final = "unanswered-calls"
IN_COMPACTION: Final = "compaction-bracket"
NOT_A_BOUNDARY: Final = "user-boundary"
OFF_BRANCH: Final = "on-branch"
UNSETTLED: Final = "settled"
UNRELIABLE: Final = "reliable"
VERDICT: Final = "verdict"
OWNER_READS: Final = "owner-reads"
"""A format's own word for what `VERDICT` tells of every format."""

_MOST_RULES: Final = 8


class Cuts:
    """Whether a tape may be cut at each of its cursors, and if not why.

    Args:
        head: the cursor of the head.
        stops: the rules, eight at the most, each with the cursors at which it forbids a cut: ranges
            of cursors, the ends not included.
    """

    def __init__(self, head: int, stops: Iterable[tuple[Stop, Iterable[tuple[int, int]]]]) -> None:
        self.head = head
        self._stops: list[Stop] = []
        masks = bytes(head + 1)
        for stop, ranges in stops:
            bit = len(self._stops)
            if bit == _MOST_RULES:
                raise ValueError("more rules than a byte has bits")
            self._stops.append(stop)
            masks = _with(masks, 1 << bit, ranges)
        self._masks = masks

    @property
    def rules(self) -> Sequence[Stop]:
        """All rules, those included that forbid nothing here."""
        return self._stops

    def by(self, rule: str) -> "Cuts | None":
        """The cuts by one rule alone; None where there is no such rule."""
        bits = [bit for bit, stop in enumerate(self._stops) if stop.rule == rule]
        if not bits:
            return None
        return Cuts(self.head, [(self._stops[bit], self._forbidden(bit)) for bit in bits])

    def _forbidden(self, bit: int) -> Iterator[tuple[int, int]]:
        cursors = (at for at, mask in enumerate(self._masks) if mask >> bit & 1)
        yield from ((at, at + 1) for at in cursors)

    def legal(self, cursor: int) -> bool:
        """Whether a cut is allowed."""
        return not self._masks[cursor]

    def stops(self, cursor: int) -> list[Stop]:
        """The rules that forbid a cut; none where it is allowed."""
        mask = self._masks[cursor]
        return [stop for bit, stop in enumerate(self._stops) if mask >> bit & 1]

    def where(self, stop: Stop) -> Iterator[tuple[int, int]]:
        """The cursors at which a rule forbids a cut, as ranges without their ends."""
        bit = 1 << self._stops.index(stop)
        start: int | None = None
        for cursor, mask in enumerate(self._masks):
            if mask & bit and start is None:
                start = cursor
            elif not mask & bit and start is not None:
                yield start, cursor
                start = None
        if start is not None:
            yield start, len(self._masks)

    def before(self, cursor: int) -> int | None:
        """The last allowed cut before a cursor."""
        found = self._masks.rfind(b"\0", 0, cursor)
        return None if found < 0 else found

    def after(self, cursor: int) -> int | None:
        """The first allowed cut behind a cursor."""
        found = self._masks.find(b"\0", cursor + 1)
        return None if found < 0 else found

    def any_within(self, start: int, stop: int) -> bool:
        """Whether a cut is allowed at any cursor from one to before another."""
        return self._masks.find(b"\0", start, stop) >= 0


def _with(masks: bytes, bit: int, ranges: Iterable[tuple[int, int]]) -> bytes:
    """Masks with a bit set in ranges of cursors."""
    size = len(masks)
    steps = [0] * (size + 1)
    touched = False
    for start, stop in ranges:
        first, behind = max(0, start), min(size, stop)
        if first < behind:
            steps[first] += 1
            steps[behind] -= 1
            touched = True
    if not touched:
        return masks
    depths = accumulate(steps)
    return bytes(mask | bit if depth else mask for mask, depth in zip(masks, depths, strict=False))


class Making(NamedTuple):
    """What is given to a tape that is made: the owner's id for it, and when, in milliseconds."""

    id: str
    time: int

    def derived(self, name: str) -> str:
        """Another id, the same for the same name."""
        return str(uuid5(_NAMES, f"{self.id}/{name}"))


_NAMES: Final = UUID("5b1f0a52-6a3e-4b0c-9d2f-2f6d0f0f7f11")


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes that would be written to one file.

    Attributes:
        to: which.
        how: behind what it holds, or as a new one.
        content: gives the bytes in pieces, from the beginning, each time it is asked.
        own: how many of the last names of ``to`` belong to the tape that is made: its file, or that
            and the folder it has for itself. What is before them is where the tape is made.
        length: how many bytes there are, where that is known already.
    """

    to: Path
    how: How
    content: Callable[[], Iterator[bytes]]
    own: int = 1
    length: int | None = None

    def size(self) -> int:
        """How many bytes there are; goes through all of them if that is not known."""
        return sum(map(len, self.content())) if self.length is None else self.length


class Check(NamedTuple):
    """A rule, whether a plan keeps it, and what was found, in a sentence.

    ``code`` is the owner's word for a rule that is broken. What ``blocks`` makes a plan that is not
    to be applied; the rest is said for the person to judge.
    """

    rule: str
    ok: bool
    message: str
    code: str | None = None
    blocks: bool = True


@dataclass(frozen=True, slots=True)
class Draft:
    """What a plan would make.

    Attributes:
        writes: the files.
        kept: how many events before the cut are in the result: they travel, or stay in force.
        omitted: how many events before the cut are not, by why; with ``kept`` all of them.
        behind: how many events from behind the cut travel too: a later compaction's.
        checks: what the format looked at beside where the tape is cut.
        remarks: sentences about what the owner makes of it.
        place: sentences about where it would stand, told unless another folder is asked for.
        registers: the named values that the result of a cut has: they themselves, or the cursor of
            the tape whose they are; None is the cut.
    """

    writes: tuple[Write, ...]
    kept: int
    omitted: Mapping[str, int] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    remarks: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    behind: int = 0
    registers: Mapping[str, Any] | int | None = None


@dataclass(frozen=True, slots=True)
class Closer:
    """One thing that a repair would add, drop or alter.

    Attributes:
        type: the owner's word for the record.
        does: ``added``, ``dropped`` or ``altered``.
        what: what it says, in our words.
        call_id: the owner's id of the call that it is about, or None.
        code: the owner's word for what happened to the call, or None.
        event: the position of the event that it is about, or None.
    """

    type: str
    does: str
    what: str
    call_id: str | None = None
    code: str | None = None
    event: int | None = None


@dataclass(frozen=True, slots=True)
class Repair:
    """What the owner, or we in its place, would do to a tape whose writer stopped in the middle.

    Attributes:
        closers: in the order in which they come; none where nothing is to be done.
        durable: what would be written, or None where the owner mends it with each request alone.
        why_not: why nothing would be written although something is to be done; else empty.
    """

    closers: tuple[Closer, ...]
    durable: Draft | None = None
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Split:
    """Where a compaction would divide a surface: so many rows are summarised, the rest is kept.

    Attributes:
        rows: how many rows from the first on would be summarised.
        why: the rule, in words.
    """

    rows: int
    why: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What would be sent to a model to have it summarise.

    Attributes:
        text: all of it, redacted and cut.
        length: in ``unit``.
        unit: ``bytes`` or ``characters``, as the owner counts.
        limit: the most of them, or None.
        truncated: whether something was cut off.
    """

    text: str
    length: int
    unit: str
    limit: int | None
    truncated: bool


@dataclass(frozen=True, slots=True)
class Restorable:
    """A file of which a checkpoint of the tape tells.

    Attributes:
        path: as the tape has it.
        event: the position of the checkpoint.
        how: what restoring would do, in words: put back, delete; or why it does nothing.
        back: whether it could bring the file back, as far as can be seen here.
        folder: what a relative path is relative to, if the format knows it; else empty.
    """

    path: str
    event: int
    how: str
    back: bool = True
    folder: str = ""


TERMINAL: Final = "terminal"
EDIT: Final = "edit"
NETWORK: Final = "network"
SUBAGENT: Final = "subagent"
UNKNOWN: Final = "unknown"
"""Classes of what a tool does to the world outside; a format may have words of its own."""

HARMLESS: Final = "harmless"
"""What tools do that only look, ask, wait, or keep the agent's own list."""


class Deed(NamedTuple):
    """Something that was done to the world outside and is told by no call of `Tape.parts`.

    An event that tells only of the end of a command, a command that the person typed, a call that
    the provider ran.

    Attributes:
        event: the position of the event that tells of it.
        call: what was done, as a call of a tool; one with the id of a call behind the same cut
            that its own event makes is told there, and not twice.
        kind: its class, or `HARMLESS`; None to have it told by the call, as that of any call.
        what: the command, the paths; empty to have it taken from what the call was given.
        at_server: whether the tool is one of an MCP server although its name does not say so.
    """

    event: int
    call: Call
    kind: str | None = None
    what: str = ""
    at_server: bool = False


class Unpaired(NamedTuple):
    """The nodes of a surface that lack the other half, by the owner's own rule.

    Attributes:
        results: those that answer no call of the surface.
        calls: those that nothing on the surface answers.
    """

    results: list[int]
    calls: list[int]


class OwnTools:
    """What is known of an agent's own tools: nothing, unless a planner says more."""

    def does(self, call: Call) -> str | None:
        """What a tool of the agent's own does to the world outside: a class, or `HARMLESS`.

        None for every other tool: what that does is told by its name and what it is given.
        """
        del call
        return None

    def deeds(self, cut: int) -> Iterable[Deed]:
        """What was done behind a cut beside the calls of `Tape.parts`; raises `SourceError`."""
        del cut
        return ()

    def unpaired(self, nodes: Sequence[int]) -> Unpaired | None:
        """What of a surface the owner finds without its other half; raises `SourceError`.

        None where it has no rule of its own: a result stands behind its call, on the surface.
        """
        del nodes
        return None

    def going_on(self) -> Iterable[Check]:
        """What a compaction breaks by what is going on at the head, in the format's own words."""
        return ()

    def originals(self, cut: int) -> Sequence[int] | None:
        """The rows at a cut without any summary; raises `SourceError`.

        None where that is what stands there, with what its summaries hid.
        """
        del cut
        return None

    def compact_anew(self, rows: int, summary: str, making: Making) -> Draft | None:
        """What `Planner.compact` would append, as a new tape; None where none can be made so.

        Raises:
            PlanError: if it cannot be made.
        """
        del rows, summary, making
        return None

    def passes_over(self) -> str | None:
        """What the owner surely does with everything that could not be read, so that what is
        appended behind it is read all the same; None where that is not sure.
        """
        return None


class Planner(Protocol):
    """What a format knows of plans for one tape, folded to its head.

    Every method may read the tape, and raises `inspector.tape.source.SourceError` if it cannot be
    read any more.
    """

    @property
    def owner(self) -> str:
        """The agent, as people call it."""

    def code(self, problem: Problem) -> str | None:
        """The owner's word for a problem, or None where it has none."""

    def ways(self, kind: PlanKind) -> Mapping[How, str | None]:
        """How a plan can be written, the default first; None, or why it cannot.

        A format that has no such plan says of both ways why.
        """

    def cuts(self, kind: PlanKind, how: How) -> Cuts:
        """Where the tape may be cut for a fork or a rewind."""

    def views(self, kind: PlanKind, how: How, cut: int) -> Mapping[View, str | None]:
        """Which histories the owner's format can be given at a cut; None, or why it cannot.

        What makes a view wrong in every format (a summary that covers what is undone) is told
        elsewhere.
        """

    def cut(self, kind: PlanKind, how: How, at: int, view: View, making: Making) -> Draft:
        """What a fork or a rewind would make of a tape that is cut at a cursor, legal or not."""

    def repair(self, making: Making) -> Repair:
        """What the owner would do to the tape if it opened it as it is."""

    def split(self, keep_last: int | None) -> Split:
        """Where the owner would divide the surface of the head.

        Args:
            keep_last: how many are kept of what the owner counts; None is its default.
        """

    def prompt(self, rows: int) -> Prompt:
        """What would be sent to have the first rows of the head's surface summarised."""

    def compact(self, rows: int, summary: str, making: Making) -> Draft:
        """A new tape in which a summary stands for the first rows of the head's surface."""

    def compact_anew(self, rows: int, summary: str, making: Making) -> Draft | None:
        """See `OwnTools.compact_anew`; asked for only where `compact` appends."""

    def keeps_by_default(self) -> str:
        """How much the owner keeps unless told otherwise, in words with the source of the rule."""

    def restorable(self, cut: int) -> Sequence[Restorable]:
        """The files that checkpoints of the tape could bring back to what they were at a cut."""

    def does(self, call: Call) -> str | None:
        """See `OwnTools.does`."""

    def deeds(self, cut: int) -> Iterable[Deed]:
        """See `OwnTools.deeds`."""

    def unpaired(self, nodes: Sequence[int]) -> Unpaired | None:
        """See `OwnTools.unpaired`."""

    def going_on(self) -> Iterable[Check]:
        """See `OwnTools.going_on`."""

    def originals(self, cut: int) -> Sequence[int] | None:
        """See `OwnTools.originals`."""

    def passes_over(self) -> str | None:
        """See `OwnTools.passes_over`."""
