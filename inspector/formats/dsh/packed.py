"""Packed rows: one record that holds a run of chunk events (format page 1.6)."""

from typing import Any, NamedTuple

from inspector.formats.dsh.vocabulary import CHUNK, PACKED
from inspector.formats.shapes import SAFE_INTEGER, natural, whole


class PackedRow(NamedTuple):
    """The numbers of a packed row: first owner's number, and the time of every member."""

    first: int
    times: list[int]


def measure(record: dict[str, Any]) -> PackedRow | str:
    """The members of a packed row, or what is wrong with it; a row is never half-expanded."""
    chunk, key, _ = PACKED[record["type"]]
    if record.keys() != {"type", "seq0", "time0", "data"}:
        return "the keys are not exactly type, seq0, time0, data"
    data = record["data"]
    if not isinstance(data, dict):
        return "data is not an object"
    keys = {"turn", "step", "index", "dt", key}
    if chunk == "tool-call-delta":
        keys |= {"id"}
        if not isinstance(data.get("id"), str):
            return "id is not a string"
        if "name" in data:
            keys |= {"name"}
            if not isinstance(data["name"], str):
                return "name is not a string"
    if data.keys() != keys:
        return f"the keys of data are not exactly {', '.join(sorted(keys))}"
    members, gaps = data[key], data["dt"]
    if not isinstance(members, list) or not all(isinstance(member, str) for member in members):
        return f"{key} is not a list of strings"
    if not members:
        return f"{key} is empty"
    if not isinstance(gaps, list) or len(gaps) != len(members) - 1:
        found = len(gaps) if isinstance(gaps, list) else "no"
        return f"{len(members)} {key} but {found} gaps in dt"
    if any(natural(data[name]) is None for name in ("turn", "step", "index")):
        return "turn, step or index is not a whole number"
    first, time = natural(record["seq0"]), whole(record["time0"])
    if first is None or time is None or first + len(members) - 1 > SAFE_INTEGER:
        return "seq0 or time0 is not a safe whole number"
    times = [time]
    for gap in gaps:
        length = whole(gap)
        if length is None:
            return "dt holds what is not a whole number"
        time += length
        if not -SAFE_INTEGER <= time <= SAFE_INTEGER:
            return "a running time leaves the safe whole numbers"
        times.append(time)
    return PackedRow(first, times)


def is_row(value: dict[str, Any]) -> bool:
    """Whether a value of a record means to be a packed row; an event may bear the name of one."""
    kind = value.get("type")
    return type(kind) is str and kind in PACKED and "seq0" in value


def is_readable(value: dict[str, Any]) -> bool:
    """Whether a value of a record is an event, or a packed row that is well-formed."""
    return not is_row(value) or isinstance(measure(value), PackedRow)


def members(value: dict[str, Any], *, packs: bool) -> int:
    """How many events a readable value of a record holds."""
    return len(value["data"][PACKED[value["type"]][1]]) if packs and is_row(value) else 1


def is_record(value: Any) -> bool:
    """Whether a value from a damaged line is an event or a packed row, and not a part of one."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if isinstance(kind, str) and kind in PACKED and "seq0" in value:
        return isinstance(measure(value), PackedRow)
    return (
        isinstance(kind, str)
        and natural(value.get("seq")) is not None
        and whole(value.get("time")) is not None
        and "data" in value
    )


def member(record: dict[str, Any], index: int) -> dict[str, Any]:
    """One member of a well-formed packed row as the event it stands for."""
    chunk, key, delta = PACKED[record["type"]]
    data = record["data"]
    body: dict[str, Any] = {"type": chunk, "index": data["index"]}
    body |= {name: data[name] for name in ("id", "name") if name in data}
    body[delta] = data[key][index]
    return {
        "type": CHUNK,
        "seq": whole(record["seq0"] + index),
        "time": whole(record["time0"] + sum(data["dt"][:index])),
        "data": {"turn": data["turn"], "step": data["step"], "chunk": body},
    }
