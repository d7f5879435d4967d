"""A summary beside the originals that it hides: which literals of theirs it does not tell."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from inspector.columns import after
from inspector.lenses.difference import around
from inspector.lenses.literals import Literal, LiteralClass, errors_of, is_whole, literals
from inspector.lenses.retelling import EXTRACTED, Launch, extracted, launch_in
from inspector.lenses.summaries import summaries, summary_node
from inspector.lenses.told import Told
from inspector.timeline.surface import Row
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Reason, Role

TextOf = Callable[[int], str]
"""What an event, or a row, says in full, by its number."""

_GENERATIONS: Final = 12
_ORIGINALS: Final = 1_500
"""Summaries before one, and their originals, that are looked through for what these lost; the
summaries just before it always.
"""

_PUT_BACK: Final = 24
"""Rows behind a summary among which the owner puts back what it injects."""


@dataclass(frozen=True, slots=True)
class Original:
    """An event that a summary hides, and its literals that the summary does not tell.

    Attributes:
        event: its position.
        role: who speaks.
        is_context: whether the owner injected it.
        kept: how many of its literals are told.
        missing: those that are not.
        whole: whether all of its text was looked through; else its head and its tail were.
    """

    event: int
    role: Role
    is_context: bool
    kept: int
    missing: tuple[Literal, ...]
    whole: bool


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
        rows: how many rows it hides, and how many of them are injected context.
        tokens: the estimated tokens of what it hides, and of the summary.
        launch: the first message of the person, and what became of it; None if there is none.
        kept: how many literals of the originals it tells, each counted once.
        earlier: what summaries before this one lost, the latest generation first.
        earlier_from: the last summary before that is not looked through for that, or None.
        extracted: which part of the summary is made of whole lines of its originals, 0 to 1.
        is_opaque: whether nothing of the summary can be read.
    """

    event: int
    text: str
    originals: tuple[Original, ...]
    rows: tuple[int, int]
    tokens: tuple[int, int]
    launch: tuple[int, Launch] | None
    kept: int
    earlier: tuple[Lost, ...]
    earlier_from: int | None
    extracted: float
    is_opaque: bool

    @property
    def missing(self) -> Iterator[tuple[int, Literal]]:
        """The literals that are missing, each once, by the first original that has it."""
        return _each_once(self.originals)

    @property
    def is_degraded(self) -> bool:
        """Whether the summary is put together of pieces of its originals, and written by nobody."""
        return self.extracted >= EXTRACTED


def _each_once(originals: Sequence[Original]) -> Iterator[tuple[int, Literal]]:
    known: set[str] = set()
    for original in originals:
        for literal in original.missing:
            key = literal.text.casefold()
            if key not in known:
                known.add(key)
                yield original.event, literal


def summary_at(timeline: Timeline, event: int) -> int | None:
    """The event of the summary of the compaction that an event belongs to, or None."""
    event = timeline.brought_by(event)
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


def audit(timeline: Timeline, event: int, text_of: TextOf, text_of_node: TextOf) -> Audit:
    """Look for what the originals of a summary quote in the summary.

    Args:
        timeline: folded beyond the event.
        event: the event of a summary, see `summary_at`.
        text_of: what events say.
        text_of_node: what rows say.
    """
    return Auditor(timeline, text_of, text_of_node).audit(event)


def hidden_by(timeline: Timeline, event: int) -> list[int]:
    """The nodes that a summary took the place of, injected context among them."""
    entered = {row.node for row in _brought(timeline, event)}
    return [
        departure.node
        for departure in timeline.hid(event)
        if departure.reason is Reason.COMPACTED and departure.node not in entered
    ]


def _brought(timeline: Timeline, event: int) -> tuple[Row, ...]:
    """The rows that came when a summary's event came in force."""
    at = timeline.in_force(event)
    return timeline.changes(at - 1, at).entered


class _Passage(NamedTuple):
    """What one event says, and who speaks."""

    event: int
    role: Role
    is_context: bool
    text: str


class _Past(NamedTuple):
    """What later summaries need to know of one: what it lost, and which summaries it hides."""

    missing: tuple[tuple[int, Literal], ...]
    summaries: tuple[int, ...]
    originals: int


