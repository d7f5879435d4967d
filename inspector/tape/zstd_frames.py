"""The structure of a zstd frame, read without decoding it (RFC 8878 section 3.1.1).

So the end of a frame is known even if its content is damaged, a torn frame is told from a damaged
one, and what a torn frame has of complete blocks is known.
"""

from enum import Enum, auto
from typing import Final, NamedTuple

from inspector.tape.units import Window

BLOCK_MOST: Final = 128 * 1024
"""No block is larger, in whatever form (section 3.1.1.2.4)."""

_HEADER_MOST: Final = 18
_CHECKSUM: Final = 4
_RLE: Final = 1
_RESERVED: Final = 3
_ZEROS_AT_ONCE: Final = 8 * 1024


class StructureError(Exception):
    """Bytes that cannot be the frame they claim to be; the message is a reason."""


class FrameHeader(NamedTuple):
    """What a frame says of itself.

    Attributes:
        length: bytes of the header, the magic with it.
        window: bytes of text that a decoder must keep at hand.
        dictionary: the number of the dictionary it needs, 0 for none.
        content: bytes of its text, or None if it does not say.
        checksum: whether a checksum follows the last block.
    """

    length: int
    window: int
    dictionary: int
    content: int | None
    checksum: bool


def frame_header(head: bytes) -> FrameHeader | None:
    """The header at the beginning of these bytes, the magic first; None if it is not all there.

    Raises:
        StructureError: if the reserved bit of the descriptor is set.
    """
    if len(head) < 5:
        return None
    descriptor = head[4]
    if descriptor & 0x08:
        raise StructureError("has the reserved bit of its descriptor set")
    single = bool(descriptor & 0x20)
    dictionary_bytes = (0, 1, 2, 4)[descriptor & 3]
    content_bytes = (1 if single else 0, 2, 4, 8)[descriptor >> 6]
    dictionary_at = 5 if single else 6
    content_at = dictionary_at + dictionary_bytes
    length = content_at + content_bytes
    if len(head) < length:
        return None
    content = None
    if content_bytes:
        content = int.from_bytes(head[content_at:length], "little")
        content += 256 if content_bytes == 2 else 0
    return FrameHeader(
        length,
        content if single and content is not None else _window(head[5]),
        int.from_bytes(head[dictionary_at:content_at], "little"),
        content,
        bool(descriptor & 0x04),
    )


def _window(descriptor: int) -> int:
    base = 1 << (10 + (descriptor >> 3))
    return base + base // 8 * (descriptor & 7)


class Walk(Enum):
    """How far the walk over a frame came."""

    GOING = auto()
    TORN = auto()
    COMPLETE = auto()


class FrameWalk:
    """A walk from block to block of one frame, which can go on when the file has grown.

    Attributes:
        start: the byte at which the frame begins.
        end: the byte up to which it is whole: header, blocks, and the checksum if it is complete.
        header: what it says of itself, or None as long as that is not all there.
    """

    def __init__(self, window: Window, start: int) -> None:
        self._window = window
        self._last_seen = False
        self._complete = False
        self.start = start
        self.end = start
        self.header: FrameHeader | None = None

    def go(self, until: int, *, block_most: int | None = None) -> Walk:
        """Walk until a block ends at ``until`` or beyond, or as far as there is anything.

        Args:
            until: a byte of the file.
            block_most: a block that claims more bytes is an error; None leaves that to the decoder.

        Raises:
            StructureError: at a reserved bit, a reserved block type, or a block too large.
            SourceError: if the file cannot be read.
        """
        header = self.header = self.header or frame_header(
            self._window.read(self.start, _HEADER_MOST)
        )
        if header is None:
            return Walk.TORN
        self.end = max(self.end, self.start + header.length)
        while not self._last_seen:
            if self.end >= until:
                return Walk.GOING
            if not self._block(block_most):
                return Walk.TORN
        return self._finish(header)

    def _block(self, block_most: int | None) -> bool:
        head = self._window.read(self.end, 3)
        if len(head) < 3:
            return False
        fields = int.from_bytes(head, "little")
        if not fields:
            self._pass_zeros()
            return True
        kind, size = fields >> 1 & 3, fields >> 3
        if kind == _RESERVED:
            raise StructureError(f"has a block of the reserved type at byte {self.end}")
        if block_most is not None and size > block_most:
            raise StructureError(f"has a block that is too large at byte {self.end}")
        end = self.end + 3 + (1 if kind == _RLE else size)
        if end > self._window.size:
            return False
        self.end = end
        self._last_seen = bool(fields & 1)
        return True

    def _pass_zeros(self) -> None:
        # Empty blocks, one after the other: what a crash leaves of a frame is often all zeros.
        piece = self._window.read(self.end, _ZEROS_AT_ONCE)
        zeros = len(piece) - len(piece.lstrip(b"\0"))
        self.end += zeros // 3 * 3

    def _finish(self, header: FrameHeader) -> Walk:
        if header.checksum and not self._complete:
            if self.end + _CHECKSUM > self._window.size:
                return Walk.TORN
            self.end += _CHECKSUM
        self._complete = True
        return Walk.COMPLETE
