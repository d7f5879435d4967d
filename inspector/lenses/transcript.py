"""What the person saw at a cursor: messages, cards, workflows and what divides them.

A compaction is one of the dividers and hides nothing. What was rewound, retracted or edited stays
in its place and is marked: the person of a tool that can do this does not see it any more.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Final, NamedTuple

from inspector.columns import holds
from inspector.formats.contract import Tape
from inspector.formats.parts import (
    Call,
    File,
    Part,
    Result,
    Thought,
    arguments_of,
    joined,
    without_bytes,
)
from inspector.lenses.calls import Calls
from inspector.lenses.cards import Card, Ending, Evidence, card
from inspector.lenses.notes import Held
from inspector.lenses.outline import Outline
from inspector.lenses.sayings import Sayings
from inspector.lenses.stream import State, Streamed, being_assembled
from inspector.timeline.spans import Span
from inspector.timeline.words import Kind, Mark, Outcome, Role, SpanKind, Visibility


class EntryKind(Enum):
    """What a person saw."""

    HUMAN = "human"
    CONTEXT = "context"
    ASSISTANT = "assistant"
    REASONING = "reasoning"
    CARD = "card"
    RESULT = "result"
    WORKFLOW = "workflow"
    AGENT = "agent"
    COMMAND = "command"
    APPROVAL = "approval"
    DIVIDER = "divider"
    ERROR = "error"
    OPAQUE = "opaque"


@dataclass(frozen=True, slots=True)
class Divider:
    """Where the model's surface was made smaller; rows and tokens before it and after it.

    ``what`` is ``compaction``, ``prune`` where only results were cut, or ``branch`` where a summary
    tells of a branch that was left.
    """

    what: str
    rows: tuple[int, int]
    tokens: tuple[int, int]


class Entry(NamedTuple):
    """One thing that a person saw, as of a cursor; no text of it is cleaned.

    Attributes:
        kind: what it is.
        event: the position of its event.
        events: the positions of all events that it is made of, those of its children left out.
        time: of its event, milliseconds since the epoch, or None.
        speaker: who speaks, None where nobody does.
        text: what is said; bytes in it are named.
        thought: the reasoning that goes with it.
        files: what is attached, named.
        card: of a call; None of everything else.
        ending: how a workflow, an agent, a command or a question ended, or that it has not; of
            the card of a call that ran a workflow, how that did.
        divider: of a divider.
        children: what was done within it, in order, sub-calls of a call and agents of a workflow.
        more: how many others there are, which are not among the children.
        visibility: what became of it for the model, and ``by`` which event.
        gone_by: the event that took it back, or put a later version in its place, so that the
            person does not see it any more; None while it is seen.
        partial: whether it was cut off while it was written.
        writing: whether it was being written: of its pieces, what came so far.
    """

    kind: EntryKind
    event: int
    events: tuple[int, ...]
    time: int | None
    speaker: str | None
    text: str = ""
    thought: str = ""
    files: tuple[File, ...] = ()
    card: Card | None = None
    ending: Ending | None = None
    divider: Divider | None = None
    children: tuple["Entry", ...] = ()
    more: int = 0
    visibility: Visibility = Visibility.LOG_ONLY
    by: int | None = None
    gone_by: int | None = None
    partial: bool = False
    writing: bool = False


CHILDREN: Final = 200
"""Children of one entry that are told; more are counted."""
_HELD: Final = 10_000
"""Children and answers of one entry that are looked at: a tape may make any number of them."""
_LOOKED_AT: Final = 200
"""Events of one entry that are asked what became of them."""

_NOT_SEEN: Final = (Visibility.REWOUND, Visibility.RETRACTED, Visibility.SUPERSEDED)

_SPOKEN: Final = {
    Kind.CONTEXT: EntryKind.CONTEXT,
    Kind.REASONING: EntryKind.REASONING,
    Kind.TOOL_RESULT: EntryKind.RESULT,
    Kind.OPAQUE: EntryKind.OPAQUE,
}
_BY_ROLE: Final = {
    Role.USER: EntryKind.HUMAN,
    Role.ASSISTANT: EntryKind.ASSISTANT,
    Role.TOOL: EntryKind.RESULT,
}
_BESIDE: Final = (
    (SpanKind.WORKFLOW, EntryKind.WORKFLOW),
    (SpanKind.WORKFLOW_AGENT, EntryKind.AGENT),
    (SpanKind.COMMAND, EntryKind.COMMAND),
    (SpanKind.APPROVAL, EntryKind.APPROVAL),
)


class Transcript:
    """The transcript of a tape at every cursor.

    The outline is made once, and again only for what was appended; a window of entries reads the
    events of that window and no others. One thread at a time asks.

    Args:
        tape: of which; it may grow.
    """

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._timeline = tape.timeline
        self._written: tuple[int, list[Entry]] = (0, [])
        self._outline = Outline(tape)
        self._sayings = Sayings(tape)
        self._calls = Calls(tape, self._outline, self._sayings)

    @property
    def looked_at(self) -> int:
        """How many events were looked at so far."""
        return self._outline.done

    def advance(self) -> bool:
        """Look at some thousand of the events that were appended; False where there are none.

        `count` and `entries` look at all that are left first, which takes its time on a long tape.
        """
        return self._outline.advance()

    def count(self, cursor: int) -> int:
        """How many entries there are; children are none."""
        return self._outline.count(cursor) + len(self._writing(cursor))

    def place(self, event: int, cursor: int) -> int | None:
        """Which entry an event is a part of, or None if it is a part of none."""
        found = self._outline.place(event, cursor)
        if found is None and event < cursor:
            for at, entry in enumerate(self._writing(cursor)):
                if event >= entry.event and self._sayings.chunks(event):
                    found = self._outline.count(cursor) + at
        return found

    def entries(self, cursor: int, start: int = 0, stop: int | None = None) -> list[Entry]:
        """The entries ``start`` to ``stop``, in tape order.

        Raises:
            SourceError: if the tape cannot be read any more.
        """
        stop = self.count(cursor) if stop is None else stop
        found = [self._entry(note, cursor) for note in self._outline.window(cursor, start, stop)]
        told = self._outline.count(cursor)
        return [*found, *self._writing(cursor)[max(0, start - told) : max(0, stop - told)]]

    def _writing(self, cursor: int) -> list[Entry]:
        """The answers that are being written at a cursor, in a turn that is not over."""
        turns = self._timeline.spans[SpanKind.TURN]
        turn = turns.last(cursor)
        if turn is None or turns.at(turn, cursor).closed is not None:
            return []
        if self._written[0] != cursor:
            found = being_assembled(self._tape, cursor, self._sayings.chunks)
            made = map(self._being_written, found)
            self._written = cursor, [entry for entry in made if entry is not None]
        return self._written[1]

    def _being_written(self, streamed: Streamed) -> Entry | None:
        """An answer as far as its pieces came; None where nothing did."""
        event = streamed.since - 1
        time = self._timeline.table.time(event)
        entry = Entry(EntryKind.ASSISTANT, event, (event,), time, Role.ASSISTANT.label)
        calls = [block for block in streamed.blocks if block.type == "tool_call"]
        said, thought = (
            "\n".join(block.text for block in streamed.blocks if block.type == kind and block.text)
            for kind in ("text", "reasoning")
        )
        if not (said or thought or calls):
            return None
        made = [Call(one.call, one.name, arguments_of(one.text)) for one in calls[:CHILDREN]]
        return entry._replace(
            text=without_bytes(said),
            thought=thought,
            children=tuple(_child(entry, card(call, event, _UNWRITTEN)) for call in made),
            more=len(calls) - len(made),
            partial=streamed.state is not State.STREAMING,
            writing=True,
        )

    # One entry.

    def _entry(self, note: int, cursor: int) -> Entry:
        notes = self._outline.notes
        event = notes.event(note)
        children, absorbed, more = list[int](), [event], 0
        for child, part in islice(notes.held(note, cursor), _HELD):
            if part is Held.ABSORBED:
                absorbed.append(notes.event(child))
            elif len(children) < CHILDREN:
                children.append(child)
            else:
                more += 1
        found = self._told(event, absorbed, cursor)
        inner = nested([self._entry(child, cursor) for child in children])
        maker = self._calls.maker(event, cursor)
        told = absorbed if maker is None else [*absorbed, maker]
        visibility, by = self._visibility(told, cursor)
        gone = self._taken_back(note, visibility, by, cursor)
        found = found._replace(
            children=(*found.children, *inner),
            more=more,
            visibility=visibility,
            by=by,
            gone_by=None if found.kind is EntryKind.DIVIDER else gone,
        )
        return self._with_named(found, cursor) if found.kind is EntryKind.ASSISTANT else found

    def _with_named(self, entry: Entry, cursor: int) -> Entry:
        """An answer with the calls that it names and nothing else tells of."""
        spans = self._timeline.spans[SpanKind.TOOL_CALL]
        if spans.opened_by(entry.event) is not None:
            return entry
        known = [child.card.id for child in entry.children if child.card is not None]
        parts = self._sayings.parts(entry.event)
        cards = self._calls.only_named(entry.event, parts, known, cursor)
        alone = not (entry.children or entry.text or entry.thought or entry.files)
        if len(cards) == 1 and alone and cards[0].answer == entry.event:
            return entry._replace(kind=EntryKind.CARD, card=cards[0])
        made = (_child(entry, one) for one in cards)
        return entry._replace(children=(*made, *entry.children))

    def _visibility(self, events: list[int], cursor: int) -> tuple[Visibility, int | None]:
        """Of the event of an entry; where it makes no row, of the first that does."""
        for event in events[:_LOOKED_AT]:
            told = self._timeline.visibility(event, cursor)
            if told[0] is Visibility.SUPERSEDED:
                told = self._timeline.visibility(self._last_copy(event, cursor), cursor)
            if told[0] is not Visibility.LOG_ONLY:
                return told
        return Visibility.LOG_ONLY, None

    def _last_copy(self, event: int, cursor: int) -> int:
        """The copy that stands for an event, or the event: a copy is as good."""
        for _ in range(_LOOKED_AT):
            visibility, by = self._timeline.visibility(event, cursor)
            copied = visibility is Visibility.SUPERSEDED and by is not None
            if not copied or by is None or self._timeline.retellings.of(by) != event:
                break
            event = by
        return event

    def _taken_back(
        self, note: int, visibility: Visibility, by: int | None, cursor: int
    ) -> int | None:
        """The event by which the person does not see an entry any more, or None."""
        if visibility in _NOT_SEEN:
            return by
        asked = self._outline.notes.asked_by(note)
        if asked is None or visibility is Visibility.VISIBLE:
            return None
        # What a compaction hid before leaves with the message that it answered.
        told, rewinds = self._visibility(self._outline.told_with(asked, cursor), cursor)
        if told is not Visibility.REWOUND or rewinds is None:
            return None
        return rewinds if rewinds > self._outline.notes.event(note) else None

    def _told(self, event: int, absorbed: list[int], cursor: int) -> Entry:
        """An entry without its children."""
        timeline = self._timeline
        node = self._node(event)
        entry = Entry(EntryKind.ERROR, event, tuple(absorbed), timeline.table.time(event), None)
        if node is not None:
            return self._row(entry, node, cursor)
        if holds(timeline.retellings.spoken, event):
            return self._spoken(entry)
        if timeline.spans[SpanKind.TOOL_CALL].opened_by(event) is not None:
            return self._with_calls(self._with_run(entry, cursor), EntryKind.CARD, cursor)
        for kind in (SpanKind.CODE_DISPATCH, SpanKind.SUBAGENT):
            span = self._span(kind, event, cursor)
            if span is not None:
                made = self._calls.within(event, span)
                return entry._replace(kind=EntryKind.CARD, card=made)
        headline = self._sayings.headline(event)
        entry = entry._replace(text=headline.text, speaker=headline.speaker)
        for kind, what in _BESIDE:
            span = self._span(kind, event, cursor)
            if span is not None:
                ending = Ending(span.outcome, span.word, Evidence.RECORDED)
                return entry._replace(kind=what, ending=ending)
        if self._divides(event):
            return self._divided(entry)
        return entry

    def _spoken(self, entry: Entry) -> Entry:
        """What somebody said in a record for the person."""
        asks = self._timeline.marks.within(Mark.USER, entry.event, entry.event + 1)
        kind, role = (EntryKind.HUMAN, Role.USER) if asks else (EntryKind.ASSISTANT, Role.ASSISTANT)
        parts = self._sayings.parts(entry.event)
        return entry._replace(
            kind=kind, speaker=role.label, text=without_bytes(joined(parts)), files=_files(parts)
        )

    def _with_run(self, entry: Entry, cursor: int) -> Entry:
        """A call with the ending of the workflow that it ran."""
        for event in entry.events[1:_LOOKED_AT]:
            span = self._span(SpanKind.WORKFLOW, event, cursor)
            if span is not None:
                return entry._replace(ending=Ending(span.outcome, span.word, Evidence.RECORDED))
        return entry

    def _node(self, event: int) -> int | None:
        """The first row that an event made of its own."""
        nodes = self._timeline.surface.nodes
        at = bisect_left(nodes.born, event + 1)
        while at < len(nodes.born) and nodes.born[at] == event + 1:
            if nodes.origin(at) == event:
                return at
            at += 1
        return None

    def _span(self, kind: SpanKind, event: int, cursor: int) -> Span | None:
        spans = self._timeline.spans[kind]
        number = spans.opened_by(event)
        return None if number is None else spans.at(number, cursor)

    # Rows.

    def _row(self, entry: Entry, node: int, cursor: int) -> Entry:
        nodes = self._timeline.surface.nodes
        role, kind = nodes.role(node), nodes.kind(node)
        if self._divides(entry.event):
            return self._divided(entry)
        what = _SPOKEN.get(kind) or _BY_ROLE.get(role, EntryKind.CONTEXT)
        if nodes.meta(node):
            what = EntryKind.CONTEXT
        entry = entry._replace(speaker=role.label)
        if role is Role.ASSISTANT:
            entry = entry._replace(partial=self._sayings.is_partial(entry.event))
            if self._sayings.headline(entry.event).error:
                what = EntryKind.ERROR
        return self._with_calls(entry, what, cursor)

    def _with_calls(self, entry: Entry, what: EntryKind, cursor: int) -> Entry:
        """An entry that may make calls: if it does nothing else, and only one, it is its card."""
        parts = self._sayings.parts(entry.event)
        text, thought = without_bytes(joined(parts)), joined(parts, Thought)
        if what is EntryKind.REASONING and not text:
            text, thought = thought, ""
        cards = self._calls.made(entry.event, entry.events[1:], parts, cursor)
        entry = entry._replace(kind=what, text=text, thought=thought, files=_files(parts))
        if what is EntryKind.RESULT:
            return _answered(entry, parts)
        if len(cards) == 1 and not text and not thought:
            return entry._replace(kind=EntryKind.CARD, card=cards[0])
        return entry._replace(children=tuple(_child(entry, made) for made in cards))

    def _divides(self, event: int) -> bool:
        timeline = self._timeline
        node = self._node(event)
        if node is not None and timeline.surface.nodes.role(node) is Role.SUMMARY:
            return True
        if timeline.marks.within(Mark.COMPACTION, event, event + 1):
            return True
        return (
            node is not None
            and timeline.surface.nodes.kind(node) is Kind.TOOL_RESULT
            and timeline.is_replacement(event)
        )

    def _divided(self, entry: Entry) -> Entry:
        timeline = self._timeline
        nodes = timeline.surface.nodes
        first, last = entry.event, max(entry.events)
        rows = [node for event in entry.events if (node := self._node(event)) is not None]
        summaries = [node for node in rows if nodes.kind(node) is not Kind.TOOL_RESULT]
        prunes = not summaries and not timeline.spans[SpanKind.COMPACTION].opened_or_closed_by(
            first
        )
        of_branch = bool(summaries) and timeline.sums_up_branch(nodes.origin(summaries[0]))
        divider = Divider(
            "branch" if of_branch else "prune" if prunes else "compaction",
            (timeline.count(first), timeline.count(last + 1)),
            (timeline.tokens(first), timeline.tokens(last + 1)),
        )
        told = nodes.origin(summaries[0]) if summaries else first
        text = joined(self._sayings.parts(told)) if summaries else self._sayings.headline(told).text
        return entry._replace(
            kind=EntryKind.DIVIDER, text=without_bytes(text), divider=divider, speaker=None
        )


_UNWRITTEN: Final = Ending(Outcome.RUNNING, "being written", Evidence.RECORDED)
"""Of a call of which not all is written."""


def _files(parts: Iterable[Part]) -> tuple[File, ...]:
    return tuple(part for part in parts if isinstance(part, File))


def _answered(entry: Entry, parts: list[Part]) -> Entry:
    """An answer to a call that nobody made."""
    results = [part for part in parts if isinstance(part, Result)]
    texts = (without_bytes(result.text) for result in results if result.text)
    files = (file for result in results for file in result.files)
    return entry._replace(
        text="\n".join(filter(None, (entry.text, *texts))), files=(*entry.files, *files)
    )


def _child(entry: Entry, made: Card) -> Entry:
    """A call of an entry that makes several, or says something beside it."""
    return Entry(EntryKind.CARD, entry.event, (), entry.time, entry.speaker, card=made)


def nested(entries: list[Entry]) -> list[Entry]:
    """Entries in tape order, each call that names an earlier one as its caller within it."""
    places: dict[str, int] = {}
    callers: list[int | None] = []
    for at, entry in enumerate(entries):
        made = entry.card
        callers.append(None if made is None or not made.parent else places.get(made.parent))
        if made is not None and made.id:
            places.setdefault(made.id, at)
    inner: dict[int, list[Entry]] = {}
    outer: list[Entry] = []
    # A caller stands before what it calls, so from the end every entry is whole when it is put.
    for at in range(len(entries) - 1, -1, -1):
        entry, caller = entries[at], callers[at]
        if at in inner:
            entry = entry._replace(children=(*entry.children, *reversed(inner[at])))
        (outer if caller is None else inner.setdefault(caller, [])).append(entry)
    return outer[::-1]
