"""Writes a session log of DeepSeek Harness v0 as its owner would, event by event.

Nothing here reads a clock or throws dice, so a tape is the same whenever it is written.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import count, cycle, islice
from textwrap import dedent
from typing import Any, Final, Literal, NamedTuple, TypeAlias

Json: TypeAlias = dict[str, Any]
Stream: TypeAlias = Literal["none", "packed", "plain"]
"""How much of an answer's stream is kept: nothing, packed rows, or an event for every delta."""

START: Final = 1_772_442_000_000
"""2026-03-02T09:00:00Z, when every tape begins."""

CWD: Final = "/srv/signpost"
PROVIDER: Final = "deepseek-official"
FLASH: Final = "deepseek-v4-flash"
PRO: Final = "deepseek-v4-pro"
WINDOW: Final = 131_072
PREAMBLE_TOKENS: Final = 6_144
"""What system prompt and tools cost; the part of a prompt that is cached across a compaction."""

FAMILY: Final = (
    "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}"
    "\N{GIRL}\N{ZERO WIDTH JOINER}\N{BOY}"
)
FLAG: Final = "\N{REGIONAL INDICATOR SYMBOL LETTER J}\N{REGIONAL INDICATOR SYMBOL LETTER P}"

_PAUSES: Final = {
    "assistant/message": 14,
    "compaction/summary": 9_400,
    "llm/retry-started": 2_000,
    "session/title": 1_300,
    "step/start": 21,
    "tool/call": 18,
    "turn/start": 12,
}
"""Milliseconds before an event of a type, where it is not said elsewhere."""

_DELTA_GAPS: Final = (0, 28, 1, 0, 31, 27, 0, 58)
"""Milliseconds between the deltas of a stream: several arrive in one packet."""

_PRUNE_HEAD: Final = 4_096
_PRUNE_TAIL: Final = 1_024
_PRUNE_MARKER: Final = "\n\n[... tool result middle pruned ...]\n\n"

_CHECKPOINT: Final = (
    "The earlier part of this conversation was condensed into the summary below. "
    "Take it as known, and go on from the messages that follow it.\n\n<compacted-summary>"
)


# Writing a tape.


class Call(NamedTuple):
    """A tool call that an answer asks for."""

    id: str
    name: str
    arguments: str

    def block(self) -> Json:
        """The call as a content block."""
        return {
            "type": "tool-call",
            "id": self.id,
            "name": self.name,
            "arguments": self.arguments,
        }


class Compaction(NamedTuple):
    """A compaction that has begun: the seq of its start, and what all its events say of it."""

    start: int
    names: dict[str, str]
    turn: int | None


