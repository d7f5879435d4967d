"""What the requests of a tape cost: a document for scripts, and its text."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from inspector.export.text import table
from inspector.formats.contract import Tape
from inspector.lenses.ledger import Entry, beside, billed
from inspector.lenses.prices import Prices, cost
from inspector.lenses.waste import TTL
from inspector.text.gate import clean_line
from inspector.text.labels import plural

_MILLION = 1_000_000


def document(tape: Tape, cursor: int, prices: Prices, ttl: float = TTL) -> dict[str, Any]:
    """What the requests up to a cursor cost; amounts are strings, so that none is rounded.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    found = document_of(billed(tape, cursor, ttl), beside(tape, cursor), prices)
    return {"cursor": cursor, **found}


def document_of(entries: Sequence[Entry], aside: Sequence[Entry], prices: Prices) -> dict[str, Any]:
    """What requests cost, and which part of that was made aside."""
    found = cost([(entry.model, entry.request.usage) for entry in (*entries, *aside)], prices)
    beside_them = cost([(entry.model, entry.request.usage) for entry in aside], prices)
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
        "wasted": str(waste / _MILLION),
        "priced": found.priced,
        "unpriced": [
            {"model": model, "requests": number} for model, number in found.unpriced.items()
        ],
        "aside": {
            "requests": len(aside),
            "priced": beside_them.priced,
            "actual": str(beside_them.actual),
        },
        "unreadable": sum(bool(entry.unreadable) for entry in (*entries, *aside)),
    }


def text(found: dict[str, Any]) -> Iterator[str]:
    """The text of `document`."""
    unit, aside = _unit(found), found["aside"]
    rows = [
        ["actual", _money(found["actual"]) + unit, plural(found["priced"], "request")],
        *(
            [["of that aside", _money(aside["actual"]) + unit, plural(aside["priced"], "request")]]
            if aside["requests"]
            else []
        ),
        ["if nothing was cached", _money(found["all_miss"]) + unit, ""],
        ["saved by caching", _money(found["saved"]) + unit, ""],
        ["wasted by misses", _money(found["wasted"]) + unit, ""],
    ]
    yield from table(rows, right={1})
    if found["unreadable"]:
        requests = plural(found["unreadable"], "request")
        yield f"figures of {requests} cannot be read and count as nothing"
    for missing in found["unpriced"]:
        model = clean_line(missing["model"] or "a model without a name", 60)
        yield f"no price for {model}: {plural(missing['requests'], 'request')} not counted"


def summary(found: dict[str, Any]) -> str:
    """What requests cost in one line."""
    unpriced = sum(missing["requests"] for missing in found["unpriced"])
    missing = f"; no price for {plural(unpriced, 'request')}" if unpriced else ""
    aside = f", {_money(found['aside']['actual'])} of it aside" if found["aside"]["priced"] else ""
    return (
        f"cost {_money(found['actual'])}{_unit(found)}{aside}; "
        f"{_money(found['all_miss'])} if nothing was cached, "
        f"{_money(found['saved'])} saved, {_money(found['wasted'])} wasted{missing}"
    )


def _unit(found: dict[str, Any]) -> str:
    return f" {clean_line(found['currency'], 12)}" if found["currency"] else ""


def _money(amount: str) -> str:
    return f"{Decimal(amount):,.4f}"