class Auditor:
    """Audits of the summaries of one timeline.

    What each lost is kept for those behind it, so that the originals of all are read about once
    where the summaries are asked for in order.
    """

    def __init__(self, timeline: Timeline, text_of: TextOf, text_of_node: TextOf) -> None:
        self._timeline = timeline
        self._text_of = text_of
        self._text_of_node = text_of_node
        self._past: dict[int, _Past] = {}
        self._first: int | None = None
        self._launch_text: str | None = None
        self._looked_at = 0

    def audit(self, event: int) -> Audit:
        """The audit of the summary that an event brought."""
        timeline = self._timeline
        nodes = timeline.surface.nodes
        hidden = hidden_by(timeline, event)
        passages = list(self._passages(hidden))
        judged = self._judged(event, passages)
        originals = tuple(judged.originals(passages))
        missing = self._remember(event, hidden, originals)
        node = summary_node(timeline, event)
        text = "" if node is None else self._text_of_node(node)
        past = self._earlier(missing, judged)
        return Audit(
            event,
            text,
            originals,
            (len(hidden), sum(nodes.kind(one) is Kind.CONTEXT for one in hidden)),
            (sum(nodes.tokens[one] for one in hidden), 0 if node is None else nodes.tokens[node]),
            self._launch(event, text),
            judged.kept,
            past[0],
            past[1],
            extracted(text, [passage.text for passage in passages]),
            node is not None and nodes.kind(node) is Kind.OPAQUE,
        )

    def _passages(self, hidden: Sequence[int]) -> Iterator[_Passage]:
        nodes = self._timeline.surface.nodes
        first: dict[int, int] = {}
        for node in hidden:
            first.setdefault(nodes.origin(node), node)
        for origin, node in first.items():
            is_context = nodes.kind(node) is Kind.CONTEXT
            yield _Passage(origin, nodes.role(node), is_context, self._text_of(origin))

    def _judged(self, event: int, passages: Sequence[_Passage]) -> "_Judge":
        """What of some originals stands in the rows that a summary's event brought."""
        rows = _brought(self._timeline, event)
        said = [self._text_of_node(row.node) for row in rows if not row.carried]
        again = ""
        if any(passage.is_context for passage in passages):
            again = "\n".join(self._put_back(event))
        return _Judge("\n".join(said), again)

    def _put_back(self, event: int) -> Iterator[str]:
        """What the owner injects again just behind a summary."""
        nodes = self._timeline.surface.nodes
        start = bisect_right(nodes.born, self._timeline.in_force(event))
        for node in range(start, min(start + _PUT_BACK, len(nodes.born))):
            if nodes.kind(node) is Kind.CONTEXT:
                yield self._text_of_node(node)

    def _remember(self, event: int, hidden: Sequence[int], originals: Sequence[Original]) -> _Past:
        timeline = self._timeline
        within = dict.fromkeys(map(timeline.surface.nodes.origin, hidden))
        found = _Past(
            tuple(_each_once(originals)),
            tuple(one for one in within if summary_node(timeline, one) is not None),
            len(originals),
        )
        self._past[event] = found
        return found

    def _of(self, event: int) -> _Past:
        """What an earlier summary lost; its originals are read unless it was audited before."""
        known = self._past.get(event)
        if known is not None:
            return known
        hidden = hidden_by(self._timeline, event)
        passages = list(self._passages(hidden))
        judged = self._judged(event, passages)
        return self._remember(event, hidden, tuple(judged.originals(passages)))

    def _earlier(self, own: _Past, judged: "_Judge") -> tuple[tuple[Lost, ...], int | None]:
        """What the summaries among the hidden lost, and those that these hide, and so on.

        What the originals say themselves, a summary could have told.
        """
        known = set(judged.said)
        lost: list[Lost] = []
        seen: set[int] = set()
        waiting = [(1, one) for one in own.summaries]
        originals = 0
        for generation, summary in waiting:
            if summary in seen:
                continue
            if generation > 1 and (generation > _GENERATIONS or originals > _ORIGINALS):
                return tuple(lost), summary
            seen.add(summary)
            past = self._of(summary)
            originals += past.originals
            waiting += [(generation + 1, one) for one in past.summaries]
            for event, literal in past.missing:
                key = literal.text.casefold()
                if key not in known:
                    known.add(key)
                    if not judged.tells(literal):
                        lost.append(Lost(literal, event, summary, generation))
        return tuple(lost), None

    def _launch(self, event: int, text: str) -> tuple[int, Launch] | None:
        """The first message that a person wrote, as it can be seen just after the summary."""
        surface = self._timeline.surface
        nodes = surface.nodes
        at = self._timeline.in_force(event)
        first = self._first_message(bisect_right(nodes.born, at - 1))
        if first is None:
            return None
        origin = nodes.origin(first)
        if any(surface.is_there(one, at) for one in nodes.all_of_event(origin)):
            return origin, Launch.VERBATIM
        if self._launch_text is None:
            self._launch_text = self._text_of(origin)
        return origin, launch_in(self._launch_text, text)

    def _first_message(self, stop: int) -> int | None:
        """The first node below ``stop`` that a person wrote; each is looked at once."""
        nodes = self._timeline.surface.nodes
        while self._first is None and self._looked_at < stop:
            node = self._looked_at
            self._looked_at += 1
            if (
                nodes.role(node) is Role.USER
                and nodes.kind(node) is Kind.MESSAGE
                and not nodes.meta(node)
                and summary_node(self._timeline, nodes.origin(node)) is None
            ):
                self._first = node
        return self._first if self._first is not None and self._first < stop else None


