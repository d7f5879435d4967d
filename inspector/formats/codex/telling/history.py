"""Items of the history in one line and in full (format page 2.4)."""

from typing import Any, Final

from inspector.formats.codex import injected
from inspector.formats.codex.items import CALLS, OPAQUE, OUTPUTS
from inspector.formats.codex.outputs import exit_code, output_text
from inspector.formats.codex.telling.values import (
    called,
    command_line,
    content_line,
    content_text,
    members,
)
from inspector.formats.contract import Headline, Section
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import ROW, behind, joined, pretty, said
from inspector.text.labels import size

_WORDS: Final = {
    "web_search_call": "web search",
    "image_generation_call": "image",
    "additional_tools": "tools",
    "ghost_snapshot": "snapshot",
}


def item_line(kind: str, item: dict[str, Any]) -> Headline:
    """An item in one line; ``kind`` is its type."""
    if kind == "message":
        return _message(item)
    if kind == "reasoning":
        return Headline("reasoning", "assistant", _reasoning(item)[:ROW])
    if kind in CALLS:
        return Headline("tool call", "assistant", _call(item))
    if kind in OUTPUTS:
        return _output(item)
    if kind == "agent_message":
        who = behind(said(item.get("author")), said(item.get("recipient")), " → ")
        return Headline("agent", "user", behind(who, content_line(item.get("content"))))
    if kind in OPAQUE:
        return Headline("summary", "summary", _sealed(item))
    if kind == "web_search_call":
        action = mapping(item.get("action"))
        asked = text(action.get("query")) or text(action.get("url")) or members(action)
        return Headline("web search", "assistant", asked[:ROW])
    if kind == "image_generation_call":
        return Headline("image", "assistant", text(item.get("revised_prompt"))[:ROW])
    return Headline(_WORDS.get(kind, kind[:ROW] or "no type"), None, members(item))


def _message(item: dict[str, Any]) -> Headline:
    role, line = text(item.get("role")), content_line(item.get("content"))
    shown = line or "(empty)"
    if role == "user":
        whole = [text(mapping(part).get("text")) for part in items(item.get("content"))]
        summary = next(filter(injected.is_summary, whole), None)
        if summary is not None:
            return Headline("summary", "summary", _after_prefix(summary) or shown)
        if any(injected.is_context(one) or injected.is_told(one) for one in whole):
            return Headline("context", "user", shown)
        return Headline("user", "user", shown)
    if role == "assistant":
        return Headline("assistant", "assistant", shown)
    return Headline("context" if role == "developer" else "message", role[:80] or None, shown)


def _after_prefix(said: str) -> str:
    """The start of the summary itself, which stands behind the owner's fixed words (RULES R3)."""
    _, _, behind_it = said.partition("assist with your own analysis:")
    return behind_it[: 2 * ROW].strip()[:ROW]


def _reasoning(item: dict[str, Any]) -> str:
    told = content_line(item.get("summary")) or content_line(item.get("content"))
    # The owner's summaries begin with a title in the marks of Markdown.
    return told.replace("**", "") or _sealed(item)


def _sealed(item: dict[str, Any]) -> str:
    """What can be said of an item that only the provider can read."""
    length = len(text(item.get("encrypted_content")))
    return f"(encrypted, {size(length)})" if length else "(empty)"


def _call(item: dict[str, Any]) -> str:
    if item.get("type") == "local_shell_call":
        return f"shell {command_line(mapping(item.get('action')).get('command'))}"
    name = text(item.get("name")) or text(item.get("type")).removesuffix("_call")
    given = item.get("arguments", item.get("input"))
    space = text(item.get("namespace"))
    return called(behind(space, name, "."), given)


def _output(item: dict[str, Any]) -> Headline:
    output = item.get("output", item.get("tools"))
    code = exit_code(output)
    told = output_text(output)
    line = told[:ROW] if told is not None else members(mapping(output)) or f"{len(items(output))}"
    shown = joined(f"exit {code}" if code else "", line)
    return Headline("tool result", "tool", shown or "(no output)", error=bool(code))


def item_sections(kind: str, item: dict[str, Any]) -> list[Section]:
    """An item in full."""
    if kind in ("message", "agent_message"):
        found = [Section(_addressed(item), content_text(item.get("content")))]
        return found if found[0].text else [Section("", "(an empty message)", "dim")]
    if kind == "reasoning":
        return _thoughts(item)
    if kind == "local_shell_call":
        action = mapping(item.get("action"))
        command = command_line(action.get("command"))
        return [Section("shell", command, "code"), *_rest(item, "action")]
    if kind in CALLS:
        given = item.get("arguments", item.get("input"))
        return [Section(text(item.get("name")), pretty(given), "code"), *_rest(item, "arguments")]
    if kind in OUTPUTS:
        return _answer(item)
    if kind in OPAQUE:
        return [Section("", f"{_sealed(item)}: only the provider can read it", "dim")]
    return [Section("", pretty(item), "code")]


def _addressed(item: dict[str, Any]) -> str:
    return behind(said(item.get("author")), said(item.get("recipient")), " → ")


def _thoughts(item: dict[str, Any]) -> list[Section]:
    told = [content_text(item.get(key)) for key in ("summary", "content")]
    found = [Section("thinking", thought, "dim") for thought in told if thought]
    if text(item.get("encrypted_content")):
        found.append(Section("", f"{_sealed(item)}: only the provider can read it", "dim"))
    return found or [Section("", "(empty)", "dim")]


def _answer(item: dict[str, Any]) -> list[Section]:
    output = item.get("output", item.get("tools"))
    code, told = exit_code(output), output_text(output)
    shown = told if told is not None else pretty(output)
    found = [Section("", shown, "error" if code else "plain")] if shown else []
    if code is not None:
        found.append(Section("", f"exit {code}", "dim"))
    return found or [Section("", "(no output)", "dim")]


_TOLD: Final = frozenset({"type", "name", "arguments", "input", "call_id", "id"})


def _rest(item: dict[str, Any], but: str) -> list[Section]:
    """What else is said of a call."""
    others = {
        key: value
        for key, value in item.items()
        if key not in _TOLD and key != but and value is not None and "metadata" not in key
    }
    return [Section("", members(others), "dim")] if others else []
