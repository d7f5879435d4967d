"""What an event says as the person saw it: texts, calls, results, attachments (page 3)."""

from typing import Any, Final

from inspector.formats.parts import Call, File, Part, Result, Said, arguments_of
from inspector.formats.shapes import items, mapping, natural, text
from inspector.formats.telling import short
from inspector.formats.zero.effects.calls import call_id
from inspector.formats.zero.vocabulary import (
    COMPACTION,
    CROSS_SESSION,
    MESSAGE,
    TOOL_CALL,
    TOOL_RESULT,
)

_KINDS: Final = {"images": "image", "documents": "document"}


def parts(kind: str, event: dict[str, Any]) -> list[Part] | None:
    """The parts of an event; None of one that is no message, call or result."""
    payload = event.get("payload")
    if not isinstance(payload, dict):
        return None
    if kind == MESSAGE:
        return _message(payload)
    if kind == TOOL_CALL:
        name = text(payload.get("name"))
        return [Call(call_id(payload) or None, name, arguments_of(payload.get("arguments")))]
    if kind == TOOL_RESULT:
        failed = (text(payload.get("status")) or "ok") != "ok"
        call = text(payload.get("toolCallId")) or None
        return [Result(call, text(payload.get("output")), failed)]
    if kind == COMPACTION:
        return [Said(text(payload.get("summary")))]
    if kind == "specialist_start":
        name = text(payload.get("specialist")) or "specialist"
        task = text(payload.get("taskId")) or None
        return [Call(task, name, {"description": payload.get("description")})]
    return None


def _message(payload: dict[str, Any]) -> list[Part]:
    shown = text(payload.get("displayContent")) if payload.get("origin") == CROSS_SESSION else ""
    said = shown or text(payload.get("content"))
    found: list[Part] = [Said(said)] if said else []
    for asked in items(payload.get("questions")):
        options = "\n".join(f"- {short(option)}" for option in items(mapping(asked).get("options")))
        found.append(Said(f"{text(mapping(asked).get('question'))}\n{options}".rstrip()))
    found += [Said(short(given)) for given in items(payload.get("answers"))]
    attached = mapping(payload.get("attachments"))
    for key, media in _KINDS.items():
        for file in map(mapping, items(attached.get(key))):
            name = text(file.get("name")) or text(file.get("path"))
            size = natural(file.get("bytes"))
            found.append(File(name, text(file.get("mediaType")) or media, size))
    return found


def asked_about(event: dict[str, Any]) -> str | None:
    """The call that a request for permission is about."""
    return text(mapping(event.get("payload")).get("toolCallId")) or None
