"""The owner's rebuild, slow and obvious: two passes over the records, as its rules say.

Takes records that the owner can decode, in its own shapes, and knows nothing of the program.
"""

import re
from typing import Any

Record = dict[str, Any]
Item = dict[str, Any]

SUMMARY = "assist with your own analysis:\n"
CONTEXT = ("<environment_context>", "</environment_context>"), ("<turn_aborted>", "</turn_aborted>")
CALLS = {
    "function_call": "function_call_output",
    "local_shell_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
}
BUDGET = 20_000


def kind_of(record: Record) -> str:
    return record["payload"]["type"] if record["type"] == "event_msg" else record["type"]


def texts(item: Item) -> list[str]:
    return [part["text"] for part in item.get("content", []) if "text" in part]


def is_user(item: Item) -> bool:
    """Whether an item is a user's message that counts as a boundary."""
    if item.get("type") != "message" or item["role"] != "user":
        return False
    return not any(
        (text.startswith("Another language model") and SUMMARY in text)
        or any(text.startswith(head) and text.endswith(tail) for head, tail in CONTEXT)
        for text in texts(item)
    )


def is_boundary(item: Item) -> bool:
    return is_user(item) or item.get("type") == "agent_message"


def is_trimmed(item: Item) -> bool:
    """Whether an item goes with what is cut behind it."""
    if item.get("type") != "message":
        return False
    if item["role"] == "developer":
        return any(text.startswith("<permissions instructions>") for text in texts(item))
    return item["role"] == "user" and any(
        text.startswith(head) and text.endswith(tail)
        for text in texts(item)
        for head, tail in CONTEXT
    )


def base_of(records: list[Record]) -> int:
    """The first pass: which compaction is the base, or -1."""
    started: str | None = None
    belongs: list[bool] = []
    for record in records:
        kind = kind_of(record)
        if kind == "task_started":
            started = record["payload"]["turn_id"]
        ends = kind in ("task_complete", "turn_aborted")
        belongs.append(ends and started is not None and record["payload"]["turn_id"] == started)
    debt, base = 0, -1
    name: str | None = None
    users, compaction = False, -1
    for at in range(len(records) - 1, -2, -1):
        kind = kind_of(records[at]) if at >= 0 else "top"
        payload = records[at]["payload"] if at >= 0 else {}
        if kind == "top" or (kind == "task_started" and name in (None, payload["turn_id"])):
            if debt:
                debt -= users
            elif compaction >= 0:
                return compaction
            name, users, compaction = None, False, -1
        elif kind == "thread_rolled_back":
            debt += payload["num_turns"]
        elif kind == "turn_context" or belongs[at]:
            name = name or payload["turn_id"]
        elif kind == "compacted":
            if payload.get("replacement_history") is not None and compaction < 0:
                compaction = at
        elif kind == "user_message" or (kind == "response_item" and is_boundary(payload)):
            users = True
    return base


def cut(history: list[Item], turns: int) -> list[Item]:
    places = [at for at, item in enumerate(history) if is_boundary(item)]
    if not turns or not places:
        return history
    at = places[0] if turns >= len(places) else places[-turns]
    while at - 1 > places[0] and is_trimmed(history[at - 1]):
        at -= 1
    return history[:at]


def compacted(history: list[Item], message: str) -> list[Item]:
    """A compaction that does not say what the history becomes."""
    left, kept = BUDGET, []
    for item in reversed([item for item in history if is_user(item)]):
        text = "\n".join(texts(item))
        size = len(text.encode())
        if not left:
            break
        if (size + 3) // 4 <= left:
            left -= (size + 3) // 4
        else:
            half = left * 2
            removed = (size - left * 4 + 3) // 4
            text = f"{text[:half]}\n…{removed} tokens truncated…\n{text[-half:]}"
            left = 0
        kept.append(user(text))
    return [*reversed(kept), user(message or "(no summary available)")]


def user(text: str) -> Item:
    content = [{"type": "input_text", "text": text}]
    return {"type": "message", "role": "user", "content": content}


def rebuilt(records: list[Record]) -> list[Item]:
    """Both passes: the history that a resume begins with."""
    base = base_of(records)
    history = list(records[base]["payload"]["replacement_history"]) if base >= 0 else []
    for record in records[base + 1 :]:
        kind, payload = kind_of(record), record["payload"]
        if kind == "response_item":
            if payload.get("role") != "system":
                history.append(payload)
        elif kind == "thread_rolled_back":
            history = cut(history, payload["num_turns"])
        elif kind == "compacted" and payload.get("replacement_history") is None:
            history = compacted(history, payload["message"])
    return history


def plain(item: Item) -> tuple[str, str | None, str, str | None]:
    """An item as these tests compare it: type, role, text, call id."""
    text = "\n".join(texts(item)) or item.get("output") or item.get("arguments") or ""
    return item["type"], item.get("role"), re.sub(r"\r", "", text), item.get("call_id")
