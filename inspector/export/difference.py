"""What two cursors have apart: a document for scripts, and its text."""

from collections.abc import Iterator
from typing import Any, Final

from inspector.export import documents
from inspector.export.text import table
from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.difference import Arrival, Change, Difference, difference
from inspector.lenses.text_difference import text_difference
from inspector.lenses.texts import said_of_node
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens
from inspector.timeline.surface import Departure, Row

_SHOWN: Final = 100
MOST: Final = 20
"""Rows of one reason that are listed; more are counted."""

PAIRS: Final = 100
"""Rows that changed of which the texts are compared."""

_LINES: Final = 12
"""Lines of one row's two texts that are printed for people."""


def document(tape: Tape, a: int, b: int) -> dict[str, Any]:
    """What happened to the surface between two cursors, the first not behind the second."""
    found = difference(tape.timeline, a, b)
    return {
        "a": a,
        "b": b,
        "entered": [_entered(tape, arrival) for arrival in found.entered],
        "left": [_left(tape, departure) for departure in found.left],
        "changed": [
            _changed(tape, change, told=at < PAIRS) for at, change in enumerate(found.changed)
        ],
        "kept": found.kept,
        "moved": [_node(tape, node) for node in found.moved],
        "tokens": {
            "a": found.tokens[0],
            "b": found.tokens[1],
            "by_reason": found.by_reason,
        },
        "rows_by_reason": _counted(found),
    }


def _counted(found: Difference) -> dict[str, dict[str, int]]:
    return {
        reason: {"entered": entered, "left": left, "changed": changed}
        for reason, (entered, left, changed) in found.rows_by_reason.items()
    }


def _entered(tape: Tape, arrival: Arrival) -> dict[str, Any]:
    return {
        **documents.node(tape, arrival.row),
        "reason": arrival.reason,
        "by": arrival.by,
    }


def _left(tape: Tape, departure: Departure) -> dict[str, Any]:
    row = Row(departure.node, tape.timeline.surface.nodes.born[departure.node], carried=False)
    return {
        **documents.node(tape, row),
        "reason": departure.reason.label,
        "by": departure.by,
    }


def _changed(tape: Tape, change: Change, *, told: bool) -> dict[str, Any]:
    return {
        "before": _left(tape, change.left),
        "after": _entered(tape, change.entered),
        "reason": change.left.reason.label,
        "by": change.left.by,
        "text": _pair(tape, change) if told else None,
    }


def _pair(tape: Tape, change: Change) -> list[dict[str, Any]]:
    """What the texts of a row have apart; nothing where the tape holds one text for both forms."""
    before, after = (
        said_of_node(tape, node) for node in (change.left.node, change.entered.row.node)
    )
    if before == after:
        return []
    return [
        {"sign": piece.sign, "lines": list(piece.lines), "number": piece.number}
        for piece in text_difference(before, after)
    ]


def _node(tape: Tape, node: int) -> str:
    nodes = tape.timeline.surface.nodes
    return f"{nodes.origin(node)}.{nodes.part(node)}"


def text(tape: Tape, found: dict[str, Any]) -> Iterator[str]:
    """The text of `document`: a line for each row, by reason, and a balance that adds up."""
    weights = found["tokens"]
    change = weights["b"] - weights["a"]
    yield (
        f"A = {count(found['a'])}  B = {count(found['b'])}   "
        f"-{count(len(found['left']))} +{count(len(found['entered']))} "
        f"~{count(len(found['changed']))} ={count(found['kept'])}   "
        f"{tokens(weights['a'])} -> {tokens(weights['b'])} ({signed(change)}) tokens, estimated"
    )
    rows = [*_gone(tape, found), *_different(tape, found), *_come(tape, found)]
    if rows:
        yield from table(rows, right={4})
    else:
        yield "nothing entered and nothing left"
    if found["moved"]:
        told = ", ".join(name(tape, int(node.partition(".")[0])) for node in found["moved"][:MOST])
        more = ", …" if len(found["moved"]) > MOST else ""
        yield f"{plural(len(found['moved']), 'row')} moved within the surface: {told}{more}"
    for change in found["changed"][:MOST]:
        yield from _apart(tape, change)
    for reason, weight in weights["by_reason"].items():
        numbers = found["rows_by_reason"][reason]
        yield (
            f"{reason}: -{count(numbers['left'])} +{count(numbers['entered'])} "
            f"~{count(numbers['changed'])}   {signed(weight)} tokens"
        )


def _apart(tape: Tape, change: dict[str, Any]) -> Iterator[str]:
    """The lines that the two texts of a row have apart."""
    if change["text"] is None:
        return
    yield f"~ {name(tape, change['after']['event'])}"
    if not change["text"]:
        yield "    the tape holds the same text for both forms"
    lines = [
        f"  {piece['sign']} {clean_line(line, _SHOWN)}"
        for piece in change["text"]
        for line in (piece["lines"] or [f"{plural(piece['number'], 'line')} in common"])
    ]
    yield from lines[:_LINES]
    if len(lines) > _LINES:
        yield f"    and {plural(len(lines) - _LINES, 'line')} more"


def signed(number: int) -> str:
    """A number of tokens with its sign, short."""
    return f"{'-' if number < 0 else '+'}{tokens(abs(number))}"


def _gone(tape: Tape, found: dict[str, Any]) -> Iterator[list[str]]:
    seen: dict[tuple[str, int], int] = {}
    for row in found["left"]:
        key = row["reason"], row["by"]
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= MOST:
            why = f"{row['reason']} by {name(tape, row['by'])}"
            yield _line(tape, "-", row, tokens(row["tokens"]), why)
    for (reason, by), number in seen.items():
        if number > MOST:
            why = f"{reason} by {name(tape, by)}"
            yield ["-", "…", "", "", "", f"{count(number - MOST)} more {why}"]


def _come(tape: Tape, found: dict[str, Any]) -> Iterator[list[str]]:
    for row in found["entered"][: 5 * MOST]:
        yield _line(tape, "+", row, tokens(row["tokens"]), row["reason"])
    more = len(found["entered"]) - 5 * MOST
    if more > 0:
        yield ["+", "…", "", "", "", f"{count(more)} more"]


def _different(tape: Tape, found: dict[str, Any]) -> Iterator[list[str]]:
    for change in found["changed"][: 5 * MOST]:
        before, after = change["before"], change["after"]
        weight = f"{tokens(before['tokens'])} -> {tokens(after['tokens'])}"
        yield _line(tape, "~", after, weight, f"{change['reason']} by {name(tape, change['by'])}")


def _line(tape: Tape, sign: str, row: dict[str, Any], weight: str, why: str) -> list[str]:
    said = clean_line(row["preview"], _SHOWN)
    return [sign, name(tape, row["event"]), row["role"], why, weight, said]
