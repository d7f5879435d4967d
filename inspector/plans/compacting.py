"""A compaction as a plan: what would be hidden by which split, and what a model would be asked."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, overload

from inspector.formats.contract import Tape
from inspector.formats.planning import (
    IN_COMPACTION,
    OPEN_TURN,
    Check,
    Draft,
    How,
    Making,
    PlanError,
    PlanKind,
    Planner,
    Split,
)
from inspector.lenses.naming import named
from inspector.lenses.texts import said
from inspector.plans import checking
from inspector.plans.changes import registers
from inspector.plans.checking import Exists
from inspector.plans.cutting import way
from inspector.plans.effects import ANY, of_compaction
from inspector.plans.extracting import extract
from inspector.plans.judging import of_refused
from inspector.plans.placing import placed
from inspector.plans.plan import Asked, Compaction, Effect, Plan
from inspector.plans.splitting import (
    KEEP_LAST,
    QUOTED,
    SafeSplit,
    launching,
    safe_split,
    summarised,
)
from inspector.plans.starts import line_of, start_of
from inspector.plans.views import is_summary, originals
from inspector.text.redaction import redacted

WORTH: Final = "worth-it"
SUMMARY: Final = "summary"
SMALLER: Final = "smaller"

_QUOTE: Final = "The person's first message, word for word:\n\n{text}\n\n"
_CUT_QUOTE: Final = (
    "The first {most:,} of {length:,} characters of the person's first message, word for word:"
    "\n\n{text}\n\n[the message goes on]\n\n"
)

_COPIES: Final = "a new tape can be made instead (`--how create`), of which that is not so"

_IN_ANY_WAY: Final = frozenset((SUMMARY, WORTH, OPEN_TURN, checking.PAIRING))
"""Rules that are kept or broken in whatever way it is written."""

_Compact = Callable[[int, str, Making], Draft | None]


def plan_compaction(tape: Tape, asked: Asked, making: Making, exists: Exists) -> Plan:
    """A compaction of the surface of the head: a new tape or a record behind it; calls no model.

    Where what would be appended fails a check that a new tape does not, a new one is made unless
    an append is asked for.

    Raises:
        PlanError: if there is no way of writing it.
        SourceError: if the tape cannot be read any more.
    """
    planner = tape.planner()
    ways = planner.ways(asked.kind)
    if ways.get(How.APPEND, "") is not None or ways.get(How.CREATE) is None:
        return _planned(tape, asked, making, exists, (way(ways, asked.how), planner.compact))
    found = _planned(tape, asked, making, exists, (How.APPEND, planner.compact))
    copy, hides = None, found.compaction is not None and found.compaction.hides
    if hides and any(check.rule not in _IN_ANY_WAY for check in found.broken):
        with suppress(PlanError):
            copy = _planned(tape, asked, making, exists, (How.CREATE, planner.compact_anew))
    failed = {check.rule: check.message for check in found.broken}
    if copy is None or not {check.rule for check in copy.broken} < failed.keys():
        way(ways, asked.how)
        return found
    if asked.how is How.APPEND:
        both = dict.fromkeys((How.APPEND, How.CREATE))
        return replace(found, ways=both, remarks=(*found.remarks, _COPIES))
    own = {check.rule for check in copy.broken}
    why = "; ".join(message for rule, message in failed.items() if rule not in own)
    said = f"nothing is appended to the tape itself: {why}"
    both = dict.fromkeys((How.CREATE, How.APPEND))
    return replace(copy, ways=both, remarks=(*copy.remarks, said))


def _planned(
    tape: Tape, asked: Asked, making: Making, exists: Exists, by: tuple[How, _Compact]
) -> Plan:
    """The compaction as it is written in one way.

    Raises:
        PlanError: if it cannot be made so.
        SourceError: if the tape cannot be read any more.
    """
    planner, timeline = tape.planner(), tape.timeline
    ways, (how, compact) = planner.ways(asked.kind), by
    head = timeline.events
    nodes = tuple(row.node for row in timeline.rows(head))
    keep = KEEP_LAST if asked.keep_last is None else asked.keep_last
    split = safe_split(timeline, nodes, keep, tape.group, partial(named, tape))
    hides = summarised(timeline, nodes, split.rows)
    launch = _launch(tape, planner, hides, nodes[split.rows :])
    summary, shown = _summary(tape, asked, hides, launch)
    given = summary if summary is not None and summary.strip() else None
    owner = planner.split(asked.keep_last)
    made = draft = Draft((), head, checks=tuple(planner.going_on()))
    if split.rows:
        # Without a summary nothing would be made; what a made one keeps is the same with any.
        anything = compact(split.rows, ANY if given is None else given, making)
        if anything is None:
            raise PlanError("no new tape is made of it")
        made = anything
        draft = placed(planner, made, asked.into)
        if given is None:
            # What is kept with any summary is not yet kept; what is broken with any is.
            broken = tuple(check for check in draft.checks if not check.ok)
            draft = replace(draft, writes=(), checks=broken, remarks=(), registers=None)
    effect = of_compaction(tape, asked, split.rows, given, made)
    return Plan(
        asked,
        how,
        ways,
        planner.owner,
        tape.identity.path,
        tape.seal(),
        making,
        kept=draft.kept,
        left={why: number for why, number in draft.omitted.items() if number},
        checks=(
            *checking.of_tape(tape, head, how, cut=False, passed=planner.passes_over()),
            *checking.of_head(tape, planner, draft.checks, partial(_mends, planner, making)),
            _worth(split),
            _told(summary, degraded=asked.degraded and asked.summary is None),
            *_weighed(effect, draft.checks),
            *checking.of_pairs(tape, nodes[split.rows :], nodes),
            *checking.without_head(draft.checks),
            *_half_written(planner, head, draft),
            *of_refused(tape, planner, draft, asked),
            *checking.of_targets(planner, draft, exists),
        ),
        effect=effect,
        compaction=Compaction(
            (len(summarised(timeline, nodes, owner.rows)), owner.why),
            len(hides),
            split.moved_because,
            hides,
            launch if summary is None or given is not None else None,
            planner.prompt(split.rows),
            shown,
            asked.degraded and asked.summary is None,
        ),
        registers=registers(tape, head, draft.registers),
        writes=tuple((write, write.size()) for write in draft.writes),
        remarks=(*_default(planner, asked, owner), *draft.remarks),
    )


def _default(planner: Planner, asked: Asked, owner: Split) -> Iterator[str]:
    """How much the owner keeps by default, where its split is not by that or does not say it."""
    told = planner.keeps_by_default()
    if asked.keep_last is not None and told not in owner.why:
        yield told


def _launch(
    tape: Tape, planner: Planner, hides: tuple[int, ...], kept: Sequence[int]
) -> int | None:
    """The message with which it all began, also where an earlier summary stands for it by now.

    None where it is kept, or nobody wrote one.
    """
    timeline = tape.timeline
    if any(is_summary(timeline, node) for node in hides):
        own = planner.originals(timeline.events)
        hides = tuple(originals(timeline, timeline.events) if own is None else own)
    found = launching(timeline, hides, lambda event: tape.headline(event).kind)
    return None if found in kept else found


def _half_written(planner: Planner, head: int, draft: Draft) -> Iterator[Check]:
    """Whether a compaction is half written at the head, where its format has not said so."""
    if any(check.rule == IN_COMPACTION for check in draft.checks):
        return
    for stop in planner.cuts(PlanKind.FORK, How.CREATE).stops(head):
        if stop.rule == IN_COMPACTION:
            yield Check(stop.rule, ok=False, message=stop.why, code=stop.code)


def _worth(split: SafeSplit) -> Check:
    return Check(
        WORTH,
        not split.not_worth,
        split.not_worth or "there is enough to summarise",
    )


def _weighed(effect: Effect, drafted: Sequence[Check]) -> Iterator[Check]:
    """Whether the model would see no less, unless the format says so by a rule of its own."""
    more = effect.after.tokens - effect.before.tokens
    told = any(check.rule == SMALLER and not check.ok for check in drafted)
    if effect.summary is not None and more >= 0 and not told:
        what = f"{more:,} tokens more than now" if more else "as many tokens as now"
        why = f"the model would see {what}: nothing is saved"
        yield Check(SMALLER, ok=False, message=why, blocks=False)


def _told(summary: str | None, *, degraded: bool) -> Check:
    if summary is None:
        why = "no summary yet: give one in a file, or ask for the degraded one"
        return Check(SUMMARY, ok=False, message=why)
    if not summary.strip():
        return Check(SUMMARY, ok=False, message="the summary says nothing")
    kind = "degraded: pieces of the originals, written by no model" if degraded else "as given"
    return Check(SUMMARY, ok=True, message=kind)


def _mends(planner: Planner, making: Making) -> bool:
    """Whether a repair of the tape would mend anything."""
    try:
        return bool(planner.repair(making).closers)
    except PlanError:
        return False


def _summary(
    tape: Tape, asked: Asked, hides: Sequence[int], launch: int | None
) -> tuple[str | None, str | None]:
    """What would stand for the rows, the launching message word for word before it; and the same
    as it is shown, secrets masked.
    """
    if asked.summary is not None:
        text = asked.summary
    elif asked.degraded:
        text = extract(_Sayings(tape, hides))
    else:
        return None, None
    if launch is None or not text.strip():
        return text, redacted(text)
    first = said(tape, tape.timeline.surface.nodes.origin(launch))
    if not first.strip() or _is_quoted(first, text):
        return text, redacted(text)
    if len(first) <= QUOTED:
        quote = _QUOTE.format(text=first) + text
        return quote, redacted(quote)
    quoted = partial(_CUT_QUOTE.format, most=QUOTED, length=len(first))
    shown = quoted(text=start_of(first, QUOTED)) + redacted(text)
    return quoted(text=first[:QUOTED]) + text, shown


def _is_quoted(first: str, text: str) -> bool:
    """Whether a text stands in another one as a block of its own."""
    block, lines = (one.replace("\r\n", "\n").strip() for one in (first, text))
    return f"\n\n{block}\n\n" in f"\n\n{lines}\n\n"


class _Sayings(Sequence[tuple[str, str]]):
    """Who speaks in each of some rows, and what, secrets masked; read when it is asked for."""

    def __init__(self, tape: Tape, nodes: Sequence[int]) -> None:
        self._tape = tape
        self._nodes = nodes

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, at: int) -> tuple[str, str]: ...

    @overload
    def __getitem__(self, at: slice) -> "_Sayings": ...

    def __getitem__(self, at: int | slice) -> "tuple[str, str] | _Sayings":
        if isinstance(at, slice):
            return _Sayings(self._tape, self._nodes[at])
        node = self._nodes[at]
        role = self._tape.timeline.surface.nodes.role(node).label
        return role, line_of(self._tape, node)
