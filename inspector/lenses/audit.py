"""A summary beside the originals that it hides: which literals of theirs it does not tell."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from inspector.columns import after
from inspector.lenses.difference import around
from inspector.lenses.literals import Literal, LiteralClass, Told, literals
from inspector.lenses.retelling import Launch, extracted, launch_in
from inspector.lenses.summaries import summaries, summary_node
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Reason, Role

TextOf = Callable[[int], str]
"""What an event says in full, by its position."""


@dataclass(frozen=True, slots=True)
class Original:
    """An event that a summary hides, and its literals that the summary does not tell."""

    event: int
    role: Role
    kept: int
    missing: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """A literal that an earlier summary did not take over, so that this one could not."""

    literal: Literal
    event: int
    summary: int
    generation: int


@dataclass(frozen=True, slots=True)
class Audit:
    """A compaction.

    Attributes:
        event: the position of the event whose message is the summary.
        text: the summary.
        originals: what it hides, in surface order.
        tokens: the estimated tokens of what it hides, and of the summary.
        launch: the first message of the person, and what became of it; None if there is none.
        earlier: what summaries before this one lost, the latest generation first.
        extracted: which part of the summary is made of whole lines of its originals, 0 to 1.
    """

    event: int
    text: str
    originals: tuple[Original, ...]
    tokens: tuple[int, int]
    launch: tuple[int, Launch] | None
    earlier: tuple[Lost, ...]
    extracted: float

    @property
    def missing(self) -> Iterator[tuple[int, Literal]]:
        """The literals that are missing, each once, by the first original that has it."""
        known: set[str] = set()
        for original in self.originals:
            for literal in original.missing:
                key = literal.text.casefold()
                if key not in known:
                    known.add(key)
                    yield original.event, literal

    @property
    def kept(self) -> int:
        """How many literals of the originals the summary tells."""
        return sum(original.kept for original in self.originals)

    @property
    def is_degraded(self) -> bool:
        """Whether the summary is put together of pieces of its originals, and written by nobody."""
        return self.extracted >= _EXTRACTED


_EXTRACTED: Final = 0.6
"""Which part of a summary's lines stand in its originals if a machine put it together."""


def summary_at(timeline: Timeline, event: int) -> int | None:
    """The event of the summary of the compaction that an event belongs to, or None."""
    if summary_node(timeline, event) is not None and timeline.is_replacement(event):
        return event
    cursors = around(timeline, event)
    if cursors is not None:
        within = [found for found in summaries(timeline, cursors[1]) if found >= cursors[0]]
        if within:
            return within[-1]
    # A boundary of its own stands before the summary that it announces.
    following = after(timeline.replacements, event)
    if following is not None and any(
        departure.by == event for departure in timeline.changes(following, following + 1).left
    ):
        return following
    return None


def audit(timeline: Timeline, event: int, text_of: TextOf) -> Audit:
    """Look for what the originals of a summary quote in the summary.

    Args:
        timeline: folded beyond the event.
        event: the event of a summary, see `summary_at`.
        text_of: what events say.
    """
    text = text_of(event)
    told = Told(text)
    hidden = hidden_by(timeline, event)
    passages = _passages(timeline, hidden, text_of)
    weights = timeline.surface.nodes.tokens
    node = summary_node(timeline, event)
    return Audit(
        event,
        text,
        tuple(_originals(passages, told)),
        (sum(weights[one] for one in hidden), 0 if node is None else weights[node]),
        _launch(timeline, event, text, text_of),
        tuple(_earlier(timeline, hidden, told, text_of)),
        extracted(text, [passage.text for passage in passages]),
    )


def hidden_by(timeline: Timeline, event: int) -> list[int]:
    """The nodes that a summary took the place of; what the owner injects again is none."""
    changes = timeline.changes(event, event + 1)
    entered = {row.node for row in changes.entered}
    return [
        departure.node
        for departure in changes.left
        if departure.reason is Reason.COMPACTED
        and departure.node not in entered
        and timeline.surface.nodes.kind(departure.node) is not Kind.CONTEXT
    ]


class _Passage(NamedTuple):
    """What one event says, and who speaks."""

    event: int
    role: Role
    text: str


def _passages(timeline: Timeline, hidden: Sequence[int], text_of: TextOf) -> list[_Passage]:
    nodes = timeline.surface.nodes
    roles: dict[int, Role] = {}
    for node in hidden:
        roles.setdefault(nodes.origin(node), nodes.role(node))
    return [_Passage(origin, role, text_of(origin)) for origin, role in roles.items()]


def _originals(passages: Sequence[_Passage], told: Told) -> Iterator[Original]:
    found = [{one.text.casefold(): one for one in literals(said.text)} for said in passages]
    spoken = {
        key
        for passage, quoted in zip(passages, found, strict=True)
        if passage.role is not Role.TOOL
        for key in quoted
    }
    for passage, quoted in zip(passages, found, strict=True):
        telling = [
            literal
            for key, literal in quoted.items()
            if passage.role is not Role.TOOL or _matters(literal, key in spoken)
        ]
        missing = tuple(literal for literal in telling if not told.has(literal))
        yield Original(passage.event, passage.role, len(telling) - len(missing), missing)


def _matters(literal: Literal, spoken: bool) -> bool:
    """Whether a literal of a tool's output is worth telling: an error, or spoken of elsewhere."""
    return spoken or literal.kind is LiteralClass.ERROR


def _launch(
    timeline: Timeline, event: int, text: str, text_of: TextOf
) -> tuple[int, Launch] | None:
    """The first message that a person wrote, as it can be seen just after the summary."""
    surface = timeline.surface
    nodes = surface.nodes
    for node in range(bisect_right(nodes.born, event)):
        if nodes.role(node) is not Role.USER or nodes.kind(node) is not Kind.MESSAGE:
            continue
        origin = nodes.origin(node)
        if nodes.meta(node) or summary_node(timeline, origin) is not None:
            continue
        if any(surface.is_there(one, event + 1) for one in nodes.all_of_event(origin)):
            return origin, Launch.VERBATIM
        return origin, launch_in(text_of(origin), text)
    return None


def _earlier(
    timeline: Timeline, hidden: Sequence[int], told: Told, text_of: TextOf
) -> Iterator[Lost]:
    """What the summaries among the hidden lost, and those that these hide, and so on."""
    known: set[str] = set()
    for generation, summary in _generations(timeline, hidden):
        passages = _passages(timeline, hidden_by(timeline, summary), text_of)
        for original in _originals(passages, Told(text_of(summary))):
            for literal in original.missing:
                key = literal.text.casefold()
                if key not in known and not told.has(literal):
                    known.add(key)
                    yield Lost(literal, original.event, summary, generation)


def _generations(timeline: Timeline, hidden: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Every summary that these nodes stand for, with how many summaries ago it was written."""
    origin = timeline.surface.nodes.origin
    known: set[int] = set()
    waiting = [(1, node) for node in hidden]
    for generation, node in waiting:
        event = origin(node)
        if event in known or summary_node(timeline, event) is None:
            continue
        known.add(event)
        yield generation, event
        waiting += [(generation + 1, one) for one in hidden_by(timeline, event)]
