"""What a row says as the person saw it: texts, reasoning, calls, responses, files (page 4.3)."""

from typing import Any

from inspector.formats.deepchat.context.checkpoint import checkpoint_of
from inspector.formats.deepchat.context.messages import BuildBreaks, blocks_of, user_text
from inspector.formats.deepchat.context.records import ERROR, USER, record_of
from inspector.formats.deepchat.effects.tools import call_of
from inspector.formats.deepchat.values import object_of
from inspector.formats.deepchat.vocabulary import (
    ANCHOR,
    DISPATCH,
    EVENT,
    LINKED,
    MESSAGE,
    OUTCOME,
    SETTINGS,
    TOOL_CALL,
    TOOL_RESULT,
    is_reconstruction,
)
from inspector.formats.parts import Call, File, Part, Result, Said, Thought, arguments_of
from inspector.formats.shapes import items, mapping, natural, text
from inspector.formats.telling import said


def parts(row: dict[str, Any]) -> list[Part] | None:
    """The parts of a row; None of one that is no message and about no call."""
    kind, payload = row["kind"], row["payload"]
    if kind == MESSAGE:
        return _message(payload)
    if kind == TOOL_CALL:
        call = object_of(payload.get("toolCall"))
        return [_call(call_of(kind, payload)[1], call)]
    if kind == TOOL_RESULT:
        failed = row["meta"].get("status") == "error"
        return [Result(call_of(kind, payload)[1] or None, text(payload.get("response")), failed)]
    if kind == ANCHOR and is_reconstruction(row["name"] or ""):
        return [Said(checkpoint_of(row["name"], payload).summary or "")]
    if kind == SETTINGS:
        return [Said(text(payload.get("summary_text")))]
    if kind == EVENT and row["name"] == LINKED:
        return _linked(object_of(payload.get("data")))
    if kind == EVENT and row["name"] in (DISPATCH, OUTCOME):
        data = object_of(payload.get("data"))
        identity = text(mapping(data.get("operation")).get("providerToolCallId")) or None
        if row["name"] == DISPATCH:
            return [Call(identity, text(data.get("toolName")))]
        return [Result(identity, "", data.get("isError") is True)]
    return None


def _linked(data: dict[str, Any]) -> list[Part]:
    """A subagent that is done: its task, and what came of it (page 7)."""
    child = text(data.get("childSessionId")) or None
    summary = text(data.get("resultSummary"))
    failed = data.get("outcome") == "error"
    task = {"description": text(data.get("taskTitle"))}
    return [Call(child, "subagent", task), Result(child, summary, failed)]


def is_cut_off(row: dict[str, Any]) -> bool:
    """Whether the row's message ends in an error, so that what stands there is not all of it."""
    if row.get("kind") != MESSAGE:
        return False
    record = record_of(row["payload"])
    return not isinstance(record, str) and record.role != USER and record.status == ERROR


def _message(payload: dict[str, Any]) -> list[Part] | None:
    record = record_of(payload)
    if isinstance(record, str):
        return None
    if record.role == USER:
        found: list[Part] = [Said(user_text(record.content))]
        for file in map(mapping, items(object_of(record.content).get("files"))):
            name = text(file.get("name")) or text(file.get("path"))
            size = natural(mapping(file.get("metadata")).get("fileSize"))
            found.append(File(name, text(file.get("mimeType")), size))
        return found
    try:
        blocks = blocks_of(record.content)
    except BuildBreaks:
        return [Said(record.content)]
    return [part for block in blocks for part in _block(block)]


def _block(block: dict[str, Any]) -> list[Part]:
    kind, content = text(block.get("type")), text(block.get("content"))
    if kind == "content":
        return [Said(content)]
    if kind == "reasoning_content":
        return [Thought(content)]
    if kind == "error":
        return [Said(f"(error) {content}")]
    if kind != "tool_call":
        return [Said(content or f"[{said(kind) or 'block'}]")]
    call = mapping(block.get("tool_call"))
    identity, response = text(call.get("id")), call.get("response")
    made = _call(identity, call)
    status = block.get("status")
    if not isinstance(response, str) or (not response and status not in ("success", "error")):
        return [made]
    return [made, Result(identity or None, response, status == "error")]


def _call(identity: str, call: dict[str, Any]) -> Call:
    return Call(identity or None, text(call.get("name")), arguments_of(call.get("params")))
