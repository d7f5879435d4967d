"""Every request to the model: its size, what of it was cached, and what broke the prefix."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from inspector.export import cost as costs
from inspector.export import ledger as ledgers
from inspector.export import pressure as pressures
from inspector.export.fitting import fit
from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.ledger import Entry, beside, ledger, texts_at_break
from inspector.lenses.prices import Prices
from inspector.text.gate import clean_line
from inspector.text.labels import clock, count, percent, plural, token_words, tokens
from inspector.ui.cells import Cell, Line
from inspector.ui.lenses.lens import Asked, Lens
from inspector.ui.pricing import user_prices
from inspector.ui.wrapping import wrapped

_WIDE: Final = 90
"""Columns from which on the model and the output have columns."""

_MODEL: Final = 40
_BEFORE: Final = 60
_BEHIND: Final = 240
"""Characters before and behind the first difference of two texts that are shown."""

_FULL: Final = "█"


class RequestRows:
    """The requests up to a cursor, a row each.

    Args:
        tape: what they were made to.
        entries: the requests in order.
        cursor: up to which.
        prices: those of the user, or why there are none to be used, or None.
    """

    def __init__(
        self, tape: Tape, entries: Sequence[Entry], cursor: int, prices: Prices | str | None
    ) -> None:
        self._tape = tape
        self._entries = entries
        self._prices = prices
        told = prices if isinstance(prices, Prices) else None
        self._document = ledgers.document_of(tape, entries, cursor, prices=told)
        self._requests: list[dict[str, Any]] = self._document["requests"]
        self._largest = max((one["context_tokens"] for one in self._requests), default=0) or 1

    def heads(self) -> tuple[Line, ...]:
        """The sums, what the bars mean, and the money."""
        sums, now = self._document["totals"], self._document["pressure"]
        tone = "notice" if sums["misses"] else "strong"
        return (
            (Cell(ledgers.summary(sums), tone),),
            (
                Cell("sent, cached, output; what was sent:  ", "dim"),
                Cell(f"{_FULL} cached  ", "faint"),
                Cell(f"{_FULL} new  ", "accent"),
                Cell(f"{_FULL} paid for again", "notice"),
            ),
            (Cell(pressures.words(now), "notice" if now["would_compact"] else "dim"),),
            *self._aside(),
            *self._money(),
        )

    def _aside(self) -> Iterator[Line]:
        words = ledgers.aside_words(self._document["aside"])
        if words is not None:
            yield (Cell(words, "dim"),)

    def _money(self) -> Iterator[Line]:
        if isinstance(self._prices, str):
            yield (Cell(f"no prices: {self._prices}", "notice"),)
        elif self._prices is not None:
            aside = beside(self._tape, self._document["cursor"])
            found = costs.document_of(self._entries, aside, self._prices)
            yield (Cell(costs.summary(found)),)

    def start(self) -> int:
        """The last request."""
        return max(0, len(self._requests) - 1)

    def count(self) -> int:
        """How many rows there are."""
        return len(self._requests)

    def line(self, row: int, width: int) -> Line:
        """One request in ``width`` columns."""
        request = self._requests[row]
        wide = width >= _WIDE
        model = clean_line(request["model"] or "-", _MODEL)
        sent, cached, output = ledgers.figures(request)
        return (
            Cell(fit(count(row + 1), 5, right=True), "faint"),
            Cell(fit(name(self._tape, request["event"]), 8, right=True), "dim"),
            *([Cell("  "), Cell(fit(model, 18), "dim")] if wide else []),
            Cell(fit(sent, 8, right=True), "text"),
            Cell(fit(cached, 8, right=True), "dim"),
            *([Cell(fit(output, 8, right=True), "faint")] if wide else []),
            Cell("  "),
            *self._bar(request, 16 if wide else 10),
            Cell("  "),
            Cell(ledgers.remark(self._tape, request), "notice" if request["miss"] else "dim"),
        )

    def _bar(self, request: dict[str, Any], width: int) -> Line:
        """What was sent, in parts of the largest request: cached, new, and paid for again."""
        sent, cached = request["context_tokens"], request["cache_read"]
        again = request["miss"]["tokens"] if request["miss"] else 0
        ends = [round(width * part / self._largest) for part in (cached, sent - again, sent)]
        ends[2] = max(ends[2], 1)
        return (
            Cell(_FULL * ends[0], "faint"),
            Cell(_FULL * max(0, ends[1] - ends[0]), "accent"),
            Cell(_FULL * max(0, ends[2] - max(ends[:2])), "notice" if again else "accent"),
            Cell(" " * (width - ends[2])),
        )

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """One request in full."""
        if not self._requests:
            yield (Cell("no request reported its usage up to here", "dim"),)
            return
        request = self._requests[row]
        yield from wrapped(self._sent(row, request), width, "strong")
        yield from wrapped(self._prefix(row, request), width, "text")
        if request["miss"]:
            yield from wrapped(ledgers.remark(self._tape, request), width, "notice")
        elif request["broken_at"]:
            yield from wrapped(ledgers.culprit(self._tape, request["broken_at"]), width, "accent")
        if request["broken_at"]:
            yield from self._texts(row, width)
        yield from wrapped(pressures.words(request["pressure"]), width, "dim")
        for line in pressures.rule_words(self._tape, self._document["pressure"]):
            yield from wrapped(line, width, "faint")
        yield ()
        yield from self._composition(request)

    def _sent(self, row: int, request: dict[str, Any]) -> str:
        model = clean_line(request["model"] or "a model without a name", _MODEL)
        at = clock(self._entries[row].time)
        written = request["cache_write"]
        parts = [
            f"{count(request['cache_read'])} cached",
            *([f"{count(written)} written to the cache"] if written else []),
            f"{count(request['input'])} neither",
            f"{count(request['output'])} came back",
        ]
        return (
            f"request {count(row + 1)} to {model}{f' at {at}' if at else ''}: "
            f"{count(request['context_tokens'])} tokens sent, {', '.join(parts)}"
        )

    def _prefix(self, row: int, request: dict[str, Any]) -> str:
        rows = plural(request["rows"], "row")
        if not row:
            return f"the first request, of {rows}"
        kept = f"{plural(request['prefix_rows'], 'row')}, {token_words(request['prefix_kept'])}"
        if request["broken_at"] is None:
            rest = "nothing on the tape broke it" if request["miss"] else "it only goes on behind"
            return f"{rows}; repeats all of the request before ({kept} by estimate): {rest}"
        return f"{rows}; repeats the first {kept} by estimate of the request before"

    def _texts(self, row: int, width: int) -> Iterator[Line]:
        """The texts on both sides of the first difference."""
        broken = self._requests[row]["broken_at"]
        if broken["event"] is not None and broken["event"] == broken["was"]:
            # Its event says the same of both forms.
            return
        offset = broken["offset"]
        texts = texts_at_break(self._tape, self._entries[row - 1], self._entries[row])
        for mark, text, tone in zip("-+", texts, ("removed", "added"), strict=True):
            shown = _around(text, offset or 0) if text else "(nothing)"
            yield from wrapped(f"{mark} {shown}", width, tone, "  ")

    def _composition(self, request: dict[str, Any]) -> Iterator[Line]:
        shares = request["composition"]
        whole = sum(share["tokens"] for share in shares) or 1
        yield (Cell("made of, by estimate", "accent"),)
        for share in shares:
            yield (
                Cell(fit(f"  {share['kind']}", 14), "text"),
                Cell(fit(plural(share["rows"], "row"), 12, right=True), "dim"),
                Cell(fit(tokens(share["tokens"]), 9, right=True), "text"),
                Cell(fit(percent(share["tokens"] / whole), 13, right=True), "dim"),
                Cell("  "),
                Cell(_FULL * round(24 * share["tokens"] / whole), "accent"),
            )

    def cursor(self, row: int) -> int | None:
        """The cursor just after the event that reported a request."""
        return self._requests[row]["event"] + 1 if row < len(self._requests) else None

    def text(self) -> str:
        """The requests as they are printed."""
        return "\n".join(ledgers.text(self._tape, self._document))


def _around(text: str, at: int) -> str:
    """A text around a place, on one line."""
    start = max(0, at - _BEFORE)
    piece = text[start : at + _BEHIND].replace("\n", "⏎")
    before, behind = "…" if start else "", "…" if at + _BEHIND < len(text) else ""
    return f"{before}{piece}{behind}"


def ask(asked: Asked) -> RequestRows:
    """The requests up to the cursor."""
    entries = ledger(asked.tape, asked.cursor)
    return RequestRows(asked.tape, entries, asked.cursor, user_prices())


LENS: Final = Lens("Requests", "looking at every request", ask)
