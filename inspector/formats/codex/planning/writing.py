"""The bytes of a new log: its own header, the parent's records, and what comes behind them.

A fork of the older kind holds copies of the parent's records, its header among them, with new
times (format page 2.10). Here the text of a record stays as it is but for the time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from inspector.formats.codex.planning.naming import home_of, target
from inspector.formats.codex.planning.rollout import Rollout
from inspector.formats.codex.planning.spelling import TYPES, respelled
from inspector.formats.planning import Check, Draft, How, Making, Write
from inspector.formats.shapes import mapping
from inspector.formats.stamps import stamp
from inspector.tape.jsonline import lenient
from inspector.tape.source import CHUNK, SourceError
from inspector.text.gate import clean_line
from inspector.text.jsontext import json_text

UNREAD: Final = "in lines that Codex cannot read"
COMPACTIONS: Final = "compactions, left out"
"""Why events before a cut are not in the new log."""

PROVENANCE: Final = "provenance"

_TIME: Final = re.compile(rb'[ \t]*\{[ \t]*"timestamp"[ \t]*:[ \t]*"[^"\\]*"')
"""How nearly every record begins."""

_OWN: Final = (
    "cwd",
    "originator",
    "cli_version",
    "source",
    "thread_source",
    "model_provider",
    "base_instructions",
    "instructions",
    "git",
    "dynamic_tools",
    "memory_mode",
    "history_mode",
    "multi_agent_version",
    "selected_capability_roots",
)
"""What a fork's header says as its parent's does; the rest is about the parent alone."""

_OUTSIDE: Final = "the log lies outside of Codex's folders; the new one would lie beside it"
_BATCH: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class History:
    """What a new log says the history is, in a turn of its own behind the parent's records.

    Attributes:
        message: the summary, perhaps empty.
        nodes: the rows whose items the history has.
        summary: an item before them, or None.
    """

    message: str
    nodes: Sequence[int]
    summary: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Copy:
    """A new log made of an old one.

    Attributes:
        of: the old one.
        cut: behind which of its events the copies end.
        making: id and time of the new one.
        compactions: whether those of the old one are copied.
        mended: whether records are copied too that the owner skips, as it reads them.
        history: what is said behind the copies, or None.
    """

    of: Rollout
    cut: int
    making: Making
    compactions: bool = True
    mended: bool = False
    history: History | None = None

    def draft(self, *remarks: str) -> Draft:
        """What would be made.

        Args:
            remarks: sentences about it.

        Raises:
            PlanError: if the log does not say whose it is.
        """
        omitted = self._omitted()
        header = self.of.origin().header
        to = target(self.of.path, header, self.making.id, self.making.time)
        parent = clean_line(header.id or "", 80)
        return Draft(
            (Write(to, How.CREATE, self._content),),
            self.cut - sum(omitted.values()),
            omitted,
            (self._provenance(parent),),
            remarks,
            () if home_of(self.of.path) is not None else (_OUTSIDE,),
        )

    def _provenance(self, parent: str) -> Check:
        if parent == self.making.id:
            return Check(
                PROVENANCE, ok=False, message=f"the new log would be of thread {parent} too"
            )
        return Check(PROVENANCE, ok=True, message=f"the new log names thread {parent} its origin")

    # Which events travel.

    def _omitted(self) -> dict[str, int]:
        rejected = [event for event in self._rejected() if not self._is_mended(event)]
        omitted = {UNREAD: len(rejected)}
        if not self.compactions:
            gone = set(rejected)
            omitted[COMPACTIONS] = sum(event not in gone for event in self._compactions())
        return omitted

    def _rejected(self) -> Iterator[int]:
        for event in self.of.timeline.rejected:
            if event >= self.cut:
                return
            yield event

    def _is_mended(self, event: int) -> bool:
        if not self.mended:
            return False
        table = self.of.timeline.table
        if self.of.records.is_recovered(table.record(event)):
            return True
        return table.type(event) in TYPES and respelled(self.of.value(event)) is not None

    def _compactions(self) -> Iterator[int]:
        table = self.of.timeline.table
        if table.types.known("compacted") is not None:
            yield from (event for event in range(self.cut) if table.type(event) == "compacted")

    def _travels(self, event: int) -> bool:
        timeline = self.of.timeline
        if timeline.is_rejected(event) and not self._is_mended(event):
            return False
        return self.compactions or timeline.table.type(event) != "compacted"

    def travelling(self) -> list[int]:
        """The events that are copied, in order; the new log begins with the parent's header."""
        return [event for event in range(self.cut) if self._travels(event)]

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
        time = stamp(self.making.time)
        head = self.of.origin()
        yield _line(_header(head.value, self.making, time))
        if self.of.records.is_recovered(head.record):
            yield _line({**head.value, "timestamp": time})
        else:
            yield _stamped(_Lines(self.of).line(head.record), time.encode())
        yield from self._copies(time)
        if self.history is not None:
            yield from _own_turn(self.of, self.history, self.making, time)

    def _copies(self, time: str) -> Iterator[bytes]:
        """The lines of the records that travel; of a damaged one a line for each of its events."""
        of, lines = self.of, _Lines(self.of)
        table, records = of.timeline.table, of.records
        encoded = time.encode()
        odd = self._odd()
        event = 0
        while event < self.cut:
            record = table.record(event)
            if record not in odd:
                yield _stamped(lines.line(record), encoded)
                event += 1
                continue
            values = of.values(record)
            stop = min(self.cut, table.before_record(record + 1))
            for found in values[: stop - event]:
                value = (respelled(found) or found) if self.mended else found
                if self._travels(event):
                    plain = value is found and not records.is_recovered(record)
                    yield (
                        _stamped(lines.line(record), encoded)
                        if plain
                        else _line({**value, "timestamp": time})
                    )
                event += 1
            event = stop

    def _odd(self) -> set[int]:
        """The records that are not copied as they stand."""
        timeline, records = self.of.timeline, self.of.records
        odd = {timeline.table.record(event) for event in self._rejected()}
        if not self.compactions:
            odd.update(map(timeline.table.record, self._compactions()))
        if records.sums(0, 0).recovered:
            behind = timeline.table.record(self.cut - 1) + 1 if self.cut else 0
            odd.update(filter(records.is_recovered, range(behind)))
        return odd


