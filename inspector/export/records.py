"""Physical records against the events that they hold: documents for scripts, and their text."""

from collections.abc import Iterable, Iterator
from typing import Any

from inspector.export.documents import PREVIEW, standing
from inspector.formats.contract import Physical, Tape
from inspector.tape.records import Fate
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural


def word(physical: Physical) -> str:
    """What became of a record, in one word."""
    if physical.fate is not None:
        return physical.fate.value
    return "recovered" if physical.recovered else "carrier"


def preview(tape: Tape, record: int, physical: Physical) -> str:
    """The start of what a record says; cleaned."""
    if physical.first is not None:
        headline = tape.headline(physical.first)
        kind = tape.timeline.table.type(physical.first)
        return clean_line(f"{kind}  {headline.text}", PREVIEW)
    raw = tape.raw_record(record) if physical.length or physical.fate is Fate.PENDING else b""
    return clean_line(raw[: 4 * PREVIEW].decode("utf-8", "replace"), PREVIEW)


def drift(tape: Tape, record: int, physical: Physical) -> int | None:
    """How far a reader is off that takes the lines behind the first for the owner's numbers."""
    if physical.first is None or physical.place.line is None:
        return None
    number = tape.number(physical.first)
    header = 0 if tape.identity.id is None else 1
    return None if number is None else number - (record - header)


def record(tape: Tape, at: int) -> dict[str, Any]:
    """One physical record."""
    physical = tape.physical(at)
    first, events = physical.first, physical.events
    return {
        "record": at,
        **standing(physical.place),
        "length": physical.length,
        "frame": physical.frame,
        "fate": word(physical),
        "event": first,
        "events": events,
        "seq": None if first is None else tape.number(first),
        "drift": drift(tape, at, physical),
        "preview": preview(tape, at, physical),
    }


def records(tape: Tape) -> Iterator[dict[str, Any]]:
    """All physical records, in the order of the source."""
    return (record(tape, at) for at in range(tape.records()))


def text(documents: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The text of `records`, one record a line, never more in memory."""
    for document in documents:
        yield "  ".join(
            (
                f"{place(document):>12}",
                f"{plural(document['length'], 'byte'):>15}",
                f"{document['fate']:<11}",
                f"{span(document):<22}",
                elsewhere(document) + document["preview"],
            )
        ).rstrip()


def elsewhere(document: dict[str, Any]) -> str:
    """The file that a record stands in, where that is another than the tape's own."""
    file = document.get("file")
    return "" if file is None else f"({clean_line(file, 60)}) "


def place(document: dict[str, Any]) -> str:
    """Where a record stands, in few words."""
    if document["line"] is None:
        return f"row {clean_line(document['row'] or '', 40)}"
    frame = "" if document["frame"] is None else f" f{document['frame']}"
    return f"line {count(document['line'])}{frame}"


def span(document: dict[str, Any]) -> str:
    """The events of a record, by position, and how far counting lines would be off."""
    first, events = document["event"], document["events"]
    if first is None:
        return "-"
    shown = f"#{first}" if events == 1 else f"#{first}-#{first + events - 1} ({events})"
    return f"{shown} {document['drift']:+d}" if document["drift"] else shown
