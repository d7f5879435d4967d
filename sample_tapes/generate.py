"""Writes the sample tapes: DeepSeek Harness v0 logs, each of which shows something worth seeing.

Nothing here reads a clock or throws dice, so the tapes beside this file are always what it writes:

    python sample_tapes/generate.py

The story, its people, code and figures are invented. In the demo a provider reports many times the
tokens that the texts come to, so that a short tape can fill a window of 131,072; and only some of
the answers keep the stream they came in, as if the others had come in one piece.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from difflib import unified_diff
from itertools import count, cycle, islice
from pathlib import Path
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
    """

    def __init__(
        self, session: str, *, version: int = 0, percent: dict[str, int] | None = None
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
        span = {"op": "replace", "start": hides[0], "end": hides[-1]}
        seq = self.event(kind, data, sources=sources, surface=span)
        # The provider can reuse its cache only up to the first message that changed.
        before = sum(self._tokens[node] for node in self._surface[:at])
        share = before / (sum(self._tokens[node] for node in self._surface) or 1)
        history = max(0, self._cached - PREAMBLE_TOKENS)
        self._cached = min(self._cached, PREAMBLE_TOKENS) + int(history * share)
        self._surface[at : at + len(hides)] = [seq]
        self._remember(seq, data)
        return seq

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

    def prompt(self, text: str, *, after: float = 40, injected: Sequence[Json] = ()) -> int:
        """A person's words open a turn, behind what is injected; returns the seq of the words.

        Args:
            text: the words.
            after: seconds that the person took to write them.
            injected: messages that plugins put before them.
        """
        self.wait(after)
        message = self._from_inbox("next-turn", text, self.turn)
        self.step()
        for context in injected:
            self.context(context)
        return self._append("user/message", message)

    def steer(self, text: str) -> int:
        """A person's words reach the agent between two steps of a turn."""
        message = self._from_inbox("next-step", text, self.step)
        return self._append("user/message", message)

    def say(self, text: str) -> int:
        """A person's words that never waited in the inbox."""
        return self._append("user/message", self._words(text))

    def _words(self, text: str) -> Json:
        return {
            "id": self._id("user"),
            "role": "user",
            "content": [text_block(text)],
            "source": {"kind": "user"},
        }

    def _from_inbox(self, target: str, text: str, begin: Callable[[], None]) -> Json:
        """A message waits in the inbox until ``begin`` has begun what takes it."""
        message = self._words(text)
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
            "system": SYSTEM,
            "tools": TOOLS,
        }
        self.event("request/header", {"header": header, "reason": reason})
        self.event(
            "request/context", {"provider": PROVIDER, "model": model, "contextWindow": WINDOW}
        )

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
        place = {"turn": self._turn, "step": self._step}
        return self._append("assistant/message", {**place, "message": message, **more}, sources)

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
        block = {
            "type": "tool-result",
            "toolCallId": call.id,
            "content": [text_block(text)],
            "isError": failed,
        }
        message = {
            "id": self._id("result"),
            "role": "user",
            "source": {"kind": "tool", "callId": call.id},
            "content": [block],
        }
        data: Json = {"turn": self._turn, "step": self._step, "message": message}
        if meta is not None:
            data["meta"] = meta
        return self._append("tool/result", data, [self._started.pop(call.id)])

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
        command: str | None = None,
        manual: bool = False,
    ) -> None:
        """A summary takes the place of all but the last nodes.

        Args:
            summary: what the model remembers instead.
            keep: how many nodes stay; no call may be kept apart from its result.
            command: as `begin_compaction` has it.
            manual: as `begin_compaction` has it.
        """
        compaction = self.begin_compaction(command, manual=manual)
        hides = self._surface[: len(self._surface) - keep]
        told = self.event("compaction/summary", self._summary(compaction, summary, hides))
        checkpoint = {
            "id": self._id("checkpoint"),
            "role": "user",
            "content": [
                text_block(_CHECKPOINT),
                text_block(summary),
                text_block("</compacted-summary>"),
            ],
            "source": {"kind": "plugin", "plugin": "compact", **compaction.names},
        }
        self._replace("user/message", checkpoint, hides, [compaction.start, told, *hides])
        self.end_compaction(compaction)

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


# Small tapes, one thing each.


def begun(session: str, words: str, injected: Sequence[Json] = ()) -> Tape:
    """A tape on which a person has just opened the first turn."""
    tape = Tape(session)
    tape.prompt(words, after=0, injected=injected)
    tape.request()
    return tape


def compaction() -> Tape:
    """One compaction inside a turn; the last call and its result are kept."""
    tape = begun(
        "sample-compaction", "Which modules import signpost.clock? Do not change anything."
    )
    tape.use(
        "I will search for it.",
        "grep",
        {"pattern": "import.*clock", "path": "signpost"},
        "\n".join(f"signpost/{name}.py:3:from signpost import clock" for name in _MODULES),
    )
    tape.step()
    tape.use(
        "",
        "bash",
        {"command": "git log -1 --format=%cs -- signpost/clock.py", "description": "Its age"},
        exited("2025-11-04"),
    )
    tape.step()
    tape.compact(
        f"Asked which modules import signpost.clock, without changes. Found {len(_MODULES)}.",
        keep=2,
    )
    tape.answer(f"{len(_MODULES)} modules import it; it was last changed on 2025-11-04.")
    tape.end_turn()
    return tape


_MODULES: Final = ("api/health", "auth/limits", "auth/session", "mail/outbox", "web/cookies")


def nested_compaction() -> Tape:
    """Two compactions; the second swallows the checkpoint of the first."""
    tape = begun("sample-nested-compaction", "Count the tests in tests/auth.")
    count_tests = {"command": "pytest -q --collect-only tests/auth", "description": "Count tests"}
    tape.use("", "bash", count_tests, exited("41 tests collected in 0.31s"))
    tape.step()
    tape.answer("There are 41.")
    tape.end_turn()
    tape.compact("tests/auth holds 41 tests.", manual=True)
    tape.prompt("Remember as well that tests/mail holds 17.")
    tape.answer("I will.")
    tape.end_turn()
    tape.compact("tests/auth holds 41 tests and tests/mail 17.", manual=True)
    tape.prompt("How many is that together?")
    tape.answer("58.")
    tape.end_turn()
    return tape


def failed_compaction() -> Tape:
    """A compaction that fails, and so hides nothing."""
    tape = begun("sample-failed-compaction", "What does `make lint` run?")
    tape.use("", "grep", {"pattern": "^lint", "path": "Makefile"}, "Makefile:14:lint: ruff mypy")
    tape.step()
    failed = tape.begin_compaction()
    tape.wait(12)
    tape.end_compaction(failed, error="summary request failed: 503 overloaded")
    tape.answer("Ruff, then mypy.")
    tape.end_turn()
    return tape


def open_compaction() -> Tape:
    """A compaction that began and never ended: the agent was gone before the summary came."""
    tape = begun("sample-open-compaction", "What does `make docs` run?")
    tape.answer("It runs mkdocs build with --strict.")
    tape.end_turn()
    tape.begin_compaction(manual=True)
    return tape


def prune() -> Tape:
    """A result of ten thousand characters whose middle is cut out afterwards."""
    tape = begun("sample-prune", "Print the factor table, then tell me its last line.")
    table = "\n".join(f"{n:>4} x 37 = {n * 37:>6}    {n:>4} x 41 = {n * 41:>6}" for n in range(270))
    command = {"command": "python tools/factors.py", "description": "Print the table"}
    long = tape.use("", "bash", command, exited(table))
    tape.step()
    tape.answer("269 x 37 = 9953 and 269 x 41 = 11029.")
    tape.end_turn()
    tape.prune(long)
    tape.prompt("Thank you. And the first?")
    tape.answer("0 x 37 = 0 and 0 x 41 = 0; the middle of the table is no longer before me.")
    tape.end_turn()
    return tape


def parallel_calls() -> Tape:
    """Three calls in one answer, whose results come back in another order."""
    tape = begun("sample-parallel-calls", "Which Python, which pytest, and is the tree clean?")
    calls = [
        tape.call("bash", command="sleep 2; python --version", description="Slow"),
        tape.call("bash", command="pytest --version", description="Medium"),
        tape.call("bash", command="git status --short", description="Fast"),
    ]
    tape.answer("I will ask for all three at once.", *calls)
    tape.run(*calls)
    slow, medium, fast = calls
    tape.result(fast, exited(""), took=0.02)
    tape.result(slow, exited("Python 3.11.9"), took=2.1)
    tape.result(medium, exited("pytest 8.4.2"), took=0.3)
    tape.step()
    tape.answer("Python 3.11.9, pytest 8.4.2, and the tree is clean.")
    tape.end_turn()
    return tape


