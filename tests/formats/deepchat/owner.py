"""DeepChat's fold as plainly as can be: everything from the start, for every prefix (page 4, 5)."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from tests.formats.deepchat.databases import Entry

RECONSTRUCTION = ("compaction/manual", "compaction/auto", "summary/reset")


class View(NamedTuple):
    """What the model is shown: the anchor with a summary, or None, and the messages in order."""

    summary: int | None
    shown: list[int]
    effective: list[int]


def view(entries: Sequence[Entry], *, pending_counts: bool = True) -> View:
    """The view after these entries, told by their positions."""
    standing: dict[str, tuple[int, int, float]] = {}
    cursor, summary = 1.0, None
    for position, entry in enumerate(entries):
        payload = json.loads(entry.payload)
        if entry.kind == "message":
            record = payload["record"]
            rank = 2 if record["status"] != "pending" else int(pending_counts)
            before = standing.get(record["id"])
            if rank and (before is None or rank >= before[1]):
                standing[record["id"]] = (position, rank, record["orderSeq"])
        elif entry.name == "message/retracted":
            standing.pop(payload["data"]["messageId"], None)
        elif entry.kind == "anchor" and is_reconstruction(entry.name or ""):
            state = payload["state"] if entry.name != "summary/reset" else {}
            cursor = max(1.0, float(state.get("cursorOrderSeq", 1) // 1))
            summary = position if state.get("summary", "").strip() else None
    ordered = sorted(
        (order, identity.encode(), position) for identity, (position, _, order) in standing.items()
    )
    shown = [position for order, _, position in ordered if order >= cursor]
    return View(summary, shown, [position for _, _, position in ordered])


def is_reconstruction(name: str) -> bool:
    return name in RECONSTRUCTION or name.lower().startswith("handoff/")
