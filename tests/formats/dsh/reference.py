"""A slow reader of DeepSeek Harness v0 logs, from the format page and the rules page alone.

`decode` cuts bytes into events; `fold` folds a list of them from zero, so the state at a cursor is
``fold(events[:cursor])``. Numbers of sections are those of the format page, letters those of the
rules page.
"""

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Never

SAFE = 2**53 - 1

_TYPES = """
    turn/start turn/end step/start step/end user/message assistant/chunk assistant/message
    tool/call tool/result tool/code-dispatch-start tool/code-dispatch request/header
    request/context agent/inbox/spliced agent-preset/selected session/title
    session/title-llm-request session/end-seed feedback/record command/run command/done todo/write
    llm/retry llm/retry-started approval/policy approval/asked approval/decided sandbox/mode
    permission/preset plan/mode hook/invoked hook/result compaction/start compaction/summary
    compaction/end compaction/prune goal/change schedule/change subagent/descriptor team/member
    team/message/queued team/message/delivered team/task tool-workflow/run-start
    tool-workflow/run-end tool-workflow/agent-start tool-workflow/agent-end
    web/deepseek-search-llm-request
"""

KNOWN = frozenset(_TYPES.split())
"""Section 1.10."""

ELIGIBLE = ("user/message", "assistant/message", "tool/result")
"""Section 3.1."""

PACKED = {
    "text-chunks": ("text-delta", "texts", "text"),
    "reasoning-chunks": ("reasoning-delta", "texts", "text"),
    "tool-call-chunks": ("tool-call-delta", "args", "argumentsDelta"),
}
"""Section 1.6."""

ENVELOPE = {"type", "seq", "time", "data", "sourceEventSeqs", "surfaceOp", "ignorable"}
"""Section 1.5."""

RETIRED = ("request/header-delta", "mode/set")
"""Section 1.9."""

NO_TYPE = "(no type)"

PADDING = " \t\r\0\ufeff"
"""What may stand between the records of a damaged line without being a loss."""


@dataclass(frozen=True)
class Event:
    """One decoded event; ``member`` counts within the record, ``of_row`` within a packed row."""

    position: int
    record: int
    member: int
    of_row: int
    payload: dict[str, Any]

    @property
    def type(self) -> str:
        kind = self.payload.get("type")
        return kind if isinstance(kind, str) else NO_TYPE

    @property
    def seq(self) -> int:
        return int(self.payload["seq"])

    @property
    def time(self) -> int | None:
        return whole(self.payload.get("time"))


@dataclass
class Log:
    """The bytes as records: what each became, and how many events stand before what is lost."""

    events: list[Event] = field(default_factory=list)
    records: int = 0
    header: dict[str, Any] | None = None
    blank: list[int] = field(default_factory=list)
    damaged: list[int] = field(default_factory=list)
    recovered: list[int] = field(default_factory=list)
    lost_at: list[int] = field(default_factory=list)
    torn: bytes = b""


@dataclass
class State:
    """What stands after some events."""

    nodes: list[int] = field(default_factory=list)
    generation: int = 0
    messages: list[Any] = field(default_factory=list)
    registers: dict[str, tuple[Any, int]] = field(default_factory=dict)
    hidden: dict[int, tuple[str, int]] = field(default_factory=dict)
    rejected: dict[int, str] = field(default_factory=dict)
    sources: dict[int, list[int]] = field(default_factory=dict)
    gaps: list[int] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    stopped: int | None = None

    def visibility(self, event: int, cursor: int) -> tuple[str, int | None]:
        """What became of an event, in our words, and the event that hid it."""
        if event >= cursor:
            return "not-yet", None
        if event in self.rejected or (self.stopped is not None and event >= self.stopped):
            return "not-applied", None
        if event in self.nodes:
            return "visible", None
        return self.hidden.get(event, ("log-only", None))


# Bytes to events.


