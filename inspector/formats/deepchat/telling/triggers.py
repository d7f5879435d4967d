"""What made DeepChat compact: it is in the name of the anchor (format page 5)."""

from typing import Any, Final

from inspector.formats.deepchat.vocabulary import ANCHOR, is_reconstruction
from inspector.formats.shapes import text

RATIO: Final = 0.8
"""The part of the window at which it compacts by itself, unless its settings say otherwise."""


def trigger_of(row: dict[str, Any]) -> str | None:
    """The owner's word of an anchor that brings a summary: ``auto``, ``manual``; else None."""
    name = text(row.get("name"))
    if row.get("kind") != ANCHOR or not is_reconstruction(name):
        return None
    return name.removeprefix("compaction/")
