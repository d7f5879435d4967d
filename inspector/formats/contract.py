"""What a format must say, and the open tape that everything above the formats works with."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from inspector.tape.records import Sums
from inspector.tape.source import FileSource
from inspector.timeline.findings import Finding
from inspector.timeline.registers import Setting
from inspector.timeline.spans import Span
from inspector.timeline.timeline import Timeline


class Certainty(IntEnum):
    """How sure a format is that a source is one of its tapes."""

    NO = 0
    GUESS = 1
    LIKELY = 2
    SURE = 3


@dataclass(frozen=True, slots=True)
class Recognition:
    """A format's opinion of the first bytes of a source; ``why_not`` completes "dsh: …"."""

    certainty: Certainty
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """How a tape is to be read.

    Attributes:
        session: the one to open where a source holds several.
        policy: the owner's reader to follow, where it has several.
        past_unknown: fold on past a required unknown event.
    """

    session: str | None = None
    policy: str | None = None
    past_unknown: bool = False


@dataclass(frozen=True, slots=True)
class Identity:
    """What a tape's header says of it; None where it does not say."""

    id: str | None
    format: str
    variant: str
    policy: str
    path: Path
    created: int | None = None
    cwd: str | None = None
    parent: str | None = None
    inherited: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the agent's own loader would do with the tape.

    Attributes:
        owner: the agent.
        opens: all of it, none of it, or ``partly``: up to ``event``.
        reason: in the owner's words, or None.
        event: the position of the event that decides, or None.
    """

    owner: str
    opens: bool | Literal["partly"]
    reason: str | None = None
    event: int | None = None


class Place(NamedTuple):
    """Where a record stands: physical line from 1 and byte offset, or the row of a table."""

    line: int | None
    byte: int | None
    row: str | None


@dataclass(frozen=True, slots=True)
class Headline:
    """An event in one line: what it is, in our words, who speaks, and the start of what it says.

    The text is as the tape has it, at most some thousand characters; whoever shows it cleans it.
    """

    kind: str
    speaker: str | None
    text: str
    error: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an event's rendered detail: a heading, perhaps empty, and its text, uncleaned."""

    heading: str
    text: str
    tone: Literal["plain", "code", "dim", "error"] = "plain"


@dataclass(frozen=True, slots=True)
class PreamblePart:
    """System prompt or tools, kept outside the surface; tokens by the format's estimate."""

    part: Literal["system", "tools"]
    event: int
    tokens: int
    preview: str


class Tape(Protocol):
    """An open tape, in the middle of being folded or done."""

    @property
    def identity(self) -> Identity:
        """What the header says."""

    @property
    def timeline(self) -> Timeline:
        """The index as far as it is built."""

    @property
    def complete(self) -> bool:
        """Whether everything that the source holds now is folded."""

    @property
    def progress(self) -> float:
        """The folded part of the source, 0 to 1."""

    def advance(self) -> bool:
        """Fold the next batch; False where the source ends, for now. One thread at a time."""

    def close(self) -> None:
        """Give the source back."""

    def findings(self) -> Iterator[Finding]:
        """All findings, those included that stand only until more is written."""

    def number(self, event: int) -> int | None:
        """The owner's number of an event, or None where it has none."""

    def numbered(self, number: int) -> list[int]:
        """The positions of the events that bear an owner's number."""

    def identified(self, identity: str) -> list[int]:
        """The positions of the events or messages that bear an owner's id; reads the tape."""

    def message_id(self, event: int) -> str | None:
        """The owner's id of an event or its message, or None."""

    def place(self, record: int) -> Place:
        """Where a record stands."""

    def raw(self, event: int) -> bytes:
        """The bytes of the record that carries an event."""

    def payload(self, event: int) -> dict[str, Any]:
        """An event as the owner would decode it; empty where it cannot be."""

    def headline(self, event: int) -> Headline:
        """An event in one line."""

    def sections(self, event: int) -> list[Section]:
        """An event in full."""

    def value(self, register: str, setting: Setting) -> Any:
        """The value of a register, read from its event where it is kept there."""

    def span_id(self, span: Span) -> str | None:
        """The owner's id or number of a span, or None where it gives none."""

    def preamble(self, cursor: int) -> list[PreamblePart]:
        """System prompt and tools as of a cursor."""

    def sums(self) -> Sums:
        """The account of the records."""

    def verdict(self) -> Verdict:
        """What the owner's loader would do with what is folded so far."""


class Format(Protocol):
    """One agent's way of keeping sessions."""

    @property
    def name(self) -> str:
        """The word by which the format is called."""

    @property
    def policies(self) -> tuple[str, ...]:
        """The owner's readers that can be followed, the default first."""

    def recognise(self, head: bytes) -> Recognition:
        """How sure the format is of a source that begins with these bytes."""

    def open(self, source: FileSource, options: Options) -> Tape:
        """Begin to read a source that the format recognised; it owns the source from then on.

        Raises:
            SourceError: if nothing can be read.
        """
