"""The requests of a tape: a document for scripts, and its text."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, Final

from inspector.export import pressure as pressures
from inspector.export.text import table
from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.composition import Share, composition, compositions
from inspector.lenses.ledger import Entry, beside, ledger, totals
from inspector.lenses.prefix import Break, Part
from inspector.lenses.pressure import counted, pressure
from inspector.lenses.prices import Prices
from inspector.lenses.waste import TTL, Cause, Miss
from inspector.text.gate import clean_line
from inspector.text.labels import count, percent, plural, stamp, tokens

_MODEL: Final = 30
_UNREAD: Final = 200


def document(
    tape: Tape, cursor: int, ttl: float = TTL, prices: Prices | None = None
) -> dict[str, Any]:
    """Every request reported up to a cursor.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    return document_of(tape, ledger(tape, cursor, ttl), cursor, ttl, prices)


def document_of(
    tape: Tape,
    entries: Sequence[Entry],
    cursor: int,
    ttl: float = TTL,
    prices: Prices | None = None,
) -> dict[str, Any]:
    """The document of the requests up to a cursor; a price file may tell windows."""
    sums = totals(entries)
    shares = compositions(tape, accumulate((entry.request.cursor for entry in entries), max))
    return {
        "cursor": cursor,
        "ttl": ttl,
        "pressure": pressures.document(tape, cursor, prices),
        "requests": [
            _request(tape, entry, made_of, prices)
            for entry, made_of in zip(entries, shares, strict=True)
        ],
        "totals": {
            "requests": sums.requests,
            "input": sums.input,
            "cache_read": sums.cache_read,
            "cache_write": sums.cache_write,
            "output": sums.output,
            "hit_rate": sums.hit_rate,
            "waste_tokens": sums.waste,
            "misses": sums.misses,
            "unreadable": sums.unreadable,
        },
        "composition": _shares(composition(tape, cursor)),
        "aside": _aside(tape, beside(tape, cursor)),
    }


def _aside(tape: Tape, entries: Sequence[Entry]) -> dict[str, Any]:
    """The requests that were not made of the surface, and their sums."""
    sums = totals(entries)
    return {
        "requests": [_reported(tape, entry) for entry in entries],
        "input": sums.input,
        "cache_read": sums.cache_read,
        "cache_write": sums.cache_write,
        "output": sums.output,
    }


def _shares(shares: Sequence[Share]) -> list[dict[str, Any]]:
    return [share._asdict() for share in shares]


def _reported(tape: Tape, entry: Entry) -> dict[str, Any]:
    """What is told of any request."""
    request, usage = entry.request, entry.request.usage
    return {
        "event": request.event,
        "seq": tape.number(request.event),
        "cursor": request.cursor,
        "time": stamp(entry.time),
        "model": entry.model,
        "context_tokens": usage.context,
        "input": usage.input,
        "cache_read": usage.cache_read,
        "cache_write": usage.cache_write,
        "output": usage.output,
        "unreadable": list(entry.unreadable),
    }


def _request(
    tape: Tape, entry: Entry, made_of: Sequence[Share], prices: Prices | None
) -> dict[str, Any]:
    request, usage = entry.request, entry.request.usage
    return {
        **_reported(tape, entry),
        "rows": tape.timeline.count(request.cursor),
        "composition": _shares(made_of),
        "prefix_kept": None if entry.prefix is None else entry.prefix.tokens,
        "prefix_rows": None if entry.prefix is None else entry.prefix.rows,
        "broken_at": None if entry.prefix is None else _broken(entry.prefix.broken),
        "miss": _miss(entry.miss),
        "other_model": entry.other_model,
        "pressure": pressures.document_of(
            # The window may be told by the event that reports the usage.
            pressure(tape, counted(tape, usage), request.event + 1, prices)
        ),
    }


def _broken(broken: Break | None) -> dict[str, Any] | None:
    if broken is None:
        return None
    return {
        "part": broken.part.value,
        "index": broken.row,
        "event": broken.event,
        "offset": broken.offset,
        "was": broken.was,
    }


def _miss(miss: Miss | None) -> dict[str, Any] | None:
    if miss is None:
        return None
    return {"tokens": miss.tokens, "idle_seconds": miss.idle, "cause": miss.cause.value}


def text(tape: Tape, found: dict[str, Any]) -> Iterator[str]:
    """The text of `document`: a line for each request, and the sums."""
    rows = [
        [
            str(number),
            name(tape, request["event"]),
            clean_line(request["model"] or "-", _MODEL),
            *figures(request),
            remark(tape, request),
        ]
        for number, request in enumerate(found["requests"], 1)
    ]
    if not rows:
        yield "no request reported its usage"
        yield from _aside_words(found)
        return
    head = ["#", "event", "model", "sent", "cached", "output", "prefix"]
    yield from table([head, *rows], right={0, 1, 3, 4, 5})
    yield from _pressure(tape, found)
    yield made_of_words(found["composition"])
    yield from _aside_words(found)
    yield summary(found["totals"])


