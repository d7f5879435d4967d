"""Compactions: the owner's split and prompt, and a new session in which a summary stands for rows.

The owner counts events of the raw log, hidden ones and earlier compactions too (format page 5).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from inspector.formats.planning import PlanError, Prompt
from inspector.formats.zero import golang
from inspector.formats.zero.planning.composing import Composition, composed
from inspector.formats.zero.planning.copying import Added, Names, compaction_payload
from inspector.formats.zero.planning.events import positions, read_ones, written
from inspector.formats.zero.planning.material import Session
from inspector.formats.zero.planning.owners import KEEPS
from inspector.formats.zero.planning.previews import Redaction, cut, preview
from inspector.formats.zero.stretches import Stretches, joined, within, without
from inspector.formats.zero.vocabulary import COMPACTION

LIMIT: Final = 8_000
"""The most bytes of the owner's prompt, the mark that it was cut included."""

TRUNCATED: Final = b"\n[truncated]"

_HEAD: Final = (
    b"Summarize these Zero session events for future context.",
    b"Preserve user intent, tool outcomes, important files, blockers, and follow-up state.",
)
_NOTHING: Final = b"No compactable Zero session events."

_ROOM: Final = 4
"""Times the limit of which lines are made, no more: what is cut off need not be read."""


def owners_split(tape: Session, keep_last: int | None) -> tuple[Stretches, Stretches]:
    """The events that the owner would summarise, and those that it would keep."""
    keep = KEEPS if keep_last is None or keep_last <= 0 else keep_last
    events = read_ones(tape, tape.timeline.events)
    count = sum(map(len, events))
    split = _place(events, max(0, count - keep))
    head = tape.timeline.events
    return within(events, 0, split), within(events, split, head)


def _place(events: Stretches, count: int) -> int:
    """The position behind the first so many events."""
    for part in events:
        if count <= len(part):
            return part.start + count
        count -= len(part)
    return events[-1].stop if events else 0


def prompt_lines(tape: Session, events: Stretches, redact: Redaction) -> Iterator[bytes]:
    """Events as lines of a prompt: number, type, and the payload shaped by that."""
    for at in positions(events):
        found = written(tape, at)
        head = f"{tape.number(at) or 0} {found.kind} ".encode("utf-8", "replace")
        yield head + preview(found.kind, found.payload, redact)


def prompt(
    tape: Session, events: Stretches, redact: Redaction, limit: int = LIMIT
) -> tuple[bytes, bool]:
    """The owner's prompt for some events, and whether it was cut.

    Args:
        tape: the session.
        events: which.
        redact: hides secrets; the owner's, or ours.
        limit: the most bytes, more than the mark has.
    """
    if not events:
        return _NOTHING, False
    made = list(_HEAD)
    size = sum(map(len, made)) + 1
    for line in prompt_lines(tape, events, redact):
        made.append(line)
        size += len(line) + 1
        if size > _ROOM * limit:
            break
    text = b"\n".join(made)
    if len(text) <= limit:
        return text, False
    if limit <= len(TRUNCATED):
        return cut(text, limit), True
    return cut(text, limit - len(TRUNCATED)) + TRUNCATED, True


def shown_prompt(tape: Session, events: Stretches, redact: Redaction) -> Prompt:
    """The prompt as a value."""
    text, truncated = prompt(tape, events, redact)
    said = text.decode("utf-8", "replace")
    return Prompt(said, len(said.encode()), "bytes", LIMIT, truncated)


class Compacted(NamedTuple):
    """A session whose first rows a summary stands for.

    Attributes:
        composition: its events, but for those that are added.
        covered: the positions of the events that the summary covers.
        kept: those of the others.
    """

    composition: Composition
    covered: Stretches
    kept: Stretches


def compacted(tape: Session, rows: int) -> Compacted:
    """The events of a new session, and which of them a summary of the first rows covers.

    It covers what stands before the first row kept, as the owner's does, rows that stand elsewhere
    among the first, and what is hidden already.

    Raises:
        PlanError: if no summary could stand before the rows kept.
    """
    head = tape.timeline.events
    nodes = tape.timeline.surface.nodes
    surface = [nodes.origin(row.node) for row in tape.timeline.rows(head)]
    composition = composed(tape, head, surface)
    if isinstance(composition, str):
        raise PlanError(composition)
    first, others = surface[:rows], surface[rows:]
    counts = composition.counts
    if counts is not None and (counts in others or not composition.hidden):
        composition = _moved(composition, counts)
    kept_rows = _singles(others)
    begins = min((at for at in others if at != counts), default=head)
    all_parts = joined(composition.parts)
    covered = without(
        joined([*within(all_parts, 0, begins), *composition.hidden, *_singles(first)]), kept_rows
    )
    if not _stands_first(composition, covered, others):
        raise PlanError("no summary of these rows could stand before those that are kept")
    return Compacted(composition, covered, without(all_parts, covered))


def _moved(composition: Composition, counts: int) -> Composition:
    """The same events, with the compaction that counted where it stands, as it counts no more.

    What it hides is written before it, since that is what it names.
    """
    own = range(counts, counts + 1)
    others = without(joined(composition.parts), joined([*composition.hidden, own]))
    place = composition.hidden[0].start if composition.hidden else 0
    behind = within(others, place, counts + others[-1].stop) if others else []
    parts = (*within(others, 0, place), *composition.hidden, own, *behind)
    return replace(composition, parts=parts)


def _stands_first(composition: Composition, covered: Stretches, others: Sequence[int]) -> bool:
    """Whether the first event covered is written before every row kept."""
    kept = set(others)
    for part in composition.parts:
        if within(covered, part.start, part.stop):
            first = within(covered, part.start, part.stop)[0].start
            return not any(at in kept for at in range(part.start, first))
        if any(at in kept for at in part):
            return False
    return not others


def _singles(events: Iterable[int]) -> Stretches:
    return joined(range(at, at + 1) for at in events)


def added(tape: Session, found: Compacted, summary: str, made: Prompt, created: str) -> Added:
    """The event of a compaction, as the owner records one."""
    fields = {
        "summary": golang.whole_text(summary).strip(golang.SPACE),
        "preserveLast": sum(map(len, found.kept)),
        "promptChars": made.length,
        "truncated": made.truncated,
    }

    def payload(names: Names) -> Iterator[bytes]:
        yield b"{"
        yield from compaction_payload(tape, names, fields, found.covered, found.kept)

    return Added(COMPACTION, created, payload)
