"""One row of a session database as the record it stands for (format page 2.4 and 2.6, rules G)."""

from contextlib import suppress
from typing import Any, Final, NamedTuple

import orjson

from inspector.formats.dsh.packed import PackedRow, measure
from inspector.formats.dsh.vocabulary import PACKED
from inspector.formats.shapes import SAFE_INTEGER
from inspector.tape.jsonline import parse
from inspector.tape.zstd_blob import unpack_frame
from inspector.text.jsontext import json_bytes

COLUMNS: Final = ("seq", "type", "time", "data", "source_event_seqs", "surface_op", "ignorable")
"""The columns of table ``events`` that an event is made of, in the order of `Row`."""

PACKED_SCHEMA: Final = 17
"""The schema in which rows may be packed and compressed, and sources are only varints."""

_APPEND: Final = '"append"'

_LARGEST: Final = 256 << 20
"""Bytes that one compressed value may unpack to."""

_FEWEST, _MOST = 3, 1024
_LARGEST_PACKED: Final = 1 << 20


class Row(NamedTuple):
    """The columns of one row, of whatever storage class they are."""

    seq: Any
    type: Any
    time: Any
    data: Any
    sources: Any
    operation: Any
    ignorable: Any


class Fault(NamedTuple):
    """Why a row is no record; ``fatal`` if the owner refuses the log wherever the row stands."""

    message: str
    fatal: bool = False


def decode(row: Row, schema: int) -> dict[str, Any] | Fault:
    """The event or packed row of a row, in the shape of a line; or what is wrong with it."""
    seq, kind, time, data, sources, operation, ignorable = row
    if (
        ignorable is None
        and type(kind) is str
        and type(time) is int
        and type(data) is str
        and (sources is None or type(sources) is bytes)
        and (operation is None or operation == _APPEND)
    ):
        # What nearly every row is; of whatever is wrong with it, the way below says more.
        with suppress(ValueError):
            event = {"type": kind, "seq": seq, "time": time, "data": orjson.loads(data)}
            if sources is not None:
                event["sourceEventSeqs"] = _varint_list(sources)
            if operation is not None:
                event["surfaceOp"] = "append"
            return event
    return _decode_any(row, schema)


def _decode_any(row: Row, schema: int) -> dict[str, Any] | Fault:
    for name, value, kinds, wanted in (
        ("type", row.type, str, "a string"),
        ("time", row.time, int, "a whole number"),
        ("data", row.data, (str, bytes), "a string or blob"),
        ("surface_op", row.operation, (str, type(None)), "a string or null"),
        ("ignorable", row.ignorable, (int, type(None)), "a whole number or null"),
    ):
        if not isinstance(value, kinds):
            return Fault(f"stored {name} must be {wanted}", fatal=True)
    if not isinstance(row.sources, bytes | str | None) or (
        isinstance(row.sources, str) and schema == PACKED_SCHEMA
    ):
        return Fault("stored source_event_seqs must be a blob or null", fatal=True)
    try:
        text = _text(row.data)
        data = parse(text)[0]
        if is_packed(row):
            return _packed(row, data, len(text))
        event = {"type": row.type, "seq": row.seq, "time": row.time, "data": data}
        if row.sources is not None:
            event["sourceEventSeqs"] = _sources(row.sources)
        if row.operation is not None:
            event["surfaceOp"] = parse(_strict(row.operation))[0]
    except ValueError as error:
        return Fault(str(error))
    if row.ignorable is not None:
        event["ignorable"] = True if row.ignorable == 1 else row.ignorable
    return event


def plain_data(row: Row) -> bytes | None:
    """The JSON text of a row's data, unpacked, or None if there is none to be had."""
    try:
        return _text(row.data) if isinstance(row.data, str | bytes) else None
    except ValueError:
        return None


def as_line(row: Row, schema: int) -> bytes | None:
    """A row as the line of a log that says the same, its data as it is kept; None of no record."""
    value, text = decode(row, schema), plain_data(row)
    if text is None or not isinstance(value, dict):
        return None
    # White space may be a line feed in a column, and in a line it may not.
    parts = {
        name: text.replace(b"\n", b" ") if name == "data" else json_bytes(part)
        for name, part in value.items()
    }
    return (
        b"{" + b",".join(b'"%s":%s' % (name.encode(), part) for name, part in parts.items()) + b"}"
    )


def is_packed(row: Row) -> bool:
    """Whether a row is a packed one: its marker decides, not its name.

    Schemas before 17 know no packed rows, and give no row this marker.
    """
    return bool(row.ignorable == 0)


def _text(data: str | bytes) -> bytes:
    if isinstance(data, str):
        return _strict(data)
    text = unpack_frame(data, _LARGEST)
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"data is not UTF-8 at byte {error.start}") from error
    return text


def _strict(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"text is not UTF-8 at character {error.start}") from error


def _packed(row: Row, data: Any, size: int) -> dict[str, Any] | Fault:
    if row.type not in PACKED:
        return Fault(f"ignorable is 0, which marks a packed row, but the type is {row.type[:80]}")
    if row.sources is not None or row.operation is not None:
        return Fault("a packed row with sources or a surface operation")
    value = {"type": row.type, "seq0": row.seq, "time0": row.time, "data": data}
    measured = measure(value)
    if not isinstance(measured, PackedRow):
        return Fault(f"packed row: {measured}")
    if not _FEWEST <= len(measured.times) <= _MOST:
        return Fault(f"a packed row of {len(measured.times)} members, not {_FEWEST} to {_MOST}")
    if size > _LARGEST_PACKED:
        return Fault(f"a packed row of {size} bytes, more than {_LARGEST_PACKED}")
    return value


def _sources(stored: bytes | str) -> Any:
    return parse(_strict(stored))[0] if isinstance(stored, str) else _varint_list(stored)


def _varint_list(stored: bytes) -> list[int]:
    """A number, and the differences of those that follow, as varints."""
    numbers: list[int] = []
    last = value = shift = 0
    for byte in stored:
        value |= (byte & 0x7F) << shift
        shift += 7
        if shift > 70:
            raise ValueError("a source that is too long")
        if byte & 0x80:
            continue
        if byte == 0 and shift > 7:
            raise ValueError("a source in a form that is not the shortest")
        last = last + ((value >> 1) ^ -(value & 1)) if numbers else value
        if not 0 <= last <= SAFE_INTEGER:
            raise ValueError("a source out of range")
        numbers.append(last)
        value = shift = 0
    if shift:
        raise ValueError("the list of sources ends inside a number")
    return numbers