def packed_rows() -> Tape:
    """Packed rows of all three kinds: 12 of the events stand in three records."""
    tape = begun("sample-packed-rows", "How long is the changelog?")
    call = tape.call("bash", command="wc -l CHANGELOG.md", description="Count lines")
    tape.answer(
        "I will count its lines.",
        call,
        thinking="A line count will do; there is no need to read it.",
        stream="packed",
        deltas=4,
    )
    tape.run(call)
    tape.result(call, exited("212 CHANGELOG.md"))
    tape.step()
    tape.answer("212 lines.")
    tape.end_turn()
    return tape


def interrupted() -> Tape:
    """A person stops an answer in the middle, and asks for less."""
    tape = begun("sample-interrupted", "Explain the login flow.")
    tape.interrupted(
        "Certainly. To understand the login flow one must first look at the history of"
    )
    tape.end_turn("aborted", reason={"kind": "user"})
    tape.prompt("In one sentence.", after=6)
    tape.answer("The form posts to /login, which checks the limit, then the password, then signs.")
    tape.end_turn()
    return tape


def errors() -> Tape:
    """A failed tool result, a retry that helps, and a turn that a dead provider ends."""
    overloaded = {"message": "upstream overloaded", "code": "SERVER", "status": 503}
    tape = begun("sample-errors", "Show me settings.toml.")
    missing = "Error: settings.toml: no such file"
    tape.use("", "read", {"path": "settings.toml"}, missing, failed=True)
    tape.step()
    tape.failed_request(overloaded)
    tape.retry(1, 1, overloaded)
    tape.answer("There is no settings.toml in this folder.")
    tape.end_turn()
    tape.prompt("Then look for any .toml file.")
    tape.failed_request(overloaded)
    tape.retry(1, 1, overloaded)
    tape.failed_request(overloaded)
    tape.end_turn("error", error=overloaded)
    return tape


def todo() -> Tape:
    """A todo list that is written four times, until all of it is done."""
    items = ("Find the typo", "Fix it", "Run the doctests")
    tape = begun("sample-todo", "There is a typo in README.md. Fix it and run the doctests.")
    for done, say in enumerate(("Three steps.", "Found: 'recieve'.", "Fixed.", "All green.")):
        call = tape.call("todo_write", todos=progress(items, done))
        tape.answer(say, call)
        tape.run(call)
        tape.note_todos(call, progress(items, done))
        tape.step()
    tape.answer("The typo is fixed and the doctests pass.")
    tape.end_turn()
    return tape


def progress(items: Sequence[str], done: int) -> list[Json]:
    """A todo list of which the first items are done and the next is in progress."""
    return [
        {
            "content": item,
            "status": "completed" if at < done else "in_progress" if at == done else "pending",
        }
        for at, item in enumerate(items)
    ]


def injected_context() -> Tape:
    """What plugins put before a person's words: policies, instructions, skills, a notice."""
    skills = {"text": "Skills: release-notes, db-migration.", "source": {"kind": "skill-catalog"}}
    notice = {
        "text": "README.md was changed on disk since you read it.",
        "source": {
            "kind": "plugin",
            "plugin": "@deepseek-ai/dsh-file-watch",
            "form": "notice",
            "summary": "README.md changed",
        },
    }
    before = [snapshot("File policy: workspace-write."), instructions(_AGENTS_MD), skills]
    tape = begun("sample-injected-context", "What is this project?", before)
    tape.answer("A small login service, with its tests beside it.")
    tape.end_turn()
    tape.prompt("Has its README changed?", injected=[notice])
    tape.answer("Yes, on disk, since I read it.")
    tape.end_turn()
    return tape


_AGENTS_MD: Final = lines(
    """
    # AGENTS.md

    - Python 3.11. Run `ruff check` and `pytest -q` before you say that you are done.
    - Tests live in tests/ and mirror signpost/. One assertion says one thing.
    - Changes that a user can notice get a line in CHANGELOG.md.
    """
)


def unicode() -> Tape:
    """Texts that are hard to measure and to cut: wide, joined, combining, right to left."""
    tape = begun(
        "sample-unicode",
        f"ログインは動きますか？ 用户名是 山田太郎，家庭 {FAMILY}，国旗 {FLAG}。 한국어도 됩니까?",
    )
    tape.use(
        "確認します。",
        "bash",
        {"command": "python tools/names.py", "description": "名前を表示する"},
        exited(
            "\n".join(
                (
                    "wide      山田太郎 ｶﾞｷﾞｸﾞ ＡＢＣ",
                    f"joined    {FAMILY} \N{THUMBS UP SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-5}",
                    f"flags     {FLAG}{FLAG}",
                    "combining e\N{COMBINING ACUTE ACCENT} z\N{COMBINING CARON}",
                    "hebrew    שלום עולם",
                    "arabic    مرحبا بالعالم",
                    "thai      สวัสดี",
                )
            )
        ),
    )
    tape.step()
    tape.answer(f"はい、動きます。 {FAMILY}{FLAG}")
    tape.end_turn()
    return tape


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


def hostile() -> Tape:
    """Terminal escapes in a result, and markup in a person's words; none of it may act."""
    tape = begun("sample-hostile", f"The log shows {MARKUP} instead of colours. Why?")
    command = {"command": "tail ci.log", "description": f"See why {MARKUP} is there"}
    tape.use("", "bash", command, exited(HOSTILE))
    tape.step()
    tape.answer("The reporter escapes its markup. The rest of the log is raw terminal codes.")
    tape.end_turn()
    return tape


def unknown_ignorable() -> Tape:
    """An event of a plugin that nobody here knows, and that says itself it may be ignored."""
    tape = begun("sample-unknown-ignorable", "Is the build green?")
    tape.event("plugin/build-badge", {"state": "green", "run": 4_181}, ignorable=True)
    tape.answer("Yes, since run 4181.")
    tape.end_turn()
    return tape


def rejected_event() -> Tape:
    """A second summary for messages that were summed up already: refused, and life goes on."""
    tape = begun("sample-rejected-event", "Is port 8025 free?")
    tape.answer("Yes.")
    tape.end_turn()
    tape.compact("Port 8025 is free.", manual=True)
    hidden = 4  # the prompt, which is not on the surface any more
    tape.event(
        "user/message",
        {
            "id": "checkpoint-of-a-late-writer",
            "role": "user",
            "content": [text_block("Port 8025 was asked for, and is free.")],
            "source": {"kind": "plugin", "plugin": "compact", "compactionId": "cmp-late"},
        },
        sources=[10, 11, hidden],
        surface={"op": "replace", "start": hidden, "end": hidden},
    )
    tape.prompt("And 8026?")
    tape.answer("Also free.")
    tape.end_turn()
    return tape


def open_turn() -> Tape:
    """The agent died, or still runs: the turn is open and one of two calls is unanswered."""
    tape = begun("sample-open-turn", "Build the wheel and tell me its size.")
    calls = [
        tape.call("bash", command="git describe --tags", description="Which version"),
        tape.call("bash", command="python -m build --wheel", description="Build"),
    ]
    tape.answer("First the version, and the build beside it.", *calls)
    tape.run(*calls)
    tape.result(calls[0], exited("v2.3.0-14-g8c1d2aa"))
    return tape


