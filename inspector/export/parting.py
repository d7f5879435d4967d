"""Where two tapes part: a document for scripts, and its text."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from inspector.export import documents
from inspector.export.text import table
from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.parting import parting
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, tokens
from inspector.timeline.surface import Row

_SHOWN: Final = 100
MOST: Final = 100
"""Rows of one tape that are listed; more are counted."""


def document(one: Tape, other: Tape) -> dict[str, Any]:
    """Where two folded tapes part, and what the head of each shows that the other's does not.

    Raises:
        SourceError: if a tape cannot be read any more.
    """
    found = parting(one, other)
    return {
        "parted": {"a": found.a, "b": found.b},
        "a": _side(one, found.a, found.only_a),
        "b": _side(other, found.b, found.only_b),
        "common": len(found.pairs),
        "kept": found.kept,
    }


def _side(tape: Tape, parted: int, rows: Iterable[Row]) -> dict[str, Any]:
    identity, events = tape.identity, tape.timeline.events
    return {
        "tape": {"id": identity.id, "path": str(identity.path), "parent": identity.parent},
        "last_common": None if not parted else tape.number(parted - 1),
        "events": events - parted,
        "tokens": tape.timeline.tokens(events),
        "rows": [documents.node(tape, row) for row in rows],
    }


def text(one: Tape, other: Tape, found: dict[str, Any]) -> Iterator[str]:
    """The text of `document`: where they part, then the rows of each that the other has not."""
    sides = (("a", "-", one), ("b", "+", other))
    for side, _, tape in sides:
        yield f"{side}: {_title(tape, found[side], found['parted'][side])}"
    common = plural(found["common"], "event")
    if not found["common"]:
        yield "they have no event in common"
    elif not (found["a"]["events"] or found["b"]["events"]):
        yield f"they tell the same: {common}"
    else:
        yield f"they part after {common} in common"
    yield (
        f"surface at the heads: {plural(found['kept'], 'row')} in both, "
        f"{count(len(found['a']['rows']))} only in a, {count(len(found['b']['rows']))} only in b   "
        f"{tokens(found['a']['tokens'])} / {tokens(found['b']['tokens'])} tokens, estimated"
    )
    rows = [line for side, sign, tape in sides for line in _rows(tape, sign, found[side]["rows"])]
    if rows:
        yield ""
        yield from table(rows, right={3})


def _title(tape: Tape, side: dict[str, Any], parted: int) -> str:
    about = side["tape"]
    session = clean_line(about["id"] or "", 80)
    last = f" (last in common {name(tape, parted - 1)})" if parted else ""
    parent = "" if about["parent"] is None else f", child of {clean_line(about['parent'], 80)}"
    return (
        f"{clean_line(about['path'], 200)}  {session}{parent}: parts at cursor {count(parted)}"
        f"{last}, then {plural(side['events'], 'event')} of its own"
    )


def _rows(tape: Tape, sign: str, rows: list[dict[str, Any]]) -> Iterator[list[str]]:
    for row in rows[:MOST]:
        said = clean_line(row["preview"], _SHOWN)
        yield [sign, name(tape, row["event"]), row["role"], tokens(row["tokens"]), said]
    if len(rows) > MOST:
        yield [sign, "…", "", "", f"{count(len(rows) - MOST)} more"]