def made_of_words(shares: Sequence[dict[str, Any]]) -> str:
    """The kinds of which a context consists, in one line."""
    told = [f"{share['kind']} {tokens(share['tokens'])}" for share in shares if share["rows"]]
    return f"made of, by estimate: {', '.join(told) or 'nothing'}"


def _aside_words(found: dict[str, Any]) -> Iterator[str]:
    words = aside_words(found["aside"])
    if words is not None:
        yield words


def aside_words(aside: dict[str, Any]) -> str | None:
    """The requests that have no line, in one; None where there are none."""
    if not aside["requests"]:
        return None
    sent = aside["input"] + aside["cache_read"] + aside["cache_write"]
    return (
        f"aside: {plural(len(aside['requests']), 'request')} of compactions or subagents, "
        f"{tokens(sent)} sent, {tokens(aside['output'])} output, in no line and no sum here"
    )


def _pressure(tape: Tape, found: dict[str, Any]) -> Iterator[str]:
    """Whether the owner would compact at the cursor."""
    yield f"at {count(found['cursor'])}: {pressures.words(found['pressure'])}"
    yield from pressures.rule_words(tape, found["pressure"])


def summary(sums: dict[str, Any]) -> str:
    """The sums of the requests in one line."""
    sent = sums["input"] + sums["cache_read"] + sums["cache_write"]
    rate = "" if sums["hit_rate"] is None else f", {percent(sums['hit_rate'])} of it cached"
    number = sums["unreadable"]
    unread = f"; figures of {plural(number, 'request')} cannot be read" if number else ""
    return (
        f"{plural(sums['requests'], 'request')}: {tokens(sent)} sent{rate}, "
        f"{tokens(sums['output'])} output; {waste_words(sums['waste_tokens'], sums['misses'])}"
        f"{unread}"
    )


def waste_words(waste: int, misses: int) -> str:
    """What was paid for again, in words."""
    if not misses:
        return "nothing wasted"
    return f"{count(waste)} wasted in {plural(misses, 'miss', 'misses')}"


def figures(request: dict[str, Any]) -> list[str]:
    """What was sent, what of it was cached and what came back; a dash where nothing was read."""
    told = [request["context_tokens"], request["cache_read"], request["output"]]
    return ["-" if request["unreadable"] and not number else tokens(number) for number in told]


def remark(tape: Tape, request: dict[str, Any]) -> str:
    """What broke the prefix of a request, and what that cost; nothing where all went well."""
    parts = []
    miss = request["miss"]
    if miss is not None:
        idle = miss["idle_seconds"]
        comma = "," if cause_words(request) == _CAUSES[Cause.UNKNOWN.value] else ""
        after = "" if idle is None else f"{comma} after {span_words(idle)}"
        parts.append(f"MISS {count(miss['tokens'])}: {cause_words(request)}{after}")
    if request["unreadable"]:
        first, *more = request["unreadable"]
        behind = f", and {count(len(more))} more" if more else ""
        parts.append(f"not readable: {clean_line(first, _UNREAD)}{behind}")
    broken = request["broken_at"]
    if broken is not None:
        parts.append(culprit(tape, broken))
    return "; ".join(parts)


_CAUSES: Final = {
    Cause.TTL.value: "expired",
    Cause.REWRITE.value: "rewritten",
    Cause.UNKNOWN.value: "not told by the tape",
}


def cause_words(request: dict[str, Any]) -> str:
    """Why what was cached was paid for again, in a word or two."""
    if request["other_model"]:
        return "another model than before"
    return _CAUSES[request["miss"]["cause"]]


def culprit(tape: Tape, broken: dict[str, Any]) -> str:
    """Where a request stops to repeat the one before, and what stands there now."""
    where = "" if broken["offset"] is None else f" from character {count(broken['offset'])} on"
    if broken["part"] != Part.MESSAGE.value:
        return f"{broken['part']} is another one{where}"
    row = f"message {count(broken['index'] + 1)}"
    if broken["event"] is None:
        return f"{row} is gone"
    if broken["event"] == broken["was"]:
        return f"{row}, {name(tape, broken['event'])}, is in another form now"
    return f"{row} is {name(tape, broken['event'])} now{where}"


def span_words(seconds: float) -> str:
    """A length of time in one unit."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7_200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3_600:.1f} h"