def torn_tail() -> bytes:
    """The last line ends in its middle, as when a disk is full or a writer is at work."""
    tape = begun("sample-torn-tail", "Say hello.")
    tape.answer("Hello.")
    tape.end_turn()
    last = tape.lines[-1]
    return tape.done()[: -len(last) // 2]


def damaged_line() -> bytes:
    """A line in the middle is no longer JSON, so that one event, a tool result, is lost."""
    tape = begun("sample-damaged-line", "Which branch is this?")
    tape.use(
        "",
        "bash",
        {"command": "git branch --show-current", "description": "Ask git"},
        exited("fix/flaky-login"),
    )
    damaged = len(tape.lines) - 1
    tape.step()
    tape.answer("fix/flaky-login.")
    tape.end_turn()
    line = tape.lines[damaged]
    third = len(line) // 3
    tape.lines[damaged] = line[:third] + b"#" * third + line[2 * third :]
    return tape.done()


def header_only() -> Tape:
    """A session in which nothing has happened yet."""
    return Tape("sample-header-only")


def future_version() -> Tape:
    """A log that says it was written by a much later agent."""
    tape = Tape("sample-future-version", version=99)
    tape.prompt("Hello from the future.", after=0)
    tape.answer("Nobody before version 99 can read this.")
    tape.end_turn()
    return tape


def ten_events(seventh: Callable[[Tape], object] | None = None) -> Tape:
    """Ten events that come to four messages and a title.

    After four events there are two messages and no title yet.

    Args:
        seventh: writes another event in the place of the title.
    """
    tape = Tape("sample-ten-events")
    tape.turn()
    tape.step()
    tape.context(snapshot("File policy: read-only."))
    tape.say("How many tests are there?")
    call = tape.call("bash", command="pytest -q --collect-only", description="Count tests")
    tape.answer("I will count them.", call)
    tape.run(call)
    if seventh is None:
        source = {"kind": "provider", "provider": "llm", "model": FLASH}
        title = {"title": "Counting the tests", "messageSeqs": [3], "source": source}
        tape.event("session/title", title)
    else:
        seventh(tape)
    tape.result(call, exited("58 tests collected in 0.40s"), took=0.9)
    # The person has seen what they wanted and stops the turn.
    tape.end_turn("aborted", reason={"kind": "user"})
    return tape


def ten_events_unknown() -> Tape:
    """The same ten events, but for the seventh, which nobody here knows and which is required."""
    return ten_events(lambda tape: tape.event("plugin/branch-switch", {"branch": "experiment"}))


# The demo: a flaky login test, three causes, and a rule that a summary forgets.

_SESSION_PY: Final = lines(
    '''
    """Sessions: who is signed in, and until when."""

    import time
    from dataclasses import dataclass

    from signpost.auth import limits
    from signpost.auth.passwords import matches
    from signpost.store import Store

    LIFETIME = 900


    @dataclass(frozen=True)
    class Session:
        """One person's session; times are whole seconds since the epoch."""

        user: str
        issued: int
        expires: int


    class SignInFailed(Exception):
        """The name or the password is wrong; we do not say which."""


    def sign_in(user: str, password: str, *, store: Store) -> Session:
        """Check a password and begin a session."""
        if not limits.BUCKET.take(user):
            raise limits.TooManyAttempts(user)
        if not matches(store.password_hash(user), password):
            raise SignInFailed
        now = int(time.time())
        return Session(user, issued=now, expires=now + LIFETIME)


    def is_fresh(session: Session) -> bool:
        """Whether a session has not expired."""
        now = int(time.time())
        return session.issued <= now < session.expires
    '''
)

_TEST_LOGIN_LINES: Final = 146

_TEST_LOGIN_PY: Final = lines(
    """
    import time

    import pytest

    from signpost.auth.session import LIFETIME, SignInFailed, is_fresh, sign_in


    def test_sign_in_returns_a_session(store):
        assert sign_in("ada", "correct horse", store=store).user == "ada"


    def test_session_lives_fifteen_minutes(store):
        session = sign_in("ada", "correct horse", store=store)
        assert session.expires - int(time.time()) == LIFETIME


    def test_session_expires(store, monkeypatch):
        session = sign_in("ada", "correct horse", store=store)
        later = time.time() + LIFETIME
        monkeypatch.setattr(time, "time", lambda: later)
        assert not is_fresh(session)


    def test_wrong_password(store):
        with pytest.raises(SignInFailed):
            sign_in("ada", "incorrect horse", store=store)


    def test_unknown_user(store):
        with pytest.raises(SignInFailed):
            sign_in("nobody", "correct horse", store=store)
    """
)
"""The first of its 16 tests."""

_LIMITS_PY: Final = lines(
    '''
    """How often one may try a password."""

    from vendor.limiter.bucket import Bucket

    ATTEMPTS = 5
    PER_SECONDS = 60

    BUCKET = Bucket(ATTEMPTS, PER_SECONDS)
    """Shared by the whole process."""


    class TooManyAttempts(Exception):
        """The user must wait before the next attempt."""
    '''
)

_BUCKET_PY: Final = lines(
    '''
    # limiter 4.2.0, copied verbatim from upstream; see vendor/README.
    import threading
    import time


    class Bucket:
        """A leaky bucket per key."""

        def __init__(self, size, seconds, clock=time.monotonic):
            self._size = size
            self._rate = size / seconds
            self._clock = clock
            self._levels = {}
            self._lock = threading.Lock()

        def take(self, key):
            """Whether one more drop fits."""
            with self._lock:
                now = self._clock()
                level, seen = self._levels.get(key, (0.0, now))
                level = max(0.0, level - (now - seen) * self._rate)
                if level + 1 > self._size:
                    self._levels[key] = (level, now)
                    return False
                self._levels[key] = (level + 1, now)
                return True
    '''
)

_CONFTEST_PY: Final = lines(
    """
    import pytest

    from signpost.mail.outbox import Outbox
    from signpost.store import MemoryStore


    @pytest.fixture
    def store():
        store = MemoryStore()
        store.add("ada", "correct horse")
        store.add("grace", "battery staple")
        return store


    @pytest.fixture
    def outbox():
        with Outbox(host="localhost", port=8025) as outbox:
            yield outbox
    """
)

_OUTBOX_PY: Final = lines(
    '''
    """A mail server for tests that keeps what it is sent."""

    import socket


    class Outbox:
        def __init__(self, host: str, port: int) -> None:
            self._host, self._port = host, port
            self._server = socket.socket()
            self.mails: list[bytes] = []

        def __enter__(self) -> "Outbox":
            self._server.bind((self._host, self._port))
            self._server.listen()
            return self

        def __exit__(self, *_: object) -> None:
            self._server.close()
    '''
)

_TEST_MAIL_PY: Final = lines(
    '''
    """A sign-in from a device that we have not seen before sends one mail, and no secrets."""

    from signpost.auth.session import sign_in
    from signpost.mail import queue


    def sign_in_from(device, store, outbox, user="ada", password="correct horse"):
        sign_in(user, password, store=store)
        queue.new_device(user, device, server=outbox)
        queue.flush(timeout=2)


    def test_new_device_sends_a_mail(store, outbox):
        sign_in_from("a phone", store, outbox)
        assert len(outbox.mails) == 1


    def test_known_device_sends_none(store, outbox):
        store.remember_device("ada", "a phone")
        sign_in_from("a phone", store, outbox)
        assert outbox.mails == []


    def test_mail_names_the_device(store, outbox):
        sign_in_from("a phone", store, outbox)
        assert b"a phone" in outbox.mails[0]


    def test_mail_has_no_password(store, outbox):
        sign_in_from("a phone", store, outbox)
        assert b"correct horse" not in outbox.mails[0]


    def test_mail_goes_to_the_user(store, outbox):
        sign_in_from("a phone", store, outbox, "grace", "battery staple")
        assert b"To: grace@" in outbox.mails[0]


    def test_mail_is_plain_text(store, outbox):
        sign_in_from("a phone", store, outbox)
        assert b"Content-Type: text/plain" in outbox.mails[0]


    def test_failed_mail_does_not_block(store, outbox):
        outbox.refuse_everything()
        sign_in_from("a phone", store, outbox)
        assert queue.waiting() == 1


    def test_mail_is_sent_once(store, outbox):
        sign_in_from("a phone", store, outbox)
        queue.flush(timeout=2)
        assert len(outbox.mails) == 1
    '''
)

_CLOCK_PY: Final = lines(
    '''
    """A clock that stands still until a test moves it."""


    class FakeClock:
        def __init__(self, now: float = 1_000_000.0) -> None:
            self.now = now

        def __call__(self) -> float:
            return self.now

        def forward(self, seconds: float) -> None:
            self.now += seconds
    '''
)


class Edit(NamedTuple):
    """A text in a file, and what takes its place."""

    path: str
    old: str
    new: str

    def of(self, text: str) -> str:
        """A file's text after the edit."""
        return text.replace(self.old, self.new)

    def call(self, tape: Tape) -> Call:
        """A call of the edit tool."""
        return tape.call("edit", path=self.path, old_string=self.old, new_string=self.new)

    def done(self, tape: Tape, call: Call) -> None:
        """The started call succeeds, and tells the screen what changed."""
        diff = {"path": self.path, "oldText": self.old, "newText": self.new}
        tape.result(call, f"Edited {self.path}.", took=0.02, meta={"diffs": [diff]})


_IMPORT_CALLABLE: Final = Edit(
    "signpost/auth/session.py",
    "import time\nfrom dataclasses",
    "import time\nfrom collections.abc import Callable\nfrom dataclasses",
)

_PASS_A_CLOCK: Final = Edit(
    "signpost/auth/session.py",
    _SESSION_PY[_SESSION_PY.index("def sign_in") :],
    lines(
        '''
        def sign_in(
            user: str, password: str, *, store: Store, clock: Callable[[], float] = time.time
        ) -> Session:
            """Check a password and begin a session."""
            if not limits.BUCKET.take(user):
                raise limits.TooManyAttempts(user)
            if not matches(store.password_hash(user), password):
                raise SignInFailed
            now = int(clock())
            return Session(user, issued=now, expires=now + LIFETIME)


        def is_fresh(session: Session, *, clock: Callable[[], float] = time.time) -> bool:
            """Whether a session has not expired."""
            now = int(clock())
            return session.issued <= now < session.expires
        '''
    ),
)

_USE_A_CLOCK: Final = Edit(
    "tests/auth/test_login.py",
    _TEST_LOGIN_PY[: _TEST_LOGIN_PY.index("\n\n\ndef test_wrong_password")],
    lines(
        """
        import pytest

        from signpost.auth.session import LIFETIME, SignInFailed, is_fresh, sign_in
        from tests.auth.clock import FakeClock


        def test_sign_in_returns_a_session(store):
            assert sign_in("ada", "correct horse", store=store).user == "ada"


        def test_session_lives_fifteen_minutes(store):
            clock = FakeClock()
            session = sign_in("ada", "correct horse", store=store, clock=clock)
            assert session.expires - clock.now == LIFETIME


        def test_session_expires(store):
            clock = FakeClock()
            session = sign_in("ada", "correct horse", store=store, clock=clock)
            clock.forward(LIFETIME)
            assert not is_fresh(session, clock=clock)
        """
    ),
)

_IMPORT_LIMITS: Final = Edit(
    "tests/conftest.py",
    "from signpost.mail.outbox",
    "from signpost.auth import limits\nfrom signpost.mail.outbox",
)

_MAKE_A_BUCKET: Final = Edit(
    "tests/conftest.py",
    "@pytest.fixture\ndef outbox():",
    lines(
        """
        @pytest.fixture(autouse=True)
        def bucket(monkeypatch):
            bucket = limits.Bucket(limits.ATTEMPTS, limits.PER_SECONDS)
            monkeypatch.setattr(limits, "BUCKET", bucket)
            return bucket


        @pytest.fixture
        def outbox():
        """
    ),
)

_ANY_PORT: Final = Edit("tests/conftest.py", "port=8025", "port=0")

_SESSION_WITH_CLOCK: Final = _PASS_A_CLOCK.of(_IMPORT_CALLABLE.of(_SESSION_PY))
_CONFTEST_WITH_BUCKET: Final = _MAKE_A_BUCKET.of(_IMPORT_LIMITS.of(_CONFTEST_PY))


def line_of(words: str, text: str) -> int:
    """The line of a text on which some words stand first."""
    return text[: text.index(words)].count("\n") + 1


_TESTS: Final = {
    "test_limits": (
        "five_attempts_pass",
        "sixth_attempt_is_refused",
        "limit_is_per_user",
        "limit_recovers_after_a_minute",
        "refusal_names_the_user",
        "right_password_counts_too",
        "refusal_does_not_sign_in",
        "bucket_starts_empty",
        "limit_survives_sign_out",
    ),
    "test_login": (
        "sign_in_returns_a_session",
        "session_lives_fifteen_minutes",
        "session_expires",
        "wrong_password",
        "unknown_user",
        "password_is_not_logged",
        "password_is_not_stored",
        "sign_out_ends_the_session",
        "sign_out_twice_is_fine",
        "session_is_immutable",
        "two_users_two_sessions",
        "second_sign_in_replaces_the_first",
        "cookie_is_http_only",
        "cookie_expires_with_the_session",
        "redirect_stays_on_site",
        "redirect_defaults_to_home",
    ),
    "test_mail": (
        "new_device_sends_a_mail",
        "known_device_sends_none",
        "mail_names_the_device",
        "mail_has_no_password",
        "mail_goes_to_the_user",
        "mail_is_plain_text",
        "failed_mail_does_not_block",
        "mail_is_sent_once",
    ),
    "test_names": (
        "name_keeps_its_form[山田太郎]",
        "name_keeps_its_form[김민준]",
        "name_keeps_its_form[王小明]",
        f"name_keeps_its_form[family {FAMILY}]",
        f"name_keeps_its_form[flag {FLAG}]",
        "name_is_case_folded[Straße]",
        "name_is_normalised[ｱﾀﾞ]",
        "control_characters_are_refused",
    ),
}

_NODE_IDS: Final = tuple(
    f"tests/auth/{module}.py::test_{name}" for module, names in _TESTS.items() for name in names
)
"""The 41 tests of tests/auth, as pytest names them."""

_TICKED: Final = lines(
    f"""
    store = MemoryStore(['ada', 'grace'])

        def test_session_lives_fifteen_minutes(store):
            session = sign_in("ada", "correct horse", store=store)
    >       assert session.expires - int(time.time()) == LIFETIME
    E       assert (1772443047 - 1772442148) == 900
    E        +  where 1772443047 = Session(ada, issued=1772442147, expires=1772443047).expires
    E        +  and   1772442148 = int(1772442148.0004)
    E       assert 899 == 900

    tests/auth/test_login.py:{line_of("assert session.expires", _TEST_LOGIN_PY)}: AssertionError
    """
)

_IN_USE: Final = lines(
    f"""
    self = Outbox(host='localhost', port=8025)

        def __enter__(self) -> "Outbox":
    >       self._server.bind((self._host, self._port))
    E       OSError: [Errno 98] Address already in use

    signpost/mail/outbox.py:{line_of("self._server.bind", _OUTBOX_PY)}: OSError
    """
)

_REFUSED: Final = "test_second_sign_in_replaces_the_first"


def _refused(session: str) -> str:
    """The traceback of a refused attempt, in session.py as it then is."""
    at = line_of("raise limits.TooManyAttempts", session)
    code = session.split("\n")
    return "\n".join(
        (
            "store = MemoryStore(['ada', 'grace'])",
            "",
            f"    def {_REFUSED}(store):",
            '        session = sign_in("ada", "correct horse", store=store)',
            '>       second = sign_in("ada", "correct horse", store=store)',
            "",
            "tests/auth/test_login.py:97: ",
            "_ " * 36,
            "",
            "user = 'ada', password = 'correct horse', store = MemoryStore(['ada', 'grace'])",
            "",
            *(f"    {line}" for line in code[line_of("def sign_in", session) - 1 : at - 1]),
            f">   {code[at - 1]}",
            "E           signpost.auth.limits.TooManyAttempts: ada",
            "",
            f"signpost/auth/session.py:{at}: TooManyAttempts",
        )
    )


_TWENTY_TIMES: Final = "for i in $(seq -w 20); do pytest -q -n 2 --durations 2 tests/auth; done"


def twenty_runs(ticked: Sequence[int] = (), refused: Sequence[int] = ()) -> str:
    """The suite twenty times; in some runs the clock ticks or an attempt is refused."""
    parts: list[str] = []
    for run in range(1, 21):
        red = run in ticked or run in refused
        at = run * 11 % 40
        dots = "." * at + "F."[not red] + "." * (40 - at)
        parts += [
            f"=== run {run:02}",
            "bringing up nodes...",
            f"{dots}                        [100%]",
        ]
        if run in ticked:
            parts += [_rule("test_session_lives_fifteen_minutes"), _TICKED]
        if run in refused:
            parts += [_rule(_REFUSED), _refused(_SESSION_PY)]
        summary = "1 failed, 40 passed" if red else "41 passed"
        parts += [*_slowest(run, 2), f"{summary} in {6 + run * 7 % 10 / 10:.1f}s"]
    failed = len(ticked) + len(refused)
    return "\n".join([*parts, "", f"{20 - failed} green, {failed} red"])


def _slowest(seed: int, rows: int) -> list[str]:
    """The durations that pytest reports, falling."""
    total = len(_NODE_IDS)
    return [
        f"{1.4 / (at + 2) + seed % 10 / 100:.2f}s call {_NODE_IDS[(at * 13 + seed) % total]}"
        for at in range(rows)
    ]


def _rule(name: str) -> str:
    return f" {name} ".center(72, "_")


def verbose_run(seed: int, failed: str = "") -> str:
    """A verbose run on two workers, in an order that only the seed decides."""
    total = len(_NODE_IDS)
    rows: list[str] = []
    for at in range(total):
        # 17 and 41 have no common factor, so every test comes once.
        node = _NODE_IDS[(at * 17 + seed) % total]
        word = "FAILED" if failed and node.endswith(failed) else "PASSED"
        rows.append(f"[gw{(at + seed) % 2}] [{(at + 1) * 100 // total:>3}%] {word} {node}")
    summary = f"1 failed, {total - 1} passed" if failed else f"{total} passed"
    return "\n".join([*rows, f"===== {summary} in {3 + seed % 7 / 10:.2f}s ====="])


def caught_run() -> str:
    """A verbose run in which an attempt is refused, with what the limiter wrote to its log."""
    takers = (
        "test_mail_has_no_password",
        "test_cookie_is_http_only",
        "test_password_is_not_logged",
        "test_mail_names_the_device",
        _REFUSED,
        _REFUSED,
    )
    log = [
        f"DEBUG  gw1  {taker:<40} take('ada') -> {at <= 5}, {min(at, 5)} of 5 used"
        for at, taker in enumerate(takers, 1)
    ]
    return "\n".join(
        (
            verbose_run(18, _REFUSED),
            _rule(_REFUSED),
            _refused(_SESSION_WITH_CLOCK),
            " Captured log: signpost.auth.limits ".center(72, "-"),
            *log,
            " slowest 20 durations ".center(72, "="),
            *_slowest(6, 20),
            " short test summary info ".center(72, "="),
            f"FAILED tests/auth/test_login.py::{_REFUSED} - TooManyAttempts: ada",
        )
    )


_SEEDS: Final = (2_118, 377, 9_041)


def shuffled_runs() -> str:
    """Three verbose runs in three orders, too long to be kept for ever."""
    return "\n\n".join(f"Using --randomly-seed={seed}\n{verbose_run(seed)}" for seed in _SEEDS)


_FIFTY_TIMES: Final = "for i in $(seq -w 50); do pytest -q -n 2 tests/auth/test_mail.py; done"


def fifty_runs(collided: Sequence[int] = ()) -> str:
    """The mail tests fifty times; in some runs two workers want the same port."""
    parts: list[str] = []
    for run in range(1, 51):
        if run in collided:
            parts += [_rule("ERROR at setup of test_mail_is_sent_once"), _IN_USE]
        summary = "7 passed, 1 error" if run in collided else "8 passed"
        parts.append(f"=== run {run:02}: {summary} in {1.1 + run * 7 % 10 / 100:.2f}s")
    return "\n".join([*parts, "", f"{50 - len(collided)} green, {len(collided)} red"])


_KNOWN_LINES: Final = {
    "signpost/auth/limits.py": _LIMITS_PY.count("\n") + 1,
    "signpost/auth/session.py": _SESSION_WITH_CLOCK.count("\n") + 1,
    "signpost/mail/outbox.py": _OUTBOX_PY.count("\n") + 1,
    "tests/conftest.py": _CONFTEST_PY.count("\n") + 1,
    "tests/auth/clock.py": _CLOCK_PY.count("\n") + 1,
    "tests/auth/test_login.py": _TEST_LOGIN_LINES,
    "tests/auth/test_mail.py": _TEST_MAIL_PY.count("\n") + 1,
    "vendor/limiter/bucket.py": _BUCKET_PY.count("\n") + 1,
}
"""How long the files are that are shown elsewhere."""


def listing() -> str:
    """Every Python file of the project with its lines."""
    features = ("accounts", "billing", "devices", "groups", "invites", "sessions", "teams")
    layers = ("forms", "mail", "pages", "queries", "rules", "schema")
    folders = {
        "signpost": ("app", "clock", "config", "errors", "store", "version"),
        "signpost/auth": ("keys", "limits", "names", "passwords", "session", "tokens"),
        "signpost/mail": ("outbox", "queue", "render", "templates"),
        **{f"signpost/{feature}": layers for feature in features},
        "tests": ("conftest",),
        "tests/auth": ("clock", *_TESTS),
        "tests/mail": ("test_outbox", "test_queue", "test_render"),
        **{f"tests/{feature}": tuple(f"test_{layer}" for layer in layers) for feature in features},
        "migrations": tuple(f"{at:04}_{features[at % 7]}_{layers[at % 5]}" for at in range(1, 96)),
        "tools": ("factors", "names", "release", "seed_database"),
        "vendor/limiter": ("bucket", "compat", "redis_store", "window"),
        "vendor/qrcode": ("image", "matrix", "polynomial", "tables"),
    }
    paths = [f"{folder}/{name}.py" for folder, names in folders.items() for name in names]
    sizes = [12 + len(path) * (at + 3) * 31 % 420 for at, path in enumerate(paths)]
    lengths = dict(zip(paths, sizes, strict=True)) | _KNOWN_LINES
    rows = [f"{length:>6} {path}" for path, length in lengths.items()]
    return "\n".join([*rows, f"{sum(lengths.values()):>6} total"])


_GIT_LOG: Final = lines(
    """
    8c1d2aa auth: refuse control characters in names
    41f07be tests: run on two workers in CI (-n 2)
    c9e2d10 auth: limit password attempts (vendor limiter 4.2.0)
    7730b4f auth: expire sessions after fifteen minutes
    02aa9c3 auth: say the same for a wrong name and a wrong password
    d54e81b tests: one store per test
    """
)

_NAMES_RUN: Final = "\n".join(
    [f"{node} PASSED" for node in _NODE_IDS if "test_names" in node]
    + ["===== 8 passed in 0.22s ====="]
)

_CI_LOG: Final = "\n".join(
    (
        "run 4181  job tests  worker gw1  2026-02-27T16:20:09Z",
        f"summary: {MARKUP} 1 failed, 40 passed",
        "FAILED tests/auth/test_login.py::test_second_sign_in_replaces_the_first",
        "E   signpost.auth.limits.TooManyAttempts: ada",
        "--- raw terminal output follows ---",
        HOSTILE,
        "--- end of raw terminal output ---",
        "ConnectionResetError: [Errno 104] Connection reset by peer (upload of the report)",
    )
)

_FIRST_SUMMARY: Final = prose(
    """
    Goal: the login tests in tests/auth (41 tests) fail in about one CI run in six; find the causes
    and remove them rather than hide them.

    Found so far:
    1. Wall clock. test_session_lives_fifteen_minutes compared two readings of time.time(), and a
       second could tick in between (899 == 900). Fixed: sign_in and is_fresh take a keyword-only
       clock, tests use FakeClock from tests/auth/clock.py. 200 runs of the test, no failure.
    2. Rate limit. signpost.auth.limits.BUCKET is one object for the whole process: 5 attempts per
       user in 60 seconds. Most tests sign in as "ada", and two workers deal the tests out
       differently each time, so that now and then a sixth attempt is refused (TooManyAttempts).
    3. Not causes: unusual names (8 of 8 pass) and the markup in the CI summary, which is only
       text that the reporter does not render.

    Next: make the bucket safe for tests. Bucket.take keeps its levels in self._levels; that is the
    place to look at.
    """
)
"""It keeps the findings and loses what the person ruled out: that is what the demo is about."""

_SECOND_SUMMARY: Final = prose(
    """
    Rules of the person, word for word: "Never touch vendor/." "No retries, no sleeps, no `flaky`
    markers." sign_in keeps its signature; keyword-only additions with a default are fine.

    The login tests were flaky for three reasons, all removed now:
    1. Wall clock: sign_in and is_fresh take clock=time.time; tests use tests/auth/clock.py.
    2. Shared rate limit: the autouse fixture `bucket` in tests/conftest.py puts a fresh
       limits.BUCKET in place for every test.
    3. Fixed port: the fixture `outbox` used port 8025, so that two workers could meet there
       (OSError: [Errno 98] Address already in use). It uses port 0 now.

    Evidence: 20 of 20 runs green on two workers, 3 shuffled orders green, tests/auth/test_mail.py
    50 of 50 green. vendor/ is as it was; an edit there was refused by a hook and not tried again.

    Open: run everything once, CHANGELOG.md, a paragraph for the post-mortem, commits.
    """
)

_POST_MORTEM: Final = lines(
    """
    # Why the login tests were flaky

    Three tests read something that belonged to nobody: the clock, a rate limit bucket and port
    8025. Each was harmless while tests ran in one process and in one order. When CI moved to two
    workers in 41f07be, two of the three began to collide; the clock had always ticked once in a
    while. A re-run made everything green, so nobody looked for a year. Every test now brings its
    own clock, bucket and port.
    """
)

_TASKS: Final = (
    "Run tests/auth twenty times and count",
    "Take the wall clock out of the session tests",
    "Give every test its own rate limit bucket",
    "Prove it: two workers, shuffled order",
    "Changelog, post-mortem, commits",
)

_OVERLOADED: Final = {
    "message": "upstream overloaded, try again later",
    "code": "SERVER",
    "status": 503,
    "requestId": "req-7f03",
}


def demo() -> Tape:
    """One of everything, as a story."""
    tape = Tape("demo-flaky-login", percent={FLASH: 900, PRO: 1_096})
    _looking(tape)
    _counting(tape)
    _fixing_the_clock(tape)
    _asides(tape)
    _reaching_for_the_vendor(tape)
    _reminding(tape)
    _losing_the_provider(tape)
    _own_buckets(tape)
    shuffled = _shuffling(tape)
    _accounting(tape)
    _fixing_the_port(tape, shuffled)
    _compacting_by_hand(tape)
    _writing_it_up(tape)
    _parting(tape)
    return tape


def _looking(tape: Tape) -> None:
    """Turn 1: a streamed answer with three calls, whose results come back in another order."""
    tape.event("agent-preset/selected", {"agentPreset": "standard"})
    tape.event("sandbox/mode", {"mode": "workspace-write"})
    words = tape.prompt(
        prose(
            """
            The login tests are flaky: about one CI run in six goes red, always somewhere in
            tests/auth, and a re-run makes it green. Please find out why and fix it.

            Two rules:
            - Never touch vendor/. It is a verbatim copy of upstream; we diff it on every release.
            - No retries, no sleeps, no `flaky` markers. I want the cause gone, not the symptom.
            """
        ),
        after=2,
        injected=[
            snapshot("File policy: workspace-write. Approvals: ask. Network: only by approval."),
            instructions(_AGENTS_MD),
        ],
    )
    tape.fallback_title("The login tests are flaky:", words)
    tape.request()
    calls = [
        tape.call("read", path="tests/auth/test_login.py"),
        tape.call("read", path="signpost/auth/session.py"),
        tape.call(
            "bash",
            command="git log --oneline -6 -- signpost/auth tests/auth",
            description="Recent changes",
        ),
    ]
    tape.answer(
        "I will start with the tests, the code behind them, and what changed there lately.",
        *calls,
        thinking="The rules are clear: vendor/ is off limits, and hiding the flake is no fix. "
        "These three reads do not depend on each other, so I can ask for them at once.",
        stream="packed",
    )
    tape.run(*calls)
    tests, session, log = calls
    tape.result(log, exited(_GIT_LOG), took=0.06)
    shown = _TEST_LOGIN_PY.count("\n") + 1
    tape.result(
        tests,
        f"{numbered(_TEST_LOGIN_PY)}\n[{shown} of {_TEST_LOGIN_LINES} lines]",
        took=0.01,
        meta=_seen("tests/auth/test_login.py", shown, _TEST_LOGIN_LINES),
    )
    shown = _SESSION_PY.count("\n") + 1
    tape.result(
        session,
        numbered(_SESSION_PY),
        took=0.01,
        meta=_seen("signpost/auth/session.py", shown, shown),
    )
    tape.step()
    plan = tape.call("todo_write", todos=progress(_TASKS, 0))
    tape.answer("Two suspects already. A plan, before I go on:", plan)
    tape.run(plan)
    tape.note_todos(plan, progress(_TASKS, 0))
    tape.step()
    tape.answer(
        prose(
            """
            Two things could fail now and then:

            1. `test_session_lives_fifteen_minutes` reads the clock twice. If a second ticks in
               between, it sees 899.
            2. `sign_in` takes from one `BUCKET` for the whole process. Whether a test gets in
               depends on which tests ran before it on the same worker, and since 41f07be there are
               two workers.

            Neither is proven yet.
            """
        ),
    )
    tape.end_turn()
    tape.provider_title("Finding the flaky login tests", words)


def _seen(path: str, shown: int, total: int) -> Json:
    """What the read tool tells the screen."""
    return {"path": path, "offset": 1, "lines": shown, "totalLines": total, "lang": "python"}


def _counting(tape: Tape) -> None:
    """Turn 2: a long result."""
    tape.prompt("Plausible. Now prove it: run them twenty times, and count.", after=71)
    tape.use(
        "Twenty runs on two workers, as in CI.",
        "bash",
        {"command": _TWENTY_TIMES, "description": "Run the suite twenty times"},
        exited(twenty_runs(ticked=(4, 11), refused=(8, 17))),
        took=131,
    )
    tape.step()
    done = tape.call("todo_write", todos=progress(_TASKS, 1))
    tape.answer("", done)
    tape.run(done)
    tape.note_todos(done, progress(_TASKS, 1))
    tape.step()
    tape.answer(
        "16 green, 4 red: the clock ticked in runs 4 and 11 (`assert 899 == 900`), and the rate "
        "limit refused `ada` in runs 8 and 17 (`TooManyAttempts`). Both suspects are guilty.",
    )
    tape.end_turn()


def _fixing_the_clock(tape: Tape) -> None:
    """Turn 3: an edit that fails, and one that does not."""
    tape.prompt(
        "Good. The clock first. `sign_in` must keep its signature for its callers; a keyword-only "
        "argument with a default is fine.",
        after=96,
    )
    tape.use(
        "I will pass a clock in.",
        "edit",
        {
            "path": "signpost/auth/session.py",
            "old_string": "now = int(time.time())",
            "new_string": "now = int(clock())",
        },
        "Error: old_string occurs 2 times in signpost/auth/session.py; it must occur once",
        took=0.01,
        failed=True,
    )
    tape.step()
    edits = (_IMPORT_CALLABLE, _PASS_A_CLOCK, _USE_A_CLOCK)
    calls = [edit.call(tape) for edit in edits]
    clock = tape.call("write", path="tests/auth/clock.py", content=_CLOCK_PY)
    tape.answer(
        "The line stands there twice, and both readings need the clock. I replace both functions, "
        "and write a clock for the tests.",
        *calls,
        clock,
    )
    tape.run(*calls, clock)
    for edit, call in zip(edits, calls, strict=True):
        edit.done(tape, call)
    tape.result(clock, "Wrote tests/auth/clock.py.", took=0.01)
    tape.step()
    tape.use(
        "Two hundred runs of the test that ticked.",
        "bash",
        {
            "command": "pytest -q --count 200 tests/auth/test_login.py -k fifteen_minutes",
            "description": "Run one test 200 times",
        },
        exited("200 passed, 3000 deselected in 9.84s"),
        took=11,
    )
    tape.step()
    tape.answer(
        "The clock is out of the tests: `sign_in(..., clock=time.time)` for callers, `FakeClock` "
        "for tests, 200 of 200 green.",
    )
    tape.end_turn()


def _asides(tape: Tape) -> None:
    """Turns 4 and 5: texts that try to act on a terminal, and texts that are hard to measure."""
    tape.prompt(
        f"Aside: since last week the CI summary shows `{MARKUP}` where there used to be colours. "
        "The raw log is in ci/logs/run-4181.log. Same cause?",
        after=140,
    )
    tape.use(
        "",
        "bash",
        {"command": "tail -n 16 ci/logs/run-4181.log", "description": "End of the CI log"},
        exited(_CI_LOG),
    )
    tape.step()
    tape.answer(
        "No. The reporter prints its markup without rendering it. The failure itself is our second "
        "suspect: `TooManyAttempts: ada`.",
        stream="plain",
        deltas=8,
    )
    tape.end_turn()
    tape.prompt(
        "Yuki in Tokyo writes: 「ログインのテストが時々失敗します。名前のせいでしょうか？」 She "
        f"suspects names like 山田太郎, her family account {FAMILY}, or the flag {FLAG} in hers. "
        "Is there anything in that?",
        after=205,
    )
    tape.use(
        "Easy to check.",
        "bash",
        {"command": "pytest -v tests/auth/test_names.py", "description": "Run the name tests"},
        exited(_NAMES_RUN),
        took=1.9,
    )
    tape.step()
    tape.answer(
        f"Nothing: all eight name tests pass, every time. 名前のせいではありません。 {FAMILY} and "
        f"{FLAG} sign in like anybody else.",
    )
    tape.end_turn()


def _reaching_for_the_vendor(tape: Tape) -> None:
    """Turn 6: the context fills, a summary forgets a rule, and the agent breaks it."""
    tape.prompt("Then go after the rate limit. Take your time, and read all you need.", after=64)
    tape.use(
        "First the lie of the land.",
        "bash",
        {"command": "find . -name '*.py' | xargs wc -l", "description": "Files and sizes"},
        exited(listing()),
    )
    tape.step()
    tape.use(
        "",
        "read",
        {"path": "signpost/auth/limits.py"},
        numbered(_LIMITS_PY),
    )
    tape.step()
    tape.use(
        "One bucket for the process. Which tests meet in it, when two workers share them out?",
        "bash",
        {"command": "pytest -v -n 2 --durations 20 tests/auth", "description": "Who runs where"},
        exited(caught_run(), 1),
        took=5.2,
    )
    tape.step()
    tape.use(
        "Caught in the act: the sixth sign-in as ada on gw1. Who else signs in as ada?",
        "grep",
        {"pattern": _WHO_SIGNS_IN, "path": "."},
        _grep_hits(),
    )
    tape.step()
    tape.use(
        "",
        "read",
        {"path": "vendor/limiter/bucket.py"},
        numbered(_BUCKET_PY),
    )
    tape.step()
    tape.compact(_FIRST_SUMMARY, keep=4)
    _blocked_edit(tape)
    tape.step()
    tape.interrupted(
        "The hook stops the edit tool, but not the shell. I will add `reset()` to vendor/limiter "
        "with a small script and"
    )
    tape.end_turn("aborted", reason={"kind": "user"})


_WHO_SIGNS_IN: Final = r"BUCKET|TooManyAttempts|sign_in\("


def _grep_hits() -> str:
    """Where the bucket is used, and by whom."""
    files = {
        "signpost/auth/limits.py": _LIMITS_PY,
        "signpost/auth/session.py": _SESSION_WITH_CLOCK,
        "tests/auth/test_login.py": _USE_A_CLOCK.of(_TEST_LOGIN_PY),
        "tests/auth/test_mail.py": _TEST_MAIL_PY,
    }
    hits = [
        f"{path}:{at}:{line}"
        for path, text in files.items()
        for at, line in enumerate(text.split("\n"), 1)
        if re.search(_WHO_SIGNS_IN, line)
    ]
    as_ada, as_grace = (
        f'sign_in("{user}", "{password}", store=store)'
        for user, password in (("ada", "correct horse"), ("grace", "battery staple"))
    )
    for at, name in enumerate(_TESTS["test_login"][5:]):
        line = _TEST_LOGIN_PY.count("\n") + 6 + at * 10
        hits.append(f"tests/auth/test_login.py:{line}:    session = {as_ada}  # test_{name}")
        if _REFUSED.endswith(name):
            hits.append(f"tests/auth/test_login.py:{line + 1}:    second = {as_ada}")
    for at, name in enumerate(_TESTS["test_limits"]):
        hits.append(f"tests/auth/test_limits.py:{12 + at * 7}:    {as_grace}  # test_{name}")
    for at in range(52):
        folder = ("accounts", "devices", "invites", "sessions")[at // 13]
        hits.append(f"tests/{folder}/test_pages.py:{30 + at % 13 * 23}:    session = {as_ada}")
    return "\n".join(hits)


def _blocked_edit(tape: Tape) -> None:
    """A hook refuses a call."""
    call = tape.call(
        "edit",
        path="vendor/limiter/bucket.py",
        old_string="    def take(self, key):",
        new_string="    def reset(self):\n        self._levels.clear()\n\n    def take(self, key):",
    )
    tape.answer(
        "The bucket has no way to be emptied between tests. I will give it one.",
        call,
    )
    tape.run(call)
    hook = {"turn": 6, "point": "PreToolUse", "handlerId": "claude-code:PreToolUse:1"}
    tape.event("hook/invoked", {**hook, "dialect": "claude-code", "matcher": "edit|write"})
    tape.wait(0.03)
    tape.event(
        "hook/result",
        {
            **hook,
            "decision": "block",
            "exitCode": 2,
            "stderrSummary": "vendor/ is a verbatim copy of upstream",
            "durationMs": 31.25,
        },
    )
    refusal = "Error: blocked by a hook: vendor/ is a verbatim copy of upstream"
    tape.result(call, refusal, took=0.01, failed=True)


def _reminding(tape: Tape) -> None:
    """Turn 7: the person says again what the summary lost."""
    tape.prompt(
        "Stop. Never touch vendor/: that was my first rule, and it still is, shell or no shell. It "
        "is not in your summary, so you cannot see it any more; now you can. Give every test a "
        "bucket of its own instead.",
        after=17,
    )
    tape.use(
        "You are right, and I am sorry: the rule was gone with the first part of our talk. No file "
        "in vendor/ was changed. Where do the fixtures live?",
        "read",
        {"path": "tests/conftest.py"},
        numbered(_CONFTEST_PY),
    )
    tape.step()
    tape.answer(
        "`sign_in` looks up `limits.BUCKET` when it is called. So a fixture can put a fresh bucket "
        "there for every test, and no file outside tests/ has to change. Shall I?",
    )
    tape.end_turn()


def _losing_the_provider(tape: Tape) -> None:
    """Turn 8: two retries do not help."""
    tape.prompt("Yes, please.", after=22)
    tape.failed_request(_OVERLOADED)
    for attempt in (1, 2):
        tape.retry(attempt, 2, _OVERLOADED)
        tape.failed_request(_OVERLOADED)
    tape.end_turn("error", error=_OVERLOADED)


def _own_buckets(tape: Tape) -> None:
    """Turn 9: another model goes on, with a cold cache."""
    tape.prompt(
        "The provider has a bad morning. I switched you to the larger model; go on.", after=190
    )
    tape.request("change", PRO)
    edits = (_IMPORT_LIMITS, _MAKE_A_BUCKET)
    calls = [edit.call(tape) for edit in edits]
    tape.answer("A fresh bucket for every test, asked for or not.", *calls)
    tape.run(*calls)
    for edit, call in zip(edits, calls, strict=True):
        edit.done(tape, call)
    tape.step()
    todos = tape.call("todo_write", todos=progress(_TASKS, 3))
    runs = tape.call(
        "bash",
        command=_TWENTY_TIMES,
        description="Run the suite twenty times again",
    )
    tape.answer("Twenty runs again, as before.", runs, todos)
    tape.run(runs, todos)
    tape.note_todos(todos, progress(_TASKS, 3))
    tape.result(runs, exited(twenty_runs()), took=127)
    tape.step()
    tape.answer("20 green, 0 red. Nobody shares a bucket any more.")
    tape.end_turn()


def _shuffling(tape: Tape) -> int:
    """Turn 10: an approval, and a result that is too long to be kept, whose seq is returned."""
    tape.prompt("Shuffle the order as well, so that we know.", after=45)
    install = tape.call(
        "bash", command="pip install pytest-randomly", description="Needs the network"
    )
    tape.answer("For that I need a plugin from the network.", install)
    tape.run(install)
    approval = {"id": "approval-1"}
    asked = {"toolName": "bash", "callId": install.id, "reason": "network access"}
    tape.event("approval/asked", {**approval, **asked})
    tape.wait(8.4)
    tape.event("approval/decided", {**approval, "outcome": "allowed-once"})
    tape.result(install, exited("Successfully installed pytest-randomly-3.16.0"), took=3.1)
    tape.step()
    long = tape.use(
        "Three orders, each test by name.",
        "bash",
        {
            "command": f"for s in {' '.join(map(str, _SEEDS))}; do "
            "pytest -v -n 2 -p randomly --randomly-seed=$s tests/auth; done",
            "description": "Three shuffled runs",
        },
        exited(shuffled_runs()),
        took=19,
    )
    tape.step()
    tape.answer("Three orders, 123 tests, all green.")
    tape.end_turn()
    return long


def _accounting(tape: Tape) -> None:
    """Turn 11: after lunch the provider's cache is cold."""
    tape.wait(52 * 60)
    tape.forget_cache()
    tape.prompt("Back from lunch. What have you changed so far, file by file?", after=30)
    tape.use(
        "",
        "bash",
        {"command": "git add --intent-to-add . && git diff", "description": "All changes"},
        exited(_diff()),
    )
    tape.step()
    tape.answer(
        prose(
            """
            - signpost/auth/session.py: `sign_in` and `is_fresh` take a `clock`, keyword-only and
              with a default.
            - tests/conftest.py: `bucket`, a fresh one for every test, asked for or not.
            - tests/auth/clock.py: new, `FakeClock`.
            - tests/auth/test_login.py: two tests use it.
            - vendor/: nothing.
            """
        ),
        stream="packed",
        deltas=10,
    )
    tape.end_turn()


def _diff() -> str:
    """The changes, as git shows them."""
    changes = {
        "signpost/auth/session.py": (_SESSION_PY, _SESSION_WITH_CLOCK),
        "tests/auth/clock.py": ("", _CLOCK_PY),
        "tests/auth/test_login.py": (_TEST_LOGIN_PY, _USE_A_CLOCK.of(_TEST_LOGIN_PY)),
        "tests/conftest.py": (_CONFTEST_PY, _CONFTEST_WITH_BUCKET),
    }
    rows: list[str] = []
    for path, (old, new) in changes.items():
        before, after = (text.split("\n") if text else [] for text in (old, new))
        rows.append(f"diff --git a/{path} b/{path}")
        rows += unified_diff(before, after, f"a/{path}", f"b/{path}", lineterm="")
    return "\n".join(rows)


def _fixing_the_port(tape: Tape, long: int) -> None:
    """Turn 12: a long result is pruned, and the compaction after it fails."""
    tape.prompt(
        "CI is red once more: `OSError: [Errno 98] Address already in use`, in "
        "tests/auth/test_mail.py. Is that ours?",
        after=410,
    )
    search = tape.call("grep", pattern="8025", path=".")
    outbox = tape.call("read", path="signpost/mail/outbox.py")
    tests = tape.call("read", path="tests/auth/test_mail.py")
    tape.answer("A port, by the look of it.", search, outbox, tests)
    tape.run(search, outbox, tests)
    at = line_of("port=8025", _CONFTEST_WITH_BUCKET)
    hit = _CONFTEST_WITH_BUCKET.split("\n")[at - 1]
    tape.result(search, f"tests/conftest.py:{at}:{hit}")
    tape.result(outbox, numbered(_OUTBOX_PY), took=0.01)
    tape.result(tests, numbered(_TEST_MAIL_PY), took=0.01)
    tape.step()
    tape.use(
        "",
        "bash",
        {"command": _FIFTY_TIMES, "description": "How often does it collide"},
        exited(fifty_runs(collided=(13, 22, 41))),
        took=64,
    )
    tape.step()
    tape.prune(long)
    failed = tape.begin_compaction()
    tape.wait(21)
    tape.end_compaction(failed, error="summary request failed: 503 upstream overloaded")
    edit = _ANY_PORT.call(tape)
    tape.answer(
        "Ours too: two workers meet on port 8025, 3 times in 50. With port 0 the system picks one.",
        edit,
    )
    tape.run(edit)
    _ANY_PORT.done(tape, edit)
    tape.step()
    tape.use(
        "",
        "bash",
        {"command": _FIFTY_TIMES, "description": "Fifty runs again"},
        exited(fifty_runs()),
        took=61,
    )
    tape.step()
    tape.answer(
        "50 of 50 green. That was the third cause: a fixed port, shared by two workers.",
    )
    tape.end_turn()


def _compacting_by_hand(tape: Tape) -> None:
    """Between turns 12 and 13: all of it goes, the first checkpoint and the cut result too."""
    tape.wait(33)
    command = {"commandId": "cmd-1"}
    wish = "keep my rules word for word, vendor/ above all"
    tape.event(
        "command/run", {**command, "name": "compact", "args": wish, "source": {"kind": "user"}}
    )
    tape.compact(_SECOND_SUMMARY, command="cmd-1", manual=True)
    tape.event("command/done", {**command, "kind": "success", "text": "Compacted."})


def _writing_it_up(tape: Tape) -> None:
    """Turns 13 to 15: words between two steps, an event of an unknown plugin, the commits."""
    tape.prompt("Now everything once, and then the changelog.", after=25)
    tape.use(
        "",
        "bash",
        {"command": "pytest -q -n 2", "description": "The whole suite"},
        exited("312 passed in 48.27s"),
        took=50,
    )
    tape.event("plugin/audit-note", {"note": "suite green", "tests": 312}, ignorable=True)
    tape.steer("And thank Yuki in the changelog: she reported it first.")
    tape.use(
        "312 green. The changelog, with Yuki in it:",
        "edit",
        {
            "path": "CHANGELOG.md",
            "old_string": "## Unreleased\n",
            "new_string": "## Unreleased\n\n- Login tests no longer fail now and then: every test "
            "has its own clock,\n  bucket and mail port. Reported by Yuki (ありがとう!).\n",
        },
        "Edited CHANGELOG.md.",
    )
    tape.step()
    tape.answer("All 312 tests pass, and the changelog thanks Yuki.")
    tape.end_turn()
    tape.prompt("A paragraph for the post-mortem: why did nobody notice for a year?", after=88)
    note = tape.call("write", path="docs/post-mortem-login.md", content=_POST_MORTEM)
    todos = tape.call("todo_write", todos=progress(_TASKS, 4))
    tape.answer("", note, todos, thinking="Causes, trigger, why a re-run hid it.")
    tape.run(note, todos)
    tape.result(note, "Wrote docs/post-mortem-login.md.", took=0.01)
    tape.note_todos(todos, progress(_TASKS, 4))
    tape.step()
    tape.answer(
        "It is in docs/post-mortem-login.md. In short: a re-run made it green, so nobody looked.",
    )
    tape.end_turn()
    tape.prompt("Well put. Commit it: the fix, and the words apart from it.", after=120)
    tape.use(
        "",
        "bash",
        {
            "command": "git add signpost tests && "
            "git commit -qm 'tests: own clock, bucket and port' && git add -A && "
            "git commit -qm 'docs: why the login tests were flaky' && "
            "git log --oneline -2 && git diff --stat HEAD~2 -- vendor",
            "description": "Two commits, and a look at vendor/",
        },
        exited(
            "f3b90c4 docs: why the login tests were flaky\n"
            "a6617d2 tests: own clock, bucket and port"
        ),
    )
    tape.step()
    todos = tape.call("todo_write", todos=progress(_TASKS, 5))
    tape.answer("", todos)
    tape.run(todos)
    tape.note_todos(todos, progress(_TASKS, 5))
    tape.step()
    tape.answer("Two commits, a6617d2 and f3b90c4; vendor/ does not appear in either.")
    tape.end_turn()


def _parting(tape: Tape) -> None:
    """Turn 16: a last streamed answer."""
    tape.prompt("Thank you. Anything left that I should know?", after=35)
    tape.answer(
        "One thing: in production `BUCKET` is still shared by the whole process. That is right for "
        "one process, but a second one would let everybody try twice as often.",
        thinking="The limit is per process; that is worth saying.",
        stream="packed",
        deltas=8,
    )
    tape.end_turn()
    tape.event("feedback/record", {"text": "found all three, and owned up to the vendor/ slip"})


# All of them.

_SAMPLES: Final[dict[str, Callable[[], Tape | bytes]]] = {
    "demo": demo,
    "ten-events": ten_events,
    "ten-events-unknown": ten_events_unknown,
    "compaction": compaction,
    "nested-compaction": nested_compaction,
    "failed-compaction": failed_compaction,
    "open-compaction": open_compaction,
    "prune": prune,
    "parallel-calls": parallel_calls,
    "packed-rows": packed_rows,
    "interrupted": interrupted,
    "errors": errors,
    "todo": todo,
    "injected-context": injected_context,
    "unicode": unicode,
    "hostile": hostile,
    "unknown-ignorable": unknown_ignorable,
    "rejected-event": rejected_event,
    "open-turn": open_turn,
    "torn-tail": torn_tail,
    "damaged-line": damaged_line,
    "header-only": header_only,
    "future-version": future_version,
}


def tapes() -> dict[str, bytes]:
    """All sample tapes, by file name."""
    found: dict[str, bytes] = {}
    for name, make in _SAMPLES.items():
        made = make()
        found[f"{name}.jsonl"] = made if isinstance(made, bytes) else made.done()
    return found


def main() -> None:
    """Write all sample tapes beside this file."""
    here = Path(__file__).resolve().parent
    for name, content in tapes().items():
        (here / name).write_bytes(content)


if __name__ == "__main__":
    main()
