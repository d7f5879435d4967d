"""Events for people in one line each, as plain uncleaned text."""

from typing import Any, Final

from inspector.formats.contract import Headline
from inspector.formats.shapes import items, mapping, natural, text
from inspector.formats.telling import (
    NAME,
    ROW,
    Phrase,
    call_line,
    joined,
    listed,
    short,
    some,
    usage_line,
)
from inspector.formats.zero.effects.turns import attachments
from inspector.formats.zero.vocabulary import (
    ANSWERS,
    ASKS,
    ASSISTANT,
    COMPACTION,
    CROSS_SESSION,
    MESSAGE,
    TOOL_CALL,
    TOOL_RESULT,
    USER,
    WORDS,
)
from inspector.text.labels import plural, size


def headline(kind: str, event: dict[str, Any]) -> Headline:
    """An event in one line; ``kind`` is its type."""
    payload = event.get("payload")
    if not isinstance(payload, dict):
        word = WORDS.get(kind, kind[:ROW]) or "no type"
        return Headline(word, None, "" if payload is None else short(payload))
    if kind == MESSAGE:
        return _message(payload)
    if kind == TOOL_CALL:
        return Headline(
            "tool call", "assistant", call_line(text(payload.get("name")), payload.get("arguments"))
        )
    if kind == TOOL_RESULT:
        bad = (text(payload.get("status")) or "ok") != "ok"
        said = text(payload.get("output"))[:ROW]
        return Headline("tool result", "tool", said or "(no output)", bad)
    if kind == COMPACTION:
        return Headline("summary", "summary", text(payload.get("summary"))[:ROW])
    phrase = _PHRASES.get(kind, listed)
    word = WORDS.get(kind, kind[:ROW]) or "no type"
    return Headline(word, None, phrase(payload)[: 2 * ROW], failed(kind, payload))


def _message(payload: dict[str, Any]) -> Headline:
    role = payload.get("role")
    said = text(payload.get("content"))[:ROW]
    if role == USER:
        if payload.get("origin") == CROSS_SESSION:
            shown = text(payload.get("displayContent"))[:ROW] or said
            return Headline("context", "user", f"[{_name(payload, 'from')}] {shown}")
        brought = attachments(payload)
        return Headline("user", "user", f"{said} [{brought}]" if brought else said)
    if role == ASSISTANT:
        return Headline("assistant", "assistant", said or "(empty)")
    if role == ASKS:
        asked = (text(mapping(asked).get("question")) for asked in items(payload.get("questions")))
        return Headline("question", "assistant", " · ".join(list(asked)[:5])[:ROW])
    if role == ANSWERS:
        answers = [short(answer) for answer in items(payload.get("answers"))[:5]]
        return Headline("answer", "user", " · ".join(answers)[:ROW])
    return Headline("message", text(role)[:NAME] or None, said)


def failed(kind: str, payload: dict[str, Any]) -> bool:
    """Whether an event that is no message tells of something that failed."""
    if kind == "error":
        return True
    if kind == "specialist_stop":
        return text(payload.get("status")) not in ("ok", "") or bool(payload.get("error"))
    return False


def _name(payload: dict[str, Any], key: str) -> str:
    return text(payload.get(key))[:NAME]


# Single types.


_COUNTED: Final = {
    "promptTokens": "prompt",
    "cachedInputTokens": "cached",
    "cacheWriteTokens": "cache written",
    "completionTokens": "output",
    "reasoningTokens": "reasoning",
}


def tokens_line(payload: dict[str, Any]) -> str:
    """Reported tokens in one line."""
    who = ""
    if payload.get("source") == "specialist":
        who = f"specialist {_name(payload, 'specialist')}".rstrip()
    counts = {key: payload[key] for key in _COUNTED if payload.get(key)}
    return joined(who, usage_line(counts, _COUNTED), _name(payload, "model"))


def _permission(payload: dict[str, Any]) -> str:
    tool = _name(payload, "name") or _name(payload, "toolName")
    action = _name(payload, "decisionAction") or _name(payload, "action")
    reason = text(payload.get("decisionReason")) or text(payload.get("reason"))
    mode = _name(payload, "permissionMode")
    return joined(f"{tool}: {action}", reason[:ROW], f"mode {mode}" if mode else "", _risk(payload))


def _risk(payload: dict[str, Any]) -> str:
    level = _name(mapping(payload.get("risk")), "level")
    return f"risk {level}" if level else ""


def _checkpoint(payload: dict[str, Any]) -> str:
    files = [file_words(mapping(file)) for file in items(payload.get("files"))]
    return f"before {_name(payload, 'tool')}: {some(files, 3)}"


def file_words(file: dict[str, Any]) -> str:
    """What a checkpoint keeps of a file."""
    path = text(file.get("path"))[:ROW]
    if file.get("absent") is True:
        return f"{path} (not there yet)"
    if file.get("skipped") is True:
        return f"{path} (skipped)"
    length = natural(file.get("bytes"))
    return path if length is None else f"{path} ({size(length)})"


def _rewind(payload: dict[str, Any]) -> str:
    report = mapping(payload.get("report"))
    restored, deleted = natural(report.get("filesRestored")), natural(report.get("filesDeleted"))
    skipped = len(items(report.get("skipped")))
    target = payload.get("targetSequence")
    return joined(
        "" if target is None else f"to sequence {short(target)}",
        f"{plural(restored, 'file')} restored" if restored else "",
        f"{plural(deleted, 'file')} deleted" if deleted else "",
        f"{skipped} skipped" if skipped else "",
    )


def _fork(payload: dict[str, Any]) -> str:
    copied = natural(payload.get("copiedEventCount"))
    head = f"of {_name(payload, 'parentSessionId')}"
    return head if copied is None else f"{head}: {plural(copied, 'event')} copied"


def _child(payload: dict[str, Any]) -> str:
    return joined(
        f"{_name(payload, 'agentName') or 'a child'} in {_name(payload, 'childSessionId')}",
        text(payload.get("prompt"))[:ROW],
    )


def _specialist(payload: dict[str, Any]) -> str:
    name = _name(payload, "specialist") or _name(payload, "taskId")
    status, error = _name(payload, "status"), text(payload.get("error"))[:ROW]
    head = f"{name}: {status}" if status else name
    return joined(head, error or text(payload.get("description"))[:ROW])


def _spec(payload: dict[str, Any]) -> str:
    reason = text(payload.get("specRejectReason")) or text(payload.get("specUserComment"))
    path = _name(payload, "specFilePath")
    return joined(_name(payload, "specId"), path, reason[:ROW])


def _goal(payload: dict[str, Any]) -> str:
    status, why = _name(payload, "status"), text(payload.get("statusReason"))[:ROW]
    return joined(text(payload.get("objective"))[:ROW], f"{status}: {why}" if why else status)


_PHRASES: Final[dict[str, Phrase]] = {
    "permission": _permission,
    "permission_request": _permission,
    "permission_decision": _permission,
    "provider_usage": tokens_line,
    "error": lambda payload: text(payload.get("message"))[:ROW] or listed(payload),
    "session_checkpoint": _checkpoint,
    "session_rewind": _rewind,
    "session_fork": _fork,
    "session_child": _child,
    "specialist_start": _specialist,
    "specialist_stop": _specialist,
    "spec_draft": _spec,
    "spec_approved": _spec,
    "spec_rejected": _spec,
    "goal_created": _goal,
    "goal_updated": _goal,
    "goal_cleared": _goal,
}
"""Every type that is no message and whose fields are known, and how it is said."""