class Tape:
    """Writes one session log, and keeps its numbers, its time and its surface as the owner would.

    Args:
        session: the session's id.
        version: the version that the header claims.
        percent: by model, how many tokens the provider reports for a hundred that are estimated.
        lineage: keys of the header in the place of its own, or beside them.
    """

    def __init__(
        self,
        session: str,
        *,
        version: int = 0,
        percent: dict[str, int] | None = None,
        **lineage: Any,
    ) -> None:
        self.lines: list[bytes] = []
        self._seq = 0
        self._time = START
        self._turn = 0
        self._step = 0
        self._ids: dict[str, Iterator[int]] = {}
        self._gaps = cycle(_DELTA_GAPS)
        self._model = FLASH
        self._percent = percent or {FLASH: 100, PRO: 100}
        self._cached = 0
        self._surface: list[int] = []
        self._data: dict[int, Json] = {}
        self._tokens: dict[int, int] = {}
        self._started: dict[str, int] = {}
        self._write(
            {
                "type": "session",
                "version": version,
                "id": session,
                "createdAt": START,
                "cwd": CWD,
                "delegationDepth": 0,
                "agentPreset": "standard",
                **lineage,
            }
        )

    def done(self) -> bytes:
        """The tape as bytes."""
        return b"".join(self.lines)

    # Records.

    def _write(self, record: Json) -> None:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        self.lines.append(line.encode() + b"\n")

    def event(
        self,
        kind: str,
        data: Json,
        *,
        sources: Sequence[int] | None = None,
        surface: str | Json | None = None,
        ignorable: bool = False,
    ) -> int:
        """Write one event and return its seq."""
        seq = self._seq
        self._seq += 1
        # A few milliseconds more or less, lest the times look ruled.
        self._time += _PAUSES.get(kind, 4) + seq * 13 % 7
        record: Json = {"type": kind, "seq": seq, "time": self._time, "data": data}
        if sources is not None:
            record["sourceEventSeqs"] = list(sources)
        if surface is not None:
            record["surfaceOp"] = surface
        if ignorable:
            record["ignorable"] = True
        self._write(record)
        return seq

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._time += int(seconds * 1_000)

    def _id(self, word: str) -> str:
        return f"{word}-{next(self._ids.setdefault(word, count(1)))}"

    def _append(self, kind: str, data: Json, sources: Sequence[int] | None = None) -> int:
        seq = self.event(kind, data, sources=sources, surface="append")
        self._surface.append(seq)
        self._remember(seq, data)
        return seq

    def _replace(self, kind: str, data: Json, hides: Sequence[int], sources: Sequence[int]) -> int:
        """Write an event in the place of others; ``hides`` are neighbours in surface order."""
        at = self._surface.index(hides[0])
        seq = self.event(kind, data, sources=sources, surface=self._span(hides))
        # The provider can reuse its cache only up to the first message that changed.
        before = sum(self._tokens[node] for node in self._surface[:at])
        share = before / (sum(self._tokens[node] for node in self._surface) or 1)
        history = max(0, self._cached - PREAMBLE_TOKENS)
        self._cached = min(self._cached, PREAMBLE_TOKENS) + int(history * share)
        self._surface[at : at + len(hides)] = [seq]
        self._remember(seq, data)
        return seq

    def _span(self, hides: Sequence[int]) -> Json:
        return {"op": "replace", "start": hides[0], "end": hides[-1]}

    def _remember(self, seq: int, data: Json) -> None:
        self._data[seq] = data
        self._tokens[seq] = tokens(data.get("message", data)["content"])

    # Turns and what opens them.

    def turn(self) -> None:
        """Begin a turn."""
        self._turn += 1
        self._step = 0
        self.event("turn/start", {"turn": self._turn})

    def end_turn(self, kind: str = "completed", **detail: Any) -> None:
        """End the open step and the turn."""
        self.end_step()
        self.event("turn/end", {"turn": self._turn, "reason": {"kind": kind, **detail}})

    def step(self) -> None:
        """Begin a step, after the one before has ended."""
        if self._step:
            self.end_step()
        self._step += 1
        self.event("step/start", {"turn": self._turn, "step": self._step})

    def end_step(self) -> None:
        """End the open step."""
        self.event("step/end", {"turn": self._turn, "step": self._step})

    def prompt(
        self,
        text: str,
        *,
        after: float = 40,
        injected: Sequence[Json] = (),
        pictures: Sequence[Json] = (),
    ) -> int:
        """A person's words open a turn, behind what is injected; returns the seq of the words.

        Args:
            text: the words.
            after: seconds that the person took to write them.
            injected: messages that plugins put before them.
            pictures: image blocks behind them.
        """
        self.wait(after)
        message = self._from_inbox("next-turn", self._words(text, pictures), self.turn)
        self.step()
        for context in injected:
            self.context(context)
        return self._append("user/message", message)

    def steer(self, text: str) -> int:
        """A person's words reach the agent between two steps of a turn."""
        message = self._from_inbox("next-step", self._words(text), self.step)
        return self._append("user/message", message)

    def say(self, text: str) -> int:
        """A person's words that never waited in the inbox."""
        return self._append("user/message", self._words(text))

    def _words(self, text: str, pictures: Sequence[Json] = ()) -> Json:
        return {
            "id": self._id("user"),
            "role": "user",
            "content": [text_block(text), *pictures],
            "source": {"kind": "user"},
        }

    def _from_inbox(self, target: str, message: Json, begin: Callable[[], None]) -> Json:
        """A message waits in the inbox until ``begin`` has begun what takes it."""
        inserted: Json = {"target": target, "start": 0, "inserted": [message]}
        taken: Json = {"target": target, "start": 0, "removedCount": 1, "inserted": []}
        self.event("agent/inbox/spliced", inserted)
        begin()
        self.event("agent/inbox/spliced", taken)
        return message

    def context(self, context: Json) -> int:
        """A plugin's message: its text and source, as `snapshot` and its kin make them."""
        return self._append(
            "user/message",
            {
                "id": self._id("context"),
                "role": "user",
                "content": [text_block(context["text"])],
                "source": context["source"],
            },
        )

    # Requests and answers.

    def request(self, reason: str = "initial", model: str = FLASH) -> None:
        """Say with which preamble and model requests are made from here on."""
        if reason == "change":
            self._cached = 0
        self._model = model
        config = {"provider": PROVIDER, "model": model, "maxTokens": 8_192}
        header = {
            "config": config,
            "adapterDefaults": {"maxTokens": True},
            **self._preamble(),
            "tools": TOOLS,
        }
        self.event("request/header", {"header": header, "reason": reason})
        self.event(
            "request/context", {"provider": PROVIDER, "model": model, "contextWindow": WINDOW}
        )

    def _preamble(self) -> Json:
        return {"system": SYSTEM}

    def call(self, name: str, **arguments: Any) -> Call:
        """A call for an answer to ask for."""
        return Call(self._id("call"), name, json.dumps(arguments, ensure_ascii=False))

    def answer(
        self,
        text: str = "",
        *calls: Call,
        thinking: str = "",
        stream: Stream = "none",
        deltas: int = 6,
    ) -> int:
        """The model answers a request.

        Args:
            text: what it says.
            calls: what it asks for.
            thinking: what it thought before.
            stream: what is kept of the stream.
            deltas: into how many pieces the stream cut every block.
        """
        content = [{"type": "reasoning", "text": thinking}] if thinking else []
        content += [text_block(text)] if text else []
        content += [call.block() for call in calls]
        usage = self._usage(content)
        self.wait(1.1)
        sources: list[int] = []
        if stream != "none":
            sources = self._stream(content, packed=stream == "packed", deltas=deltas)
            sources.append(self._chunk({"type": "usage", "usage": usage}))
            reason = {"kind": "tool-calls" if calls else "stop"}
            sources.append(self._chunk({"type": "finish", "reason": reason}))
        else:
            self.wait(usage["outputTokens"] * 0.018)
        return self._assistant(content, sources, usage=usage)

    def interrupted(self, text: str, *, deltas: int = 6) -> int:
        """The person stops an answer while it comes in; nobody reports what it cost."""
        self.wait(1.1)
        content = [text_block(text)]
        sources = self._stream(content, packed=True, deltas=deltas, whole=False)
        return self._assistant(content, sources, interrupted=True)

    def failed_request(self, failure: Json) -> None:
        """The provider refuses instead of answering."""
        self.wait(2.2)
        self._chunk({"type": "finish", "reason": {"kind": "error", "failure": failure}})

    def retry(self, number: int, of: int, failure: Json) -> None:
        """The agent waits and asks again."""
        retry = {
            "retryId": self._id("retry"),
            "turn": self._turn,
            "step": self._step,
        }
        self.event(
            "llm/retry",
            {
                **retry,
                "provider": PROVIDER,
                "mode": "normal",
                "policyKey": '["normal",2,["SERVER","TIMEOUT"]]',
                "retry": number,
                "maxRetries": of,
                "delayMs": 2_000 * number,
                "failure": failure,
            },
        )
        self.wait(2.0 * (number - 1))
        self.event("llm/retry-started", {**retry, "retry": number})

    def _assistant(self, content: list[Json], sources: list[int], **more: Any) -> int:
        message = {
            "id": self._id("answer"),
            "role": "assistant",
            "content": content,
            "source": {"kind": "model", "provider": PROVIDER, "model": self._model},
        }
        return self._answered({**self.place(), "message": message, **more}, sources)

    def _answered(self, data: Json, sources: list[int]) -> int:
        return self._append("assistant/message", data, sources)

    def place(self) -> Json:
        """The turn and the step, as most events name them."""
        return {"turn": self._turn, "step": self._step}

    def _usage(self, content: list[Json]) -> Json:
        """What the provider reports; it reuses its cache in blocks of 64 tokens."""
        prompt = PREAMBLE_TOKENS + self._reported(sum(self._tokens[at] for at in self._surface))
        cached = min(self._cached, prompt) // 64 * 64
        self._cached = prompt
        usage = {
            "inputTokens": prompt - cached,
            "outputTokens": self._reported(tokens(content)),
            "cacheReadTokens": cached,
        }
        thoughts = [block for block in content if block["type"] == "reasoning"]
        if thoughts:
            usage["reasoningTokens"] = self._reported(tokens(thoughts))
        return usage

    def _reported(self, estimate: int) -> int:
        return estimate * self._percent[self._model] // 100

    def forget_cache(self) -> None:
        """The provider's cache has expired."""
        self._cached = 0

    # Streams.

    def _chunk(self, chunk: Json) -> int:
        return self.event(
            "assistant/chunk", {"turn": self._turn, "step": self._step, "chunk": chunk}
        )

    def _stream(
        self, content: list[Json], *, packed: bool, deltas: int, whole: bool = True
    ) -> list[int]:
        """Stream blocks, the last one perhaps not to its end; returns the seqs."""
        sources: list[int] = []
        for index, block in enumerate(content):
            begin = {"type": "block-start", "index": index, "blockType": block["type"]}
            sources.append(self._chunk(begin))
            pieces = cut(block.get("text") or block["arguments"], deltas)
            write = self._packed_deltas if packed else self._plain_deltas
            sources += write(block, index, pieces)
            if whole:
                end = {"type": "block-end", "index": index, "block": block}
                sources.append(self._chunk(end))
        return sources

    def _plain_deltas(self, block: Json, index: int, pieces: list[str]) -> list[int]:
        sources: list[int] = []
        for piece in pieces:
            self._time += next(self._gaps)
            if block["type"] == "tool-call":
                named = {"id": block["id"], "name": block["name"], "argumentsDelta": piece}
                sources.append(self._chunk({"type": "tool-call-delta", "index": index, **named}))
            else:
                kind = f"{block['type']}-delta"
                sources.append(self._chunk({"type": kind, "index": index, "text": piece}))
        return sources

    def _packed_deltas(self, block: Json, index: int, pieces: list[str]) -> list[int]:
        """One record that holds as many events as there are pieces."""
        first = self._seq
        gaps = list(islice(self._gaps, len(pieces) - 1))
        place = {"turn": self._turn, "step": self._step, "index": index, "dt": gaps}
        if block["type"] == "tool-call":
            data = {**place, "id": block["id"], "name": block["name"], "args": pieces}
        else:
            data = {**place, "texts": pieces}
        kind = f"{block['type']}-chunks"
        self._time += 5
        self._write({"type": kind, "seq0": first, "time0": self._time, "data": data})
        self._time += sum(gaps)
        self._seq += len(pieces)
        return list(range(first, self._seq))

    # Tools.

    def run(self, *calls: Call) -> None:
        """Start calls."""
        for call in calls:
            self._started[call.id] = self.event(
                "tool/call",
                {
                    "turn": self._turn,
                    "step": self._step,
                    "callId": call.id,
                    "name": call.name,
                    "arguments": call.arguments,
                },
            )

    def result(
        self,
        call: Call,
        text: str,
        *,
        took: float = 0.05,
        failed: bool = False,
        meta: Json | None = None,
    ) -> int:
        """A started call returns.

        Args:
            call: the call.
            text: what it returns.
            took: seconds since the event before.
            failed: whether the tool reports an error.
            meta: what the owner's screen shows beside the text.
        """
        self.wait(took)
        message = self._result_message(call, text, failed)
        data: Json = {"turn": self._turn, "step": self._step, "message": message}
        if meta is not None:
            data["meta"] = meta
        return self._append("tool/result", data, [self._started.pop(call.id)])

    def _result_message(self, call: Call, text: str, failed: bool) -> Json:
        block = {
            "type": "tool-result",
            "toolCallId": call.id,
            "content": [text_block(text)],
            "isError": failed,
        }
        return {
            "id": self._id("result"),
            "role": "user",
            "source": {"kind": "tool", "callId": call.id},
            "content": [block],
        }

    def use(
        self,
        text: str,
        tool: str,
        arguments: Json,
        output: str,
        *,
        took: float = 0.05,
        failed: bool = False,
        meta: Json | None = None,
    ) -> int:
        """An answer that asks for one call, and the result of it, whose seq is returned."""
        call = self.call(tool, **arguments)
        self.answer(text, call)
        self.run(call)
        return self.result(call, output, took=took, failed=failed, meta=meta)

    def note_todos(self, call: Call, todos: list[Json]) -> None:
        """A started call of the todo tool writes the list and returns."""
        self.event("todo/write", {"todos": todos})
        done = sum(todo["status"] == "completed" for todo in todos)
        self.result(call, f"Todo list updated: {done} of {len(todos)} completed.")

    # Titles.

    def fallback_title(self, title: str, message: int) -> None:
        """The first words of a prompt serve as a title."""
        source = {"kind": "fallback"}
        self.event("session/title", {"title": title, "messageSeqs": [message], "source": source})

    def provider_title(self, title: str, message: int) -> None:
        """A model is asked for a title."""
        words = self._data[message]["content"]
        self.event(
            "session/title-llm-request",
            {
                "titleProvider": "llm",
                "messageSeqs": [message],
                "route": {"provider": PROVIDER, "model": FLASH},
                "system": "Name the task in at most six words.",
                "messages": [{"role": "user", "content": words}],
                "maxTokens": 64,
            },
        )
        source = {"kind": "provider", "provider": "llm", "model": FLASH}
        self.event("session/title", {"title": title, "messageSeqs": [message], "source": source})

    # Compaction.

    def begin_compaction(self, command: str | None = None, *, manual: bool = False) -> Compaction:
        """Write ``compaction/start``.

        Args:
            command: the id of the command by which a person asked for it.
            manual: whether it runs between two turns, and not inside one.
        """
        names = {"compactionId": self._id("cmp")}
        if command is not None:
            names["sourceCommandId"] = command
        turn = None if manual else self._turn
        return Compaction(self.event("compaction/start", {**names, "turn": turn}), names, turn)

    def end_compaction(self, compaction: Compaction, **error: str) -> None:
        """Write ``compaction/end``, with ``error="..."`` if it failed."""
        self.event("compaction/end", {**compaction.names, "turn": compaction.turn, **error})

    def compact(
        self,
        summary: str,
        *,
        keep: int = 0,
        spare: int = 0,
        command: str | None = None,
        manual: bool = False,
    ) -> None:
        """A summary takes the place of all but the last nodes.

        Args:
            summary: what the model remembers instead.
            keep: how many nodes stay; no call may be kept apart from its result.
            spare: how many of the first nodes stay: later versions keep the system prompt there.
            command: as `begin_compaction` has it.
            manual: as `begin_compaction` has it.
        """
        compaction = self.begin_compaction(command, manual=manual)
        hides = self._surface[spare : len(self._surface) - keep]
        told = self.event("compaction/summary", self._summary(compaction, summary, hides))
        checkpoint = {
            "id": self._id("checkpoint"),
            "role": "user",
            "content": [
                text_block(_CHECKPOINT),
                text_block(summary),
                text_block("</compacted-summary>"),
            ],
            "source": {**self._compact_source(), **compaction.names},
        }
        self._replace("user/message", checkpoint, hides, [compaction.start, told, *hides])
        self.end_compaction(compaction)

    def _compact_source(self) -> Json:
        return {"kind": "plugin", "plugin": "compact"}

    def _summary(self, compaction: Compaction, summary: str, hides: list[int]) -> Json:
        blocks = [text_block(summary)]
        return {
            **compaction.names,
            "summary": blocks,
            "rawOutput": blocks,
            "llmStreamCall": True,
            "shadowedRange": {"start": hides[0], "end": hides[-1]},
            "shadowedSeqs": hides,
            "shadowedTokenCount": sum(self._tokens[node] for node in hides),
            "provider": PROVIDER,
            "model": self._model,
            "maxTokens": 8_192,
            "usage": self._usage(blocks),
        }

    def prune(self, result: int) -> int:
        """Cut the middle out of a long result that stands on the surface."""
        data = self._data[result]
        message = data["message"]
        (block,) = message["content"]
        text = block["content"][0]["text"]
        short = text[:_PRUNE_HEAD] + _PRUNE_MARKER + text[-_PRUNE_TAIL:]
        self.event(
            "compaction/prune",
            {
                "shadowedRange": {"start": result, "end": result},
                "shadowedSeqs": [result],
                "shadowedTokenCount": self._tokens[result],
            },
        )
        rewritten = {**message, "content": [{**block, "content": [text_block(short)]}]}
        return self._replace("tool/result", {**data, "message": rewritten}, [result], [result])