def decode(data: bytes) -> Log:
    """Records and events; only a line feed ends a line, and a last line without one is torn."""
    log = Log()
    *lines, log.torn = data.split(b"\n")
    log.records = len(lines)
    for record, line in enumerate(lines):
        if not line.strip(b" \t\r"):
            log.blank.append(record)
            continue
        # Invalid UTF-8 is replaced (C).
        text = line.decode("utf-8", "replace")
        try:
            values, lost = [json.loads(text, parse_constant=_refuse)], False
        except ValueError:
            values, lost = _records_in(text)
            if not values and not lost:
                log.blank.append(record)
                continue
            recovered = bool(values)
        else:
            recovered = text.encode() != line if "\ufffd" in text else False
        if record == 0 and isinstance(values[0], dict) and values[0].get("type") == "session":
            log.header = values[0]
            continue
        if recovered:
            log.recovered.append(record)
        _take(log, record, [_events(value) for value in values], lost)
    return log


def _take(log: Log, record: int, values: list[list[dict[str, Any]]], lost: bool) -> None:
    """The events of each value of a record; a record without any is damaged."""
    if lost or not any(values):
        log.lost_at.append(len(log.events))
    if not any(values):
        log.damaged.append(record)
    first = len(log.events)
    for made in values:
        for of_row, payload in enumerate(made):
            at = len(log.events)
            log.events.append(Event(at, record, at - first, of_row, payload))


def _records_in(text: str) -> tuple[list[Any], bool]:
    """The whole records of a line that is no JSON, and whether anything else stands there."""
    found: list[Any] = []
    lost, at = False, 0
    while at < len(text):
        if text[at] in PADDING or (found and text[at] == ","):
            at += 1
            continue
        value, stop = None, at + 1
        if text[at] == "{":
            with suppress(ValueError):
                value, stop = json.JSONDecoder(strict=False).raw_decode(text, at)
        if isinstance(value, dict) and _is_record(value):
            found.append(value)
        else:
            lost = True
        at = stop
    return found, lost


def _is_record(value: dict[str, Any]) -> bool:
    if not isinstance(value.get("type"), str):
        return False
    if value["type"] in PACKED:
        return bool(_members(value))
    numbered = natural(value.get("seq")) is not None and whole(value.get("time")) is not None
    return numbered and "data" in value


def _refuse(name: str) -> Never:
    raise ValueError(name)


def _events(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, dict):
        return []
    if isinstance(value.get("type"), str) and value["type"] in PACKED:
        return _members(value)
    return [value] if natural(value.get("seq")) is not None else []


