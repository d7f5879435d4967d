"""What made DeepChat compact: it is in the name of the anchor (format page 5)."""

from typing import Any, Final

from inspector.formats.compacting import CompactionRule
from inspector.formats.deepchat.vocabulary import ANCHOR, is_reconstruction
from inspector.formats.shapes import text

RULE: Final = CompactionRule(
    "80 % of (window less the reserve for the answer) / 1.2",
    "autoCompactionTriggerThreshold",
    counts="its own estimate of the messages",
    percent=80,
    margin=120,
    beyond=True,
)
"""It compacts before a turn; what it keeps for the answer is in the manifest of each request."""


def trigger_of(row: dict[str, Any]) -> str | None:
    """The owner's word of an anchor that brings a summary: ``auto``, ``manual``; else None."""
    name = text(row.get("name"))
    if row.get("kind") != ANCHOR or not is_reconstruction(name):
        return None
    return name.removeprefix("compaction/")