_MOST: Final = 20_000
"""Literals of one original that are looked for."""


class _Judge:
    """Which literals of originals a summary tells; each is looked up once.

    Attributes:
        said: the literals of the originals that were judged, with whether they are told.
    """

    def __init__(self, summary: str, context: str) -> None:
        self._told = [Told(text) for text in (summary, context) if text]
        self.said: dict[str, bool] = {}

    @property
    def kept(self) -> int:
        """How many literals are told, each counted once."""
        return sum(self.said.values())

    def originals(self, passages: Sequence[_Passage]) -> Iterator[Original]:
        """What became of each passage, in order."""
        found = [
            None if passage.role is Role.TOOL else _quoted(passage.text) for passage in passages
        ]
        spoken = _Spoken(
            {
                key: literal
                for quoted in found
                if quoted is not None
                for key, literal in quoted.items()
            }
        )
        for passage, quoted in zip(passages, found, strict=True):
            telling = _printed(passage.text, spoken) if quoted is None else quoted
            missing = tuple(
                literal for key, literal in telling.items() if not self._has(key, literal)
            )
            yield Original(
                passage.event,
                passage.role,
                passage.is_context,
                len(telling) - len(missing),
                missing,
                is_whole(passage.text),
            )

    def tells(self, literal: Literal) -> bool:
        """Whether the summary, or what is injected behind it, tells a literal."""
        return any(told.has(literal) for told in self._told)

    def _has(self, key: str, literal: Literal) -> bool:
        told = self.said.get(key)
        if told is None:
            told = self.said[key] = self.tells(literal)
        return told


def _quoted(text: str) -> dict[str, Literal]:
    """The literals of a text, each once."""
    found: dict[str, Literal] = {}
    for literal in islice(literals(text), _MOST):
        found.setdefault(literal.text.casefold(), literal)
    return found


def in_order(found: Audit) -> list[Original]:
    """The originals as a person looks at them: the launching message, those that miss something
    (the person's own first, then errors), and the others as they stood.
    """
    launch = None if found.launch is None else found.launch[0]
    return sorted(found.originals, key=lambda original: _rank(original, launch))


def _rank(original: Original, launch: int | None) -> int:
    if original.event == launch:
        return 0
    if not original.missing:
        return 4
    if original.role is Role.USER and not original.is_context:
        return 1
    return 2 if any(one.kind is LiteralClass.ERROR for one in original.missing) else 3


_OTHERS: Final = 500
"""Literals of several words that are looked for in what tools printed."""


class _Spoken:
    """What somebody spoke of, to be found in what tools printed."""

    def __init__(self, literals: dict[str, Literal]) -> None:
        self._literals = literals
        self._figures = {key for key in literals if _FIGURE.fullmatch(key)}
        self._words = {key for key in literals.keys() - self._figures if _TOKEN.fullmatch(key)}
        others = literals.keys() - self._words - self._figures
        self._others = [key for key in literals if key in others][:_OTHERS]

    def within(self, text: str) -> Iterator[tuple[str, Literal]]:
        """The literals that stand in a text as a whole, in order."""
        low = text.lower()
        lines = _LINE_NUMBERS.sub("", "\n".join(dict.fromkeys(low.split("\n"))))
        there = {other for other in self._others if other in lines}
        if self._words:
            tokens = set(_TOKEN.findall(lines))
            there |= self._words & {token.strip(".-+") for token in tokens}
        if self._figures:
            there |= self._figures & set(_FIGURE.findall(lines))
        for at, key in sorted((_place(low, key), key) for key in there):
            yield key, Literal(text[at : at + len(key)], self._literals[key].kind, at)


def _place(text: str, key: str) -> int:
    """Where something stands in a text, as a whole if it does so anywhere."""
    found = re.search(rf"(?<![\w:.,/-]){re.escape(key)}(?![\w/-]|[:.,]\d)", text)
    found = found or re.search(rf"(?<!\w){re.escape(key)}(?!\w)", text)
    return max(0, text.find(key)) if found is None else found.start()


_LINE_NUMBERS: Final = re.compile(r"(?m)^\s*\d{1,6}(?=[\s:→|│]|$)")
_FIGURE: Final = re.compile(r"(?<![\w:.,/-])\d(?:[\d_]|[.,](?=\d))*(?![\w/-]|:\d)")
_TOKEN: Final = re.compile(r"[\w@~/\\.+#-]+")


def _printed(text: str, spoken: _Spoken) -> dict[str, Literal]:
    """What counts of a tool's output: errors, and what was spoken of elsewhere."""
    found: dict[str, Literal] = {}
    for error in islice(errors_of(text), _MOST):
        found.setdefault(error.text.casefold(), error)
    for key, literal in spoken.within(text):
        found.setdefault(key, literal)
    return found
