"""Events of every version as the newest shapes of v0, which is all that the fold knows.

Old shapes of v0 are brought up as the owner does it when it reads (format page 1.9); later versions
are brought down to the same model where they only say it differently (section 11). What an event
says is never changed, and the raw record stays as it is.
"""

from collections.abc import Callable
from typing import Any, Final

from inspector.formats.shapes import mapping, natural, text, whole

Json = dict[str, Any]


class Malformed(Exception):  # noqa: N818 - the owner's word for an old shape that is none
    """An event of an old shape that is not that either; the message is one sentence."""


_REPLACE_KEYS: Final = {"startSeq": "start", "endSeq": "end"}
"""The ends of a replaced range since version 3."""

_SOURCES: Final = {
    "compact-checkpoint": "compact",
    "ptc-mode": "tools-ptc",
    "compact-basic": "compaction-basic",
    "system-prompt": "@deepseek-ai/dsh-system-prompt",
}
"""Source kinds of version 4 that were plugins before."""

_TOOL_ROLE_SINCE: Final = 4
_SEQ_KEYS_SINCE: Final = 3


class Upcaster:
    """Brings the events of one log to the newest shapes of v0.

    Args:
        version: of the log.
        session: its id, from which the owner makes the ids of messages that have none.
        message_id: the id of the message of the event with an owner's number, or None.
    """

    def __init__(
        self, version: float, session: str | None, message_id: Callable[[int], str | None]
    ) -> None:
        self._version = version
        self._session = session or ""
        self._message_id = message_id
        self._roots: dict[int, int] = {}

    def upcast(self, event: Json) -> Json:
        """An event in the newest shape, itself if it has it already.

        Raises:
            Malformed: if it is of an old shape, but not as that has to be.
        """
        data = event.get("data")
        if type(data) is not dict:
            return event
        if self._version >= _SEQ_KEYS_SINCE:
            return self._down(event, data)
        old = _OLD.get(event["type"])
        return event if old is None else old(self, event, data)

    # Old shapes of v0.

    def _turn_start(self, event: Json, data: Json) -> Json:
        if "trigger" not in data:
            return event
        kind = mapping(data["trigger"]).get("kind")
        if data.keys() != {"turn", "trigger"} or not isinstance(kind, str):
            raise Malformed("turn/start must hold exactly a turn and a trigger with a kind")
        return {**event, "data": {"turn": data["turn"]}}

    def _turn_end(self, event: Json, data: Json) -> Json:
        reason = mapping(data.get("reason"))
        settled = _old_reason(reason)
        return event if settled is reason else {**event, "data": {**data, "reason": settled}}

    def _steering(self, event: Json, data: Json) -> Json:
        if data.keys() == {"turn", "message"}:
            message = data["message"]
        elif data.keys() == {"turn", "content", "source"}:
            message = {"content": data["content"], "source": data["source"]}
        else:
            raise Malformed("steering/message must hold a turn and a message, or its parts")
        moved = {**event, "type": "user/message", "data": message}
        return self._user_message(moved, mapping(message))

    def _user_message(self, event: Json, data: Json) -> Json:
        if "id" in data or "role" in data or "content" not in data:
            return event
        return {**event, "data": {"id": self._legacy_id(event), "role": "user", **data}}

    def _assistant_message(self, event: Json, data: Json) -> Json:
        if "message" in data or "content" not in data:
            return event
        message = {
            "id": self._legacy_id(event),
            "role": "assistant",
            "content": data["content"],
            "source": {"kind": "model", **mapping(data.get("provenance"))},
        }
        rest = {key: value for key, value in data.items() if key not in ("content", "provenance")}
        return {**event, "data": {**rest, "message": message}}

    def _tool_result(self, event: Json, data: Json) -> Json:
        if "message" in data or "callId" not in data:
            return event
        block = {
            "type": "tool-result",
            "toolCallId": data["callId"],
            "content": data.get("content"),
        }
        if "isError" in data:
            block["isError"] = data["isError"]
        message = {
            "id": self._rewritten_id(event) or self._legacy_id(event),
            "role": "user",
            "source": {"kind": "tool", "callId": data["callId"]},
            "content": [block],
        }
        moved = ("callId", "content", "isError")
        rest = {key: value for key, value in data.items() if key not in moved}
        return {**event, "data": {**rest, "message": message}}

    def _legacy_id(self, event: Json) -> str:
        return f"legacy-message:{self._session}:{whole(event.get('seq'))}"

    def _rewritten_id(self, event: Json) -> str | None:
        """A result that replaces another inherits the id of its message.

        A chain of rewrites is remembered by its root: following it link by link would take as long
        as a hostile tape likes.
        """
        target = natural(mapping(event.get("surfaceOp")).get("start"))
        number = natural(event.get("seq"))
        if target is None or number is None or target >= number:
            return None
        root = self._roots.get(number)
        if root is None:
            root = self._roots[number] = self._roots.get(target, target)
        return self._message_id(root)

    # Later versions.

    def operation(self, event: Json) -> Json:
        """An event with its surface operation in the words of v0."""
        operation = event.get("surfaceOp")
        if self._version < _SEQ_KEYS_SINCE or type(operation) is not dict:
            return event
        renamed = {_REPLACE_KEYS.get(key, key): value for key, value in operation.items()}
        return {**event, "surfaceOp": renamed}

    def _down(self, event: Json, data: Json) -> Json:
        changed = self.operation(event)
        if self._version >= _TOOL_ROLE_SINCE:
            settled = _with_source(_with_wrapped_result(event["type"], data))
            if settled is not data:
                return {**changed, "data": settled}
        return changed