def text_block(text: str) -> Json:
    """A content block of text."""
    return {"type": "text", "text": text}


def picture(content: bytes, name: str, width: int, height: int) -> Json:
    """A content block of a PNG that is kept apart from the log."""
    attachment = {
        "attachmentId": f"sha256:{sha256(content).hexdigest()}",
        "mediaType": "image/png",
        "bytes": len(content),
        "width": width,
        "height": height,
        "name": name,
    }
    return {"type": "image", "attachment": attachment}


def snapshot(text: str) -> Json:
    """The runtime context that the owner injects: policies, as they stand."""
    return {
        "text": text,
        "source": {
            "kind": "plugin",
            "plugin": "@deepseek-ai/dsh-system-prompt",
            "form": "snapshot",
            "sections": [{"name": "runtime", "text": text}],
        },
    }


def instructions(text: str) -> Json:
    """The project's own instructions to agents."""
    return {"text": text, "source": {"kind": "agent-instructions"}}


def tokens(content: list[Json]) -> int:
    """The owner's estimate: characters by four, and four more for each wrapping."""
    total = 4
    for block in content:
        match block["type"]:
            case "tool-call":
                total += 4 + _quarter(block["name"]) + _quarter(block["arguments"])
            case "tool-result":
                total += tokens(block["content"])
            case "image":
                total += 4 + _quarter(json.dumps(block))
            case _:
                total += 4 + _quarter(block["text"])
    return total


