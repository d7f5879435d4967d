"""A log's text that is kept compressed, and what its owner says of that (rules A2, A3, C).

Apart from the plain one, because unpacking takes modules that a plain log need not wait for.
"""

from collections.abc import Callable, Iterator

from inspector.formats.containers import HOLES, findings
from inspector.formats.dsh import rules
from inspector.formats.dsh.sources.container import PACKED_NAMES
from inspector.tape.packing import Packing
from inspector.tape.troubles import Trouble, TroubleCode
from inspector.tape.unpacking import UnpackedSource
from inspector.tape.watch import Change, Watch
from inspector.timeline.findings import Finding


class Packed:
    """A text that is kept compressed: as zstd frames, as the owner does it, or otherwise."""

    def __init__(self, source: UnpackedSource) -> None:
        self._source = source
        self._watch = Watch(source.packed)
        self._packing = source.packing
        self._misnamed = source.packed.named and source.path.suffix not in _SUFFIXES[source.packing]

    @property
    def variant(self) -> str:
        """The word for it."""
        return f"jsonl.{self._packing.value}"

    @property
    def how(self) -> str:
        """What was done to open it."""
        return f"{self._packing.value}, unpacked into a private temporary file without a name"

    @property
    def frames(self) -> int:
        """How many frames there are so far."""
        return len(self._source.frames)

    def frame(self, byte: int) -> int | None:
        """The frame that a byte of the text comes from."""
        found = self._source.frames.frame_of(byte)
        return None if found < 0 else found

    def holes(self) -> int | None:
        """The first byte of the text behind which some is missing."""
        return min(
            (trouble.plain for trouble in self._source.troubles() if trouble.code in HOLES),
            default=None,
        )

    def troubles(self, record_at: Callable[[int], int]) -> Iterator[Finding]:
        """What is wrong with the frames."""
        if self._misnamed:
            message = f"{self._packing.value} under a name that does not say so"
            yield Finding(rules.MISNAMED, record_at(0), None, message)
        yield from findings(self._source.troubles(), record_at)

    def fatal(self, text: Callable[[int, int], bytes]) -> str | None:
        """The owner accepts zstd frames that are whole, but for the last."""
        if self._packing is Packing.ZIP:
            # An export: nothing that the owner would load, so it is judged by the log in it.
            return None
        if self._packing is not Packing.ZSTD:
            return f"the owner reads no {self._packing.value}"
        source, frames = self._source, self._source.frames
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
        end = self._source.complete_to
        if self._packing is not Packing.ZSTD or not end or text(end - 1, 1) == b"\n":
            return None
        return "corrupt Zstandard session log: complete frame contains a torn JSONL record"

    @property
    def named_by_owner(self) -> bool:
        """An archive is named by whoever exported it."""
        return self._packing is not Packing.ZIP and self._source.packed.named

    @property
    def torn(self) -> str | None:
        """Whether the file ends inside a frame."""
        torn = (TroubleCode.TORN_FRAME, TroubleCode.TORN_STREAM)
        return "frame" if any(found.code in torn for found in self._source.troubles()) else None

    def strict(self, byte: int) -> str | None:
        """Only what comes from the torn last frame may be at fault."""
        if self._packing is Packing.ZSTD and byte < self._source.complete_to:
            return "corrupt Zstandard session log: complete frame contains a torn JSONL record"
        return None

    def read_to(self, _byte: int) -> None:
        """The text was read to its end."""
        # Where it stopped at a limit, nobody looks at the file any more.
        stopped = any(found.code is TroubleCode.UNPACK_LIMIT for found in self._source.troubles())
        self._watch.mark(self._source.packed.size() if stopped else self._source.packed_size)

    def changed(self) -> Change:
        """What happened to the file."""
        return self._watch.look()


_SUFFIXES = {
    Packing.ZSTD: PACKED_NAMES,
    Packing.GZIP: (".gz", ".gzip"),
    Packing.ZIP: (".zip",),
}


def _refusal(trouble: Trouble) -> str | None:
    match trouble.code:
        case TroubleCode.DAMAGED_FRAME | TroubleCode.UNREADABLE_FRAME:
            return f"frame at byte {trouble.packed} failed validation"
        case TroubleCode.NOT_A_FRAME | TroubleCode.SKIPPED_FRAME:
            return f"invalid frame magic at byte {trouble.packed}"
    return None