class _Lines:
    """The lines of a log, read in larger pieces."""

    def __init__(self, of: Rollout) -> None:
        self._of = of
        self._start = 0
        self._held = b""

    def line(self, record: int) -> bytes:
        """The bytes of a line.

        Raises:
            SourceError: if they cannot be read any more.
        """
        start, length = self._of.records.place(record)
        at = start - self._start
        if at < 0 or at + length > len(self._held):
            self._held = self._of.source.read(start, max(length, CHUNK))
            self._start, at = start, 0
            if len(self._held) < length:
                raise SourceError(f"ends within line {record + 1}: it was longer when it was read")
        return self._held[at : at + length]


def _header(parent: dict[str, Any], making: Making, time: str) -> dict[str, Any]:
    """The own header of a fork."""
    known = mapping(parent.get("payload"))
    payload: dict[str, Any] = {"id": making.id}
    if "session_id" in known:
        payload["session_id"] = making.id
    payload["forked_from_id"] = known.get("id")
    payload["timestamp"] = time
    payload.update((key, known[key]) for key in _OWN if key in known)
    if not isinstance(known.get("source", ""), str):
        # It is a person who goes on in the fork of a subagent.
        payload["source"] = "cli"
    return {"timestamp": time, "type": "session_meta", "payload": payload}


def _own_turn(of: Rollout, history: History, making: Making, time: str) -> Iterator[bytes]:
    """A turn of nothing but a compaction, which no rollback before it can undo (RULES R1)."""
    turn = making.derived("turn")
    yield event_line("task_started", time, turn_id=turn, model_context_window=None)
    first = {"timestamp": time, "type": "compacted", "payload": {"message": history.message}}
    yield encoded(first)[:-2] + b',"replacement_history":['
    comma = b""
    if history.summary is not None:
        yield encoded(history.summary)
        comma = b","
    for node in history.nodes:
        yield comma + encoded(of.item(node))
        comma = b","
    yield b"]}}\n"
    yield event_line("context_compacted", time)
    yield event_line("task_complete", time, turn_id=turn, last_agent_message=None)


def event_line(kind: str, time: str, **more: Any) -> bytes:
    """A line that tells of what happened."""
    return _line({"timestamp": time, "type": "event_msg", "payload": {"type": kind, **more}})


def _line(value: dict[str, Any]) -> bytes:
    return encoded(value) + b"\n"


def encoded(value: Any) -> bytes:
    """A value as JSON; what no text can hold is replaced, as it is when it is shown."""
    text = json_text(value)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _stamped(line: bytes, time: bytes) -> bytes:
    """A line with another time and a newline."""
    found = _TIME.match(line)
    if found is not None:
        return b'{"timestamp":"' + time + b'"' + line[found.end() :].rstrip(b" \t\r") + b"\n"
    value = lenient(line.decode())
    value["timestamp"] = time.decode()
    return _line(value)
