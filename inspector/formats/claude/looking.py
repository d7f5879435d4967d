"""What all that looks at a whole transcript as it stands has before it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from inspector.timeline.findings import Finding, FindingKind
from inspector.timeline.timeline import Timeline

if TYPE_CHECKING:
    from inspector.formats.claude.decoder import ClaudeDecoder


class Looking:
    """Has before it what was folded, and can read a line again.

    Args:
        decoder: holds the tree.
        timeline: what was folded.
        payload: a record again, by the position of its event.
        raw: the bytes of a line.
    """

    def __init__(
        self,
        decoder: "ClaudeDecoder",
        timeline: Timeline,
        payload: Callable[[int], dict[str, Any]],
        raw: Callable[[int], bytes],
    ) -> None:
        self._decoder = decoder
        self._tree = decoder.tree
        self._timeline = timeline
        self._payload = payload
        self._raw = raw

    def _at(self, kind: FindingKind, event: int, message: str) -> Finding:
        return Finding(kind, self._timeline.table.record(event), event, message)

    def _line(self, event: int) -> int:
        return self._timeline.table.record(event) + 1
