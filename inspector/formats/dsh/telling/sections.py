"""Events for people in full, as plain uncleaned text in sections."""

import re
from typing import Any, Final

import orjson

from inspector.formats.contract import Section
from inspector.formats.dsh.blocks import short
from inspector.formats.dsh.effects.messages import result_block
from inspector.formats.dsh.telling.headlines import chunk_line, usage_line
from inspector.formats.dsh.vocabulary import PRUNE_MARKER
from inspector.formats.shapes import items, mapping, text
from inspector.text.jsontext import json_lines
from inspector.text.labels import TODO_MARKS

_MESSAGES: Final = 50
"""Messages of one splice that are shown before the whole of it."""


def sections(event: dict[str, Any], name: str) -> list[Section]:
    """An event in full."""
    data = event.get("data")
    if not isinstance(data, dict):
        return [Section("", _pretty(data), "code")]
    match name:
        case "user/message":
            return _content_sections(items(data.get("content")))
        case "assistant/message":
            found = _content_sections(items(mapping(data.get("message")).get("content")))
            usage = mapping(data.get("usage"))
            if usage:
                found.append(Section("usage", usage_line(usage), "dim"))
            return found or [Section("", "(an empty message: it only carries usage)", "dim")]
        case "tool/result":
            return _result_sections(data)
        case "tool/call":
            return [Section(text(data.get("name")), _pretty(data.get("arguments")), "code")]
        case "todo/write":
            return [Section("todo", todo_text(items(data.get("todos"))))]
        case "request/header":
            return _request_sections(mapping(data.get("header")))
        case "compaction/summary":
            return [
                Section("summary", block_text(block)) for block in items(data.get("summary"))
            ] + [Section("hides", ", ".join(map(short, items(data.get("shadowedSeqs")))), "dim")]
        case "assistant/chunk":
            kind, _, failed = chunk_line(mapping(data.get("chunk")))
            return [
                Section(
                    kind.removeprefix("· "),
                    _pretty(data.get("chunk")),
                    "error" if failed else "code",
                )
            ]
        case "system/message" | "developer/message":
            found = _content_sections(items(mapping(data.get("message")).get("content")))
            return found or [Section("", "(an empty message)", "dim")]
        case "tool/code-dispatch-start" | "tool/ptc-dispatch-start":
            return [_sub_call(data)]
        case "tool/code-dispatch" | "tool/ptc-dispatch":
            return [_sub_call(data), *_answer_sections(data)]
    return [*_readable(name, data), Section("", _pretty(data), "code")]


def _readable(name: str, data: dict[str, Any]) -> list[Section]:
    """The texts of an event that a person wants to read without quotes, before all that it says."""
    match name:
        case "agent/inbox/spliced":
            messages = [mapping(message) for message in items(data.get("inserted"))]
            return [
                section
                for message in messages[:_MESSAGES]
                for section in _content_sections(items(message.get("content")))
            ]
        case "goal/change":
            goal = mapping(data.get("goal"))
            reason = mapping(goal.get("blockedReason")).get("message")
            return _texts(objective=goal.get("objective"), blocked=reason)
        case "schedule/change":
            return _texts(prompt=mapping(data.get("schedule")).get("prompt"))
        case "team/message/queued":
            return _content_sections(items(mapping(data.get("message")).get("content")))
        case "team/task":
            return _texts(description=mapping(data.get("task")).get("description"))
        case "hook/result":
            return _texts(stderr=data.get("stderrSummary"))
        case "session/title-llm-request":
            return _texts(system=data.get("system"))
        case "feedback/record" | "command/done":
            return _texts(text=data.get("text"))
    return []


def _texts(**texts: Any) -> list[Section]:
    return [Section(name, said) for name, said in texts.items() if isinstance(said, str) and said]


def _sub_call(data: dict[str, Any]) -> Section:
    return Section(f"call {text(data.get('name'))}", _pretty(data.get("arguments")), "code")


def _content_sections(blocks: list[Any]) -> list[Section]:
    found: list[Section] = []
    for block in blocks:
        shape = mapping(block)
        kind = shape.get("type")
        if kind == "reasoning":
            found.append(Section("thinking", text(shape.get("text")), "dim"))
        elif kind == "tool-call":
            heading = f"call {text(shape.get('name'))}"
            found.append(Section(heading, _pretty(shape.get("arguments")), "code"))
        else:
            found.append(Section("", block_text(block)))
    return found


def _result_sections(data: dict[str, Any]) -> list[Section]:
    found = _answer_sections(result_block(data))
    error = mapping(data.get("error"))
    if error:
        found.insert(
            0, Section("error", f"{short(error.get('name'))} {short(error.get('code'))}", "error")
        )
    if any(PRUNE_MARKER in section.text for section in found):
        found.append(Section("", "The owner cut the middle out of this result.", "dim"))
    for diff in items(mapping(data.get("meta")).get("diffs")):
        shape = mapping(diff)
        found.append(
            Section(f"file {short(shape.get('path'))}", text(shape.get("newText")), "code")
        )
    return found or [Section("", "(an empty result)", "dim")]


def _answer_sections(block: dict[str, Any]) -> list[Section]:
    """What a tool answered."""
    failed = block.get("isError") is True
    return [
        Section("", block_text(inner), "error" if failed else "plain")
        for inner in items(block.get("content"))
    ]


def _request_sections(header: dict[str, Any]) -> list[Section]:
    found = [Section("config", _pretty(header.get("config")), "code")]
    if "system" in header:
        found.append(Section("system prompt", block_text(header["system"])))
    for tool in items(header.get("tools")):
        shape = mapping(tool)
        found.append(
            Section(f"tool {short(shape.get('name'))}", text(shape.get("description")), "dim")
        )
    return found


def block_text(block: Any) -> str:
    """The text of a content block, or its JSON where it has none."""
    if isinstance(block, str):
        return block
    shape = mapping(block)
    if shape.get("type") in ("text", "reasoning"):
        return text(shape.get("text"))
    return _pretty(block)


def todo_text(todos: list[Any]) -> str:
    """A todo list, a line each."""
    return "\n".join(
        f"{TODO_MARKS.get(text(todo.get('status')), '?')} {text(todo.get('content'))}"
        for todo in map(mapping, todos)
    )


def _pretty(value: Any) -> str:
    """A value as indented JSON; a string that holds JSON as what it holds, a file by its size."""
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return _FILE.sub(_named, str(value))
    shown = _FILE.sub(_named, json_lines(value, _MOST))
    if len(shown) < _MOST:
        return shown
    return f"{shown[:_MOST]}\n… the first {_MOST:,} characters; r shows the record"


_MOST: Final = 100_000
"""Characters of a value that are laid out: more of one nobody reads as JSON."""


_FILE: Final = re.compile(r"((?:data:[\w/+.;=-]{1,80},)?)([A-Za-z0-9+/]{2048,}={0,2})")
"""A file in the text of an event, as base64: nobody reads it, and laying it out takes seconds."""


def _named(found: re.Match[str]) -> str:
    length = len(found[2])
    return f"{found[1]}[{length:,} base64 characters = {length * 3 // 4:,} bytes; r shows them]"
