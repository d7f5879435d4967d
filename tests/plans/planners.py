"""A tape made by hand with a planner of which a test says what it allows, and plain references."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector.formats import cutting
from inspector.formats.contract import (
    Headline,
    Identity,
    RequestEntry,
    Seal,
    Section,
    Verdict,
)
from inspector.formats.parts import Call, Said
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
    Unpaired,
    View,
    Write,
)
from inspector.tape.records import Sums
from inspector.timeline.findings import Finding
from inspector.timeline.registers import Setting
from inspector.timeline.timeline import Timeline
from tests.lenses.handmade import Handmade

PATH = Path("/somewhere/tape.jsonl")
TARGET = Path("/somewhere/new.jsonl")
OPEN: Mapping[How, str | None] = {How.CREATE: None, How.APPEND: None}


def content() -> Iterator[bytes]:
    """What is written of every cut."""
    return iter((b"one", b"two"))


@dataclass
class Owner(OwnTools):
    """A planner that says what it was told to say; whatever is asked of it is written down."""

    timeline: Timeline
    open: Mapping[How, str | None] = field(default_factory=lambda: dict(OPEN))
    refused: Mapping[View, str | None] = field(default_factory=dict)
    draft: Draft | None = None
    anew: Draft | None = None
    mends: Repair = field(default_factory=lambda: Repair(()))
    files: Sequence[Restorable] = ()
    tools: Mapping[str, str] = field(default_factory=dict)
    done: Sequence[Deed] = ()
    alone: Unpaired | None = None
    asked: list[str] = field(default_factory=list)
    owner: str = "the owner"

    def code(self, problem: Problem) -> str | None:
        return problem.name

    def ways(self, kind: PlanKind) -> Mapping[How, str | None]:
        self.asked.append(kind.value)
        return self.open

    def cuts(self, kind: PlanKind, how: How) -> Cuts:
        del kind, how
        return Cuts(
            self.timeline.events,
            [(cutting.CALL_WITHOUT_RESULT, cutting.unanswered(self.timeline))],
        )

    def views(self, kind: PlanKind, how: How, cut: int) -> Mapping[View, str | None]:
        del kind, how, cut
        return {view: self.refused.get(view) for view in View}

    def cut(self, kind: PlanKind, how: How, at: int, view: View, making: Making) -> Draft:
        del kind, making
        self.asked.append(view.value)
        return self.draft or Draft((Write(TARGET, how, content),), at)

    def repair(self, making: Making) -> Repair:
        del making
        return self.mends

    def split(self, keep_last: int | None) -> Split:
        return Split(3, f"keeps {keep_last}")

    def prompt(self, rows: int) -> Prompt:
        return Prompt(f"{rows} rows", 6, "bytes", 10, truncated=False)

    def compact(self, rows: int, summary: str, making: Making) -> Draft:
        del making
        self.asked.append(summary)
        return self.draft or Draft((), self.timeline.events, remarks=(f"{rows} rows",))

    def compact_anew(self, rows: int, summary: str, making: Making) -> Draft | None:
        del rows, summary, making
        return self.anew

    def keeps_by_default(self) -> str:
        return "keeps some"

    def does(self, call: Call) -> str | None:
        return self.tools.get(call.name)

    def deeds(self, cut: int) -> list[Deed]:
        return [deed for deed in self.done if deed.event >= cut]

    def unpaired(self, nodes: Sequence[int]) -> Unpaired | None:
        del nodes
        return self.alone

    def restorable(self, cut: int) -> Sequence[Restorable]:
        del cut
        return self.files


class Planned(Handmade):
    """A tape made by hand that can be planned for.

    Attributes:
        owner: its planner.
        judged: what its own loader does.
        pending: records that are not ended.
        found: findings behind those of the fold.
        groups: the owner's ids of messages that several events hold.
    """

    def __init__(self) -> None:
        super().__init__()
        self.owner = Owner(self.timeline)
        self.judged = Verdict("the owner", opens=True)
        self.pending = 0
        self.found: list[Finding] = []
        self.groups: dict[int, str] = {}

    @property
    def identity(self) -> Identity:
        return Identity("one", "handmade", "v0", "the policy", PATH)

    def planner(self) -> Owner:
        return self.owner

    def seal(self) -> Seal:
        return Seal(self.timeline.events, 1, "00")

    def sums(self) -> Sums:
        events = self.timeline.events
        return Sums(events, events, events, 0, 0, 0, self.pending, 0, None)

    def findings(self) -> list[Finding]:
        return self.found

    def verdict(self) -> Verdict:
        return self.judged

    def value(self, register: str, setting: Setting) -> Any:
        del register
        return setting.value

    def request(self, cursor: int) -> list[RequestEntry]:
        return [RequestEntry(row.node) for row in self.timeline.rows(cursor)]

    def group(self, event: int) -> str | None:
        return self.groups.get(event)

    def sections(self, event: int) -> list[Section]:
        texts = [part.text for part in self.parts(event) if isinstance(part, Said)]
        return [Section("text", text) for text in texts]

    def node_sections(self, node: int) -> list[Section]:
        return self.sections(self.timeline.surface.nodes.origin(node))

    def node_headline(self, node: int) -> Headline:
        event = self.timeline.surface.nodes.origin(node)
        said = self.sections(event)
        return Headline("event", None, said[0].text if said else "")

    def sets(self, register: str, value: Any) -> int:
        event = self._begin()
        self.builder.set(register, value)
        return self._end(event)

    @property
    def rows(self) -> tuple[int, ...]:
        """The nodes of the surface of the head."""
        return tuple(row.node for row in self.timeline.rows(self.timeline.events))

    def events(self, nodes: Sequence[int]) -> list[int]:
        """The events of nodes."""
        return [self.timeline.surface.nodes.origin(node) for node in nodes]
