"""The lines of a new log that holds records of another one, as they stand and with their times."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from inspector.formats.planning import Draft, How, Making, Write
from inspector.formats.reina.planning.composing import Composition, Stretch
from inspector.formats.reina.planning.material import Session
from inspector.formats.reina.planning.naming import header, target
from inspector.formats.reina.vocabulary import COMPACTED
from inspector.formats.shapes import mapping
from inspector.text.jsontext import json_bytes

UNREAD: Final = "in lines that Reina skips"
COMPACTIONS: Final = "compactions, left out"
SUMMARIES: Final = "messages that are summaries, left out"
"""Why events before a cut are not in the new log."""

_BATCH: Final = 64 * 1024
_OF_OWNER: Final = ("fromIndex", "toIndex", "summary", "originalLength", "compressedAt")


@dataclass(frozen=True, slots=True)
class Copy:
    """A new log made of an old one.

    Attributes:
        of: the old one.
        cut: behind which of its events the copies end.
        making: identity and time of the new one.
        composition: which records travel.
        added: lines that are written behind them.
    """

    of: Session
    cut: int
    making: Making
    composition: Composition
    added: Sequence[bytes] = ()

    def draft(self, *remarks: str) -> Draft:
        """What would be made.

        Args:
            remarks: sentences about it.
        """
        omitted = self._omitted()
        behind = sum(one.event >= self.cut for one in self.composition.summaries)
        return Draft(
            (Write(target(self.of.log.path, self.making), How.CREATE, self._content),),
            self.cut - sum(omitted.values()),
            omitted,
            remarks=remarks,
            behind=behind,
        )

    def _omitted(self) -> dict[str, int]:
        rejected = self._rejected()
        omitted = {UNREAD: len(rejected)}
        if not self.composition.plain:
            kept = {one.event for one in self.composition.summaries}
            gone = [at for at in self._compactions() if at not in rejected and at not in kept]
            omitted[COMPACTIONS] = len(gone)
            omitted[SUMMARIES] = len(self.composition.left_out)
        return omitted

    def _rejected(self) -> frozenset[int]:
        return frozenset(event for event in self.of.timeline.rejected if event < self.cut)

    def _compactions(self) -> list[int]:
        return self.of.timeline.table.of_type(COMPACTED, 0, self.cut)

    # The text.

    def _content(self) -> Iterator[bytes]:
        waiting: list[bytes] = []
        size = 0
        for line in self._lines():
            waiting.append(line)
            size += len(line)
            if size >= _BATCH:
                yield b"".join(waiting)
                waiting.clear()
                size = 0
        if waiting:
            yield b"".join(waiting)

    def _lines(self) -> Iterator[bytes]:
        yield line_of(header(self.of.decoder.header_value(self.of.log.raw), self.making))
        stays = self._staying()
        for event in range(self.cut):
            if event not in stays:
                yield self._copied(event)
        for summary in self.composition.summaries:
            yield self._summary(summary)
        yield from self.added

    def _staying(self) -> frozenset[int]:
        """The events that do not travel as they stand."""
        composition = self.composition
        found = self._rejected() | composition.left_out
        return found if composition.plain else found | frozenset(self._compactions())

    def _copied(self, event: int) -> bytes:
        """The line of a record; of a mended one it is written anew."""
        of = self.of
        if of.log.records.is_recovered(of.timeline.table.record(event)):
            return line_of(of.payload(event))
        return of.raw(event) + b"\n"

    def _summary(self, stretch: Stretch) -> bytes:
        """A compaction with the indexes of the messages as they are written in the new log."""
        value = self.of.payload(stretch.event)
        record = mapping(value.get("record"))
        if stretch.event >= self.cut:
            # What the owner does not read may tell of what is undone.
            record = {key: record[key] for key in _OF_OWNER if key in record}
            value = {"ts": value.get("ts"), "type": COMPACTED}
        told = {**record, "fromIndex": stretch.first, "toIndex": stretch.last}
        if "originalLength" in told:
            told["originalLength"] = stretch.last - stretch.first + 1
        return line_of({**value, "record": told})


def line_of(value: Any) -> bytes:
    """A record as a line."""
    return json_bytes(value) + b"\n"
