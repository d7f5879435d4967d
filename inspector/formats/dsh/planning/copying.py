"""The events of a log written again: their bytes where they may be copied, else with new numbers.

What an event says of others by number moves with them (page 1.10, 3.3 and 7.4). Nothing is kept in
memory but the record at hand.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from inspector.formats.dsh.packed import is_row
from inspector.formats.dsh.packed import members as members_of
from inspector.formats.dsh.planning.kept import Kept, hidden_by
from inspector.formats.dsh.planning.material import Material
from inspector.formats.dsh.planning.texts import value_of
from inspector.formats.dsh.surface import uncited
from inspector.formats.dsh.vocabulary import ASSISTANT_MESSAGE, PACKED
from inspector.formats.shapes import items, natural
from inspector.tape.jsonmembers import Members, joined, members
from inspector.tape.jsontokens import NotJsonError
from inspector.tape.source import SourceError
from inspector.text.jsontext import json_bytes

_RANGES_SINCE: Final = 1
_SEQ_KEYS_SINCE: Final = 3
_PACKS_BELOW: Final = 2

_RUN: Final = 3
"""Sources from which on a run of them is written as its ends (page 1.7)."""

_LISTED: Final = 1_000
"""Sources that are written one by one beside as many as there are events: a range of a few bytes
may name a million, and a tape may hold a million of those."""


_BEGINNING: Final = re.compile(rb'\{"type":"([a-z/-]+)","seq":([0-9]+),"time":-?[0-9]+,"data":')
"""How the owner begins a line (page 1.5). A name that is told with escapes is not among these."""


class Copy:
    """What is kept of a log, as the lines of another one of the same version."""

    def __init__(self, material: Material, kept: Kept) -> None:
        self._material = material
        self._timeline = material.timeline
        self._kept = kept
        self._packs = material.version < _PACKS_BELOW
        self._room = 0

    def pieces(self) -> Iterator[bytes]:
        """All lines, in pieces of any size.

        Raises:
            SourceError: if the source cannot be read any more.
        """
        self._room = 2 * self._kept.cut + _LISTED
        if not self._kept.cut:
            return
        if self._kept.verbatim:
            yield from self._verbatim()
            return
        event, table = 0, self._timeline.table
        while event < self._kept.cut:
            record = table.record(event)
            stop = table.before_record(record + 1)
            yield from self._record(record, event, stop)
            event = stop

    def _verbatim(self) -> Iterator[bytes]:
        table, cut = self._timeline.table, self._kept.cut
        first, last = table.record(0), table.record(cut - 1)
        behind = table.before_record(last + 1)
        yield from self._material.log.lines(range(first, last + (behind <= cut)))
        if behind > cut:
            # The cut is inside a packed row.
            yield from self._record(last, table.before_record(last), behind)

    def _record(self, record: int, first: int, stop: int) -> Iterator[bytes]:
        """The events of one record, from one position to before another."""
        if not any(map(self._kept.holds, range(first, stop))):
            return
        if stop - first == 1:
            line = self._moved_only(record, first)
            if line is not None:
                yield line
                return
        for text in record_texts(self._material, record):
            held = stop - first
            if self._packs and "seq0" in text:
                row = {name: value_of(part) for name, part in text.items()}
                held = members_of(row, packs=True) if is_row(row) else 1
                if is_row(row):
                    yield from self._row(text, row, range(first, first + held))
                    first += held
                    continue
            if self._kept.holds(first):
                yield self._event(first, text)
            first += 1

    def _moved_only(self, record: int, event: int) -> bytes | None:
        """The line of an event that tells of no other, with its number; None if that is to be seen.

        Nearly every line is one; taking it to pieces takes ten times as long.
        """
        if self._material.log.records.is_recovered(record) or self._timeline.is_replacement(event):
            return None
        line = self._material.log.line(record)
        found = _BEGINNING.match(line)
        if (
            found is None
            or found[1].decode() in _REFERENCES
            or line.count(b'"seq"') != 1
            or b'"sourceEventSeqs"' in line
            or b"\\u" in line
        ):
            return None
        return b"%b%d%b\n" % (
            line[: found.start(2)],
            self._kept.number(event),
            line[found.end(2) :],
        )

    def _row(self, text: Members, row: dict[str, Any], events: range) -> Iterator[bytes]:
        """A packed row, or as much of it as stands before the cut (page 1.6)."""
        kept = sum(map(self._kept.holds, events))
        if not kept:
            return
        text = {**text, "seq0": json_bytes(self._kept.number(events.start))}
        if kept < len(events):
            key = PACKED[row["type"]][1]
            data = row["data"]
            text["data"] = json_bytes({**data, "dt": data["dt"][: kept - 1], key: data[key][:kept]})
        yield joined(text) + b"\n"

    def _event(self, event: int, text: Members) -> bytes:
        text = {**text, "seq": json_bytes(self._kept.number(event))}
        kind = value_of(text.get("type", b"null"))
        if "surfaceOp" in text:
            self._rename(event, kind, text)
        rename = _REFERENCES.get(kind) if type(kind) is str else None
        data = {} if rename is None else members(text.get("data", b"null"))
        if rename is not None and data:
            for key in rename:
                if key in data:
                    self._refer(data, key)
            text["data"] = joined(data)
        return joined(text) + b"\n"

    # The surface.

    def _rename(self, event: int, kind: Any, text: Members) -> None:
        """What a surface event hides and cites, by the numbers that these have now."""
        hidden = [
            self._kept.number(stands)
            for other in hidden_by(self._timeline, event)
            for stands in self._kept.standing_for(self._timeline, other)
        ]
        if hidden:
            text["surfaceOp"] = json_bytes(replacing(hidden, self._material.version))
        if "sourceEventSeqs" not in text and not hidden:
            return
        cited = self._cited(value_of(text.get("sourceEventSeqs", b"[]")))
        missing = uncited(hidden, cited)
        sources = self._sources([*cited, *(range(number, number + 1) for number in missing)])
        if not sources and hidden:
            sources = hidden
        if sources or kind == ASSISTANT_MESSAGE:
            text["sourceEventSeqs"] = json_bytes(sources)
        else:
            del text["sourceEventSeqs"]

    def _cited(self, told: Any) -> list[range]:
        numbers = [_span(item) for item in items(told)]
        events = self._material.positions([span for span in numbers if span is not None])
        found = (self._kept.numbers(span) for span in events)
        return [span for span in found if span]

    def _sources(self, spans: Sequence[range]) -> list[Any]:
        """Sources as the version writes them; none where there are more than any log has."""
        if self._material.version >= _RANGES_SINCE:
            return list(ranged(spans))
        self._room -= sum(map(len, spans))
        return [] if self._room < 0 else [number for span in spans for number in span]

    # What the data of an event says of others.

    def _refer(self, data: Members, key: str) -> None:
        value = value_of(data[key])
        if isinstance(value, list):
            data[key] = json_bytes(self._list(value))
        elif isinstance(value, dict):
            ends = {name: self._one(number) for name, number in value.items()}
            data[key] = json_bytes({name: end for name, end in ends.items() if end is not None})
        else:
            number = self._one(value)
            if number is None:
                del data[key]
            else:
                data[key] = json_bytes(number)

    def _list(self, value: list[Any]) -> list[Any]:
        if all(isinstance(item, dict) for item in value):
            moved = ({**item, "seq": self._one(item.get("seq"))} for item in value)
            return [item for item in moved if item["seq"] is not None]
        return [number for item in value if (number := self._one(item)) is not None]

    def _one(self, told: Any) -> int | None:
        number = natural(told)
        events = [] if number is None else self._material.positions([range(number, number + 1)])
        if not events or not self._kept.holds(events[0].start):
            return None
        return self._kept.number(events[0].start)


_REFERENCES: Final = {
    "session/title": ("messageSeqs",),
    "session/title-llm-request": ("messageSeqs",),
    "command/done": ("sourceEventSeq",),
    "compaction/summary": ("shadowedRange", "shadowedSeqs"),
    "compaction/prune": ("shadowedRange", "shadowedSeqs"),
    "image/offload": ("targets",),
    "developer/message": ("headerSeq",),
}
"""By type, the keys of data that tell of other events by number (page 1.10 and 11)."""


def record_texts(material: Material, record: int) -> list[Members]:
    """The values of a record, the text of each member as it is kept, or as it was mended.

    Raises:
        SourceError: if the source cannot be read any more.
    """
    if not material.log.records.is_recovered(record):
        try:
            text = members(material.log.line(record))
        except NotJsonError as error:
            raise SourceError("was changed since it was read") from error
        if text:
            return [text]
    return [
        {name: json_bytes(part) for name, part in value.items()}
        for value in material.stored(record)
    ]


def replacing(hidden: Sequence[int], version: int) -> dict[str, Any]:
    """The operation by which an event takes the place of rows, in order (page 3.2 and 11)."""
    start, end = ("startSeq", "endSeq") if version >= _SEQ_KEYS_SINCE else ("start", "end")
    return {"op": "replace", start: hidden[0], end: hidden[-1]}


def ranged(spans: Iterable[range]) -> Iterator[Any]:
    """Sources, runs of them as their ends (page 1.7)."""
    for span in spans:
        if len(span) >= _RUN:
            yield [span.start, span.stop - 1]
        else:
            yield from span


def _span(item: Any) -> range | None:
    number = natural(item)
    if number is not None:
        return range(number, number + 1)
    ends = [natural(inner) for inner in items(item)]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        return None
    return range(ends[0], ends[1] + 1)
