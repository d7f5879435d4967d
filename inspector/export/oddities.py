"""What readers of JSON lose of a tape's records in silence, as findings of ``check``."""

from collections.abc import Iterator
from typing import Any, Final

from inspector.formats.contract import Tape
from inspector.tape.notes import Note
from inspector.text.gate import clean_line

TOLD: Final = 1_000
"""Oddities of a tape that are told."""

_EFFECTS: Final = {
    "duplicate-key": "none; the last value wins, as it does for the owner",
    "big-number": "none; it is read as the double next to it",
    "lone-surrogate": "none; it is shown replaced",
    "deep": "none; it is read without recursion",
}


def findings(opened: Tape) -> Iterator[dict[str, Any]]:
    """One document for each oddity, in the order of the records; reads the whole tape."""
    told = 0
    for record in range(opened.records()):
        for note in opened.oddities(record):
            told += 1
            if told > TOLD:
                return
            yield _finding(opened, record, note)


def _finding(opened: Tape, record: int, note: Note) -> dict[str, Any]:
    place = opened.place(record)
    return {
        "code": note.code,
        "severity": "info" if note.code == "deep" else "warning",
        "line": place.line,
        "byte": None if place.byte is None else place.byte + note.at,
        "row": place.row,
        "event": opened.timeline.table.first_of_record(record),
        "message": clean_line(note.message, 1_000),
        "effect": _EFFECTS.get(note.code, "none"),
    }
