"""Lines to values: the loop that every line of a log goes through once, and what mends odd ones."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

import orjson

from inspector.formats.logs import rules
from inspector.formats.logs.folding import Folding
from inspector.tape.jsonline import JSON_SPACE, parse
from inspector.tape.records import Fate
from inspector.timeline.findings import FindingKind

if TYPE_CHECKING:
    from inspector.tape.recovery import Recovery

JSON_WORDS: Final = {
    type(None): "null",
    bool: "a truth value",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
}


class LineDecoder(ABC):
    """Decodes lines; a format says what a JSON object is, and how its owner reads odd lines.

    Attributes:
        folding: where the format puts its events and findings.
    """

    def __init__(self, folding: Folding) -> None:
        self.folding = folding

    @abstractmethod
    def take(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold the object of a line, by `Folding.event` and effects.

        Called for every object that the owner's JSON reader may see: strict JSON, once per line.
        """

    def recovered(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold an object of a line that is no JSON as a whole; taken like any other unless told."""
        self.take(value, record, line)

    @abstractmethod
    def is_record(self, value: Any) -> bool:
        """Whether an object found in a damaged line looks like a record of the format."""

    replaces_bytes: ClassVar[bool] = False
    """Whether the owner's reader replaces bytes that are no UTF-8, as ours does."""

    lines_at_once: int | None = None
    """How many lines a batch has at most, where some lines are much more work than others."""

    not_json: ClassVar[FindingKind] = rules.NOT_JSON
    not_an_event: ClassVar[FindingKind] = rules.NOT_AN_EVENT
    lost_bytes: ClassVar[FindingKind] = rules.LOST_BYTES
    """What a line is that is not read, or not all of it; a format whose owner skips it says so."""

    @abstractmethod
    def unread(self, record: int, line: bytes, problem: str) -> None:
        """The owner's reader cannot take a line, which is no JSON or no object.

        Told before what is recovered of it is folded; a format keeps it for its verdict.
        """

    def mend(self, kind: FindingKind, record: int, line: bytes) -> FindingKind:
        """The kind of finding that a mend in an unread line is; the shared one unless told.

        A format tells what its owner does with such a line, by `rules.unread`.
        """
        del record, line
        return kind

    def takes_tail(self, tail: bytes) -> bool:
        """Whether the owner takes the bytes behind the last newline for a line; it does not unless
        told.
        """
        del tail
        return False

    def blank(self, record: int) -> None:
        """A line holds nothing; no matter unless told."""
        del record

    def loose(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold an object of JSON that a strict reader refuses: lone surrogates, great depth.

        Taken like any other unless told.
        """
        self.take(value, record, line)

    def no_object(self, value: Any, record: int, line: bytes, problem: str) -> None:
        """A line is JSON, but no object; the owner's reader cannot take it unless told."""
        del value
        self.unread(record, line, problem)

    def recovery(self, record: int, line: bytes) -> "Recovery":
        """What can be read of a line that is no JSON: the records in it unless told."""
        from inspector.tape.recovery import recover  # dear, and seldom needed

        del record
        return recover(line, self.is_record)

    def values(self, record: int, line: bytes) -> list[Any]:
        """The events of a line, mended if need be, as they are read again.

        All its objects, unless told: a format by which some are no events leaves these out, as an
        event is found by its place among those of its line.
        """
        try:
            value = parse(line)[0]
        except ValueError:
            return [piece.value for piece in self.recovery(record, line).pieces]
        return [value] if isinstance(value, dict) else []

    def fold(self, record: int, lines: Sequence[bytes]) -> None:
        """Fold a batch of whole lines, the first of which is a record by this number."""
        take, loads = self.take, orjson.loads
        record -= 1
        for line in lines:
            record += 1
            try:
                value = loads(line)
            except ValueError:
                self._odd(line, record)
                continue
            if type(value) is dict:
                take(value, record, line)
            else:
                self._no_object(value, record, line)
        self.folding.publish()

    def line(self, record: int, line: bytes) -> None:
        """Fold one line, for a format that goes through the lines in a loop of its own."""
        try:
            value = orjson.loads(line)
        except ValueError:
            self._odd(line, record)
            return
        if type(value) is dict:
            self.take(value, record, line)
        else:
            self._no_object(value, record, line)

    def _odd(self, line: bytes, record: int) -> None:
        """A line that the fast reader does not take."""
        folding = self.folding
        if not line.strip(JSON_SPACE):
            folding.records.set_fate(record, Fate.BLANK)
            self.blank(record)
            return
        try:
            value, mended = parse(line)
        except ValueError as error:
            self._recover(line, record, f"not JSON: {error}")
            return
        if not isinstance(value, dict):
            self._no_object(value, record, line)
            return
        if mended is not None:
            self._mended(value, record, line, mended)
        else:
            self.loose(value, record, line)

    def _mended(self, value: dict[str, Any], record: int, line: bytes, problem: str) -> None:
        """Fold the object of a line that is JSON but for its bytes, which were replaced."""
        folding, kind = self.folding, rules.REPAIRED_TEXT
        folding.records.recovered(record)
        if self.replaces_bytes:
            folding.found(kind, problem, record)
            self.take(value, record, line)
        else:
            self.unread(record, line, problem)
            folding.found(self.mend(kind, record, line), problem, record)
            self.recovered(value, record, line)

    def _no_object(self, value: Any, record: int, line: bytes) -> None:
        problem = f"JSON, but {JSON_WORDS[type(value)]} and not an event"
        self.no_object(value, record, line, problem)
        self.folding.damaged(record, self.not_an_event, problem)

    def _recover(self, line: bytes, record: int, problem: str) -> None:
        """Read what can be read of a line that is no JSON."""
        folding = self.folding
        found = self.recovery(record, line)
        empty = not found.pieces and not found.lost
        if not empty:
            self.unread(record, line, problem)
        if not found.pieces and not empty:
            folding.damaged(record, self.not_json, problem)
            return
        if empty:
            folding.records.set_fate(record, Fate.BLANK)
            self.blank(record)
        self._tell(record, line, found, carries=not empty)
        self.pieces(found, record, line)

    def pieces(self, found: "Recovery", record: int, line: bytes) -> None:
        """Fold the records found in a line; if any is an event, the line carries it."""
        folding = self.folding
        before = folding.position
        for piece in found.pieces:
            self.recovered(piece.value, record, line[piece.start : piece.stop])
        if folding.position > before:
            folding.records.carries(record)

    def _tell(self, record: int, line: bytes, found: "Recovery", *, carries: bool) -> None:
        """Say what of a record was mended, and what of it is lost."""
        folding = self.folding
        if carries:
            folding.records.recovered(record)
        for note in found.notes:
            kind = rules.RECOVERED.get(note.code, rules.REPAIRED_TEXT)
            if found.pieces or found.lost:
                kind = self.mend(kind, record, line)
            folding.found(kind, f"{note.message} (byte {note.at} of the record)", record)
        if found.lost:
            lost = ", ".join(f"{start} to {stop}" for start, stop in found.lost[:5])
            message = f"bytes {lost} of the record are no event and are not read"
            folding.lost(self.lost_bytes, message, record)
