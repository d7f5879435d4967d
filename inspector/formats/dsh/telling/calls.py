"""What an event says as the person saw it: texts, reasoning, calls and results (page 1.10)."""

from typing import Any, Final

from inspector.formats.dsh.effects.messages import result_block
from inspector.formats.dsh.telling.sections import block_text
from inspector.formats.parts import (
    Call,
    Edit,
    File,
    Part,
    Result,
    Said,
    Thought,
    answer,
    arguments_of,
)
from inspector.formats.shapes import items, mapping, natural, text

_MESSAGES: Final = frozenset({"assistant/message", "system/message", "developer/message"})
_STARTS: Final = frozenset({"tool/code-dispatch-start", "tool/ptc-dispatch-start"})
_ENDS: Final = frozenset({"tool/code-dispatch", "tool/ptc-dispatch"})


def parts(event: dict[str, Any], name: str) -> list[Part] | None:
    """The parts of an event; None of one that is no message, call or result."""
    data = mapping(event.get("data"))
    if name == "user/message":
        return _blocks(data.get("content"))
    if name in _MESSAGES:
        return _blocks(mapping(data.get("message")).get("content"))
    if name == "tool/call":
        return [_call(data, "callId")]
    if name == "tool/result":
        return [_result(data)]
    if name in _STARTS:
        return [_call(data, "subCallId")]
    if name in _ENDS:
        failed = data.get("isError") is True
        return [answer(text(data.get("subCallId")) or None, _blocks(data.get("content")), failed)]
    return None


def is_cut_off(event: dict[str, Any]) -> bool:
    """Whether an assistant's message was interrupted (format page 1.10)."""
    return mapping(event.get("data")).get("interrupted") is True


def asked_about(event: dict[str, Any]) -> str | None:
    """The call that an ``approval/asked`` is about, which it need not name."""
    return text(mapping(event.get("data")).get("callId")) or None


def _call(data: dict[str, Any], key: str) -> Call:
    return Call(
        text(data.get(key)) or None,
        text(data.get("name")),
        arguments_of(data.get("arguments")),
        text(data.get("parentCallId")) or None,
    )


def _result(data: dict[str, Any]) -> Result:
    block = result_block(data)
    call = text(block.get("toolCallId")) or None
    failed = block.get("isError") is True or "error" in data
    edits = tuple(
        Edit(
            text(shape.get("path")),
            shape["oldText"] if isinstance(shape.get("oldText"), str) else None,
            text(shape.get("newText")),
        )
        for shape in map(mapping, items(mapping(data.get("meta")).get("diffs")))
    )
    return answer(call, _blocks(block.get("content")), failed, edits=edits)


def _blocks(content: Any) -> list[Part]:
    return [_block(block) for block in items(content)]


def _block(block: Any) -> Part:
    shape = mapping(block)
    kind = shape.get("type")
    if kind == "reasoning":
        return Thought(text(shape.get("text")))
    if kind == "tool-call":
        return _call({**shape, "callId": shape.get("id")}, "callId")
    if kind == "image":
        about = mapping(shape.get("attachment"))
        return File(
            text(about.get("name")), text(about.get("mediaType")), natural(about.get("bytes"))
        )
    return Said(block_text(block))