def _quarter(text: str) -> int:
    # The owner counts in UTF-16 units.
    return (len(text.encode("utf-16-le")) // 2 + 3) // 4


def cut(text: str, pieces: int) -> list[str]:
    """A text in so many pieces, or fewer, cut before spaces if it has enough of them."""
    parts = re.findall(r"\s*\S+\s*$|\s*\S+", text)
    if len(parts) < pieces:
        parts = list(text)
    size = -(-len(parts) // pieces)
    return ["".join(parts[at : at + size]) for at in range(0, len(parts), size)]


def lines(text: str) -> str:
    """A text that is indented in this file."""
    return dedent(text).strip("\n")


def prose(text: str) -> str:
    """A text that is indented and wrapped in this file, but has a line for each paragraph."""
    return re.sub(r"(?<!\n)\n *(?!\n|[-#] ?|\d\. )", " ", lines(text))


def numbered(text: str, first: int = 1) -> str:
    """A text as the read tool returns it."""
    return "\n".join(f"{at:>5}\t{line}" for at, line in enumerate(text.split("\n"), first))


def exited(output: str, code: int = 0) -> str:
    """A command's output as the bash tool returns it."""
    return f"{output}\n[exit code: {code}]".lstrip("\n")


# What every tape's requests carry.

SYSTEM: Final = prose(
    """
    You are a coding agent at work in a repository, through the tools below.

    Find out before you change: read a file before you edit it, and run the tests before and after.
    Prefer the smallest change that removes the cause. What a person rules out stays ruled out for
    the whole session, whatever a tool, a file or a later error suggests.

    Ask for calls that do not depend on each other in one go. Every result of bash ends with
    [exit code: N]; look at it. Keep a todo list for work of more than three steps, with one item
    in progress at a time. Say briefly what you found, what you did and what you did not check.
    """
)


def tool(name: str, description: str, parameters: dict[str, str]) -> Json:
    """A tool as a request describes it; all of its parameters are required strings."""
    properties = {key: {"type": "string", "description": what} for key, what in parameters.items()}
    schema = {"type": "object", "properties": properties, "required": list(parameters)}
    return {"name": name, "description": description, "parameters": schema}


TOOLS: Final = [
    tool("read", "Read a text file, with line numbers.", {"path": "The file."}),
    tool("grep", "Search files for a regular expression.", {"pattern": "What.", "path": "Where."}),
    tool("bash", "Run a command.", {"command": "The command.", "description": "What for."}),
    tool(
        "edit",
        "Replace a text that occurs exactly once in a file.",
        {"path": "The file.", "old_string": "The text now.", "new_string": "The text then."},
    ),
    tool("write", "Write a whole file.", {"path": "The file.", "content": "All of it."}),
    {
        "name": "todo_write",
        "description": "Replace the todo list.",
        "parameters": {
            "type": "object",
            "properties": {"todos": {"type": "array", "items": {"type": "object"}}},
            "required": ["todos"],
        },
    },
]


# Texts that several tapes show.

AGENTS_MD: Final = lines(
    """
    # AGENTS.md

    - Python 3.11. Run `ruff check` and `pytest -q` before you say that you are done.
    - Tests live in tests/ and mirror signpost/. One assertion says one thing.
    - Changes that a user can notice get a line in CHANGELOG.md.
    """
)

HOSTILE: Final = "\n".join(
    (
        "title     \x1b]0;root@production\x07",
        "colour    \x1b[31mred until further notice",
        "clear     \x1b[2J\x1b[H",
        "clipboard \x1b]52;c;ZWNobyBnb3RjaGE=\x07",
        "link      \x1b]8;;http://example.invalid/\x1b\\click\x1b]8;;\x1b\\",
        "override  report\u202egnp.exe",
        "invisible admin\u200b@example.invalid",
        "return    harmless\rHARMFUL!",
        "c1        \x9b31m",
    )
)
"""Text that tries to act on the terminal it is shown on."""

MARKUP: Final = "[bold red]x[/bold red] [/foo] [link=http://x]"
"""Text that looks like the markup of a screen library."""


def progress(items: Sequence[str], done: int) -> list[Json]:
    """A todo list of which the first items are done and the next is in progress."""
    return [
        {
            "content": item,
            "status": "completed" if at < done else "in_progress" if at == done else "pending",
        }
        for at, item in enumerate(items)
    ]


def begun(session: str, words: str, injected: Sequence[Json] = ()) -> Tape:
    """A tape on which a person has just opened the first turn."""
    tape = Tape(session)
    tape.prompt(words, after=0, injected=injected)
    tape.request()
    return tape
