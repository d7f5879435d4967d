"""DeepSeek Harness v0 logs for hypothesis: whole ones, and ones with everything that goes wrong.

A writer that knows the surface makes sessions as the owner writes them, and now and then breaks one
rule. It need not know what becomes of that: the reference does.
"""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from hypothesis import strategies as st

Json = dict[str, Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

TEXTS: Final = ("", "ls", "a b", "größer", "🚀 up", '"quoted"', "two\nlines", "x" * 40, "\u2028")
ODD: Final[tuple[Any, ...]] = (None, True, 0, 1.5, "x", [], {}, -1)

QUIET: Final[tuple[tuple[str, Json], ...]] = (
    ("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": []}),
    ("todo/write", {"todos": [{"content": "test", "status": "pending"}]}),
    ("llm/retry", {"retryId": "r", "turn": 1, "step": 1, "retry": 1, "failure": {}}),
    ("approval/asked", {"id": "ap", "toolName": "bash"}),
    ("hook/result", {"turn": 1, "point": "PreToolUse", "durationMs": 4.43}),
    ("session/end-seed", {}),
    ("command/run", {"commandId": "c", "name": "compact", "source": {"kind": "user"}}),
    ("web/deepseek-search-llm-request", {"body": {}}),
)

GARBAGE: Final = (
    b'{"type":"turn/start","seq":',
    b"garbage",
    b"null",
    b"[1]",
    b'"text"',
    b"7",
    b"{}",
    b"NaN",
    b'{"seq":3,"time":1,"data":{}}',
    b'{"type":7,"seq":3,"time":1,"data":{}}',
    b'{"type":"turn/start","time":1,"data":{"turn":1}}',
    b'{"type":"turn/start","seq":"3","time":1,"data":{"turn":1}}',
    b'{"type":"turn/start","seq":-1,"time":1,"data":{"turn":1}}',
    b'{"type":"turn/start","seq":true,"time":1,"data":{"turn":1}}',
    b'{"type":"turn/start","seq":1.5,"time":1,"data":{"turn":1}}',
    b'{"type":"turn/start","seq":1,"time":1,"data":{"turn":Infinity}}',
    b'{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}',
    b"\xff\xfe",
)

HEADER: Final = {
    "type": "session",
    "version": 0,
    "id": "generated",
    "createdAt": 1787000000000,
    "cwd": "/work/demo",
    "delegationDepth": 0,
}


