"""The lines of a log, as its owner's reader takes them (rules page C)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson

from inspector.formats.dsh import header as headers
from inspector.formats.dsh.decoder import Decoder
from inspector.formats.dsh.packed import is_readable, is_record
from inspector.formats.logs.lines import LineDecoder
from inspector.formats.logs.rules import unread
from inspector.timeline.findings import FindingKind

if TYPE_CHECKING:
    from inspector.tape.recovery import Recovery


class Lines(LineDecoder):
    """Gives lines to a decoder, and tells the judge of those that its owner does not read."""

    replaces_bytes = True

    def __init__(self, decoder: Decoder) -> None:
        super().__init__(decoder)
        self._decoder = decoder

    def fold(self, record: int, lines: Sequence[bytes]) -> None:
        """Fold a batch of whole lines, the first of which is a record by this number."""
        self._decoder.fold(record, lines, orjson.loads, self._no_plain_event)

    def _no_plain_event(self, line: bytes, event: Any, record: int) -> None:
        if isinstance(event, dict):
            self.take(event, record, line)
        else:
            self._odd(line, record)

    def first(self, found: "Recovery", line: bytes) -> None:
        """Fold what a damaged first line holds beside the header."""
        self._tell(0, line, found, carries=len(found.pieces) > 1)
        self.pieces(found._replace(pieces=found.pieces[1:]), 0, line)
        self._decoder.publish()

    def take(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """An event, or a packed row of many."""
        del line
        self._decoder.value(value, record)

    def recovered(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """What the owner does not see."""
        del line
        self._decoder.value(value, record, owned=False)

    def is_record(self, value: Any) -> bool:
        """Whether an object found in a damaged line is an event or a packed row."""
        return is_record(value)

    def unread(self, record: int, line: bytes, problem: str) -> None:
        """The owner's reader stops at it."""
        del line, problem
        self._decoder.judge.unreadable(self._decoder.position, record)

    def mend(self, kind: FindingKind, record: int, line: bytes) -> FindingKind:
        """The owner reads up to such a line at the most."""
        del record, line
        return unread(kind, "the owner cannot read the line")

    def blank(self, record: int) -> None:
        """The owner's reader stops at it, but nothing of it is lost."""
        self._decoder.judge.unreadable(self._decoder.position, record, loses=False)

    def no_object(self, value: Any, record: int, line: bytes, problem: str) -> None:
        """The owner crashes on null, and misses the number of anything else."""
        del line, problem
        position, judge = self._decoder.position, self._decoder.judge
        if value is None:
            judge.crashes(position, f"the reader crashes at line {record}, which is null")
        else:
            judge.gap(position, record, position, None)

    def recovery(self, record: int, line: bytes) -> "Recovery":
        """What can be read of a line that is no JSON; of the first one what is behind its header.

        With a header it comes by `first` when it is folded, and here when it is read again.
        """
        found = None if record else mended_header(line)
        if found is None:
            return super().recovery(record, line)
        return found._replace(
            pieces=tuple(piece for piece in found.pieces[1:] if is_record(piece.value))
        )

    def values(self, record: int, line: bytes) -> list[Any]:
        """The events and packed rows of a line; a row that is none any more was changed since."""
        values = super().values(record, line)
        return list(filter(is_readable, values)) if self._decoder.packs else values


def mended_header(line: bytes) -> "Recovery | None":
    """A damaged first line that begins with a header all the same, or None."""
    from inspector.tape.recovery import recover  # dear, and seldom needed

    found = recover(line, lambda value: headers.is_header(value) or is_record(value))
    return found if found.pieces and headers.is_header(found.pieces[0].value) else None
