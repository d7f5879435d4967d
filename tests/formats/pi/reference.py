"""What Pi has as the context of a file, read as slowly and as plainly as its rules are written."""

import json
from typing import Any, NamedTuple


class Context(NamedTuple):
    """A row for each message: the place of its entry in the file's entries, and the edit, or None.

    Settings are the model and the level of thinking.
    """

    rows: list[tuple[int, int | None]]
    settings: tuple[str | None, str]


def entries_of(content: bytes) -> list[Any]:
    """What the owner reads of a file, behind its header; the lines that it passes over are None."""
    found: list[Any] = []
    lines = content.split(b"\n")
    for line in lines[1:]:
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if value and not (isinstance(value, dict) and value.get("type") == "session"):
            found.append(value)
    return found


def path_of(entries: list[Any], of_id: dict[str, int]) -> list[int] | None:
    """The places of the entries from the root to the last; None if the owner never ends."""
    path: list[int] = []
    leaf = len(entries) - 1 if entries else None
    while leaf is not None:
        if leaf in path:
            return None
        path.insert(0, leaf)
        entry = entries[leaf]
        leaf = of_id.get(entry.get("parentId") or "") if isinstance(entry, dict) else None
    return path


def ids_of(entries: list[Any]) -> dict[str, int]:
    """By its id, the place of the last entry that has it."""
    told = ((at, entry.get("id")) for at, entry in enumerate(entries) if isinstance(entry, dict))
    return {name: at for at, name in told if name}


def context(entries: list[Any]) -> Context | None:
    """The context behind the last entry; None if the owner never ends."""
    of_id = ids_of(entries)
    path = path_of(entries, of_id)
    if path is None:
        return None
    told = [entries[at] if isinstance(entries[at], dict) else {} for at in path]
    return Context(_rows(path, told, of_id), _settings(told))


def _settings(path: list[dict[str, Any]]) -> tuple[str | None, str]:
    model, thinking = None, "off"
    for entry in path:
        if entry.get("type") == "thinking_level_change":
            thinking = entry["thinkingLevel"]
        elif entry.get("type") == "model_change":
            model = entry["modelId"]
        elif entry.get("type") == "message" and entry["message"]["role"] == "assistant":
            model = entry["message"]["model"]
    return model, thinking


def _rows(
    path: list[int], told: list[dict[str, Any]], of_id: dict[str, int]
) -> list[tuple[int, int | None]]:
    compactions = [at for at, entry in enumerate(told) if entry.get("type") == "compaction"]
    last = compactions[-1] if compactions else -1
    first: list[int] = []
    kept: list[int] = []
    if compactions:
        first = [last] * (2 if isinstance(told[last].get("systemMessage"), dict) else 1)
        wanted = told[last].get("firstKeptEntryId")
        starts = [at for at in range(last) if wanted and told[at].get("id") == wanted]
        kept = list(range(starts[0], last)) if starts else []
    after = list(range(last + 1, len(told)))
    edits: dict[int, int] = {}
    for at in kept + after:
        if told[at].get("type") == "context_edit":
            edits[of_id.get(told[at]["targetId"], -1)] = at
    found: list[tuple[int, int | None]] = []
    for at in first + [one for one in kept if not _silent(told[one])] + after:
        if at not in first and not _emits(told[at]):
            continue
        edit = edits.get(path[at])
        if edit is None:
            found.append((path[at], None))
        elif told[edit].get("replacement", 0) is not None:
            found.append((path[at], path[edit] if _edited(told[at], told[edit]) else None))
    return found


def _silent(entry: dict[str, Any]) -> bool:
    return entry.get("type") == "compaction" or (
        entry.get("type") == "message" and entry["message"]["role"] == "system"
    )


def _emits(entry: dict[str, Any]) -> bool:
    kind = entry.get("type")
    return kind in ("message", "custom_message") or (
        kind == "branch_summary" and bool(entry["summary"])
    )


def _edited(entry: dict[str, Any], edit: dict[str, Any]) -> bool:
    """Whether the content of an entry becomes that of an edit."""
    if "replacement" not in edit:
        return False
    if entry["type"] == "custom_message":
        return True
    editable = ("user", "assistant", "toolResult", "custom")
    return entry["type"] == "message" and entry["message"]["role"] in editable
