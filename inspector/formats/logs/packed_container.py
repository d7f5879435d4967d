"""A log's text that is kept compressed.

Apart from the plain one, because unpacking takes modules that a plain log need not wait for.
"""

from collections.abc import Callable, Iterator

from inspector.formats.containers import HOLES, findings
from inspector.formats.logs import rules
from inspector.formats.logs.container import PACKED_NAMES
from inspector.tape.packing import Packing
from inspector.tape.troubles import TroubleCode
from inspector.tape.unpacking import UnpackedSource
from inspector.tape.watch import Change, Watch
from inspector.timeline.findings import Finding


class Packed:
    """A text that is kept compressed, as frames, members, or otherwise."""

    def __init__(self, source: UnpackedSource) -> None:
        self.source = source
        self.packing = source.packing
        self._watch = Watch(source.packed)
        self._misnamed = source.packed.named and source.path.suffix not in _SUFFIXES[source.packing]

    @property
    def variant(self) -> str:
        """The word for it."""
        return f"jsonl.{self.packing.value}"

    @property
    def how(self) -> str:
        """What was done to open it."""
        return f"{self.packing.value}, unpacked into a private temporary file without a name"

    @property
    def frames(self) -> int:
        """How many frames there are so far."""
        return len(self.source.frames)

    @property
    def torn(self) -> str | None:
        """Whether the file ends inside a frame."""
        torn = (TroubleCode.TORN_FRAME, TroubleCode.TORN_STREAM)
        return "frame" if any(found.code in torn for found in self.source.troubles()) else None

    def frame(self, byte: int) -> int | None:
        """The frame that a byte of the text comes from."""
        found = self.source.frames.frame_of(byte)
        return None if found < 0 else found

    def holes(self) -> int | None:
        """The first byte of the text behind which some is missing."""
        return min(
            (trouble.plain for trouble in self.source.troubles() if trouble.code in HOLES),
            default=None,
        )

    def troubles(self, record_at: Callable[[int], int]) -> Iterator[Finding]:
        """What is wrong with the frames."""
        if self._misnamed:
            message = f"{self.packing.value} under a name that does not say so"
            yield Finding(rules.MISNAMED, record_at(0), None, message)
        yield from findings(self.source.troubles(), record_at)

    def read_to(self, _byte: int) -> None:
        """The text was read to its end."""
        # Where it stopped at a limit, nobody looks at the file any more.
        stopped = any(found.code is TroubleCode.UNPACK_LIMIT for found in self.source.troubles())
        self._watch.mark(self.source.packed.size() if stopped else self.source.packed_size)

    def changed(self) -> Change:
        """What happened to the file."""
        return self._watch.look()


_SUFFIXES = {
    Packing.ZSTD: PACKED_NAMES,
    Packing.GZIP: (".gz", ".gzip"),
    Packing.ZIP: (".zip",),
}
