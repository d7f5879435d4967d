"""Events for people in full, as plain uncleaned text in sections."""

from typing import Any, Final

from inspector.formats.contract import Section
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import pretty, short, texts
from inspector.formats.zero.effects.calls import call_id
from inspector.formats.zero.effects.turns import attachments
from inspector.formats.zero.event import KEYS
from inspector.formats.zero.telling.headlines import file_words, tokens_line
from inspector.text.labels import plural
from inspector.timeline.words import SpanKind

_NAMED: Final = 50
"""Events that a compaction is said to cover by name."""


def sections(kind: str, event: dict[str, Any]) -> list[Section]:
    """An event in full; ``kind`` is its type."""
    found = _sections(kind, event)
    others = {key: value for key, value in event.items() if key not in KEYS}
    if others:
        found.append(Section("other keys", pretty(others), "code", True))
    return found


def _sections(kind: str, event: dict[str, Any]) -> list[Section]:
    if "payload" not in event:
        return [Section("", "(no payload)", "dim")]
    payload = event["payload"]
    if not isinstance(payload, dict):
        return [Section("", pretty(payload), "code")]
    match kind:
        case "message":
            return _message(payload)
        case "tool_call":
            return [Section(text(payload.get("name")), pretty(payload.get("arguments")), "code")]
        case "tool_result":
            return _result(payload)
        case "session_compaction":
            return _compaction(payload)
        case "provider_usage":
            return [Section("usage", tokens_line(payload), remark=True), _all(payload)]
        case "session_checkpoint":
            files = [file_words(mapping(file)) for file in items(payload.get("files"))]
            return [Section("files", "\n".join(files)), _all(payload)]
        case "error":
            return [*texts("error", message=payload.get("message")), _all(payload)]
        case "goal_created" | "goal_updated" | "goal_cleared":
            return [*texts(objective=payload.get("objective")), _all(payload)]
        case "session_child":
            return [*texts(prompt=payload.get("prompt")), _all(payload)]
        case "specialist_start" | "specialist_stop":
            told = {key: payload.get(key) for key in ("description", "error")}
            return [*texts(**told), _all(payload)]
    return [_all(payload)]


def _all(payload: dict[str, Any]) -> Section:
    """What is kept beside what is said: counts, ids, paths."""
    return Section("", pretty(payload), "code", True)


def _message(payload: dict[str, Any]) -> list[Section]:
    found = [Section("", said) for said in (text(payload.get("content")),) if said]
    shown = text(payload.get("displayContent"))
    if payload.get("from"):
        found.append(Section("from another session", short(payload["from"]), "dim"))
    if shown:
        found.append(Section("shown to the person", shown, "dim"))
    for asked in items(payload.get("questions")):
        options = "\n".join(f"- {short(option)}" for option in items(mapping(asked).get("options")))
        said = f"{text(mapping(asked).get('question'))}\n{options}".rstrip()
        found.append(Section(text(payload.get("header")) or "question", said))
    found += [Section("answer", short(answer)) for answer in items(payload.get("answers"))]
    brought = attachments(payload)
    if brought:
        found.append(Section(brought, pretty(payload.get("attachments")), "code", True))
    return found or [Section("", pretty(payload), "code")]


def _result(payload: dict[str, Any]) -> list[Section]:
    status = text(payload.get("status")) or "ok"
    tone: Any = "plain" if status == "ok" else "error"
    found = [Section("" if status == "ok" else status, text(payload.get("output")), tone)]
    marks = [key for key in ("truncated", "redacted") if payload.get(key) is True]
    if marks:
        said = " and ".join(marks)
        found.append(Section("", f"The owner stored this result {said}.", "dim"))
    changed = ", ".join(short(path) for path in items(payload.get("changedFiles")))
    if changed:
        found.append(Section("changed files", changed, "dim"))
    preview = text(payload.get("displayPreview"))
    if preview:
        found.append(Section("shown to the person", preview, "code", True))
    if payload.get("meta"):
        found.append(Section("meta", pretty(payload["meta"]), "code", True))
    return found


def _compaction(payload: dict[str, Any]) -> list[Section]:
    found = [Section("summary", text(payload.get("summary")))]
    refs = [mapping(ref) for ref in items(payload.get("compactableEvents"))]
    if refs:
        named = [f"{short(ref.get('id'))} {short(ref.get('type'))}" for ref in refs[:_NAMED]]
        more = [f"and {len(refs) - _NAMED:,} more"] if len(refs) > _NAMED else []
        heading = f"covers {plural(len(refs), 'event')}"
        found.append(Section(heading, "\n".join([*named, *more]), "dim"))
    rest = {
        key: value
        for key, value in payload.items()
        if key not in ("summary", "compactableEvents", "preservedEvents")
    }
    found.append(_all(rest))
    return found


# Registers and spans.

_FACTS: Final = {
    "objective": "objective",
    "status": "status",
    "statusReason": "because",
    "tokenBudget": "token budget",
    "tokensUsed": "tokens used",
    "continuationCount": "continued",
    "continuationLimit": "at most",
    "specId": "id",
    "specFilePath": "file",
    "specStatus": "status",
    "specDraftModelId": "drafted by",
    "specUserComment": "comment",
    "specRejectReason": "rejected because",
    "specImplSessionId": "carried out in",
}


def facts_of(payload: dict[str, Any]) -> dict[str, Any]:
    """A goal or a spec as the value of a register, by our names; what is empty is left out."""
    return {
        name: payload[key] for key, name in _FACTS.items() if payload.get(key) not in (None, "", 0)
    }


def name_of(kind: SpanKind, payload: dict[str, Any]) -> str | None:
    """The owner's id of a span, from the payload of the event that opened it, or None."""
    match kind:
        case SpanKind.TOOL_CALL:
            return call_id(payload) or None
        case SpanKind.APPROVAL:
            return text(payload.get("toolCallId")) or text(payload.get("specId")) or None
        case SpanKind.SUBAGENT:
            return text(payload.get("childSessionId")) or text(payload.get("taskId")) or None
    return None
