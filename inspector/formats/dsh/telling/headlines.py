"""Events for people in one line each, as plain uncleaned text.

Texts of a row are cut before anything else happens to them: a row costs the same whatever stands in
the record.
"""

from typing import Any, Final

from inspector.formats.contract import Headline
from inspector.formats.dsh.blocks import blocks_line
from inspector.formats.dsh.effects.messages import is_checkpoint, is_human, result_block
from inspector.formats.dsh.telling.phrases import PHRASES, failed
from inspector.formats.dsh.vocabulary import LATER_WORDS, WORDS
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import ROW, listed, usage_line

_WORDS: Final = WORDS | {name: word for of in LATER_WORDS.values() for name, word in of.items()}

_SPOKEN: Final = {"system/message": "system", "developer/message": "developer"}
"""Messages of later versions and who speaks in them (section 11)."""


def headline(event: dict[str, Any], name: str) -> Headline:
    """An event in one line; ``name`` is its type, which a damaged payload may not tell."""
    data = mapping(event.get("data"))
    word = _WORDS.get(name, name[:ROW])
    if name == "user/message":
        return _user_headline(data)
    if name == "assistant/message":
        return _assistant_headline(data)
    if name == "tool/result":
        block = result_block(data)
        return Headline(
            word, "tool", blocks_line(items(block.get("content"))), block.get("isError") is True
        )
    if name == "assistant/chunk":
        kind, line, error = chunk_line(mapping(data.get("chunk")))
        return Headline(kind, None, line, error)
    if name in _SPOKEN:
        blocks = items(mapping(data.get("message")).get("content"))
        return Headline(word, _SPOKEN[name], blocks_line(blocks) or "(empty)")
    phrase = PHRASES.get(name, listed)
    return Headline(word, None, phrase(data)[: 2 * ROW], failed(name, data))


def _user_headline(data: dict[str, Any]) -> Headline:
    line = blocks_line(items(data.get("content")))
    if is_checkpoint(data):
        return Headline("summary", "summary", _after_marker(line))
    if is_human(data):
        return Headline("user", "user", line)
    source = mapping(data.get("source"))
    origin = text(source.get("plugin")) or text(source.get("kind")) or "injected"
    return Headline("context", "user", f"[{origin[:40]}] {line}")


def _after_marker(line: str) -> str:
    """The summary itself, which stands behind the owner's preamble (format page 7.4)."""
    _, marker, rest = line.partition("<compacted-summary>")
    return rest.removesuffix("</compacted-summary>").strip() if marker else line


def _assistant_headline(data: dict[str, Any]) -> Headline:
    blocks = items(mapping(data.get("message")).get("content"))
    line = blocks_line(blocks)
    if data.get("interrupted") is True:
        line = f"(interrupted) {line}"
    return Headline("assistant", "assistant", line or "(empty)")


def chunk_line(chunk: dict[str, Any]) -> tuple[str, str, bool]:
    """A stream chunk: what it is, the start of what it says, and whether it is an error."""
    kind = text(chunk.get("type"))
    if kind in ("text-delta", "reasoning-delta"):
        word = "text" if kind == "text-delta" else "thinking"
        return f"· {word}", text(chunk.get("text"))[:ROW], False
    if kind == "tool-call-delta":
        name = text(chunk.get("name"))[:80]
        return "· arguments", f"{name} {text(chunk.get('argumentsDelta'))[:ROW]}".strip(), False
    if kind == "block-start":
        return "· block", f"{text(chunk.get('blockType'))[:80]} begins", False
    if kind == "block-end":
        return "· block end", text(mapping(chunk.get("block")).get("type"))[:80], False
    if kind == "usage":
        return "· usage", tokens_line(mapping(chunk.get("usage"))), False
    if kind == "finish":
        reason = mapping(chunk.get("reason"))
        failure = mapping(reason.get("failure"))
        message = text(failure.get("message"))[:ROW]
        line = f"{text(reason.get('kind'))[:80]} {message}".strip()
        return "· finish", line, reason.get("kind") == "error"
    return "· chunk", kind[:ROW], False


_COUNTED: Final = {
    "inputTokens": "input",
    "cacheReadTokens": "cache read",
    "cacheWriteTokens": "cache write",
    "outputTokens": "output",
    "reasoningTokens": "reasoning",
}


def tokens_line(usage: dict[str, Any]) -> str:
    """Reported tokens in one line."""
    return usage_line(usage, _COUNTED)
