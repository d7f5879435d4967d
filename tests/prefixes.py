"""The law of prefixes on a tape that lies somewhere: what is asked, and where to cut."""

import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspector.formats.contract import Format, Options, Tape
from inspector.tape.source import FileSource
from inspector.timeline.words import SpanKind
from tests.folding import folded

TURNING = (SpanKind.COMPACTION, SpanKind.TOOL_CALL)
"""Intervals at whose ends a tape is cut: what hides, and what comes in batches."""


@contextmanager
def opened(form: Format, path: Path, policy: str) -> Iterator[Tape]:
    """A tape over a text, folded; closed behind."""
    with folded(form.open(FileSource(path), Options(policy=policy))) as tape:
        yield tape


def answers(tape: Tape, cursor: int) -> dict[str, Any]:
    """What a tape says of one cursor."""
    timeline, nodes = tape.timeline, tape.timeline.surface.nodes
    return {
        "rows": [
            (
                nodes.origin(row.node),
                nodes.part(row.node),
                nodes.form(row.node),
                nodes.kind(row.node),
                nodes.meta(row.node),
                nodes.tokens[row.node],
            )
            for row in timeline.rows(cursor)
        ],
        "count": timeline.count(cursor),
        "tokens": timeline.tokens(cursor),
        "visibility": [timeline.visibility(event, cursor) for event in range(cursor)],
        "registers": timeline.registers.state(cursor),
        "settled": timeline.settled.at(cursor),
        "usage": timeline.usage.total(cursor),
        "open": [list(timeline.spans[kind].open_at(cursor)) for kind in SpanKind],
    }


def cuts(tape: Tape, most: int, first: int = 0) -> list[int]:
    """How many records to leave: round the turns of the tape, and anywhere else.

    Args:
        tape: folded.
        most: about so many cuts; all of a tape that has no more.
        first: the records at the start that stand in another file.
    """
    timeline, records = tape.timeline, tape.records()
    own = range(first + 1, records + 1)
    if len(own) <= most:
        return list(own)
    # Other cuts for every reader, and the same ones at every run.
    chance = random.Random(f"{tape.identity.id} {tape.identity.policy}")  # noqa: S311
    turns = sorted(_around(own, (timeline.table.record(event) for event in set(_turns(tape)))))
    half = most // 2
    return sorted(
        {*chance.sample(turns, min(half, len(turns))), *chance.sample(own, half), records}
    )


def _turns(tape: Tape) -> Iterator[int]:
    """The events that take rows away, and those at which intervals begin and end."""
    timeline = tape.timeline
    events, nodes = range(timeline.events), timeline.surface.nodes
    yield from (at for at in nodes.gone if at in events)
    for kind in TURNING:
        table = timeline.spans[kind]
        for span in range(len(table)):
            found = table[span]
            yield from (
                at for at in (found.opened, found.closed) if at is not None and at in events
            )


def _around(own: range, found: Iterable[int]) -> set[int]:
    return {near for at in found for near in (at, at + 1, at + 2) if near in own}


def pieces(content: bytes) -> list[bytes]:
    """The lines of a text, each with what ends it."""
    parts = content.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def differences(form: Format, path: Path, policy: str, folder: Path, most: int) -> list[str]:
    """Where a text that ends early and the whole one at that cursor are not told alike.

    Args:
        form: whose tape it is.
        path: of the text.
        policy: the reader to follow.
        folder: for the cut text; what must stand beside it is there.
        most: about so many cuts.
    """
    lines, found = pieces(path.read_bytes()), []
    with opened(form, path, policy) as whole:
        before = whole.records() - len(lines)
        for cut in cuts(whole, most, before):
            cursor = whole.timeline.table.before_record(cut)
            (folder / path.name).write_bytes(b"".join(lines[: cut - before]))
            with opened(form, folder / path.name, policy) as start:
                if start.timeline.events != cursor:
                    found.append(f"{cut} records: {start.timeline.events} events, not {cursor}")
                    continue
                ours, theirs = answers(start, cursor), answers(whole, cursor)
                found += [f"{cut} records: {key}" for key in ours if ours[key] != theirs[key]]
    return found
