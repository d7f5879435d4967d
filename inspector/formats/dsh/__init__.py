"""DeepSeek Harness: append-only logs whose events say themselves what they do to the surface."""

from typing import Any, Final

import orjson

from inspector.formats.contract import Certainty, Options, Recognition, Tape
from inspector.formats.dsh.reading import DshTape
from inspector.tape.source import FileSource

_LINES: Final = 50
"""Lines looked at to tell a log whose first line is damaged or missing."""


class DshFormat:
    """The format, as `inspector.formats.contract.Format` has it."""

    name: Final = "dsh"
    policies: Final = ("dsh",)

    def recognise(self, head: bytes) -> Recognition:
        """How sure the format is of a source that begins with these bytes."""
        lines = head.split(b"\n", _LINES)[:_LINES]
        first = _record(lines[0])
        if first is not None and first.get("type") == "session":
            return _by_header(first)
        if any(_is_event(_record(line)) for line in lines):
            return Recognition(Certainty.LIKELY)
        if first is None:
            return Recognition(Certainty.NO, "line 1 is not a JSON object")
        return Recognition(Certainty.NO, "line 1 is neither a session header nor an event")

    def open(self, source: FileSource, options: Options) -> Tape:
        """Begin to read a plain log."""
        return DshTape(source, options)


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _by_header(header: dict[str, Any]) -> Recognition:
    if "createdAt" in header or "delegationDepth" in header:
        return Recognition(Certainty.SURE)
    if "timestamp" in header:
        return Recognition(Certainty.NO, "the header is that of another agent (timestamp)")
    return Recognition(Certainty.LIKELY)


def _is_event(record: dict[str, Any] | None) -> bool:
    return record is not None and (
        {"type", "seq", "time", "data"} <= record.keys()
        or {"type", "seq0", "time0", "data"} <= record.keys()
    )


FORMAT: Final = DshFormat()
