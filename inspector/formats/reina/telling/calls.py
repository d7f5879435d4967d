"""What a record says as the person saw it: texts, calls and results (format page 3.2)."""

from typing import Any

from inspector.formats.parts import Call, Part, Result, Said, arguments_of
from inspector.formats.reina.messages import answers, calls_of, content_of
from inspector.formats.reina.vocabulary import (
    ASSISTANT,
    COMPACTED,
    MESSAGE,
    PENDING,
    SUMMARY_HEAD,
    TOOL,
    TOOL_CALL,
    TOOL_UPDATE,
)
from inspector.formats.shapes import mapping, text


def parts(kind: str, record: dict[str, Any]) -> list[Part] | None:
    """The parts of a record; None of one that is no message and no compaction."""
    if kind == COMPACTED:
        return [Said(SUMMARY_HEAD + text(mapping(record.get("record")).get("summary")))]
    message = record.get("message")
    if kind != MESSAGE or not isinstance(message, dict):
        return None
    if message.get("role") == TOOL:
        # No text tells how a call ended: only its record does.
        return [Result(answers(message), content_of(message))]
    said = content_of(message)
    found: list[Part] = [Said(said)] if said else []
    if message.get("role") == ASSISTANT:
        found += [Call(one.id, one.name, arguments_of(one.arguments)) for one in calls_of(message)]
    return found


def asked_about(record: dict[str, Any]) -> str | None:
    """The call that a record asks somebody to approve of, or None."""
    told = mapping(record.get("record"))
    if record.get("type") not in (TOOL_CALL, TOOL_UPDATE) or told.get("status") != PENDING:
        return None
    return text(told.get("id")) or None
