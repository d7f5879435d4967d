"""Events for people in full, as plain uncleaned text in sections."""

from typing import Any, Final

from inspector.formats.contract import Section
from inspector.formats.dsh.effects.messages import result_block
from inspector.formats.dsh.telling.headlines import chunk_line, tokens_line
from inspector.formats.dsh.vocabulary import PRUNE_MARKER
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import pretty, short, texts
from inspector.text.labels import TODO_MARKS

_MESSAGES: Final = 50
"""Messages of one splice that are shown before the whole of it."""


def sections(event: dict[str, Any], name: str) -> list[Section]:
    """An event in full."""
    data = event.get("data")
    if not isinstance(data, dict):
        return [Section("", pretty(data), "code")]
    match name:
        case "user/message":
            return _content_sections(items(data.get("content")))
        case "assistant/message":
            found = _content_sections(items(mapping(data.get("message")).get("content")))
            usage = mapping(data.get("usage"))
            if usage:
                found.append(Section("usage", tokens_line(usage), "dim"))
            return found or [Section("", "(an empty message: it only carries usage)", "dim")]
        case "tool/result":
            return _result_sections(data)
        case "tool/call":
            return [Section(text(data.get("name")), pretty(data.get("arguments")), "code")]
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
                    pretty(data.get("chunk")),
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
    return [*_readable(name, data), Section("", pretty(data), "code")]


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
            return texts(objective=goal.get("objective"), blocked=reason)
        case "schedule/change":
            return texts(prompt=mapping(data.get("schedule")).get("prompt"))
        case "team/message/queued":
            return _content_sections(items(mapping(data.get("message")).get("content")))
        case "team/task":
            return texts(description=mapping(data.get("task")).get("description"))
        case "hook/result":
            return texts(stderr=data.get("stderrSummary"))
        case "session/title-llm-request":
            return texts(system=data.get("system"))
        case "feedback/record" | "command/done":
            return texts(text=data.get("text"))
    return []


def _sub_call(data: dict[str, Any]) -> Section:
    return Section(f"call {text(data.get('name'))}", pretty(data.get("arguments")), "code")


def _content_sections(blocks: list[Any]) -> list[Section]:
    found: list[Section] = []
    for block in blocks:
        shape = mapping(block)
        kind = shape.get("type")
        if kind == "reasoning":
            found.append(Section("thinking", text(shape.get("text")), "dim"))
        elif kind == "tool-call":
            heading = f"call {text(shape.get('name'))}"
            found.append(Section(heading, pretty(shape.get("arguments")), "code"))
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
    found = [Section("config", pretty(header.get("config")), "code")]
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
    return pretty(block)


def todo_text(todos: list[Any]) -> str:
    """A todo list, a line each."""
    return "\n".join(
        f"{TODO_MARKS.get(text(todo.get('status')), '?')} {text(todo.get('content'))}"
        for todo in map(mapping, todos)
    )
