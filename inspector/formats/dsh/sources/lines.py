"""Lines that hold no plain event: blank, oddly written, damaged, or no event at all."""

from typing import TYPE_CHECKING, Any, Final

import orjson

from inspector.formats.dsh import rules
from inspector.formats.dsh.decoder import Decoder
from inspector.formats.dsh.packed import is_record
from inspector.tape.jsonline import JSON_SPACE, parse
from inspector.tape.records import Fate

if TYPE_CHECKING:
    from inspector.tape.recovery import Recovery

_JSON_WORDS: Final = {
    type(None): "null",
    bool: "a truth value",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
}


class Lines:
    """Gives lines to a decoder, and mends those that need it."""

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder

    def fold(self, record: int, lines: list[bytes]) -> None:
        """Fold a batch of whole lines, the first of which is a record by this number."""
        self._decoder.fold(record, lines, orjson.loads, self._odd)

    def first(self, found: "Recovery") -> None:
        """Fold what a damaged first line holds beside the header."""
        self._tell(0, found, carries=len(found.pieces) > 1)
        for piece in found.pieces[1:]:
            self._decoder.value(piece.value, 0, owned=False)
        self._decoder.publish()

    def _odd(self, line: bytes, event: Any, record: int) -> None:
        """Any line at all."""
        decoder = self._decoder
        if isinstance(event, dict):
            decoder.value(event, record)
            return
        if not line.strip(JSON_SPACE):
            decoder.records.set_fate(record, Fate.BLANK)
            decoder.judge.unreadable(decoder.position, record, loses=False)
            return
        try:
            value, mended = parse(line)
        except ValueError as error:
            self._recover(line, record, f"not JSON: {error}")
            return
        if not isinstance(value, dict):
            self._no_object(value, record)
            return
        if mended is not None:
            decoder.records.recovered(record)
            decoder.found(rules.REPAIRED_TEXT, mended, record)
        decoder.value(value, record)

    def _no_object(self, value: Any, record: int) -> None:
        decoder, judge = self._decoder, self._decoder.judge
        if value is None:
            reason = f"the reader crashes at line {record}, which is null"
            judge.crashes(decoder.position, reason)
        else:
            judge.gap(decoder.position, record, decoder.position, None)
        word = _JSON_WORDS[type(value)]
        decoder.damaged(record, rules.NOT_AN_EVENT, f"JSON, but {word} and not an event")

    def _recover(self, line: bytes, record: int, problem: str) -> None:
        """Read what can be read of a line that is no JSON; its owner reads nothing of it."""
        from inspector.tape.recovery import recover  # dear, and seldom needed

        decoder = self._decoder
        found = recover(line, is_record)
        empty = not found.pieces and not found.lost
        decoder.judge.unreadable(decoder.position, record, loses=not empty)
        if not found.pieces and not empty:
            decoder.damaged(record, rules.NOT_JSON, problem)
            return
        if empty:
            decoder.records.set_fate(record, Fate.BLANK)
        self._tell(record, found, carries=not empty)
        for piece in found.pieces:
            decoder.value(piece.value, record, owned=False)

    def _tell(self, record: int, found: "Recovery", *, carries: bool) -> None:
        """Say what of a record was mended, and what of it is lost."""
        decoder = self._decoder
        if carries:
            decoder.records.recovered(record)
        for note in found.notes:
            kind = rules.RECOVERED.get(note.code, rules.REPAIRED_TEXT)
            decoder.found(kind, f"{note.message} (byte {note.at} of the record)", record)
        if found.lost:
            lost = ", ".join(f"{start} to {stop}" for start, stop in found.lost[:5])
            message = f"bytes {lost} of the record are no event and are not read"
            decoder.lost(rules.LOST_BYTES, message, record)