def _old_reason(reason: Json) -> Json:
    kind = reason.get("kind")
    if kind == "aborted" and "reason" not in reason:
        if len(reason) != 1:
            raise Malformed("reason aborted allows no other key than its reason")
        return {"kind": "aborted", "reason": {"kind": "legacy"}}
    if kind == "disposed":
        if len(reason) != 1:
            raise Malformed("reason disposed allows no other key")
        return {"kind": "aborted", "reason": {"kind": "disposed"}}
    if kind == "error" and "error" not in reason:
        return {"kind": "error", "error": _old_failure(reason)}
    return reason


def _old_failure(reason: Json) -> Json:
    rest = reason.keys() - {"kind", "step"}
    if "step" in reason and rest == {"failure"} and type(reason["failure"]) is dict:
        return {"code": "UNKNOWN", **reason["failure"]}
    if "step" in reason and rest in ({"message"}, {"message", "code"}):
        return {"message": reason["message"], "code": reason.get("code", "UNKNOWN")}
    raise Malformed("reason error needs its error, or a step and a failure or message")


def _with_wrapped_result(kind: str, data: Json) -> Json:
    """A tool result of role ``tool`` in the wrapping block of v0."""
    message = data.get("message")
    if kind != "tool/result" or type(message) is not dict or message.get("role") != "tool":
        return data
    block = {"type": "tool-result", "toolCallId": message.get("toolCallId")}
    block |= {key: message[key] for key in ("content", "isError") if key in message}
    kept = {key: value for key, value in message.items() if key not in ("toolCallId", "isError")}
    return {**data, "message": {**kept, "role": "user", "content": [block]}}


def later_plugin(source: Json) -> str | None:
    """The plugin that a source of version 4 and later stands for, or None."""
    kind = text(source.get("kind"))
    return _SOURCES.get(kind) or (kind[7:] if kind.startswith("plugin:") else None)


def _with_source(data: Json) -> Json:
    """Messages of plugins by the words of v0."""
    source = mapping(data.get("source"))
    plugin = later_plugin(source)
    if plugin is None:
        return data
    return {**data, "source": {**source, "kind": "plugin", "plugin": plugin}}


_OLD: Final[dict[str, Callable[[Upcaster, Json, Json], Json]]] = {
    "turn/start": Upcaster._turn_start,
    "turn/end": Upcaster._turn_end,
    "steering/message": Upcaster._steering,
    "user/message": Upcaster._user_message,
    "assistant/message": Upcaster._assistant_message,
    "tool/result": Upcaster._tool_result,
}

STEERING: Final = "steering/message"
"""A type that is read as another one (format page 1.9)."""

RETIRED: Final = ("request/header-delta", "mode/set")
"""Types that the owner refuses wherever they stand, the one that it looks for first first."""
