"""A log's text that is kept compressed, and what its owner says of that (rules A2, A3, C).

Apart from the plain one, because unpacking takes modules that a plain log need not wait for.
"""

from collections.abc import Callable

from inspector.formats.logs import packed_container as kit
from inspector.tape.packing import Packing
from inspector.tape.troubles import Trouble, TroubleCode


class Packed(kit.Packed):
    """A text that is kept compressed: as zstd frames, as the owner does it, or otherwise."""

    def fatal(self, text: Callable[[int, int], bytes]) -> str | None:
        """The owner accepts zstd frames that are whole, but for the last."""
        if self.packing is Packing.ZIP:
            # An export: nothing that the owner would load, so it is judged by the log in it.
            return None
        if self.packing is not Packing.ZSTD:
            return f"the owner reads no {self.packing.value}"
        source, frames = self.source, self.source.frames
        for trouble in source.troubles():
            words = _refusal(trouble)
            if words is not None:
                return f"corrupt Zstandard session log: {words}"
        if not source.complete_to:
            return "empty or header-less Zstandard session log"
        first = frames.plain(1) if len(frames) > 1 else source.complete_to
        if not first or text(0, first).find(b"\n") != first - 1:
            return "corrupt Zstandard session log: first frame is not exactly one header line"
        return None

    def unfinished(self, text: Callable[[int, int], bytes]) -> str | None:
        """The owner wants the last whole frame to end a line."""
        end = self.source.complete_to
        if self.packing is not Packing.ZSTD or not end or text(end - 1, 1) == b"\n":
            return None
        return "corrupt Zstandard session log: complete frame contains a torn JSONL record"

    @property
    def named_by_owner(self) -> bool:
        """An archive is named by whoever exported it."""
        return self.packing is not Packing.ZIP and self.source.packed.named

    def strict(self, byte: int) -> str | None:
        """Only what comes from the torn last frame may be at fault."""
        if self.packing is Packing.ZSTD and byte < self.source.complete_to:
            return "corrupt Zstandard session log: complete frame contains a torn JSONL record"
        return None


def _refusal(trouble: Trouble) -> str | None:
    match trouble.code:
        case TroubleCode.DAMAGED_FRAME | TroubleCode.UNREADABLE_FRAME:
            return f"frame at byte {trouble.packed} failed validation"
        case TroubleCode.NOT_A_FRAME | TroubleCode.SKIPPED_FRAME:
            return f"invalid frame magic at byte {trouble.packed}"
    return None
