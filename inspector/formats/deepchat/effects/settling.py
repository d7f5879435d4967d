"""When the owner could make a request: not between the rows of one write of several (page 10)."""

from typing import Final

from inspector.formats.deepchat.entry import Entry
from inspector.formats.deepchat.vocabulary import ANCHOR
from inspector.timeline.builder import Builder

_SHIFTED: Final = "compaction_order_shifted"
_MIGRATED: Final = "compaction/migrated_summary"


class Settling:
    """Tells the builder at which cursors a tape is settled."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._half = False

    def row(self, entry: Entry) -> None:
        """A row that is one of several belonging together, or one that shows they are over."""
        meta = entry.meta
        half = (
            meta.get("reason") == _SHIFTED
            or "mergedFromEntryId" in meta
            or meta.get("source") == "backfill"
            or (entry.kind == ANCHOR and entry.name == _MIGRATED)
        )
        if half is not self._half:
            self._half = half
            self._builder.settle(not half)
