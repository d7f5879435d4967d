"""The smallest format that can be: a note is ``{"say": TEXT}``, a heading is ``{"head": …}``."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from inspector.formats.contract import Headline, Identity, Options, Section, Verdict
from inspector.formats.logs.container import container_of
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.lines import LineDecoder
from inspector.formats.logs.log import Log
from inspector.formats.logs.row_log import RowLog
from inspector.formats.logs.row_parts import Part, RowDecoder
from inspector.formats.logs.rules import BAD_ROW, NOT_AN_EVENT
from inspector.formats.logs.tape import LogTape
from inspector.formats.logs.text_log import TextLog
from inspector.tape.database import Database
from inspector.tape.database_paging import Select
from inspector.tape.database_statements import Values
from inspector.tape.records import Fate, RecordTable, RowTable
from inspector.tape.source import FileSource, Source
from inspector.timeline.builder import Builder
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Role

HEAD: Final = b'{"head":1}'


def note(text: str, **more: Any) -> bytes:
    """A note as a line, without its newline."""
    return json.dumps({"say": text, **more}, separators=(",", ":"), ensure_ascii=False).encode()


def text_of(*lines: bytes) -> bytes:
    """Lines, each with its newline."""
    return b"".join(line + b"\n" for line in lines)


def is_note(value: Any) -> bool:
    """Whether a value is a note."""
    return isinstance(value, dict) and isinstance(value.get("say"), str)


class Lines(LineDecoder):
    """Takes notes.

    Attributes:
        refused: the lines that the owner does not read, and why.
        blanks: the lines that hold nothing.
        found: texts of the notes of lines that are no JSON as they stand.
        whole_tail: whether the owner takes a note that no newline ends.
    """

    def __init__(self, folding: Folding, *, whole_tail: bool = False) -> None:
        super().__init__(folding)
        self.refused: list[tuple[int, str]] = []
        self.blanks: list[int] = []
        self.found: list[str] = []
        self.whole_tail = whole_tail

    def take(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """A note, a heading, or nothing that is known."""
        del line
        if "head" in value:
            self.folding.records.set_fate(record, Fate.BOOKKEEPING)
        elif is_note(value):
            fold_note(self.folding, value, record)
        else:
            self.folding.damaged(record, NOT_AN_EVENT, "nothing is said")

    def recovered(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """A note that the owner does not see."""
        self.found.append(str(value.get("say")))
        self.take(value, record, line)

    def is_record(self, value: Any) -> bool:
        """Whether an object looks like one of the format's."""
        return isinstance(value, dict) and not value.keys().isdisjoint({"say", "head"})

    def unread(self, record: int, line: bytes, problem: str) -> None:
        """The owner stops here."""
        del line
        self.refused.append((record, problem))

    def blank(self, record: int) -> None:
        """Nothing is said."""
        self.blanks.append(record)

    def takes_tail(self, tail: bytes) -> bool:
        """Whether a whole note stands there."""
        return self.whole_tail and tail.endswith(b"}")

    def values(self, record: int, line: bytes) -> list[Any]:
        """The notes of a line."""
        return [value for value in super().values(record, line) if is_note(value)]


def fold_note(folding: Folding, value: dict[str, Any], record: int) -> None:
    """A note is a message of a person; an empty one is not sent."""
    text = value["say"]
    folding.event(record, "say", value.get("at"))
    folding.builder.append(Role.USER, Kind.MESSAGE, len(text), {"silent": not text})


class Tape(LogTape):
    """A tape of notes.

    Attributes:
        judged: how often the format was asked for a verdict.
    """

    def __init__(self, log: Log, builder: Builder) -> None:
        super().__init__(log, builder, Options())
        self.judged = 0

    @property
    def identity(self) -> Identity:
        """Hardly any."""
        return Identity(None, "tiny", self.log.variant, "tiny", self.log.path)

    def judge(self) -> Verdict:
        """The owner takes everything."""
        self.judged += 1
        return Verdict("tiny", opens=True)

    def tell(self, event: int, payload: dict[str, Any]) -> Headline:
        """What is said."""
        del event
        return Headline("note", None, payload["say"])

    def describe(self, event: int, payload: dict[str, Any]) -> list[Section]:
        """What is said."""
        del event
        return [Section("", payload["say"])]

    def id_of(self, payload: dict[str, Any]) -> str | None:
        """A note may have one."""
        return payload.get("id")


# Over a text.


class TextTape(Tape):
    """Notes in a text.

    Attributes:
        lines: the decoder.
        text: the log.
    """

    def __init__(self, source: Source, *, whole_tail: bool = False) -> None:
        builder, records = Builder(Timeline()), RecordTable()
        self.lines = Lines(Folding(builder, records), whole_tail=whole_tail)
        self.text = TextLog(source, container_of(source), records, self.lines)
        super().__init__(self.text, builder)


def of_file(path: Path, *, whole_tail: bool = False) -> TextTape:
    """A plain file as a tape, nothing of it folded yet."""
    return TextTape(FileSource(path), whole_tail=whole_tail)


# Over rows.


class Rows(RowDecoder):
    """Takes rows of a number and a text, which is JSON."""

    def fold(self, record: int, rows: Sequence[Values]) -> None:
        """Fold a batch of rows."""
        for at, row in enumerate(rows, record):
            values = self.values(row)
            if not values:
                self.folding.damaged(at, BAD_ROW, f"row {row[0]} holds no note")
            for value in values:
                fold_note(self.folding, value, at)
        self.folding.publish()

    def values(self, row: Values) -> list[Any]:
        """The note of a row."""
        try:
            value = json.loads(str(row[1]))
        except ValueError:
            return []
        return [value] if is_note(value) else []


def part(table: str, session: str = "one") -> Part:
    """The rows of a session in a table."""
    select = Select(table, ("seq", "data"), ("seq",), "session = ?", (session,))
    return Part(select, table, (1,))


class RowTape(Tape):
    """Notes in a database.

    Attributes:
        rows: the log.
    """

    def __init__(self, path: Path, *tables: str) -> None:
        builder, records = Builder(Timeline()), RowTable()
        decoder = Rows(Folding(builder, records))
        parts = [part(table) for table in tables]
        self.rows = RowLog(Database(path), parts, records, decoder, "sqlite")
        super().__init__(self.rows, builder)


# What a tape says.


def fold_on(tape: LogTape) -> int:
    """Fold to the end; the number of batches."""
    batches = 0
    while tape.advance():
        batches += 1
    return batches


def said(tape: LogTape) -> list[str]:
    """The texts of the notes, read again."""
    return [tape.headline(event).text for event in range(tape.timeline.events)]


def codes(tape: LogTape) -> list[tuple[str, int | None]]:
    """The codes of the findings, with their records."""
    return [(found.kind.code, found.record) for found in tape.findings()]


def adds_up(tape: LogTape) -> None:
    """Every record has one fate, and the sums are those of the records one by one."""
    sums = tape.sums()
    held = [tape.physical(record) for record in range(tape.records())]
    fates = [physical.fate for physical in held]
    assert sums.records == len(held)
    assert sums.carriers == fates.count(None)
    assert (sums.bookkeeping, sums.blank, sums.pending, sums.damaged) == tuple(
        fates.count(fate) for fate in (Fate.BOOKKEEPING, Fate.BLANK, Fate.PENDING, Fate.DAMAGED)
    )
    assert [physical.events > 0 for physical in held] == [fate is None for fate in fates]
    assert sum(physical.events for physical in held) == sums.events == tape.timeline.events
    assert sums.recovered == sum(physical.recovered for physical in held)
