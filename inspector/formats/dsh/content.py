"""The shapes of messages and of the few events whose data the owner looks into (rules page D).

Every check answers with the owner's complaint in a few words, or None.
"""

from collections.abc import Callable
from typing import Any, Final

from inspector.formats.dsh.upcasting import later_plugin
from inspector.formats.shapes import mapping, whole

Check = Callable[[dict[str, Any]], str | None]

_BARE_REASONS: Final = frozenset({"completed", "blocked", "max-tokens", "interrupted", "disposed"})
"""Reasons of ``turn/end`` that allow no other key."""

_DETAILS: Final = {"aborted": "reason", "error": "error"}
"""Reasons whose detail is not looked into, and the key of it."""

_DEFAULTS: Final = ("reasoningEffort", "maxTokens")
"""What ``adapterDefaults`` may mark as left to the adapter."""


def user_message(data: dict[str, Any]) -> str | None:
    """What is wrong with a user/message, or None."""
    return _message(data, "user")


def assistant_message(data: dict[str, Any]) -> str | None:
    """What is wrong with an assistant/message, or None."""
    message: Any = data.get("message")
    problem = _message(message, "assistant")
    if problem is not None:
        return problem
    source = message["source"]
    if source["kind"] != "model" or not _filled(source, "provider") or not _filled(source, "model"):
        return "message source must be a model with provider and model"
    return None


def tool_result(data: dict[str, Any]) -> str | None:
    """What is wrong with a tool/result, or None."""
    message: Any = data.get("message")
    problem = _message(message, "user")
    if problem is not None:
        return problem
    source, content = message["source"], message["content"]
    if source["kind"] != "tool" or not _filled(source, "callId"):
        return "message source must be a tool with a callId"
    block = content[0] if len(content) == 1 else None
    if (
        type(block) is not dict
        or block.get("type") != "tool-result"
        or type(block.get("content")) is not list
    ):
        return "message must hold exactly one tool-result block"
    if block.get("toolCallId") != source["callId"]:
        return "toolCallId must be the callId of the source"
    return None


def system_message(data: dict[str, Any]) -> str | None:
    """What is wrong with a system/message of version 3 and later, or None."""
    return _message(data.get("message"), "system")


def developer_message(data: dict[str, Any]) -> str | None:
    """What is wrong with a developer/message of version 4 and later, or None."""
    return _message(data.get("message"), "developer")


def _message(message: Any, role: str) -> str | None:
    if type(message) is not dict:
        return "message must be an object"
    # Every message of a tape comes through here, so nothing is asked by calls.
    identity, source = message.get("id"), message.get("source")
    if type(identity) is not str or not identity:
        return "message id must be a non-empty string"
    if message.get("role") != role:
        return f"message role must be {role}"
    kind = source.get("kind") if type(source) is dict else None
    if type(kind) is not str or not kind:
        return "message source must be an object with a kind"
    if type(message.get("content")) is not list:
        return "message content must be an array"
    return None


def _filled(shape: dict[str, Any], key: str) -> bool:
    value = shape.get(key)
    return type(value) is str and value != ""


def turn_end(data: dict[str, Any]) -> str | None:
    """What is wrong with a turn/end, or None; one in an old shape is brought up before."""
    turn, reason = whole(data.get("turn")), data.get("reason")
    if data.keys() != {"turn", "reason"} or turn is None or turn < 1:
        return "turn/end must hold exactly a turn and a reason"
    kind = mapping(reason).get("kind")
    if type(kind) is not str:
        return "the reason of turn/end must have a kind"
    if kind in _BARE_REASONS and len(mapping(reason)) != 1:
        return f"reason {kind} allows no other key"
    detail = _DETAILS.get(kind)
    if detail is not None and detail not in mapping(reason):
        return f"reason {kind} needs its {detail}"
    return None


def request_header(data: dict[str, Any]) -> str | None:
    """What is wrong with the config of a request/header, or None."""
    header = mapping(data.get("header"))
    config = mapping(header.get("config"))
    if not _filled(config, "provider") or not _filled(config, "model"):
        return "request/header config needs a provider and a model"
    if "reasoningEffort" in config and not _filled(config, "reasoningEffort"):
        return "request/header config has an empty reasoningEffort"
    defaults = header.get("adapterDefaults", {})
    if type(defaults) is not dict or any(
        key not in _DEFAULTS or value is not True or key not in config
        for key, value in defaults.items()
    ):
        return "request/header adapterDefaults may only mark what config has"
    return None


CHECKS: Final[dict[str, Check]] = {
    "user/message": user_message,
    "assistant/message": assistant_message,
    "tool/result": tool_result,
    "system/message": system_message,
    "developer/message": developer_message,
    "turn/end": turn_end,
}
"""By type, the check that the owner makes before it knows all types (rules page B3)."""

REQUEST_HEADER: Final = "request/header"

FALLBACK: Final = "fallback"
"""A reason of a request/header that is retired (format page 1.9)."""


def _started(data: dict[str, Any]) -> str | None:
    """A turn/start of the shape before v0 was settled is no plain one."""
    return "an old shape" if "trigger" in data else None


def _plain_user(data: dict[str, Any]) -> str | None:
    """A message of a plugin in the words of later versions is to be brought down first."""
    problem = user_message(data)
    if problem is None and later_plugin(data["source"]) is not None:
        return "a source of a later version"
    return problem


def _plain_assistant(data: dict[str, Any]) -> str | None:
    problem = assistant_message(data)
    if problem is None and None in data["message"]["content"]:
        return "a null block"
    return problem


def _plain_request(data: dict[str, Any]) -> str | None:
    """One for a retired reason is refused whatever it holds."""
    return "a retired reason" if data.get("reason") == FALLBACK else request_header(data)


QUICK_CHECKS: Final[dict[str, Check]] = {
    **CHECKS,
    "turn/start": _started,
    "user/message": _plain_user,
    "assistant/message": _plain_assistant,
    REQUEST_HEADER: _plain_request,
}
"""By type, what a record that needs no closer look passes."""

NEEDS_DATA: Final = frozenset({"turn/start", "step/start", "tool/call"})
"""Types whose data must not be null: the owner's reader crashes on it (rules page A5)."""


def crashes(kind: str, data: Any) -> bool:
    """Whether the owner's scan for what is open crashes on an event (rules page A5 and D)."""
    if kind in NEEDS_DATA:
        return data is None
    if kind != "assistant/message":
        return False
    content = mapping(mapping(data).get("message")).get("content")
    return type(content) is list and None in content
