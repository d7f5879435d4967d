"""The start of a message, a call or a value, as plain uncleaned text on one line.

Texts are cut before anything else happens to them: a line costs the same whatever stands in the
row.
"""

from typing import Any, Final

from inspector.formats.deepchat.context.messages import BuildBreaks, blocks_of, user_text
from inspector.formats.deepchat.values import object_of, read_json
from inspector.formats.shapes import items, mapping, text
from inspector.text.jsontext import json_text
from inspector.text.labels import plural

ROW: Final = 400
"""Characters of a text that a row may need."""

NAME: Final = 80
"""Characters of a name within a sentence."""

_LONGEST: Final = 20_000
"""Characters of arguments that are looked into."""


def short(value: Any) -> str:
    """The start of a value."""
    return value[:ROW] if isinstance(value, str) else json_text(value, limit=ROW)


def said(value: Any) -> str:
    """A name or a number within a sentence; nothing for what is not there."""
    return "" if value is None else short(value)[:NAME]


def joined(*parts: str) -> str:
    """The parts that say something, with a dot between them."""
    return " · ".join(part for part in parts if part)


def user_line(content: str) -> str:
    """A message of the person, with the names of what is attached to it."""
    files = items(object_of(content).get("files"))
    names = [text(mapping(file).get("name"))[:NAME] for file in files[:3]]
    attached = f"[{', '.join(filter(None, names)) or plural(len(files), 'file')}] " if files else ""
    return f"{attached}{user_text(content)[: 2 * ROW]}"


def assistant_line(content: str) -> str:
    """The model's answer: its texts, then its calls; reasoning only where there is no other."""
    try:
        blocks = blocks_of(content)
    except BuildBreaks:
        return content[:ROW]
    parts: list[str] = []
    thoughts: list[str] = []
    for block in blocks[:50]:
        line = text(block.get("content"))[:ROW]
        if block.get("type") == "reasoning_content":
            thoughts.append(line)
        else:
            parts.append(_block_line(block, line))
    if not any(parts) and thoughts:
        return f"(thinking) {thoughts[0]}"
    return " ".join(part for part in parts if part)[: 2 * ROW]


def _block_line(block: dict[str, Any], line: str) -> str:
    kind = text(block.get("type"))
    if kind == "content":
        return line
    if kind == "tool_call":
        call = mapping(block.get("tool_call"))
        return f"→ {call_line(text(call.get('name')), call.get('params'))}"
    if kind == "error":
        return f"(error) {line}"
    if kind == "action":
        words = (said(block.get("action_type")) or "action", said(block.get("status")))
        return f"[{' '.join(filter(None, words))}]"
    return f"[{kind[:NAME] or 'block'}]"


def call_line(name: str, params: Any) -> str:
    """A call: the tool and the values of its arguments."""
    values = params
    if isinstance(params, str):
        if len(params) > _LONGEST:
            return f"{name[:NAME]} {params[:ROW]}"
        try:
            values = read_json(params)
        except ValueError:
            return f"{name[:NAME]} {params[:ROW]}"
    if isinstance(values, dict):
        return " ".join([name[:NAME], *(short(value) for value in list(values.values())[:6])])
    return name[:NAME] if values is None else f"{name[:NAME]} {short(values)}"


def listed(data: dict[str, Any]) -> str:
    """Keys and values, of a row of which nothing else is known."""
    pairs = [(key, value) for key, value in data.items() if value is not None][:8]
    return ", ".join(f"{key[:40]} {short(value)[:120]}" for key, value in pairs)


def usage_line(usage: dict[str, Any]) -> str:
    """Reported tokens in one line."""
    words = {
        "inputTokens": "input",
        "cacheReadTokens": "of it cache read",
        "cacheWriteTokens": "of it cache write",
        "outputTokens": "output",
        "totalTokens": "total",
    }
    return " · ".join(f"{words[key]} {short(usage[key])}" for key in words if key in usage)
