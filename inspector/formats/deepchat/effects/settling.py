"""When the owner could make a request: not between the rows of one write of several (page 10)."""

from typing import Any, Final

from inspector.formats.deepchat.vocabulary import ANCHOR

SHIFTED: Final = "compaction_order_shifted"
"""Why a message is written again that only moves to another place (page 3)."""

_MIGRATED: Final = "compaction/migrated_summary"


def is_half(kind: Any, name: Any, meta: dict[str, Any]) -> bool:
    """Whether a row is one of several that the owner writes at once; the last such is one too."""
    if meta and (
        meta.get("reason") == SHIFTED
        or meta.get("source") == "backfill"
        or "mergedFromEntryId" in meta
    ):
        return True
    return bool(name == _MIGRATED and kind == ANCHOR)
