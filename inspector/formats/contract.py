"""What a format must say, and the open tape that everything above the formats works with."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol

from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.tape.source import Source
from inspector.tape.watch import Change

if TYPE_CHECKING:
    # Annotations alone need these; a first frame that lists sessions does not wait for them.
    from inspector.formats.chunks import Chunk
    from inspector.formats.compacting import CompactionRule
    from inspector.formats.parts import Part
    from inspector.formats.planning import Planner
    from inspector.tape.database import Database
    from inspector.tape.notes import Note
    from inspector.tape.records import Fate, Sums
    from inspector.timeline.findings import Finding
    from inspector.timeline.registers import Setting
    from inspector.timeline.spans import Span
    from inspector.timeline.timeline import Timeline


class OptionError(Exception):
    """A tape was asked for in a way that it does not have; the message is one sentence."""


class Certainty(IntEnum):
    """How sure a format is that a source is one of its tapes."""

    NO = 0
    GUESS = 1
    LIKELY = 2
    SURE = 3


@dataclass(frozen=True, slots=True)
class Recognition:
    """A format's opinion of a source; ``why_not`` completes "not NAME: …", if only as a doubt."""

    certainty: Certainty
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """How a tape is to be read.

    Attributes:
        session: the one to open where a source holds several.
        policy: the owner's reader to follow, where it has several.
        past_unknown: fold on past a required unknown event.
        unpacked: the most bytes that a compressed source may unpack to; None is the stated limit.
    """

    session: str | None = None
    policy: str | None = None
    past_unknown: bool = False
    unpacked: int | None = None


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """A session of a source that holds several; times are milliseconds since the epoch.

    Attributes:
        relation: what it is to its parent, in the words of `kin`.
        last: the time of its last event.
        events: how many there are.
        bytes: of its payloads as stored.
        estimated: whether the number of events is told by the last one alone.
    """

    id: str
    created: int | None = None
    cwd: str | None = None
    parent: str | None = None
    title: str | None = None
    relation: str | None = None
    last: int | None = None
    events: int | None = None
    bytes: int | None = None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Identity:
    """What a tape's header says of it; None where it does not say.

    Attributes:
        variant: version and container, as ``v0/jsonl.zstd``.
        inherited: how many leading events are copies of the parent's.
        how: what was done to open the source, where that is not plain reading.
        workspace: the owner's name for the group that lists the session.
        archived: whether the owner keeps it among the archived ones.
        beside: sentences about what stands beside the source.
        compared: whether `inherited` is certain; False where only the parent would show which
            events are copies, and it is not there.
    """

    id: str | None
    format: str
    variant: str
    policy: str
    path: Path
    created: int | None = None
    cwd: str | None = None
    parent: str | None = None
    inherited: int = 0
    how: str | None = None
    workspace: str | None = None
    archived: bool | None = None
    beside: tuple[str, ...] = ()
    compared: bool = True


@dataclass(frozen=True, slots=True)
class Annex:
    """What an agent keeps beside its sessions; everything in it is clean.

    Attributes:
        what: what it is, in words.
        facts: what it says of sessions, a sentence each.
        faults: code, place and sentence of what is wrong with it, in the owner's words.
    """

    what: str
    facts: tuple[str, ...]
    faults: tuple[tuple[str, str, str], ...]


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
    """Where a record stands: physical line from 1 and byte offset, or the row of a table.

    ``file`` names another file than the tape's own, where the record stands in one.
    """

    line: int | None
    byte: int | None
    row: str | None
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Physical:
    """One physical record against the events that it holds.

    Attributes:
        place: where it stands.
        length: its bytes without what ends it; of a row those of its payload as stored.
        frame: the frame or member of the container that it begins in, from 0, or None.
        fate: what became of it, or None if it carries events.
        recovered: whether its events were read from what was left of it.
        first: the position of its first event, or None if it carries none.
        events: how many it carries.
    """

    place: Place
    length: int
    frame: int | None
    fate: Fate | None
    recovered: bool
    first: int | None
    events: int


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
    """A part of an event's rendered detail: a heading, perhaps empty, and its text, uncleaned.

    What is dim, or a ``remark``, is about the event: no part of what it says to the model.
    """

    heading: str
    text: str
    tone: Literal["plain", "code", "dim", "error"] = "plain"
    remark: bool = False


