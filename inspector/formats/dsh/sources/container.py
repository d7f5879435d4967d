"""How a log's text is kept, and what its owner says of that (format page 1.3, rules A2, A3, C)."""

from collections.abc import Callable, Iterator
from typing import Protocol

from inspector.formats.dsh import rules
from inspector.tape.source import FileSource
from inspector.tape.watch import Change, Watch
from inspector.timeline.findings import Finding

PACKED_NAMES = (".zst", ".zstd")


class Container(Protocol):
    """What is known of how a text is kept."""

    @property
    def variant(self) -> str:
        """The word for it, as ``jsonl.zstd``."""

    @property
    def how(self) -> str | None:
        """What was done to open it, where that is not plain."""

    @property
    def frames(self) -> int | None:
        """How many frames it has so far."""

    def frame(self, byte: int) -> int | None:
        """The frame that a byte of the text comes from, or None if there are none."""

    def holes(self) -> int | None:
        """The byte of the text behind which the first text is missing, or None."""

    def troubles(self, record_at: Callable[[int], int]) -> Iterator[Finding]:
        """What is wrong with it as it is now."""

    def fatal(self, text: Callable[[int, int], bytes]) -> str | None:
        """Why the owner refuses it whatever it holds, or None; ``text`` reads some."""

    def unfinished(self, text: Callable[[int, int], bytes]) -> str | None:
        """Why the owner refuses how the text ends in it, or None; ``text`` reads some."""

    @property
    def named_by_owner(self) -> bool:
        """Whether the file bears a name that the owner goes by."""

    @property
    def torn(self) -> str | None:
        """What of it is unended, or None."""

    def strict(self, byte: int) -> str | None:
        """Why the owner refuses a fault at a byte of the text even at the end, or None."""

    def read_to(self, byte: int) -> None:
        """The text was read up to here, and there is no more for now."""

    def changed(self) -> Change:
        """What happened to the file since."""


class Plain:
    """A text that is kept as it is."""

    variant = "jsonl"
    how = None
    frames = None
    torn = None

    def __init__(self, source: FileSource) -> None:
        self._watch = Watch(source)
        self._misnamed = source.path.suffix in PACKED_NAMES
        self.named_by_owner = source.named

    def frame(self, _byte: int) -> int | None:
        """There are no frames."""
        return None

    def holes(self) -> int | None:
        """Nothing is missing."""
        return None

    def troubles(self, record_at: Callable[[int], int]) -> Iterator[Finding]:
        """A name that promises another container."""
        if self._misnamed:
            message = "plain text under the name of a compressed file"
            yield Finding(rules.MISNAMED, record_at(0), None, message)

    def fatal(self, _text: Callable[[int, int], bytes]) -> str | None:
        """The owner goes by the name."""
        if self._misnamed:
            return "corrupt Zstandard session log: invalid frame magic at byte 0"
        return None

    def unfinished(self, _text: Callable[[int, int], bytes]) -> str | None:
        """A text may end anywhere."""
        return None

    def strict(self, _byte: int) -> str | None:
        """A fault at the end is dropped."""
        return None

    def read_to(self, byte: int) -> None:
        """The text was read up to here."""
        self._watch.mark(byte)

    def changed(self) -> Change:
        """What happened to the file."""
        return self._watch.look()
