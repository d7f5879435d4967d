"""Rows for people in full, as plain uncleaned text in sections."""

from collections.abc import Iterator
from typing import Any, Final

from inspector.formats.contract import Section
from inspector.formats.deepchat.context.checkpoint import checkpoint_of, sources_of
from inspector.formats.deepchat.context.messages import BuildBreaks, blocks_of, user_text
from inspector.formats.deepchat.context.records import USER, Record, metadata_of, record_of
from inspector.formats.deepchat.telling.lines import tokens_line
from inspector.formats.deepchat.telling.views import view_sections
from inspector.formats.deepchat.values import object_of
from inspector.formats.deepchat.vocabulary import (
    ANCHOR,
    ATTEMPT,
    EVENT,
    LINKED,
    MESSAGE,
    RETRACTED,
    SETTINGS,
    TOOL_CALL,
    TOOL_RESULT,
    VIEW,
    is_reconstruction,
)
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import joined, pretty, said, some
from inspector.text.labels import stamp

_KEPT: Final = (
    "the message is gone for the person and for the model; its rows stay readable on the tape "
    "until the session is cleared or deleted"
)

_SOURCES: Final = {
    "live": "written as it happened",
    "backfill": "copied from the transcript; the time of the row is that of the copying",
    "repair": "written again to repair the tape",
    "transcript": "read from the transcript as it is now; it was never a row of a tape",
}


def sections(row: dict[str, Any]) -> list[Section]:
    """A row in full."""
    return [*_said(row), *_of_row(row)]


def _said(row: dict[str, Any]) -> Iterator[Section]:
    kind, payload, name = row["kind"], row["payload"], row["name"] or ""
    if "broken" in row:
        yield Section("broken", row["broken"], "error")
    if kind == MESSAGE:
        yield from _message(row)
    elif kind == TOOL_CALL:
        call = object_of(payload.get("toolCall"))
        yield Section(f"call {said(call.get('name'))}", pretty(call.get("params")), "code")
    elif kind == TOOL_RESULT:
        failed = row["meta"].get("status") == "error"
        yield Section("", text(payload.get("response")), "error" if failed else "plain")
    elif kind == ANCHOR:
        yield from _anchor(name, payload)
    elif kind == EVENT:
        yield from _event(name, object_of(payload.get("data")), payload)
    elif kind == SETTINGS:
        yield from _settings(payload)
    else:
        yield Section("payload", pretty(payload), "code")


# Messages.


def _message(row: dict[str, Any]) -> Iterator[Section]:
    found = record_of(row["payload"])
    if isinstance(found, str):
        yield Section("ignored", f"the owner ignores this row: {found}", "error")
        yield Section("payload", pretty(row["payload"]), "code")
        return
    if found.role == USER:
        yield from _user(found.content)
    else:
        yield from _blocks(found)
    metadata = metadata_of(found)
    if metadata:
        usage = tokens_line(metadata)
        yield Section("metadata", joined(usage, _without_usage(metadata)), "dim")
    record = mapping(row["payload"].get("record"))
    yield Section("record", _record_line(record, found), "dim")


def _user(content: str) -> Iterator[Section]:
    yield Section("", user_text(content))
    attached = object_of(content)
    for file in items(attached.get("files"))[:100]:
        about = mapping(file)
        line = joined(said(about.get("path")), said(about.get("mimeType")))
        yield Section(f"file {said(about.get('name'))}".strip(), line, "dim")
    for link in items(attached.get("links"))[:100]:
        yield Section("link", said(link), "dim")


def _blocks(record: Record) -> Iterator[Section]:
    try:
        blocks = blocks_of(record.content)
    except BuildBreaks as breaks:
        yield Section("broken", f"{breaks}: the owner can build no request with it", "error")
        yield Section("", record.content)
        return
    for block in blocks:
        kind = text(block.get("type"))
        content = text(block.get("content"))
        if kind == "content":
            yield Section("", content)
        elif kind == "reasoning_content":
            yield Section("thinking", content, "dim")
        elif kind == "error":
            yield Section("error", content, "error")
        elif kind == "tool_call":
            yield from _call(block)
        else:
            yield Section(kind or "block", pretty(block), "code")


