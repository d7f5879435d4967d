"""Every request of a tape: what was sent, what of it was cached, what was paid for again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inspector.formats.contract import Tape
from inspector.formats.usage_figures import UNREADABLE
from inspector.lenses.prefix import Part, Prefix, prefix
from inspector.lenses.requests import Request, requests
from inspector.lenses.summaries import summarised_within
from inspector.lenses.texts import said
from inspector.lenses.waste import TTL, Cause, Miss, Prompt, misses
from inspector.timeline.marks import Usage


@dataclass(frozen=True, slots=True)
class Entry:
    """One request.

    Attributes:
        time: when it was reported, in milliseconds since the epoch, or None.
        model: as the tape names it, or None.
        prefix: what it repeats of the request before; None for the first.
        miss: what of that was paid for again, or None.
        other_model: whether the request before went to another model, which has its own cache.
        unreadable: what of its figures is no number of tokens and counts as nothing.
    """

    request: Request
    time: int | None
    model: str | None
    prefix: Prefix | None
    miss: Miss | None
    other_model: bool
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Totals:
    """All requests together, in tokens; ``input`` is what was not cached."""

    requests: int
    input: int
    cache_read: int
    cache_write: int
    output: int
    waste: int
    misses: int
    unreadable: int = 0

    @property
    def hit_rate(self) -> float | None:
        """Which part of what was sent came from the cache; None where nothing was sent."""
        sent = self.input + self.cache_read + self.cache_write
        return self.cache_read / sent if sent else None


def ledger(tape: Tape, cursor: int, ttl: float = TTL) -> list[Entry]:
    """Every request reported up to a cursor, in order.

    Args:
        tape: folded at least up to the cursor.
        cursor: 0 to the head.
        ttl: seconds for which the provider keeps a prefix.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    found: list[Entry] = []
    for entry in billed(tape, cursor, ttl):
        if not found:
            found.append(entry)
            continue
        before = found[-1]
        kept = _prefix(tape, before.request, entry.request)
        found.append(replace(entry, prefix=kept, miss=_explained(before, entry, kept)))
    return found


def billed(tape: Tape, cursor: int, ttl: float = TTL) -> list[Entry]:
    """The requests as `ledger` has them, but for what they repeat of the one before: no text is
    read. Why something was paid for again is told by the figures alone.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    made = requests(tape.timeline, cursor)
    prompts = _prompts(tape, made)
    unreadable = _unreadable(tape)
    found: list[Entry] = []
    before: str | None = None
    for request, prompt, miss in zip(made, prompts, misses(prompts, ttl), strict=True):
        model = _model(tape, request.event)
        other = None not in (model, before) and model != before
        unread = unreadable.get(request.usage.event) or unreadable.get(request.event, ())
        found.append(Entry(request, prompt.time, model, None, miss, other, unread))
        before = model
    return found


def beside(tape: Tape, cursor: int) -> list[Entry]:
    """The requests up to a cursor that were not made of the surface: a compaction's, a subagent's.

    Each stands at its event, and has no prefix and no miss.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    timeline, unreadable = tape.timeline, _unreadable(tape)
    return [
        Entry(
            Request(event, event, usage),
            timeline.table.time(event),
            _model(tape, event),
            prefix=None,
            miss=None,
            other_model=False,
            unreadable=unreadable.get(event, ()),
        )
        for event, usage in timeline.side_usage.first_reported(cursor)
    ]


def _unreadable(tape: Tape) -> dict[int, tuple[str, ...]]:
    """The figures that cannot be read, by the event that reports them."""
    told: dict[int, tuple[str, ...]] = {}
    for found in tape.timeline.findings:
        if found.kind is UNREADABLE and found.event is not None:
            told[found.event] = (*told.get(found.event, ()), found.message)
    return told


def _explained(before: Entry, entry: Entry, kept: Prefix) -> Miss | None:
    """A miss with a cause that the tape bears out: that something was rewritten is seen at a break
    of the prefix, or where less was sent than before.
    """
    miss = entry.miss
    if miss is None or miss.cause is not Cause.REWRITE or kept.broken is not None:
        return miss
    if entry.request.usage.context < before.request.usage.context:
        return miss
    return miss._replace(cause=Cause.UNKNOWN)


def _prefix(tape: Tape, before: Request, request: Request) -> Prefix:
    return prefix(
        tape.timeline,
        before.cursor,
        max(before.cursor, request.cursor),
        tape.preamble,
        lambda event: said(tape, event),
    )


def texts_at_break(tape: Tape, before: Entry, entry: Entry) -> tuple[str, str]:
    """What stood where a request stops to repeat the one before, and what stands there now.

    Empty where nothing does, and where nothing broke.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    broken = None if entry.prefix is None else entry.prefix.broken
    if broken is None:
        return "", ""
    if broken.part is Part.MESSAGE:
        was, event = broken.was, broken.event
        return (
            "" if was is None else said(tape, was),
            "" if event is None else said(tape, event),
        )
    cursors = (before.request.cursor, entry.request.cursor)
    one, other = ({part.part: part.text for part in tape.preamble(cursor)} for cursor in cursors)
    name = broken.part.value
    return one.get(name, ""), other.get(name, "")


def prompts_of(tape: Tape, cursor: int) -> list[Prompt]:
    """What each request up to a cursor sent, without a look at any text."""
    return _prompts(tape, requests(tape.timeline, cursor))


def _prompts(tape: Tape, made: Sequence[Request]) -> list[Prompt]:
    timeline = tape.timeline
    found: list[Prompt] = []
    since = 0
    for request in made:
        usage = request.usage
        found.append(
            Prompt(
                usage.context,
                usage.cache_read,
                usage.cache_write,
                timeline.table.time(request.event),
                anew=summarised_within(timeline, since, request.cursor),
            )
        )
        since = request.cursor
    return found


def _model(tape: Tape, event: int) -> str | None:
    setting = tape.timeline.registers.at("model", event + 1)
    if setting is None:
        return None
    value = tape.value("model", setting)
    return value if isinstance(value, str) else None


def totals(entries: Sequence[Entry]) -> Totals:
    """The sums of requests."""
    usages: list[Usage] = [entry.request.usage for entry in entries]
    missed = [entry.miss.tokens for entry in entries if entry.miss is not None]
    return Totals(
        len(usages),
        sum(usage.input for usage in usages),
        sum(usage.cache_read for usage in usages),
        sum(usage.cache_write for usage in usages),
        sum(usage.output for usage in usages),
        sum(missed),
        len(missed),
        sum(bool(entry.unreadable) for entry in entries),
    )
