"""A small slow reader that does what the owner does, from the first event on every time."""

from typing import Any

Json = dict[str, Any]

SHOWN = ("message", "tool_call", "tool_result", "session_compaction")


def surface(events: list[Json], policy: str) -> list[int]:
    """The positions of what the model sees after these events, in order."""
    return [at for at in rehydrated(events, policy) if events[at]["type"] in SHOWN]


def rehydrated(events: list[Json], policy: str) -> list[int]:
    """The positions of the events as the owner loads them; all of them where it cannot fold."""
    positions = range(len(events))
    compactions = [at for at in positions if events[at]["type"] == "session_compaction"]
    rewinds = [at for at in positions if events[at]["type"] == "session_rewind"]
    if not compactions or (policy == "tui" and max(rewinds, default=-1) > compactions[-1]):
        return list(positions)
    last = compactions[-1]
    payload = events[last].get("payload")
    if not isinstance(payload, dict) or not payload.get("summary", "").strip():
        return list(positions)
    ids = {ref["id"] for ref in payload.get("compactableEvents", []) if ref["id"]}
    through = payload.get("compactedThroughSequence", 0)
    own = events[last]["id"]
    found: list[int] = []
    placed = False
    for at in positions:
        if events[at]["id"] == own:
            continue
        if events[at]["id"] in ids or (not ids and through > 0 and number(events[at]) <= through):
            if not placed:
                found.append(last)
                placed = True
            continue
        found.append(at)
    return found if placed else [last, *found]


def number(event: Json) -> int:
    found = event["sequence"]
    assert isinstance(found, int)
    return found
