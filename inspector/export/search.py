"""Hits of a search: documents for scripts, and their text."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from inspector.formats.contract import Tape
from inspector.lenses.search import Hit, Pattern, search
from inspector.lenses.spoken import Spoken
from inspector.text.gate import clean_line
from inspector.timeline.words import Visibility

_WHERE: Final = 60

_UNSAID: Final = ("log-only", "aside", "not-applied", "not-yet", "unreadable")
"""What is not said to the model anyway."""


def hits(
    tape: Tape, wanted: Pattern, cursor: int, visibility: Visibility | None = None
) -> Iterator[dict[str, Any]]:
    """The hits in tape order, as they are found, of one visibility if told.

    The visibility is that of the event; ``said`` is whether the place is a part of what the event
    says to the model. Of the visible ones only those are asked for that are said.

    Args:
        tape: folded.
        wanted: what to look for.
        cursor: as of which the visibility of each is told.
        visibility: leave out all others.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    spoken = Spoken(tape)
    event, seen, by = None, Visibility.LOG_ONLY, None
    for hit in search(tape, wanted):
        if hit.event is None:
            seen, by = Visibility.LOG_ONLY, None
        elif hit.event != event:
            seen, by = tape.timeline.visibility(hit.event, cursor)
        event = hit.event
        if visibility is not None and seen is not visibility:
            continue
        said = spoken.says(hit)
        if said or visibility is not Visibility.VISIBLE:
            yield _hit(tape, hit, seen, by, said=said)


def _hit(tape: Tape, hit: Hit, seen: Visibility, by: int | None, *, said: bool) -> dict[str, Any]:
    place = tape.place(hit.record)
    return {
        "event": hit.event,
        "seq": None if hit.event is None else tape.number(hit.event),
        "line": place.line,
        "row": place.row,
        "visibility": seen.label,
        "by": by,
        "said": said,
        "where": hit.where,
        "before": hit.before,
        "match": hit.match,
        "after": hit.after,
    }


def text(found: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The text of `hits`, one a line."""
    for hit in found:
        seen = seen_words(hit["visibility"], said=hit["said"])
        yield (
            f"{name(hit):>8}  {seen:<10}  {clean_line(hit['where'], _WHERE)}: "
            f"{clean_line(hit['before'], 100)}[{clean_line(hit['match'], 200)}]"
            f"{clean_line(hit['after'], 100)}"
        )


def none_words(pattern: str, visibility: Visibility | None) -> str:
    """What is said where nothing was found."""
    where = "nothing" if visibility is None else f"nothing that is {visibility.label}"
    return f"{where} says {clean_line(pattern, 100)}"


def seen_words(visibility: str, *, said: bool) -> str:
    """What became of the event of a hit, and whether the model is told the place itself."""
    unsaid = not said and visibility not in _UNSAID
    return f"{visibility} (not said)" if unsaid else visibility


def name(hit: dict[str, Any]) -> str:
    """Where a hit stands, as people name it."""
    if hit["event"] is None:
        return f"line {hit['line']}" if hit["row"] is None else f"row {hit['row']}"
    return f"#{hit['event']}" if hit["seq"] is None else f"@{hit['seq']}"
