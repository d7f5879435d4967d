"""How a log's text is kept: as it is, or compressed (see `packed_container`)."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol, TypeVar

from inspector.formats.logs import rules
from inspector.tape.source import FileSource, Source
from inspector.tape.watch import Change, Watch
from inspector.timeline.findings import Finding

if TYPE_CHECKING:
    from inspector.tape.unpacking import UnpackedSource

_Kept = TypeVar("_Kept")
"""A container, as a format sees it."""

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

    @property
    def torn(self) -> str | None:
        """What of it is unended, or None."""

    def frame(self, byte: int) -> int | None:
        """The frame that a byte of the text comes from, or None if there are none."""

    def holes(self) -> int | None:
        """The byte of the text behind which the first text is missing, or None."""

    def troubles(self, record_at: Callable[[int], int]) -> Iterator[Finding]:
        """What is wrong with it as it is now."""

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
        self.misnamed = source.path.suffix in PACKED_NAMES

    def frame(self, _byte: int) -> int | None:
        """There are no frames."""
        return None

    def holes(self) -> int | None:
        """Nothing is missing."""
        return None

    def troubles(self, record_at: Callable[[int], int]) -> Iterator[Finding]:
        """A name that promises another container."""
        if self.misnamed:
            message = "plain text under the name of a compressed file"
            yield Finding(rules.MISNAMED, record_at(0), None, message)

    def read_to(self, byte: int) -> None:
        """The text was read up to here."""
        self._watch.mark(byte)

    def changed(self) -> Change:
        """What happened to the file."""
        return self._watch.look()


def container_of(source: Source) -> Container:
    """The container that a source stands for."""
    return kept(source, Plain, _packed)


def kept(
    source: Source,
    plain: Callable[[FileSource], _Kept],
    packed: Callable[["UnpackedSource"], _Kept],
) -> _Kept:
    """The container that a source stands for, of classes that may say more of it.

    Args:
        source: the text.
        plain: makes the container of a text that is kept as it is.
        packed: makes that of one that is kept compressed.

    Raises:
        TypeError: if the source is neither.
    """
    if isinstance(source, FileSource):
        return plain(source)
    from inspector.tape.unpacking import UnpackedSource  # a plain log need not wait for it

    if isinstance(source, UnpackedSource):
        return packed(source)
    raise TypeError(f"no container for {type(source).__name__}")


def _packed(source: "UnpackedSource") -> Container:
    from inspector.formats.logs.packed_container import Packed

    return Packed(source)
