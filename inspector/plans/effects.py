"""What the model sees before a plan and after it: rows, tokens, and what the provider reported."""

from collections.abc import Sequence
from typing import Final

from inspector.formats.contract import RequestEntry, Tape
from inspector.formats.planning import Draft
from inspector.lenses.weighing import tokens_of_entry, tokens_of_text
from inspector.plans.plan import Asked, Effect, Reported, Seen, ViewChoice
from inspector.plans.rehearsing import rehearsed
from inspector.plans.splitting import summarised
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Role


def tokens(timeline: Timeline, nodes: Sequence[int]) -> int:
    """The estimated tokens of some nodes."""
    weights = timeline.surface.nodes.tokens
    return sum(weights[node] for node in nodes)


def seen(timeline: Timeline, nodes: Sequence[int]) -> Seen:
    """How much some nodes are."""
    return Seen(len(nodes), tokens(timeline, nodes))


def reported(timeline: Timeline, cursor: int) -> Reported | None:
    """What the provider last reported of the context up to a cursor."""
    usage = timeline.usage.last(cursor)
    return None if usage is None or not usage.context else Reported(usage.context, usage.event)


def at_head(timeline: Timeline) -> tuple[int, ...]:
    """The surface of the head."""
    return tuple(row.node for row in timeline.rows(timeline.events))


def of_view(timeline: Timeline, view: ViewChoice) -> Effect:
    """What a fork or a rewind makes of what the model sees."""
    return Effect(
        Seen(len(view.before), view.tokens_before),
        Seen(len(view.after), view.tokens_after),
        view.before,
        view.after,
        reported=reported(timeline, timeline.events),
    )


ANY: Final = "-"
"""A summary where there is none yet."""


def of_compaction(tape: Tape, asked: Asked, rows: int, summary: str | None, draft: Draft) -> Effect:
    """What a compaction of the first rows of the head does: as the new tape would be read.

    Args:
        tape: of which.
        asked: how it was opened.
        rows: how many are divided from the others.
        summary: None where there is none yet: the rows that stay are told without one.
        draft: what would be made, of ``ANY`` where there is no summary.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    timeline = tape.timeline
    before = at_head(timeline)
    hidden = frozenset(summarised(timeline, before, rows))
    systems = tuple(node for node in before[:rows] if node not in hidden)
    stay = (*systems, *before[rows:])
    told = None if not rows or summary is None else tokens_of_text(summary)
    after = Seen(len(stay) + bool(rows), tokens(timeline, stay) + (told or 0))
    nodes: tuple[int | None, ...] | None = (*systems, None, *before[rows:]) if rows else before
    if told is None and any(timeline.surface.nodes.role(node) is Role.SYSTEM for node in stay):
        # What becomes of the system's rows is the owner's rule, and the same with any summary.
        trial = _seen_of(tape, asked, draft)
        if trial is not None and trial.rows != after.rows:
            nodes, after = None, Seen(trial.rows, max(0, trial.tokens - tokens_of_text(ANY)))
    made = None if told is None else _seen_of(tape, asked, draft)
    if made is not None and made != after:
        if made.rows == after.rows:
            # The row of the summary as the format weighs it, the owner's words around it included.
            told = max(0, made.tokens - tokens(timeline, stay))
        else:
            nodes = None
        after = made
    whole = seen(timeline, before)
    return Effect(whole, after, before, nodes, told, reported=reported(timeline, timeline.events))


def _seen_of(tape: Tape, asked: Asked, draft: Draft) -> Seen | None:
    made = rehearsed(tape, draft.writes, asked)
    return None if made is None else made.seen


def of_repair(tape: Tape, asked: Asked, draft: Draft | None, *, mends: bool) -> Effect:
    """What a repair does: as the mended tape would be read, or as it is sent where none is made.

    Args:
        tape: of which.
        asked: how it was opened.
        draft: what would be written, or None.
        mends: whether anything is to be mended.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    timeline = tape.timeline
    before = at_head(timeline)
    whole, last = seen(timeline, before), reported(timeline, timeline.events)
    if not mends:
        return Effect(whole, whole, before, before, reported=last)
    if draft is not None and draft.writes:
        made = _seen_of(tape, asked, draft)
        if made is not None:
            return Effect(whole, made, before, before if made == whole else None, reported=last)
    return of_request(tape, tape.request(timeline.events), timeline.events)


def of_request(tape: Tape, entries: Sequence[RequestEntry], cursor: int) -> Effect:
    """What is sent of what the model sees at a cursor."""
    timeline = tape.timeline
    before = tuple(row.node for row in timeline.rows(cursor))
    sent = [entry for entry in entries if entry.note != "dropped"]
    weight = sum(tokens_of_entry(timeline, entry) for entry in sent)
    return Effect(
        seen(timeline, before),
        Seen(len(sent), weight),
        before,
        tuple(entry.node for entry in sent),
        entries=True,
        reported=reported(timeline, cursor),
    )
