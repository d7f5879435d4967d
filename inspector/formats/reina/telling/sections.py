"""Records for people in full, as plain uncleaned text in sections."""

from typing import Any, Final

from inspector.formats.contract import Section
from inspector.formats.reina.messages import calls_of, content_of
from inspector.formats.reina.telling.headlines import failed, usage_words
from inspector.formats.reina.vocabulary import (
    ASSISTANT,
    COMPACTED,
    MESSAGE,
    SUMMARY_HEAD,
    TOOL_CALL,
    TOOL_UPDATE,
    USAGE,
)
from inspector.formats.shapes import mapping, text
from inspector.formats.telling import pretty

_OF_MESSAGE: Final = frozenset({"role", "content", "tool_calls", "tool_call_id"})
_OF_RECORD: Final = frozenset({"ts", "type", "message", "record"})


def sections(kind: str, record: dict[str, Any]) -> list[Section]:
    """A record in full; ``kind`` is its type."""
    found = _sections(kind, record)
    if kind in (MESSAGE, COMPACTED, TOOL_CALL, TOOL_UPDATE):
        others = {key: value for key, value in record.items() if key not in _OF_RECORD}
        if others:
            found.append(Section("other keys", pretty(others), "code", True))
    return found


def _sections(kind: str, record: dict[str, Any]) -> list[Section]:
    message, told = record.get("message"), mapping(record.get("record"))
    if kind == MESSAGE:
        if isinstance(message, dict):
            return _message(message)
        return [Section("", pretty(message), "code")]
    if kind == COMPACTED:
        rest = {key: value for key, value in told.items() if key != "summary"}
        summary = Section("summary", SUMMARY_HEAD + text(told.get("summary")))
        return [summary, Section("", pretty(rest), "code", True)]
    if kind in (TOOL_CALL, TOOL_UPDATE) and told:
        status = Section("status", text(told.get("status")), _tone(kind, record), True)
        given = Section(text(told.get("name")), pretty(told.get("input")), "code", True)
        return [status, given, _all(told)]
    if kind == USAGE:
        return [Section("usage", usage_words(record), remark=True), _all(record)]
    return [_all(record)]


def _tone(kind: str, record: dict[str, Any]) -> Any:
    return "error" if failed(kind, record) else "plain"


def _all(value: dict[str, Any]) -> Section:
    """What is kept beside what is said."""
    return Section("", pretty(value), "code", True)


def _message(message: dict[str, Any]) -> list[Section]:
    said = content_of(message)
    found = [Section("", said)] if said else []
    if message.get("role") == ASSISTANT:
        # Arguments that are no JSON stay the text that the model wrote.
        found += [Section(one.name, pretty(one.arguments), "code") for one in calls_of(message)]
    rest = {key: value for key, value in message.items() if key not in _OF_MESSAGE}
    if rest:
        found.append(Section("other keys of the message", pretty(rest), "code", True))
    return found or [Section("", "(empty)", "dim")]