def _members(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Section 1.6; a malformed row is none at all."""
    chunk, key, delta = PACKED[row["type"]]
    data = row.get("data")
    if set(row) != {"type", "seq0", "time0", "data"} or not isinstance(data, dict):
        return []
    tool = chunk == "tool-call-delta"
    keys = {"turn", "step", "index", "dt", key} | ({"id"} if tool else set())
    if set(data) - ({"name"} if tool else set()) != keys:
        return []
    parts, gaps = data[key], data["dt"]
    if not isinstance(parts, list) or not isinstance(gaps, list):
        return []
    if not parts or len(gaps) != len(parts) - 1 or not all(isinstance(one, str) for one in parts):
        return []
    if natural(row["seq0"]) is None or any(whole(gap) is None for gap in gaps):
        return []
    made = []
    time = row["time0"]
    for at, part in enumerate(parts):
        time = time + gaps[at - 1] if at else time
        if whole(time) is None:
            return []
        body = {"type": chunk, "index": data["index"]}
        body |= {name: data[name] for name in ("id", "name") if name in data}
        chunk_data = {"turn": data["turn"], "step": data["step"], "chunk": {**body, delta: part}}
        envelope = {"type": "assistant/chunk", "seq": row["seq0"] + at, "time": time}
        made.append({**envelope, "data": chunk_data})
    return made


def whole(value: Any) -> int | None:
    """Numbers are doubles: 7.0 is 7, and true is no number (C)."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        return None
    return int(value) if abs(value) <= SAFE else None


def natural(value: Any) -> int | None:
    number = whole(value)
    return number if number is not None and number >= 0 else None


# Events to a state.


def fold(events: list[Event], *, past_unknown: bool = False) -> State:
    """The state after these events; the same from zero every time."""
    state = State()
    by_seq: dict[int, int] = {}
    expected = 0
    repeats = False
    for event in events:
        at = event.position
        if event.of_row == 0:
            repeats = event.seq < expected
            if event.seq > expected:
                state.gaps.append(at)
        if repeats:
            state.rejected[at] = "sequence-repeat"
            continue
        expected = event.seq + 1
        by_seq[event.seq] = at
        if state.stopped is not None:
            continue
        fault = _shape_fault(event)
        if fault is not None:
            state.rejected[at] = fault
            continue
        if event.type not in KNOWN and event.payload.get("ignorable") is not True:
            if past_unknown:
                state.passed.append(at)
            else:
                state.stopped = at
            continue
        fault = _fault(event, state, events)
        if fault is not None:
            state.rejected[at] = fault
            continue
        _apply(event, state, events, by_seq)
    state.messages = [
        message for at in state.nodes if (message := _message(events[at])) is not None
    ]
    return state


def _shape_fault(event: Event) -> str | None:
    """What is wrong with a message or the end of a turn (D); it comes before unknown types (B)."""
    if event.type in RETIRED:
        return "retired-type"
    data = event.payload.get("data")
    data = data if isinstance(data, dict) else None
    if event.type == "turn/end":
        return None if data is None or _ends_a_turn(data) else "bad-message"
    if event.type not in ELIGIBLE:
        return None
    message = data
    if event.type != "user/message":
        message = None if data is None else data.get("message")
    return None if isinstance(message, dict) and _is_sound(event.type, message) else "bad-message"


def _ends_a_turn(data: dict[str, Any]) -> bool:
    if set(data) != {"turn", "reason"} or not isinstance(data["reason"], dict):
        return False
    turn, reason = whole(data["turn"]), data["reason"]
    if turn is None or turn < 1 or not isinstance(reason.get("kind"), str):
        return False
    bare = reason["kind"] in ("completed", "blocked", "max-tokens", "interrupted")
    return not bare or set(reason) == {"kind"}


def _is_sound(kind: str, message: dict[str, Any]) -> bool:
    """The message of an event, by the type of the event."""
    role = "assistant" if kind == "assistant/message" else "user"
    source, content = message.get("source"), message.get("content")
    if not _is_name(message.get("id")) or message.get("role") != role:
        return False
    if not isinstance(source, dict) or not _is_name(source.get("kind")):
        return False
    if not isinstance(content, list):
        return False
    if kind == "assistant/message":
        named = _is_name(source.get("provider")) and _is_name(source.get("model"))
        return source["kind"] == "model" and named
    if kind == "tool/result":
        block = content[0] if len(content) == 1 else None
        if not isinstance(block, dict) or block.get("type") != "tool-result":
            return False
        called = source["kind"] == "tool" and _is_name(source.get("callId"))
        same_call = called and block.get("toolCallId") == source["callId"]
        return same_call and isinstance(block.get("content"), list)
    return True


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _fault(event: Event, state: State, events: list[Event]) -> str | None:
    """The first rule that an event breaks: the envelope (1.5), then the surface (3.3)."""
    payload = event.payload
    if (
        not isinstance(payload.get("type"), str)
        or set(payload) - ENVELOPE
        or whole(payload.get("time")) is None
        or "data" not in payload
        or payload.get("ignorable", True) is not True
    ):
        return "bad-envelope"
    if event.type not in ELIGIBLE:
        marked = "surfaceOp" in payload or "sourceEventSeqs" in payload
        return "bad-surface-op" if marked else None
    if "surfaceOp" not in payload:
        return "bad-surface-op"
    wanted = payload["surfaceOp"]
    shadowed: list[int] = []
    if wanted != "append":
        if not isinstance(wanted, dict) or set(wanted) != {"op", "start", "end"}:
            return "bad-surface-op"
        start, end = natural(wanted["start"]), natural(wanted["end"])
        if wanted["op"] != "replace" or start is None or end is None:
            return "bad-surface-op"
        places = _places(start, end, state, events)
        if places is None:
            return "bad-surface-op"
        shadowed = state.nodes[places[0] : places[1] + 1]
    cited = _cited(payload.get("sourceEventSeqs"))
    if "sourceEventSeqs" in payload:
        if cited is None or (not cited and event.type != "assistant/message"):
            return "bad-sources"
        if len(cited) != len(set(cited)) or any(seq >= event.seq for seq in cited):
            return "bad-sources"
    missing = {events[at].seq for at in shadowed} - set(cited or ())
    if missing:
        return "bad-sources"
    if shadowed and event.type == "tool/result" and not _is_rewrite(event, shadowed, events):
        return "bad-rewrite"
    return None


def _places(start: int, end: int, state: State, events: list[Event]) -> tuple[int, int] | None:
    """Where two numbers stand on the surface; None if one does not or they stand the other way."""
    standing = [events[at].seq for at in state.nodes]
    if start not in standing or end not in standing:
        return None
    first, last = standing.index(start), standing.index(end)
    return (first, last) if first <= last else None


def _cited(value: Any) -> list[int] | None:
    """The numbers of a list of sources, pairs of later writers written out (1.7)."""
    if not isinstance(value, list):
        return None
    cited: list[int] = []
    for item in value:
        if isinstance(item, list):
            pair = [natural(inner) for inner in item]
            if len(pair) != 2 or pair[0] is None or pair[1] is None:
                return None
            cited.extend(range(pair[0], pair[1] + 1))
            continue
        number = natural(item)
        if number is None:
            return None
        cited.append(number)
    return cited


def _is_rewrite(event: Event, shadowed: list[int], events: list[Event]) -> bool:
    """Exactly one current tool/result, of which only the content changes."""
    if len(shadowed) != 1:
        return False
    target = events[shadowed[0]].payload
    return target["type"] == "tool/result" and same(
        _without_content(event.payload["data"]), _without_content(target["data"])
    )


def _without_content(data: Any) -> Any:
    copy = json.loads(json.dumps(data))
    copy["message"]["content"][0].pop("content", None)
    return copy


def same(one: Any, other: Any) -> bool:
    """Equal as JSON of doubles: 1 is 1.0, and not true (E)."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if _is_number(one) and _is_number(other):
        return float(one) == float(other)
    return type(one) is type(other) and one == other


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _apply(event: Event, state: State, events: list[Event], by_seq: dict[int, int]) -> None:
    payload, at = event.payload, event.position
    data = payload["data"]
    if event.type in ELIGIBLE:
        cited = _cited(payload.get("sourceEventSeqs")) or []
        state.sources[at] = [by_seq[seq] for seq in cited if seq in by_seq]
        wanted = payload["surfaceOp"]
        if wanted == "append":
            state.nodes.append(at)
            return
        places = _places(int(wanted["start"]), int(wanted["end"]), state, events)
        assert places is not None
        first, last = places
        word = _reason(event)
        for node in state.nodes[first : last + 1]:
            state.hidden[node] = (word, at)
        state.nodes[first : last + 1] = [at]
        state.generation += 1
    elif isinstance(data, dict):
        _registers(event.type, data, at + 1, state.registers)


def _reason(event: Event) -> str:
    """What is said of the nodes that this event replaces (7.2, 7.4)."""
    if event.type == "tool/result":
        return "pruned"
    source = event.payload["data"].get("source", {})
    is_checkpoint = source.get("kind") == "plugin" and source.get("plugin") == "compact"
    return "shadowed" if event.type == "user/message" and is_checkpoint else "superseded"


def _registers(
    kind: str, data: dict[str, Any], cursor: int, registers: dict[str, tuple[Any, int]]
) -> None:
    """Title, model, provider and window; a value that is said again is no change."""
    said: dict[str, Any] = {}
    if kind == "session/title":
        said = {"title": data["title"]}
    elif kind == "request/header":
        config = data["header"]["config"]
        said = {name: config[name] for name in ("model", "provider")}
    elif kind == "request/context":
        said = {name: data[name] for name in ("model", "provider")}
        if "contextWindow" in data:
            said["window"] = data["contextWindow"]
    for name, value in said.items():
        if name not in registers or registers[name][0] != value:
            registers[name] = (value, cursor)


def _message(event: Event) -> Any:
    """Section 3.4."""
    data = event.payload["data"]
    if event.type == "user/message":
        return data
    if event.type == "assistant/message" and not data["message"]["content"]:
        return None
    return data["message"]


def reliable_to(log: Log, state: State) -> int:
    """The cursor of the first loss, gap, rejected or unknown required event; else the head."""
    stopped = [] if state.stopped is None else [state.stopped]
    doubts = [*log.lost_at, *state.gaps, *state.passed, *state.rejected, *stopped]
    return min(doubts, default=len(log.events))
