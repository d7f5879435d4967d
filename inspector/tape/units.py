"""What the unpacker asks of a compression: what stands at a byte, and its text piece by piece.

A *unit* is what is checked as a whole: a zstd frame, a gzip member, a file in a zip archive.
"""

import re
from enum import Enum, auto
from typing import Final, NamedTuple, Protocol

from inspector.tape.source import CHUNK, FileSource
from inspector.tape.troubles import TroubleCode

PIECE: Final = CHUNK
"""The most compressed bytes taken in one step."""

OUTPUT: Final = 1024 * 1024
"""The most text given out in one step."""

_WINDOW: Final = 32 * 1024


class Window:
    """A compressed file as it was at the last look at its size; small reads share one large.

    Attributes:
        size: the bytes that the file had then; nothing beyond is given out.
    """

    def __init__(self, packed: FileSource) -> None:
        self._packed = packed
        self._start = 0
        self._held = b""
        self.size = packed.size()

    def refresh(self) -> int:
        """Look at the size again, and answer it."""
        size = self._packed.size()
        if size != self.size:
            self._held, self.size = b"", size
        return size

    def read(self, offset: int, length: int) -> bytes:
        """The bytes from ``offset``, fewer only where the file ended.

        Raises:
            SourceError: if the system cannot read them.
        """
        length = min(length, self.size - offset)
        if length <= 0:
            return b""
        if length > _WINDOW:
            return self._packed.read(offset, length)
        at = offset - self._start
        if at < 0 or at + length > len(self._held):
            self._start, self._held, at = offset, self._packed.read(offset, _WINDOW), 0
        return self._held[at : at + length]


class Standing(Enum):
    """What can stand at a byte of a compressed file."""

    END = auto()
    UNIT = auto()
    FILLER = auto()
    TORN = auto()
    STRAY = auto()


class Found(NamedTuple):
    """What stands at a byte: of filler its length, and the words if somebody must know of it."""

    standing: Standing
    length: int = 0
    message: str = ""


class State(Enum):
    """How a step of a unit ended."""

    MORE = auto()
    WAITING = auto()
    DONE = auto()
    FAILED = auto()


class Step(NamedTuple):
    """A step of a unit.

    Attributes:
        plain: the text that came of it.
        state: MORE can be had, WAITING for bytes that are not there, DONE, or FAILED.
        end: where the unit ends in the file if it is done, or failed and yet says where.
        code: why it failed.
        reason: the same in words that follow "zstd frame at byte 7".
    """

    plain: bytes
    state: State
    end: int | None = None
    code: TroubleCode = TroubleCode.DAMAGED_FRAME
    reason: str = ""


class Unit(Protocol):
    """One unit that is being unpacked."""

    @property
    def start(self) -> int:
        """The byte of the file at which it begins."""

    @property
    def walked(self) -> int:
        """The byte of the file up to which it was decoded."""

    def step(self) -> Step:
        """Go on by a bounded piece; after WAITING, once the file has grown.

        Raises:
            SourceError: if the file cannot be read.
        """


class Codec(Protocol):
    """One compression.

    Attributes:
        noun: what its units are called.
        magic: the bytes with which every unit begins.
        beginning: what a unit can begin with, from its magic on; also a magic at the very end.
        start: the byte of the file at which the first unit begins.
        hold: text of one unit that is held back, in bytes, until the unit proves good.
        torn: the code of a file that ends inside a unit.
    """

    noun: str
    magic: bytes
    beginning: re.Pattern[bytes]
    start: int
    hold: int
    torn: TroubleCode

    def stop(self) -> int:
        """The byte of the file at which the last unit ends at the latest."""

    def look(self, at: int) -> Found:
        """What stands at a byte at which a unit should begin."""

    def open(self, at: int) -> Unit:
        """The unit that begins at a byte."""

    def plausible(self, at: int) -> tuple[bool, int]:
        """Whether what follows a magic looks like a unit, and the byte up to which was looked."""

    def torn_words(self, at: int) -> str:
        """That the file ends inside what begins at a byte."""
