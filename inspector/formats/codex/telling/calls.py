"""What a record says as the person saw it: texts, reasoning, calls and outputs (page 2.4)."""

from typing import Any, Final

from inspector.formats.codex.items import CALLS, OUTPUTS
from inspector.formats.codex.outputs import exit_code, output_text
from inspector.formats.parts import (
    Call,
    Part,
    Result,
    Said,
    Thought,
    answer,
    arguments_of,
    file_of,
)
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import pretty

_ITEM: Final = "response_item/"
_SPAWNED: Final = frozenset({"collab_agent_spawn_end", "collab_agent_spawn_begin"})
_TOLD: Final = frozenset({"event_msg/user_message", "event_msg/agent_message"})
_SEALED: Final = "(encrypted: only the provider can read it)"


def parts(kind: str, payload: dict[str, Any]) -> list[Part] | None:
    """The parts of a record; None of one that is no item and no compaction.

    Args:
        kind: as the table of events names its type.
        payload: what it holds.
    """
    if kind.startswith(_ITEM):
        return _item(kind.removeprefix(_ITEM), payload)
    if kind == "compacted":
        return [Said(text(payload.get("message")))]
    if kind in _TOLD:
        return _told(payload)
    if kind.removeprefix("event_msg/") in _SPAWNED:
        thread = text(payload.get("new_thread_id")) or None
        return [Call(thread, "agent", {"prompt": payload.get("prompt")})]
    return None


def _told(event: dict[str, Any]) -> list[Part]:
    """What somebody says, as the person is told, and the pictures that go with it."""
    found: list[Part] = [Said(text(event.get("message")))]
    found += [
        file_of(place, "" if place.startswith("data:") else "image")
        for key in ("images", "local_images")
        for place in map(text, items(event.get(key)))
        if place
    ]
    return found


def _item(kind: str, item: dict[str, Any]) -> list[Part] | None:
    if kind in ("message", "agent_message"):
        return [_part(part) for part in items(item.get("content"))]
    if kind == "reasoning":
        return _thoughts(item)
    if kind in CALLS:
        return [_call(kind, item)]
    if kind in OUTPUTS:
        return [_output(item)]
    if kind in ("web_search_call", "image_generation_call"):
        # The provider ran it: there is no output, and its state stands in the call.
        call = text(item.get("id")) or text(item.get("call_id")) or None
        status = text(item.get("status"))
        made = Call(call, kind.removesuffix("_call"), item.get("action") or _prompt(item))
        if not status or status == "in_progress":
            return [made]
        files = (file_of(item["result"], "image"),) if isinstance(item.get("result"), str) else ()
        return [made, Result(call, "", status == "failed", files=files)]
    return None


def _prompt(item: dict[str, Any]) -> dict[str, Any]:
    return {"prompt": item.get("revised_prompt")}


def _call(kind: str, item: dict[str, Any]) -> Call:
    call = text(item.get("call_id")) or text(item.get("id")) or None
    if kind == "local_shell_call":
        return Call(call, "shell", mapping(item.get("action")))
    name = text(item.get("name")) or kind.removesuffix("_call")
    space = text(item.get("namespace"))
    return Call(
        call,
        f"{space}.{name}" if space else name,
        arguments_of(item.get("arguments", item.get("input"))),
    )


def _output(item: dict[str, Any]) -> Result:
    output = item.get("output", item.get("tools"))
    call = text(item.get("call_id")) or None
    if isinstance(output, list):
        # An output of parts says nothing of how the tool ended.
        return answer(call, [_part(part) for part in output], None, told_by_text=True)
    told, code = output_text(output), exit_code(output)
    said = told if told is not None else pretty(output)
    failed = None if code is None else code != 0
    in_field = code is not None and (not isinstance(output, str) or output.startswith('{"'))
    return Result(call, said, failed, told_by_text=not in_field)


def _part(part: Any) -> Part:
    shape = mapping(part)
    if isinstance(shape.get("text"), str):
        return Said(shape["text"])
    kind = text(shape.get("type"))
    if "image" in kind:
        place = text(shape.get("image_url")) or text(shape.get("url"))
        return file_of(place, "" if place.startswith("data:") else "image")
    return Said(pretty(part))


def _thoughts(item: dict[str, Any]) -> list[Part]:
    found: list[Part] = [
        Thought(text(mapping(part).get("text")))
        for key in ("summary", "content")
        for part in items(item.get(key))
    ]
    if not found and text(item.get("encrypted_content")):
        return [Thought(_SEALED)]
    return found


def asked_about(payload: dict[str, Any]) -> str | None:
    """The call that a request for approval is about."""
    return text(payload.get("call_id")) or text(payload.get("id")) or None
