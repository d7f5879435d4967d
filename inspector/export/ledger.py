"""The requests of a tape and what they cost: documents for scripts, and their texts."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

from inspector.export.text import table
from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.ledger import Entry, ledger, totals
from inspector.lenses.prefix import Break, Part
from inspector.lenses.pressure import Pressure, pressure
from inspector.lenses.prices import Prices, cost
from inspector.lenses.waste import TTL, Miss
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, stamp, tokens

_MODEL: Final = 30


def document(tape: Tape, cursor: int, ttl: float = TTL) -> dict[str, Any]:
    """Every request reported up to a cursor.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    return document_of(tape, ledger(tape, cursor, ttl), cursor, ttl)


def document_of(
    tape: Tape, entries: Sequence[Entry], cursor: int, ttl: float = TTL
) -> dict[str, Any]:
    """The document of the requests up to a cursor."""
    sums = totals(entries)
    return {
        "cursor": cursor,
        "ttl": ttl,
        "requests": [_request(tape, entry) for entry in entries],
        "totals": {
            "requests": sums.requests,
            "input": sums.input,
            "cache_read": sums.cache_read,
            "cache_write": sums.cache_write,
            "output": sums.output,
            "hit_rate": sums.hit_rate,
            "waste_tokens": sums.waste,
            "misses": sums.misses,
        },
    }


def _request(tape: Tape, entry: Entry) -> dict[str, Any]:
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
        "rows": tape.timeline.count(request.cursor),
        "prefix_kept": None if entry.prefix is None else entry.prefix.tokens,
        "prefix_rows": None if entry.prefix is None else entry.prefix.rows,
        "broken_at": None if entry.prefix is None else _broken(entry.prefix.broken),
        "miss": _miss(entry.miss),
        "other_model": entry.other_model,
        "pressure": _pressure(pressure(tape, usage.context, request.cursor)),
    }


def _pressure(found: Pressure) -> dict[str, Any]:
    return {
        "window": found.window,
        "threshold": found.threshold,
        "would_compact": found.compacts,
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
            tokens(request["context_tokens"]),
            tokens(request["cache_read"]),
            tokens(request["output"]),
            remark(tape, request),
        ]
        for number, request in enumerate(found["requests"], 1)
    ]
    if not rows:
        yield "no request reported its usage"
        return
    head = ["#", "event", "model", "sent", "cached", "output", "prefix"]
    yield from table([head, *rows], right={0, 1, 3, 4, 5})
    yield summary(found["totals"])


def summary(sums: dict[str, Any]) -> str:
    """The sums of the requests in one line."""
    sent = sums["input"] + sums["cache_read"] + sums["cache_write"]
    rate = "" if sums["hit_rate"] is None else f", {100 * sums['hit_rate']:.0f} % of it cached"
    return (
        f"{plural(sums['requests'], 'request')}: {tokens(sent)} sent{rate}, "
        f"{tokens(sums['output'])} output; {waste_words(sums['waste_tokens'], sums['misses'])}"
    )


def waste_words(waste: int, misses: int) -> str:
    """What was paid for again, in words."""
    if not misses:
        return "nothing wasted"
    return f"{count(waste)} wasted in {plural(misses, 'miss', 'misses')}"


def remark(tape: Tape, request: dict[str, Any]) -> str:
    """What broke the prefix of a request, and what that cost; nothing where all went well."""
    parts = []
    miss = request["miss"]
    if miss is not None:
        idle = miss["idle_seconds"]
        after = "" if idle is None else f" after {span_words(idle)}"
        parts.append(f"MISS {count(miss['tokens'])}: {cause_words(request)}{after}")
    broken = request["broken_at"]
    if broken is not None:
        parts.append(culprit(tape, broken))
    return "; ".join(parts)


def cause_words(request: dict[str, Any]) -> str:
    """Why what was cached was paid for again, in a word or two."""
    if request["other_model"]:
        return "another model than before"
    return "expired" if request["miss"]["cause"] == "ttl" else "rewritten"


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


def cost_document(tape: Tape, cursor: int, prices: Prices, ttl: float = TTL) -> dict[str, Any]:
    """What the requests up to a cursor cost; amounts are strings, so that none is rounded.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    return {"cursor": cursor, **cost_of(ledger(tape, cursor, ttl), prices)}


def cost_of(entries: Sequence[Entry], prices: Prices) -> dict[str, Any]:
    """What requests cost."""
    found = cost([(entry.model, entry.request.usage) for entry in entries], prices)
    wasted = [
        (entry.miss.tokens, price)
        for entry in entries
        if entry.miss is not None and (price := prices.of(entry.model)) is not None
    ]
    waste = sum((number * (price.miss - price.hit) for number, price in wasted), Decimal(0))
    return {
        "currency": prices.currency,
        "actual": str(found.actual),
        "all_miss": str(found.all_miss),
        "saved": str(found.saved),
        "wasted": str(waste / 1_000_000),
        "priced": found.priced,
        "unpriced": [
            {"model": model, "requests": number} for model, number in found.unpriced.items()
        ],
    }


def cost_text(found: dict[str, Any]) -> Iterator[str]:
    """The text of `cost_document`."""
    unit = f" {clean_line(found['currency'], 12)}" if found["currency"] else ""
    rows = [
        ["actual", _money(found["actual"]) + unit, f"{plural(found['priced'], 'request')}"],
        ["if nothing was cached", _money(found["all_miss"]) + unit, ""],
        ["saved by caching", _money(found["saved"]) + unit, ""],
        ["wasted by misses", _money(found["wasted"]) + unit, ""],
    ]
    yield from table(rows, right={1})
    for missing in found["unpriced"]:
        model = clean_line(missing["model"] or "a model without a name", 60)
        yield f"no price for {model}: {plural(missing['requests'], 'request')} not counted"


def cost_summary(found: dict[str, Any]) -> str:
    """What requests cost in one line."""
    unit = f" {clean_line(found['currency'], 12)}" if found["currency"] else ""
    unpriced = sum(missing["requests"] for missing in found["unpriced"])
    missing = f"; no price for {plural(unpriced, 'request')}" if unpriced else ""
    return (
        f"cost {_money(found['actual'])}{unit}; {_money(found['all_miss'])} if nothing was cached, "
        f"{_money(found['saved'])} saved, {_money(found['wasted'])} wasted{missing}"
    )


def _money(amount: str) -> str:
    return f"{Decimal(amount):,.4f}"
