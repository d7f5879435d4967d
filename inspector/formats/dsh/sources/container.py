"""How a log's text is kept, and what its owner says of that (format page 1.3, rules A2, A3, C)."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from inspector.formats.logs import container as kit
from inspector.tape.source import FileSource, Source

if TYPE_CHECKING:
    from inspector.tape.unpacking import UnpackedSource


class Container(kit.Container, Protocol):
    """What is known of how a text is kept."""

    @property
    def named_by_owner(self) -> bool:
        """Whether the file bears a name that the owner goes by."""

    def fatal(self, text: Callable[[int, int], bytes]) -> str | None:
        """Why the owner refuses it whatever it holds, or None; ``text`` reads some."""

    def unfinished(self, text: Callable[[int, int], bytes]) -> str | None:
        """Why the owner refuses how the text ends in it, or None; ``text`` reads some."""

    def strict(self, byte: int) -> str | None:
        """Why the owner refuses a fault at a byte of the text even at the end, or None."""


class Plain(kit.Plain):
    """A text that is kept as it is."""

    def __init__(self, source: FileSource) -> None:
        super().__init__(source)
        self.named_by_owner = source.named

    def fatal(self, _text: Callable[[int, int], bytes]) -> str | None:
        """The owner goes by the name."""
        if self.misnamed:
            return "corrupt Zstandard session log: invalid frame magic at byte 0"
        return None

    def unfinished(self, _text: Callable[[int, int], bytes]) -> str | None:
        """A text may end anywhere."""
        return None

    def strict(self, _byte: int) -> str | None:
        """A fault at the end is dropped."""
        return None


def container_of(source: Source) -> Container:
    """The container that a source stands for."""
    return kit.kept(source, Plain, _packed)


def _packed(source: "UnpackedSource") -> Container:
    from inspector.formats.dsh.sources.packed_container import Packed

    return Packed(source)
