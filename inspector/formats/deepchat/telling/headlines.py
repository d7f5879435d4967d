"""Rows for people in one line each, as plain uncleaned text."""

from typing import Any, Final

from inspector.formats.contract import Headline
from inspector.formats.deepchat.context.checkpoint import checkpoint_of
from inspector.formats.deepchat.context.records import (
    ERROR,
    PENDING,
    USER,
    Record,
    metadata_of,
    record_of,
)
from inspector.formats.deepchat.telling.lines import assistant_line, user_line
from inspector.formats.deepchat.telling.phrases import failed, phrase
from inspector.formats.deepchat.values import object_of
from inspector.formats.deepchat.vocabulary import (
    ANCHOR,
    EVENT,
    FORK_START,
    MESSAGE,
    RESET,
    SESSION_START,
    SETTINGS,
    TOOL_CALL,
    TOOL_RESULT,
    WORDS,
    is_reconstruction,
)
from inspector.formats.shapes import mapping, text
from inspector.formats.telling import ROW, call_line, joined, listed, said

_COPIES: Final = ("backfill", "repair")


def headline(row: dict[str, Any]) -> Headline:
    """A row in one line."""
    kind, payload = row["kind"], row["payload"]
    if "broken" in row and not payload:
        return Headline(kind[:ROW] or "row", None, row["broken"][:ROW], error=True)
    match kind:
        case _ if kind == MESSAGE:
            return _message(row)
        case _ if kind in (TOOL_CALL, TOOL_RESULT):
            return _tool(row)
        case _ if kind == ANCHOR:
            return _anchor(row)
        case _ if kind == SETTINGS:
            return Headline("settings", None, _settings(payload))
        case _ if kind == EVENT:
            name = row["name"] or "event"
            data = object_of(payload.get("data"))
            line = phrase(name, data)[: 2 * ROW]
            return Headline(WORDS.get(name, name[:ROW]), None, line, failed(name, data))
    line = joined(said(row["name"]), listed(payload))
    return Headline(kind[:ROW] or "row", None, line[: 2 * ROW])


def _message(row: dict[str, Any]) -> Headline:
    found = record_of(row["payload"])
    if isinstance(found, str):
        return Headline("message", None, f"ignored: {found}", error=True)
    spoken = user_line(found.content) if found.role == USER else assistant_line(found.content)
    word = found.role
    if metadata_of(found).get("messageType") == "compaction":
        word = "compaction"
    line = " ".join(filter(None, (_remarks(row, found), spoken))) or "(empty)"
    wrong = found.status == ERROR
    return Headline(word, found.role, line[: 2 * ROW], wrong)


def _remarks(row: dict[str, Any], record: Record) -> str:
    """What is special about a row of a message, in brackets."""
    meta = row["meta"]
    words = []
    if record.status == PENDING:
        words.append("pending")
    reason = text(meta.get("reason"))
    if meta.get("correction") is True and reason:
        words.append(reason.removeprefix("message_").replace("_", " ")[:ROW])
    if meta.get("source") in _COPIES:
        words.append(meta["source"])
    if "mergedFromEntryId" in meta:
        words.append("merged from a fork")
    return f"({', '.join(words)})" if words else ""


def _tool(row: dict[str, Any]) -> Headline:
    payload = row["payload"]
    wrong = row["meta"].get("status") == "error"
    if row["kind"] == TOOL_CALL:
        call = object_of(payload.get("toolCall"))
        name = text(call.get("name")) or said(row["name"])
        return Headline("tool call", "assistant", call_line(name, call.get("params")), wrong)
    return Headline("tool result", "tool", text(payload.get("response"))[: 2 * ROW], wrong)


def _anchor(row: dict[str, Any]) -> Headline:
    name, payload = row["name"] or "", row["payload"]
    state = mapping(payload.get("state"))
    if not is_reconstruction(name):
        word = WORDS.get(name, "anchor")
        line = listed(state)
        if name == SESSION_START:
            line = joined(f"by {said(state.get('owner'))}" if state.get("owner") else "", "begins")
        elif name == FORK_START:
            parent = said(state.get("parentSessionId"))
            line = f"of {parent} at entry {said(state.get('parentHeadEntryId'))}"
        elif word == "anchor":
            line = joined(name[:ROW], line)
        return Headline(word, None, line[: 2 * ROW])
    if name == RESET:
        return Headline(WORDS[RESET], None, "everything is shown again, without a summary")
    checkpoint = checkpoint_of(name, payload)
    if checkpoint.summary is None and checkpoint.reason is None:
        return Headline("anchor", None, f"{name[:ROW]} · no summary · {_from(checkpoint.cursor)}")
    line = checkpoint.summary or f"handed over: {checkpoint.reason}"
    return Headline("summary", "summary", line[: 2 * ROW])


def _from(cursor: float) -> str:
    return f"shows messages from place {cursor:,g} on"


def _settings(column: dict[str, Any]) -> str:
    return joined(
        said(column.get("provider_id")),
        said(column.get("model_id")),
        said(column.get("permission_mode")),
        f"summary: {said(column.get('summary_text'))}" if column.get("summary_text") else "",
    )
