"""What would be seen of a session that is not written: its lines are folded, all of them."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from inspector.formats.logs.folding import Folding
from inspector.formats.pi.decoder import PiDecoder
from inspector.formats.pi.judge import judged
from inspector.formats.pi.labels import REGISTER, Labels
from inspector.formats.pi.planning.copying import Copy
from inspector.formats.pi.planning.material import Material, Shown, shown
from inspector.tape.lines import offsets
from inspector.tape.records import RecordTable
from inspector.timeline.builder import Builder
from inspector.timeline.timeline import Timeline

_BATCH: Final = 512


class Rehearsal(NamedTuple):
    """What is seen of a session once it is written.

    Attributes:
        rows: in order.
        refused: why the owner could not show it; empty where it can.
        length: of its lines and their newlines, in bytes.
        registers: its named values.
    """

    rows: list[Shown]
    refused: str
    length: int
    registers: dict[str, Any]

    def gives(self, wanted: Sequence[Shown]) -> bool:
        """Whether rows are shown, and nothing else."""
        return not self.refused and self.rows == list(wanted)


def rehearsed(copy: Copy) -> Rehearsal:
    """Fold the lines of a session.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    timeline, records = Timeline(), RecordTable()
    decoder = PiDecoder(Folding(Builder(timeline), records), copy.record)
    count, length = len(copy.composition.items) + 1, 0
    for first in range(0, count, _BATCH):
        lines = [copy.record(number) for number in range(first, min(count, first + _BATCH))]
        records.extend(offsets(length, lines))
        length += sum(map(len, lines)) + len(lines)
        decoder.fold(first, lines)
    return Rehearsal(
        _rows(timeline, copy), _refused(decoder), length, _registers(timeline, decoder)
    )


def appended(material: Material, line: bytes) -> Rehearsal:
    """Fold the lines of the session as they stand, and one behind them.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    log, head, line = material.session.log, material.head, line.strip(b"\n")
    there = len(log.records)

    def raw(record: int) -> bytes:
        return line if record == there else log.raw(record)

    timeline, records = Timeline(), RecordTable()
    decoder = PiDecoder(Folding(Builder(timeline), records), raw)
    length = 0
    for first in range(0, there + 1, _BATCH):
        lines = [raw(record) for record in range(first, min(there + 1, first + _BATCH))]
        records.extend(offsets(length, lines))
        length += sum(map(len, lines)) + len(lines)
        decoder.fold(first, lines)
    rows = [shown(timeline, row.node) for row in timeline.rows(timeline.events)]
    return Rehearsal(
        [one._replace(item=~0) if one.item == head else one for one in rows],
        _refused(decoder),
        length,
        _registers(timeline, decoder),
    )


def _rows(timeline: Timeline, copy: Copy) -> list[Shown]:
    items = copy.composition.items
    found = (shown(timeline, row.node) for row in timeline.rows(timeline.events))
    return [
        Shown(items[one.item], one.part, None if one.edit is None else items[one.edit])
        for one in found
    ]


def _refused(decoder: PiDecoder) -> str:
    verdict = judged(decoder, unended=False, empty=False)
    return "" if verdict.opens is True else verdict.reason or "refused"


def _registers(timeline: Timeline, decoder: PiDecoder) -> dict[str, Any]:
    """The named values behind the last line."""
    head = timeline.events
    found: dict[str, Any] = {
        name: one.value for name, one in timeline.registers.state(head).items()
    }
    if REGISTER in found:
        found[REGISTER] = Labels(timeline, decoder.read).told(head)
    return found
