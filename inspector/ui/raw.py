"""A physical record as it stands in its source. Knows no Textual."""

from collections.abc import Iterator
from typing import Final

from inspector.inspection import Inspection
from inspector.text.gate import clean_line
from inspector.text.labels import count, size
from inspector.ui.cells import Cell, Line
from inspector.ui.wrapping import wrapped

_SEARCHED: Final = 256 * 1024
"""Bytes of a record that are looked through for what readers lose of it, while a person waits."""


def raw_record(
    inspection: Inspection, record: int, width: int, event: int | None = None
) -> Iterator[Line]:
    """A record, byte for byte but for what a terminal must not see.

    Args:
        inspection: the visit.
        record: which record.
        width: columns.
        event: one of the events that it carries, if one is meant.
    """
    tape, table = inspection.tape, inspection.timeline.table
    place = tape.place(record)
    raw = tape.raw_record(record)
    if place.line is not None:
        elsewhere = "" if place.file is None else f" of {clean_line(place.file, 60)}"
        where = f"line {count(place.line)} · byte {count(place.byte or 0)}{elsewhere}"
    else:
        where = f"row {clean_line(place.row or '', 60)}"
    yield (Cell(f"raw record · {where} · {size(len(raw))}", "dim"),)
    first, last = table.first_of_record(record), table.before_record(record + 1)
    if first is not None and last - first > 1:
        which = "" if event is None else f"; this is number {count(event - first + 1)}"
        yield (Cell(f"{count(last - first)} events in one record{which}", "dim"),)
    if len(raw) > _SEARCHED:
        message = f"larger than {size(_SEARCHED)}: not looked through for duplicate keys"
        yield (Cell(message, "dim"),)
    for note in tape.oddities(record)[:10] if len(raw) <= _SEARCHED else ():
        yield from wrapped(f"⚠ byte {note.at}: {note.message} [{note.code}]", width, "notice")
    yield ()
    yield from wrapped(raw.decode("utf-8", "replace"), width, "text")