def _call(block: dict[str, Any]) -> Iterator[Section]:
    call = mapping(block.get("tool_call"))
    heading = f"call {said(call.get('name'))}"
    server = said(call.get("server_name"))
    if server:
        heading = f"{heading} of {server}"
    yield Section(heading, pretty(call.get("params")), "code")
    response = call.get("response")
    if isinstance(response, str) and response:
        tone = "error" if block.get("status") == "error" else "plain"
        yield Section("result", response, "error" if tone == "error" else "plain")
    else:
        yield Section("result", f"none; the block says {said(block.get('status'))}", "dim")


def _without_usage(metadata: dict[str, Any]) -> str:
    return ", ".join(
        f"{key[:40]} {said(value)}"
        for key, value in list(metadata.items())[:30]
        if key not in ("inputTokens", "outputTokens", "totalTokens", "cacheReadTokens")
    )


def _record_line(record: dict[str, Any], found: Record) -> str:
    created, updated = record.get("createdAt"), record.get("updatedAt")
    times = [
        f"{word} {_time(value)}"
        for word, value in (("created", created), ("updated", updated))
        if value is not None
    ]
    return joined(f"message {said(found.id)}", f"place {found.order:,.15g}", found.status, *times)


def _time(value: Any) -> str:
    return stamp(value) or said(value) if isinstance(value, int) else said(value)


# Anchors and events.


def _anchor(name: str, payload: dict[str, Any]) -> Iterator[Section]:
    if is_reconstruction(name):
        checkpoint = checkpoint_of(name, payload)
        if checkpoint.summary is not None:
            yield Section("summary", checkpoint.summary)
        if checkpoint.reason is not None:
            yield Section("reason", checkpoint.reason)
        line = f"the model is shown messages from place {checkpoint.cursor:,.15g} on"
        yield Section("decides", line, "dim")
        named = sources_of(payload)
        if named:
            yield Section("made of", some([said(identity) for identity in named], 200), "dim")
    state = payload.get("state")
    if state is not None:
        yield Section("state", pretty(state), "code", True)


def _event(name: str, data: dict[str, Any], payload: dict[str, Any]) -> Iterator[Section]:
    if name == VIEW:
        yield from view_sections(mapping(data.get("manifest")))
    elif name == ATTEMPT and mapping(data.get("usage")):
        yield Section("usage", tokens_line(mapping(data["usage"])), "dim")
    elif name == RETRACTED:
        yield Section("kept", _KEPT, "dim")
    elif name == LINKED and text(data.get("resultSummary")):
        yield Section("result", text(data["resultSummary"]))
    yield Section("data", pretty(payload.get("data", payload)), "code")


def _settings(column: dict[str, Any]) -> Iterator[Section]:
    if text(column.get("summary_text")):
        yield Section("summary", text(column["summary_text"]))
    if text(column.get("system_prompt")):
        yield Section("system prompt", text(column["system_prompt"]))
    rest = {
        key: value
        for key, value in column.items()
        if key not in ("summary_text", "system_prompt", "id")
    }
    yield Section("settings", pretty(rest), "code")


# What the row says of itself.


def _of_row(row: dict[str, Any]) -> Iterator[Section]:
    meta = row["meta"]
    source = _SOURCES.get(text(meta.get("source")))
    if source is not None and meta.get("source") != "live":
        yield Section("origin", source, "dim")
    if "mergedFromEntryId" in meta:
        fork = said(meta.get("forkSessionId")) or said(meta.get("forkId"))
        yield Section("merged", f"entry {said(meta['mergedFromEntryId'])} of {fork}", "dim")
    if meta:
        yield Section("meta", pretty(meta), "code", True)
    if row.get("provenanceKey") is not None or row.get("sourceType") is not None:
        parts = (row.get("sourceType"), row.get("sourceId"), row.get("sourceSeq"))
        line = "/".join(said(part) for part in parts if part is not None)
        key = row.get("provenanceKey")
        yield Section("provenance", joined(line, f"key {key}" if key else "no key"), "dim")
