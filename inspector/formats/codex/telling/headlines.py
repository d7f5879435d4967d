"""Records in one line each, as plain uncleaned text."""

from typing import Any, Final

from inspector.formats.codex.telling.history import item_line
from inspector.formats.codex.telling.phrases import PHRASES, RECORDS
from inspector.formats.codex.telling.values import content_line, members
from inspector.formats.contract import Headline
from inspector.formats.shapes import items, mapping, text, whole
from inspector.formats.telling import ROW
from inspector.text.labels import plural

_ITEM: Final = "response_item/"
_EVENT: Final = "event_msg/"


def headline(kind: str, payload: dict[str, Any]) -> Headline:
    """A record in one line.

    Args:
        kind: as the table of events names its type.
        payload: what it holds.
    """
    if kind.startswith(_ITEM):
        return item_line(kind.removeprefix(_ITEM), payload)
    if kind == "compacted":
        return Headline("summary", "summary", _compacted(payload))
    name = kind.removeprefix(_EVENT)
    known = PHRASES.get(name) if kind.startswith(_EVENT) else RECORDS.get(kind)
    word, phrase = known or (name[:ROW] or "no type", members)
    return Headline(word, None, phrase(payload)[: 2 * ROW], failed(name, payload))


def _compacted(payload: dict[str, Any]) -> str:
    """The summary, or what is kept without one."""
    message = text(payload.get("message"))[:ROW]
    if message:
        return message
    kept = items(payload.get("replacement_history"))
    last = mapping(kept[-1]) if kept else {}
    said = content_line(last.get("content"))
    counted = f"the history becomes {plural(len(kept), 'item')}"
    return f"{counted}; the last: {said}" if said else counted


def failed(name: str, event: dict[str, Any]) -> bool:
    """Whether a record that is no item tells of something that failed."""
    match name:
        case "error" | "stream_error":
            return True
        case "exec_command_end":
            return bool(whole(event.get("exit_code")))
        case "patch_apply_end":
            return event.get("success") is False
        case "mcp_tool_call_end":
            result = mapping(event.get("result"))
            return "Err" in result or mapping(result.get("Ok")).get("isError") is True
    return False
