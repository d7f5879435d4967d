"""The start of a message as plain uncleaned text on one line.

Texts are cut before anything else happens to them: a line costs the same whatever stands in the
row.
"""

from typing import Any, Final

from inspector.formats.deepchat.context.messages import BuildBreaks, blocks_of, user_text
from inspector.formats.deepchat.values import object_of
from inspector.formats.shapes import items, mapping, text
from inspector.formats.telling import NAME, ROW, call_line, said, usage_line
from inspector.text.labels import plural


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


_COUNTED: Final = {
    "inputTokens": "input",
    "cacheReadTokens": "of it cache read",
    "cacheWriteTokens": "of it cache write",
    "outputTokens": "output",
    "totalTokens": "total",
}


def tokens_line(usage: dict[str, Any]) -> str:
    """Reported tokens in one line."""
    return usage_line(usage, _COUNTED)