class Writer:
    """Writes one log; every choice is drawn, and the choice 0 is the plain one."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self.lines: list[bytes] = []
        self.seq = 0
        self._time = 1787000000000
        self._made = 0
        self._turn = self._step = 0
        self._surface: list[Json] = []
        self._stream: list[int] = []
        self._calls: list[str] = []
        self._lost: list[int] = []
        self._first = self.upto(99)
        self._rounds: Counter[int] = Counter()

    # Choices.

    def upto(self, most: int) -> int:
        """0 to ``most``."""
        return int(self._draw(st.integers(0, most)))

    def seldom(self, of: int) -> bool:
        """Once in so many times."""
        return self.upto(of - 1) == of - 1

    def one(self, of: Any) -> Any:
        """One of several."""
        return self._draw(st.sampled_from(of))

    def next(self, of: Any) -> Any:
        """One after the other of several, so that each comes up soon."""
        self._rounds[len(of)] += 1
        return of[(self._first + self._rounds[len(of)]) % len(of)]

    def text(self) -> str:
        """Some text."""
        return str(self.one(TEXTS))

    # Lines.

    def event(self, kind: str, data: Any, **more: Any) -> Json:
        """The next event, not written yet."""
        self._time += self.upto(3) * 10 - 5
        return {"type": kind, "seq": self.seq, "time": self._time, "data": data, **more}

    def put(self, event: Json) -> None:
        """Write an event; it bears its number from now on."""
        self.seq = int(event["seq"]) + 1
        self._line(event)

    def say(self, kind: str, data: Any, **more: Any) -> None:
        """Write the next event."""
        self.put(self.event(kind, data, **more))

    def _line(self, value: Json) -> None:
        style = self.upto(15)
        if style == 15:
            value = dict(reversed(value.items()))
        if style == 14 and "seq" in value:
            value = {**value, "seq": float(value["seq"])}
        line = json.dumps(value, separators=(",", ":"), ensure_ascii=style == 13).encode()
        if style == 12:
            line = b" " + line + b"\t\r"
        if style == 11:
            line = line.replace(b'"ls"', b'"l\xff"')
        self.lines.append(line)

    # The surface.

    def stand(self, event: Json) -> None:
        """Write an event that is valid on the surface."""
        operation = event["surfaceOp"]
        if operation == "append":
            self._surface.append(event)
        else:
            seqs = [node["seq"] for node in self._surface]
            first, last = seqs.index(operation["start"]), seqs.index(operation["end"])
            self._surface[first : last + 1] = [event]
        self.put(event)

    def append(self, kind: str, data: Json, sources: list[Any] | None = None) -> None:
        """An event enters at the end."""
        cited = {} if sources is None else {"sourceEventSeqs": sources}
        self.stand(self.event(kind, data, **cited, surfaceOp="append"))

    def range(self) -> list[Json]:
        """Some neighbours on the surface."""
        first = self.upto(len(self._surface) - 1)
        return self._surface[first : first + 1 + self.upto(3)]

    def replacement(self, kind: str, data: Json, hidden: list[Json], *more: int) -> Json:
        """An event that takes the place of others."""
        sources = [*more, *(node["seq"] for node in hidden)]
        if self.seldom(3):
            sources.reverse()
        operation = {"op": "replace", "start": hidden[0]["seq"], "end": hidden[-1]["seq"]}
        return self.event(kind, data, sourceEventSeqs=sources, surfaceOp=operation)

    # Data.

    def user(self, kind: str = "user") -> Json:
        """A message of the person or of a plugin."""
        source: Json = {"kind": "user"}
        if kind != "user":
            source = {"kind": "plugin", "plugin": kind}
        content = [{"type": "text", "text": self.text()}]
        return {"id": self._name("u"), "role": "user", "content": content, "source": source}

    def assistant(self, calls: list[str]) -> Json:
        """A message of the model: with these calls, or text, or nothing."""
        content: list[Json] = []
        shape = self.upto(4)
        if shape == 1:
            content.append({"type": "reasoning", "text": self.text()})
        if shape < 3:
            content.append({"type": "text", "text": self.text()})
        content += [
            {"type": "tool-call", "id": call, "name": "bash", "arguments": "{}"} for call in calls
        ]
        source = {"kind": "model", "provider": "deepseek", "model": "flash"}
        message = {
            "id": self._name("a"),
            "role": "assistant",
            "content": content,
            "source": source,
        }
        data: Json = {"turn": self._turn, "step": self._step, "message": message}
        if self.seldom(2):
            data["usage"] = {"inputTokens": self.upto(99), "outputTokens": 7, "cacheReadTokens": 3}
        return data

    def result(self, call: str) -> Json:
        """A result."""
        block: Json = {
            "type": "tool-result",
            "toolCallId": call,
            "content": [{"type": "text", "text": self.text()}],
        }
        if self.seldom(2):
            block["isError"] = self.seldom(2)
        source = {"kind": "tool", "callId": call}
        message = {"id": self._name("r"), "role": "user", "source": source, "content": [block]}
        return {"turn": self._turn, "step": self._step, "message": message}

    def rewritten(self, data: Json) -> Json:
        """A result with other content and nothing else changed, as JSON has it."""
        copy: Json = json.loads(json.dumps(data))
        copy["message"]["content"][0]["content"] = [{"type": "text", "text": self.text()}]
        if self.seldom(3):
            copy = {**dict(reversed(copy.items())), "turn": float(copy["turn"])}
        return copy

    def _name(self, prefix: str) -> str:
        self._made += 1
        return f"{prefix}{self._made}"

    # What a session does.

    def turn(self) -> None:
        if self.seldom(2) or not self._turn:
            self._turn += 1
            self._step = 0
            self.say("turn/start", {"turn": self._turn})
        else:
            kind = self.one(("completed", "blocked", "max-tokens", "interrupted", "new-word"))
            self.say("turn/end", {"turn": self._turn, "reason": {"kind": kind}})

    def step(self) -> None:
        ends = self.seldom(3)
        self._step += not ends
        self.say("step/end" if ends else "step/start", {"turn": self._turn, "step": self._step})

    def human(self) -> None:
        self.append("user/message", self.user())

    def context(self) -> None:
        self.append("user/message", self.user(self.one(("memory", "compact"))))

    def request(self) -> None:
        model, provider = self.one(("flash", "pro")), self.one(("deepseek", "other"))
        if self.seldom(2):
            config = {"provider": provider, "model": model}
            header = {"config": config, "system": self.text(), "tools": []}
            self.say("request/header", {"header": header, "reason": "change"})
        else:
            window = {"contextWindow": self.one((1000, 131072))} if self.seldom(2) else {}
            self.say("request/context", {"provider": provider, "model": model, **window})

    def title(self) -> None:
        self.say("session/title", {"title": self.text(), "source": {"kind": "fallback"}})

    def quiet(self) -> None:
        kind, data = self.one(QUIET)
        more = {"ignorable": True} if self.seldom(6) else {}
        self.say(kind, data, **more)

    def odd_data(self) -> None:
        """Data that is no object is accepted on what is log-only (rules page A5)."""
        kind = self.one(("turn/end", "step/end", "session/title", "todo/write"))
        self.say(kind, self.one([odd for odd in ODD if odd != {}]))

    def stream(self) -> None:
        place = {"turn": self._turn, "step": self._step}
        for _ in range(1 + self.upto(2)):
            if self.seldom(2):
                self.packed_row()
                continue
            chunk = self.one(
                (
                    {"type": "text-delta", "index": 0, "text": "ls"},
                    {"type": "block-start", "index": 0, "blockType": "text"},
                    {"type": "finish", "reason": {"kind": "stop"}},
                    {"type": "finish", "reason": {"kind": "error", "failure": {}}},
                )
            )
            self._stream.append(self.seq)
            self.say("assistant/chunk", {**place, "chunk": chunk})

    def packed_row(self) -> None:
        row = self.row()
        members = len(row["data"].get("texts", row["data"].get("args")))
        self._stream.extend(range(self.seq, self.seq + members))
        self.seq += members
        self._line(row)

    def row(self) -> Json:
        """A packed row of one of the three kinds, not written yet."""
        kind = self.one(("text-chunks", "reasoning-chunks", "tool-call-chunks"))
        members = [self.text() for _ in range(1 + self.upto(4))]
        gaps = [self.upto(20) - 5 for _ in members[1:]]
        data: Json = {"turn": self._turn, "step": self._step, "index": 0, "dt": gaps}
        if kind == "tool-call-chunks":
            data |= {"id": "c", "args": members}
            if self.seldom(2):
                data["name"] = "bash"
        else:
            data["texts"] = members
        return {"type": kind, "seq0": self.seq, "time0": self._time, "data": data}

    def answer(self) -> None:
        calls = [self._name("c") for _ in range(self.upto(3))]
        sources: list[Any] | None = list(self._stream)
        shape = self.upto(5)
        if shape == 1 and len(self._stream) > 2:
            sources = [[self._stream[0], self._stream[-1]]]  # As later writers have it.
        elif shape == 2:
            sources = []
        elif shape == 3 or not self._stream:
            sources = None
        self._stream = []
        self.append("assistant/message", self.assistant(calls), sources)
        self._calls += calls
        for call in calls:
            place = {"turn": self._turn, "step": self._step}
            self.say("tool/call", {**place, "callId": call, "name": "bash", "arguments": "{}"})

    def results(self) -> None:
        for _ in range(self.upto(3)):
            if self._calls:
                call = self._calls.pop(self.upto(len(self._calls) - 1))
                sources = [self.seq - 1] if self.seldom(2) and self.seq else None
                self.append("tool/result", self.result(call), sources)

    def prune(self) -> None:
        found = [node for node in self._surface if node["type"] == "tool/result"]
        if not found:
            self.append("tool/result", self.result(self._name("c")))
            return
        node = self.one(found)
        marker = {"shadowedRange": {"start": node["seq"], "end": node["seq"]}}
        if not self.seldom(4):
            self.say("compaction/prune", {**marker, "shadowedSeqs": [node["seq"]]})
        self.stand(self.replacement("tool/result", self.rewritten(node["data"]), [node]))

    def compaction(self) -> None:
        """Whole, failed, never ended, or with another one begun inside."""
        if not self._surface:
            return
        name = self._name("cmp")
        hidden = self.range()
        self.say("compaction/start", {"compactionId": name, "turn": None})
        shape = self.upto(6)
        if shape == 6:
            return
        if shape == 5:
            self.compaction()
            hidden = self.range()
        data = {"compactionId": name, "shadowedSeqs": [node["seq"] for node in hidden]}
        self.say("compaction/summary", data)
        if shape == 4:
            self.say("compaction/end", {"compactionId": name, "turn": None, "error": "no"})
            return
        summary = self.seq - 1
        checkpoint = self.replacement("user/message", self.user("compact"), hidden, summary)
        self.stand(checkpoint)
        self.say("compaction/end", {"compactionId": name, "turn": None})

    def edit(self) -> None:
        """A message in the place of others that is no compaction."""
        if self._surface:
            kind = self.one(("user/message", "assistant/message"))
            author = self.one(("user", "memory"))
            data = self.user(author) if kind == "user/message" else self.assistant([])
            self.stand(self.replacement(kind, data, self.range()))

    def ignorable(self) -> None:
        self.say(self.one(("plugin/note", "")), self.one(ODD), ignorable=True)

    # What goes wrong.

    def broken(self, rule: str | None = None) -> None:
        """An event that breaks one rule."""
        self.put(getattr(self, f"_{rule or self.next(RULES)}")())

    def _bad_message(self) -> Json:
        """Rules page D."""
        kind, data = self._message()
        if self.seldom(3):
            kind, data = "tool/result", self.result("c")
        message = data if kind == "user/message" else data["message"]
        match self.next(range(6)):
            case 0:
                message["id"] = self.one(("", None, 7))
            case 1:
                message["role"] = self.one(("tool", None))
            case 2:
                message["source"] = self.one((None, {}, {"kind": ""}, []))
            case 3:
                message["content"] = self.one((None, {}, "x"))
            case 4:
                del message[self.one(("id", "role", "source", "content"))]
            case 5:
                return self._misshapen()
        return self.event(kind, data, surfaceOp="append")

    def _misshapen(self) -> Json:
        """What only one type of event asks for."""
        answer, result = self.assistant([]), self.result("c")
        answer["message"]["source"][self.one(("kind", "provider", "model"))] = ""
        block = result["message"]["content"][0]
        block |= self.one(({"type": "text"}, {"toolCallId": "d"}, {"content": None}))
        shape = self.upto(2)
        if shape == 2:
            reason = {"kind": "completed"}
            ends: tuple[Json, ...] = (
                {"turn": 0, "reason": reason},
                {"turn": 1, "reason": {"kind": 7}},
                {"turn": 1, "reason": {**reason, "more": 1}},
                {"turn": 1},
            )
            return self.event("turn/end", self.next(ends))
        kind, data = (("assistant/message", answer), ("tool/result", result))[shape]
        return self.event(kind, data, surfaceOp="append")

    def _marked(self) -> Json:
        """Section 3.3, rule 2."""
        kind = self.one(("session/title", "turn/start", "request/context", "assistant/chunk"))
        data = {"title": "no", "turn": 99, "model": "no", "provider": "no", "chunk": {}}
        marks: tuple[Json, ...] = (
            {"surfaceOp": "append"},
            {"sourceEventSeqs": [0]},
            {"surfaceOp": None},
            {"sourceEventSeqs": None},
            {"sourceEventSeqs": []},
            {"sourceEventSeqs": [0], "surfaceOp": "append"},
        )
        return self.event(kind, data, **self.next(marks))

    def _unmarked(self) -> Json:
        """Rule 3."""
        more = self.next(({}, {"sourceEventSeqs": [0]}, {"ignorable": True}))
        return self.event(*self._message(), **more)

    def _bad_operation(self) -> Json:
        """Rules 4 and 5."""
        seq = self._surface[0]["seq"] if self._surface else 0
        good = {"op": "replace", "start": seq, "end": seq}
        operations = (
            *ODD,
            "prepend",
            ["append"],
            {"op": "replace", "start": seq},
            {**good, "op": "append"},
            {**good, "more": 1},
            *({**good, "start": odd} for odd in (-1, 0.5, "0", True, None, [])),
            {**good, "end": None},
        )
        operation = self.next(operations)
        return self.event(*self._message(), sourceEventSeqs=[seq], surfaceOp=operation)

    def _bad_place(self) -> Json:
        """Rule 6: numbers that are not on the surface, or the wrong way around."""
        standing = [node["seq"] for node in self._surface]
        gone = [seq for seq in range(self.seq + 2) if seq not in standing]
        start, end = self.one(gone), self.one(standing or gone)
        shape = self.upto(2)
        if shape == 1:
            start, end = end, start
        if shape == 2 and len(standing) > 1:
            last = 1 + self.upto(len(standing) - 2)
            start, end = standing[last], standing[0]
        operation = {"op": "replace", "start": start, "end": end}
        cited = list(range(self.seq))
        return self.event(*self._message(), sourceEventSeqs=cited, surfaceOp=operation)

    def _bad_sources(self) -> Json:
        """Rule 7."""
        lists: tuple[Any, ...] = (
            *(odd for odd in ODD if odd != []),
            *([odd] for odd in (None, True, 0.5, "0", -1, {}, [], [0], [0, 0, 0], [0, None])),
            [0, 0],
            [0, 0.0],
            [[0, 2], 1],
            [self.seq],
            [self.seq + 3],
            [[0, self.seq]],
        )
        kind, data = self._message()
        if self._surface and self.seldom(2):
            hidden = self.range()
            event = self.replacement(kind, data, hidden)
            if self.seldom(2):
                event["sourceEventSeqs"].remove(hidden[self.upto(len(hidden) - 1)]["seq"])
            elif self.seldom(2):
                del event["sourceEventSeqs"]
            else:
                event["sourceEventSeqs"] = self.next(lists)
            return event
        if kind == "user/message" and self.seldom(4):
            return self.event(kind, data, sourceEventSeqs=[], surfaceOp="append")
        return self.event(kind, data, sourceEventSeqs=self.next(lists), surfaceOp="append")

    def _bad_rewrite(self) -> Json:
        """Rule 8."""
        found = [node for node in self._surface if node["type"] == "tool/result"]
        if not found or self.seldom(3):
            if not self._surface:
                return self._unmarked()
            return self.replacement("tool/result", self.result("other"), self.range())
        node = self.one(found)
        data = self.rewritten(node["data"])
        following = self._surface[self._surface.index(node) + 1 :]
        if following and self.seldom(4):
            return self.replacement("tool/result", data, [node, following[0]])
        message, block = data["message"], data["message"]["content"][0]
        match self.next(range(7)):
            case 0:
                data["turn"] = 77
            case 1:
                data["meta"] = None
            case 2:
                message["id"] += "x"
            case 3:
                block["toolCallId"] = message["source"]["callId"] = "other"
            case 4:
                block["isError"] = 1
            case 5:
                message["content"].append(block)
            case 6:
                data["step"] = bool(data["step"])
        return self.replacement("tool/result", data, [node])

    def _bad_ignorable(self) -> Json:
        """An unknown event that may be ignored has an envelope all the same (6)."""
        more: tuple[Json, ...] = (
            {"surfaceOp": "append"},
            {"sourceEventSeqs": [0]},
            {"more": 1},
            {"time": None},
        )
        return {**self.event("plugin/note", {}, ignorable=True), **self.next(more)}

    def _bad_envelope(self) -> Json:
        """Section 1.5."""
        kind, data = self.one((self._message(), ("session/title", {"title": "no"})))
        event = self.event(kind, data)
        if kind != "session/title":
            event["surfaceOp"] = "append"
        match self.next(range(4)):
            case 0:
                event[self.one(("note", "__proto__", "seq0"))] = 1
            case 1:
                event["time"] = self.one((None, True, 1.5, "1", 2**53))
            case 2:
                del event[self.one(("time", "data"))]
            case 3:
                event["ignorable"] = self.one((False, None, 1, "true"))
        return event

    def _disguised(self) -> Json:
        """A bad envelope with as many keys as a whole one."""
        more = self.next(({"ignorable": False}, {"ignorable": None}, {"note": 1}))
        event = self.event(*self._message(), **more)
        return event | ({"sourceEventSeqs": [0]} if self.seldom(3) else {})

    def _message(self) -> tuple[str, Json]:
        if self.seldom(2):
            return "assistant/message", self.assistant([])
        return "user/message", self.user()

    def required(self) -> None:
        """A type that nobody knows."""
        more: tuple[Json, ...] = ({}, {"ignorable": False}, {"ignorable": None}, {"ignorable": 1})
        kind = self.one(("plugin/note", "request/header-delta", "mode/set", "", "toString"))
        self.say(kind, {}, **self.one(more))

    def damage(self) -> None:
        if self.seldom(2):
            self.malformed_row()
        else:
            self.lines.append(self.next(GARBAGE))

    def mended(self) -> None:
        """The last line, or the last two on one, as a crash or an editor leaves them."""
        if len(self.lines) < 3 or not all(map(_is_object, self.lines[-2:])):
            return
        before, last = self.lines[-2:]
        torn = before[: 1 + self.upto(len(before) - 2)]
        match self.next(range(5)):
            case 0:
                self.lines[-1:] = [self.one((b"\xef\xbb\xbf", b"\0\0\0")) + last]
            case 1:
                self.lines[-2:] = [before + self.one((b"", b",", b"\0\0")) + last]
            case 2:
                self.lines[-2:] = [torn + last]
            case 3:
                self.lines[-1:] = [last + torn]
            case 4:
                self.lines[-1:] = [last.replace(b'"ls"', b'"l\x01"') + b"\0"]

    def malformed_row(self) -> None:
        row = self.row()
        data = row["data"]
        match self.next(range(8)):
            case 0:
                data["dt"] = [*data["dt"], 1]
            case 1:
                row["seq"] = row.pop("seq0")
            case 2:
                data["more"] = 1
            case 3:
                data.pop(self.one(sorted(data.keys() - {"name"})))
            case 4:
                data |= {key: [] for key in ("texts", "args") if key in data} | {"dt": []}
            case 5:
                data |= {key: [1] for key in ("texts", "args") if key in data} | {"dt": []}
            case 6:
                row["time0"] = self.one((None, "1", 1.5, True))
            case 7:
                row["data"] = self.one((None, [], "x"))
        self._line(row)

    def blank(self) -> None:
        self.lines.append(self.one((b"", b"  ", b"\t\r")))

    def gap(self) -> None:
        lost = 1 + self.upto(3)
        self._lost.extend(range(self.seq, self.seq + lost))
        self.seq += lost

    def lost_place(self) -> None:
        """A replacement of what damage swallowed."""
        if self._lost:
            seq = self.one(self._lost)
            operation = {"op": "replace", "start": seq, "end": seq}
            cited = list(range(self.seq))
            self.say(*self._message(), sourceEventSeqs=cited, surfaceOp=operation)

    def repeat(self) -> None:
        """A line that was written before, or a new event with an old number."""
        if self.lines and not self.seldom(2):
            self.lines.append(self.one(self.lines[::-1]))
            return
        now, stream = self.seq, list(self._stream)
        self.seq = self.upto(max(0, now - 1))
        if self.seldom(3):
            self.packed_row()
        else:
            kind = self.one(("session/title", "user/message", "plugin/note"))
            data = {"title": "again"} if kind == "session/title" else self.user()
            more = {"surfaceOp": "append"} if kind == "user/message" else {}
            self.say(kind, data, **more)
        self.seq, self._stream = now, stream


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


RULES: Final = (
    "bad_message",
    "marked",
    "unmarked",
    "bad_operation",
    "bad_place",
    "bad_sources",
    "bad_rewrite",
    "bad_envelope",
    "bad_ignorable",
    "disguised",
)
"""The ways in which an event can break a rule."""

GOOD: Final = (
    *("human", "turn", "step", "stream", "stream", "answer", "answer", "results", "results"),
    *("prune", "compaction", "compaction", "edit", "context", "request", "title", "quiet"),
    *("odd_data", "ignorable"),
)
BAD: Final = (
    *("broken", "broken", "broken", "damage", "blank", "mended", "mended"),
    *("gap", "lost_place", "repeat", "repeat", "repeat"),
)


@st.composite
def logs(draw: Draw, *, damage: bool = True, most: int = 40) -> bytes:
    """A log; ``damage`` lets rules be broken, lines be damaged and unknown events stop the fold.

    Args:
        draw: of hypothesis.
        damage: whether anything goes wrong.
        most: how many things the session does at the most.
    """
    writer = Writer(draw)
    if not damage or not writer.seldom(10):
        writer.lines.append(json.dumps(HEADER).encode())
    if damage and writer.seldom(6):
        writer.gap()
    deeds = (*GOOD, *GOOD, *BAD) if damage and writer.upto(3) else GOOD
    for _ in range(writer.upto(most)):
        getattr(writer, writer.one(deeds))()
        if damage and writer.seldom(40):
            writer.required()
    written = b"".join(line + b"\n" for line in writer.lines)
    if damage and writer.seldom(4):
        writer.human()
        last = writer.lines[-1]
        written += last[: 1 + writer.upto(len(last) - 1)]
    return written


@st.composite
def with_broken(draw: Draw, rule: str) -> tuple[bytes, list[int]]:
    """A log with some events that break a rule, and their positions."""
    writer = Writer(draw)
    writer.human()
    for _ in range(2 + writer.upto(1)):
        writer.append("tool/result", writer.result("c"))
    for _ in range(writer.upto(5)):
        getattr(writer, writer.one(GOOD))()
    positions = list(range(writer.seq, writer.seq + 1 + writer.upto(5)))
    for _ in positions:
        writer.broken(rule)
    for _ in range(writer.upto(2)):
        getattr(writer, writer.one(GOOD))()
    return b"".join(line + b"\n" for line in writer.lines), positions


@st.composite
def with_damage(draw: Draw) -> bytes:
    """A log with some lines that are no events, or not as they should be."""
    writer = Writer(draw)
    writer.human()
    for _ in range(1 + writer.upto(7)):
        getattr(writer, writer.one(("damage", "mended")))()
        getattr(writer, writer.one(GOOD))()
    return b"".join(line + b"\n" for line in writer.lines)
