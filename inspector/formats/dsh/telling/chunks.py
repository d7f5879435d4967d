"""What an event adds to a message that is being put together (format page 1.6, 1.10 and 11)."""

from collections.abc import Iterator
from typing import Any, Final

from inspector.formats.chunks import Chunk, Step
from inspector.formats.dsh.vocabulary import ASSISTANT_MESSAGE, CHUNK, PACKED, TURN_END
from inspector.formats.shapes import items, mapping, natural, text

ATTEMPT: Final = "assistant/attempt"
RETRY: Final = "llm/retry"

_BOUNDS: Final = frozenset({"turn/start", TURN_END, "step/start", "step/end"})

TYPES: Final = frozenset({CHUNK, ASSISTANT_MESSAGE, ATTEMPT, RETRY}) | _BOUNDS
"""The types of events that add something, or end what was not whole."""

_DELTAS: Final = {
    "text-delta": ("text", "text"),
    "reasoning-delta": ("reasoning", "text"),
    "tool-call-delta": ("tool_call", "argumentsDelta"),
}
"""Chunk type to our word for its block and the key of what it adds."""

_ENDS: Final = frozenset({"error", "aborted"})


def chunks(event: dict[str, Any], name: str) -> list[Chunk]:
    """The pieces that an event holds; a log of a later version keeps them with the message."""
    data = mapping(event.get("data"))
    of = _of(data)
    if name == CHUNK:
        return list(_chunk(mapping(data.get("chunk")), of))
    if name == ASSISTANT_MESSAGE:
        return [*_stream(data.get("stream"), of), _whole(data, of)]
    if name == ATTEMPT:
        return [*_stream(data.get("stream"), of), Chunk(Step.RETRY, of)]
    if name == RETRY:
        return [Chunk(Step.RETRY, of)]
    return [Chunk(Step.OVER)] if name in _BOUNDS else []


def _of(data: dict[str, Any]) -> str:
    turn, step = natural(data.get("turn")), natural(data.get("step"))
    return "" if turn is None or step is None else f"turn {turn} step {step}"


def _stream(rows: Any, of: str) -> Iterator[Chunk]:
    """The rows that a message of a later version carries: packed ones and single chunks."""
    for row in map(mapping, items(rows)):
        kind = text(row.get("type"))
        if kind not in PACKED:
            yield from _chunk(mapping(row.get("chunk")), of)
            continue
        chunk, key, delta = PACKED[kind]
        about: dict[str, Any] = {key: row[key] for key in _ABOUT if key in row}
        for member in items(row.get(key)):
            yield from _chunk({"type": chunk, **about, delta: member}, of)


_ABOUT: Final = ("index", "id", "name")
"""What all members of a packed row share."""


def _chunk(chunk: dict[str, Any], of: str) -> Iterator[Chunk]:
    kind, index = text(chunk.get("type")), natural(chunk.get("index"))
    if kind == "finish":
        reason = mapping(chunk.get("reason"))
        if reason.get("kind") in _ENDS:
            why = text(mapping(reason.get("failure")).get("message"))
            yield Chunk(Step.FAILED, of, text=why or text(reason.get("kind")))
    elif index is None:
        return
    elif kind in _DELTAS:
        block, key = _DELTAS[kind]
        call = text(chunk.get("id")) or None
        added, tool = text(chunk.get(key)), text(chunk.get("name"))
        yield Chunk(Step.GROWS, of, index, block, added, tool, call)
    elif kind == "block-start":
        yield Chunk(Step.BEGINS, of, index, _word(text(chunk.get("blockType"))))
    elif kind == "block-end":
        whole = mapping(chunk.get("block"))
        word, said = _block(whole)
        call = text(whole.get("id")) or None
        yield Chunk(Step.ENDS, of, index, word, said, text(whole.get("name")), call)


def _whole(data: dict[str, Any], of: str) -> Chunk:
    message = mapping(data.get("message"))
    return Chunk(
        Step.WHOLE,
        of,
        id=text(message.get("id")) or None,
        cut_off=data.get("interrupted") is True,
        blocks=tuple(_block(mapping(block)) for block in items(message.get("content"))),
    )


def _block(block: dict[str, Any]) -> tuple[str, str]:
    word = _word(text(block.get("type")))
    return word, text(block.get("arguments" if word == "tool_call" else "text"))


def _word(kind: str) -> str:
    return "tool_call" if kind == "tool-call" else kind