@dataclass(frozen=True, slots=True)
class PreamblePart:
    """System prompt or tools, kept outside the surface; tokens by the format's estimate.

    ``text`` is all of it, not cleaned: the same text is the same part.
    """

    part: Literal["system", "tools"]
    event: int
    tokens: int
    preview: str
    text: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a tree the chosen branch reaches.

    Attributes:
        records: the members of the tree in the tape, side branches of subagents left out.
        on_chain: how many of them the branch reaches.
        visible: how many of these are rows of the surface.
        recovered: how many rows of the surface stand on no chain: the reader adds them.
    """

    records: int
    on_chain: int
    visible: int
    recovered: int = 0


@dataclass(frozen=True, slots=True)
class RequestEntry:
    """One entry of the history that the owner would send, made of the surface.

    Attributes:
        node: the row of the surface that it comes from; None if the owner adds it.
        note: what the owner does with it, None if it is sent as it stands.
        type: the owner's word for what is sent.
        role: who speaks, in the owner's words; None where it has no role.
        text: what is sent, where that is not the row's own text.
        call_id: the owner's id of the call that it makes or answers.
        why: the rule by which the owner adds, drops or alters it, in our words.
    """

    node: int | None
    note: Literal["added", "dropped", "altered"] | None = None
    type: str = "message"
    role: str | None = None
    text: str | None = None
    call_id: str | None = None
    why: str = ""


REQUEST: Final = "recorded request"
OPERATIONS: Final = "recorded operations"
RULE: Final = "rule of this format"
EVIDENCE: Final = (REQUEST, OPERATIONS, RULE, "guess")
"""On what it rests that the model saw something, the surest first: the tape keeps what was sent, or
what was done to the surface, or a rule of the format makes it of the log."""


class RecordedSizes(NamedTuple):
    """What the record of a compaction says of its sizes, in tokens; None where it does not.

    Attributes:
        before: the context that it was made of.
        hidden: what the summary hides.
    """

    before: int | None = None
    hidden: int | None = None


class Grounds(NamedTuple):
    """On what it rests that the model saw an event, or does not see it any more.

    Attributes:
        grade: one of `EVIDENCE`.
        by: the position of the event that records it, or None.
    """

    grade: str
    by: int | None = None


def plain_request(timeline: Timeline, cursor: int) -> list[RequestEntry]:
    """The surface as it is, but for the rows of which the owner derives no message."""
    nodes = timeline.surface.nodes
    return [
        RequestEntry(
            row.node,
            note="dropped" if nodes.silent(row.node) else None,
            type=nodes.kind(row.node).label,
            role=nodes.role(row.node).label,
            why="it has no content" if nodes.silent(row.node) else "",
        )
        for row in timeline.rows(cursor)
    ]


@dataclass(frozen=True, slots=True)
class Seal:
    """What a tape is at its head, so that another one is told from it.

    Attributes:
        events: the cursor of the head.
        bytes: how many bytes were folded: of a text the unpacked ones up to the end of its last
            record, of a database those that are hashed.
        hash: SHA-256 over them, in hex digits; of a database over the columns of the session's rows
            in the order of their keys, each with its length before it.
    """

    events: int
    bytes: int
    hash: str


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

    def changed(self) -> Change:
        """What happened to the source since it was read; asks the file system, reads nothing."""

    def close(self) -> None:
        """Give the source back."""

    def findings(self) -> Iterator[Finding]:
        """All findings, those included that stand only until more is written."""

    def errors(self) -> int:
        """How many findings are errors, those of the source as it is now included."""

    def number(self, event: int) -> int | None:
        """The owner's number of an event, or None where it has none."""

    def numbered(self, number: int) -> list[int]:
        """The positions of the events that bear an owner's number."""

    def identified(self, identity: str) -> list[int]:
        """The positions of the events or messages that bear an owner's id; reads the tape."""

    def message_id(self, event: int) -> str | None:
        """The owner's id of an event or its message, or None."""

    def mentions(
        self, text: str, among: range | None = None, *, ignore_case: bool = False
    ) -> Iterator[int]:
        """The records whose bytes may hold a text, as it is or as JSON writes it; reads the tape.

        Args:
            text: not empty.
            among: the records that are looked through, in order; None is all of them.
            ignore_case: whether upper and lower case of ASCII letters are the same.
        """

    def trigger(self, event: int) -> str | None:
        """What made the owner compact, in its words, of the event of a summary; None if untold."""

    def compacted_at(self, event: int) -> int | None:
        """The tokens that the owner counted when it compacted by itself, of the event of a summary;
        None if it did not, or does not say.
        """

    def recorded_sizes(self, event: int) -> RecordedSizes:
        """What the record of a compaction says of its sizes, of the event of a summary."""

    @property
    def evidence(self) -> str:
        """On what it rests which rows the model saw, unless an event says more of one: one of
        `EVIDENCE`.
        """

    def grounds(self, event: int, cursor: int) -> Grounds:
        """On what it rests that the model saw an event, or does not see it at a cursor."""

    @property
    def compaction_rule(self) -> CompactionRule | None:
        """When the owner compacts by itself, or None where its rule is not known."""

    def reserve(self, cursor: int) -> int:
        """The tokens of the window that the owner keeps free for the answer, as the tape tells."""

    def group(self, event: int) -> str | None:
        """The owner's id of the API message that the nodes of an event are part of, or None."""

    def place(self, record: int) -> Place:
        """Where a record stands."""

    def records(self) -> int:
        """How many physical records there are so far, an unended one included."""

    def physical(self, record: int) -> Physical:
        """A physical record against the events that it holds."""

    def raw_record(self, record: int) -> bytes:
        """The bytes of a physical record, an unended one included."""

    def oddities(self, record: int) -> list[Note]:
        """What a JSON reader loses of a record in silence: duplicate keys, numbers too large."""

    def raw(self, event: int) -> bytes:
        """The bytes of the record that carries an event."""

    def payload(self, event: int) -> dict[str, Any]:
        """An event as the owner would decode it; empty where it cannot be."""

    def headline(self, event: int) -> Headline:
        """An event in one line."""

    def sections(self, event: int) -> list[Section]:
        """An event in full."""

    def node_headline(self, node: int) -> Headline:
        """A row of the surface in one line: what it says, where its event says more than that."""

    def node_sections(self, node: int) -> list[Section]:
        """A row of the surface in full, in the same way."""

    def parts(self, event: int) -> list[Part]:
        """What an event says as the person saw it: texts, reasoning, calls, results, files."""

    def is_partial(self, event: int) -> bool:
        """Whether an event holds a message that was cut off while it was written."""

    def original(self, event: int) -> int | str | None:
        """The owner's number or id that a copied event has in the tape that it was copied from;
        None where the tape does not say.
        """

    def asked_about(self, event: int) -> str | None:
        """The owner's id of the call that an event asks somebody to approve of, or None."""

    def tells_end(self, event: int) -> bool:
        """Whether a record of its own tells how the call ended that an event answers."""

    @property
    def stream_types(self) -> Collection[str]:
        """The types of events that add to a message while it streams; empty if none is kept."""

    def chunks(self, event: int) -> list[Chunk]:
        """What an event adds to a message that is being put together; nothing of most."""

    def value(self, register: str, setting: Setting) -> Any:
        """The value of a register, read from its event where it is kept there."""

    def span_id(self, span: Span) -> str | None:
        """The owner's id or number of a span, or None where it gives none."""

    def preamble(self, cursor: int) -> list[PreamblePart]:
        """System prompt and tools as of a cursor."""

    def coverage(self, cursor: int) -> Coverage | None:
        """How much of the tape the branch at a cursor reaches; None where there are no branches."""

    def request(self, cursor: int) -> list[RequestEntry]:
        """What the owner would send as history at a cursor; reads what it needs of the tape."""

    def seal(self) -> Seal:
        """What the tape is at its head; reads all of it.

        Raises:
            SourceError: if it cannot be read any more.
        """

    def planner(self) -> Planner:
        """What the format knows of plans for the tape, folded to its head."""

    def on_resume(self, cursor: int) -> list[str]:
        """What the owner does beside that when it takes up a session that ends at a cursor.

        A sentence each without its stop, cleaned: what it writes, what it puts in the request anew,
        by which rule it chose the history.
        """

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

    def open(self, source: Source, options: Options) -> Tape:
        """Begin to read a text that the format recognised; it owns the source from then on.

        Raises:
            SourceError: if nothing can be read.
        """

    def annexes_of_text(self, source: Source) -> list[Annex]:
        """What a text is that is no tape but the agent's all the same; none if it is foreign."""

    def annexes_of_database(self, database: Database) -> list[Annex]:
        """The same of a database."""

    def roots(self, surroundings: Surroundings) -> Sequence[Root]:
        """Where the agent keeps its sessions, the surest first."""

    def glance(self, ends: Ends) -> Glance | None:
        """What the ends of a text tell, or None if it is none of the agent's sessions."""

    def in_folder(self, names: Collection[str]) -> str | None:
        """The file to open of a folder with these names, or None if it is no session's folder."""

    def knows_place(self, path: Path) -> bool:
        """Whether a text is the agent's by where it lies, whatever it holds; nothing, perhaps."""

    def in_archive(self, names: Sequence[str]) -> list[tuple[str, SessionEntry]]:
        """The sessions of an archive with these members, the one meant first; none if foreign."""

    def recognise_database(self, database: Database) -> Recognition:
        """How sure the format is of a database."""

    def sessions(self, database: Database) -> list[SessionEntry]:
        """The sessions of a database that the format recognised.

        Raises:
            SourceError: if they cannot be listed.
        """

    def tellers(self, database: Database) -> list[tuple[str, str]]:
        """Which sessions of a database tell of which others that do not say so themselves."""

    def open_database(self, database: Database, session: str, options: Options) -> Tape:
        """Begin to read one session of a database; it owns the database from then on.

        Raises:
            OptionError: if it holds no such session.
            SourceError: if nothing can be read.
        """
