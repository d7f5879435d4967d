"""The request that the owner makes of a history: calls and outputs are paired first (RULES R5)."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from inspector.formats.codex.items import CALLS, OUTPUTS, is_known
from inspector.formats.contract import RequestEntry
from inspector.formats.parts import file_of, file_words
from inspector.formats.shapes import items, mapping, text
from inspector.text.jsontext import json_text

ABORTED: Final = "aborted"
"""What the owner puts in the place of an output that is missing."""

_ANSWERED: Final = "the call has no output in the history; the owner answers it itself"
_ORPHAN: Final = "no call of its kind is in the history"


class Row(NamedTuple):
    """A row of the surface and the item that it stands for."""

    node: int
    item: dict[str, Any]


def unpaired(rows: Sequence[Row]) -> tuple[list[int], list[int]]:
    """The nodes of outputs that are left out of a request, and those of calls that have none."""
    answered, called = _keys(rows)
    dropped = [row.node for row in rows if _is_orphan(row.item, called)]
    waiting = [row.node for row in rows if _waits(row.item, answered)]
    return dropped, waiting


def request(rows: Sequence[Row]) -> list[RequestEntry]:
    """The entries of the request, what the owner leaves out among them."""
    return list(_entries(rows, *_keys(rows)))


_Key = tuple[str, str]
"""Of a call and its output: the output's type, and the id."""


def _keys(rows: Sequence[Row]) -> tuple[set[_Key], set[_Key]]:
    """What has an output, and what a call."""
    answered = {key for row in rows if (key := _answers(row.item)) is not None}
    called = {key for row in rows if (key := _asks(row.item)) is not None}
    return answered, called


def _is_orphan(item: dict[str, Any], called: set[_Key]) -> bool:
    """Whether an item is an output that needs a call and has none."""
    answers = _answers(item)
    return answers is not None and answers not in called and not _is_servers(item)


def _waits(item: dict[str, Any], answered: set[_Key]) -> bool:
    """Whether an item is a call that has no output."""
    asks = _asks(item)
    return asks is not None and asks not in answered


def _entries(rows: Sequence[Row], answered: set[_Key], called: set[_Key]) -> Iterator[RequestEntry]:
    for row in rows:
        item = row.item
        asks, orphan = _asks(item), _is_orphan(item, called)
        yield RequestEntry(
            row.node,
            note="dropped" if orphan else None,
            type=type_of(item),
            role=text(item.get("role")) or None,
            text=text_of(item),
            call_id=text(item.get("call_id")) or None,
            why=_ORPHAN if orphan else "",
        )
        if asks is not None and asks not in answered:
            kind, call = asks
            said = None if kind == "tool_search_output" else ABORTED
            yield RequestEntry(
                None, note="added", type=kind, role=None, text=said, call_id=call, why=_ANSWERED
            )


def _asks(item: dict[str, Any]) -> _Key | None:
    """What would answer a call; None for what is no call, or has no id."""
    kind, call = item.get("type"), item.get("call_id")
    known = isinstance(kind, str) and kind in CALLS and isinstance(call, str)
    return (CALLS[str(kind)], str(call)) if known else None


def _answers(item: dict[str, Any]) -> _Key | None:
    kind, call = item.get("type"), item.get("call_id")
    known = isinstance(kind, str) and kind in OUTPUTS and isinstance(call, str)
    return (str(kind), str(call)) if known else None


def _is_servers(item: dict[str, Any]) -> bool:
    """Whether an output came from the server, which needs no call."""
    return item.get("type") == "tool_search_output" and item.get("execution") == "server"


def type_of(item: dict[str, Any]) -> str:
    """The type of an item as it is sent; one that the owner does not know is ``other``."""
    kind = item.get("type")
    return str(kind) if is_known(kind) else "other"


def text_of(item: dict[str, Any]) -> str | None:
    """What an item says as it is sent; None where it is no text."""
    match item.get("type"):
        case "message" | "agent_message":
            return "\n".join(map(_part, items(item.get("content"))))
        case "function_call":
            return text(item.get("arguments"))
        case "custom_tool_call":
            return text(item.get("input"))
        case "function_call_output" | "custom_tool_call_output":
            output = item.get("output")
            if isinstance(output, list):
                return json_text(list(map(_named, output)))
            return output if isinstance(output, str) else json_text(output)
        case "local_shell_call":
            return json_text(mapping(item.get("action")).get("command"))
        case "reasoning":
            return "\n".join(text(mapping(part).get("text")) for part in items(item.get("summary")))
        case "compaction" | "compaction_summary" | "context_compaction":
            return text(item.get("encrypted_content"))
        case "web_search_call":
            return json_text(item.get("action"))
    return None


def _part(part: Any) -> str:
    shape = mapping(part)
    said, kind = shape.get("text"), text(shape.get("type"))
    if isinstance(said, str):
        return said
    return _file(text(shape.get("image_url")) or text(shape.get("url")), kind)


def _named(part: Any) -> Any:
    """A part of an output, a picture in it named and not carried."""
    place = text(mapping(part).get("image_url"))
    return {**part, "image_url": _file(place, "image")} if place else part


def _file(place: str, kind: str) -> str:
    return file_words(file_of(place, "" if place.startswith("data:") else kind))
