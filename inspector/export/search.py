"""Hits of a search: documents for scripts, and their text."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from inspector.formats.contract import Tape
from inspector.lenses.search import Hit, Pattern, search
from inspector.text.gate import clean_line
from inspector.timeline.words import Visibility

_WHERE: Final = 60


def hits(
    tape: Tape, wanted: Pattern, cursor: int, visibility: Visibility | None = None
) -> Iterator[dict[str, Any]]:
    """The hits in tape order, as they are found, of one visibility if told.

    Args:
        tape: folded.
        wanted: what to look for.
        cursor: as of which the visibility of each is told.
        visibility: leave out all others.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    for hit in search(tape, wanted):
        seen, by = Visibility.LOG_ONLY, None
        if hit.event is not None:
            seen, by = tape.timeline.visibility(hit.event, cursor)
        if visibility is None or seen is visibility:
            yield _hit(tape, hit, seen, by)


def _hit(tape: Tape, hit: Hit, seen: Visibility, by: int | None) -> dict[str, Any]:
    place = tape.place(hit.record)
    return {
        "event": hit.event,
        "seq": None if hit.event is None else tape.number(hit.event),
        "line": place.line,
        "row": place.row,
        "visibility": seen.label,
        "by": by,
        "where": hit.where,
        "before": hit.before,
        "match": hit.match,
        "after": hit.after,
    }


def text(found: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The text of `hits`, one a line."""
    for hit in found:
        yield (
            f"{name(hit):>8}  {hit['visibility']:<10}  {clean_line(hit['where'], _WHERE)}: "
            f"{clean_line(hit['before'], 100)}[{clean_line(hit['match'], 200)}]"
            f"{clean_line(hit['after'], 100)}"
        )


def name(hit: dict[str, Any]) -> str:
    """Where a hit stands, as people name it."""
    if hit["event"] is None:
        return f"line {hit['line']}" if hit["row"] is None else f"row {hit['row']}"
    return f"#{hit['event']}" if hit["seq"] is None else f"@{hit['seq']}"
