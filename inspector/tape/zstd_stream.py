"""Zstandard: many frames to the end of the file, each checked before its text is given out."""

import re
from typing import Final

from inspector.tape._zstd import ZstdDecompressor, ZstdError
from inspector.tape.packing import ZSTD_MAGIC, is_skippable
from inspector.tape.troubles import TroubleCode
from inspector.tape.units import OUTPUT, PIECE, Found, Standing, State, Step, Window
from inspector.tape.zstd_frames import BLOCK_MOST, FrameHeader, FrameWalk, StructureError, Walk

HELD_BACK: Final = 8 * 1024 * 1024
"""Text of one frame that waits until the frame has proved good."""

WINDOW_MOST: Final = 128 * 1024 * 1024
"""The largest window that the decoder takes unless it is told otherwise."""

_SKIPPABLE_HEADER: Final = 8
_PROBED: Final = 4 * BLOCK_MOST


class ZstdCodec:
    """Zstandard frames."""

    noun = "zstd frame"
    magic = ZSTD_MAGIC
    beginning = re.compile(
        # Bit 3 of the descriptor is reserved.
        re.escape(ZSTD_MAGIC)
        + rb"(?:[%s]|\Z)" % re.escape(bytes(n for n in range(256) if not n & 8))
    )
    start = 0
    hold = HELD_BACK
    torn = TroubleCode.TORN_FRAME

    def __init__(self, window: Window) -> None:
        self._window = window

    def stop(self) -> int:
        """The end of the file."""
        return self._window.size

    def look(self, at: int) -> Found:
        """A frame, a skippable frame as filler, or fewer bytes than a magic, which are torn."""
        head = self._window.read(at, _SKIPPABLE_HEADER)
        if not head:
            return Found(Standing.END)
        if len(head) < len(ZSTD_MAGIC):
            return Found(Standing.TORN)
        if head.startswith(ZSTD_MAGIC):
            return Found(Standing.UNIT)
        if not is_skippable(head):
            return Found(Standing.STRAY)
        length = _SKIPPABLE_HEADER + int.from_bytes(head[4:], "little")
        if len(head) < _SKIPPABLE_HEADER or at + length > self._window.size:
            return Found(Standing.TORN)
        words = f"invalid frame magic at byte {at}: a skippable frame of {length} bytes is skipped"
        return Found(Standing.FILLER, length, words)

    def open(self, at: int) -> "ZstdUnit":
        """The frame that begins at a byte."""
        return ZstdUnit(self._window, at)

    def plausible(self, at: int) -> tuple[bool, int]:
        """Whether the first blocks have a structure; one that the end of the file cuts has."""
        walk = FrameWalk(self._window, at)
        try:
            walk.go(at + _PROBED, block_most=BLOCK_MOST)
        except StructureError:
            return False, walk.end
        return True, walk.end

    def torn_words(self, at: int) -> str:
        """The words of the owner of such files."""
        return f"torn zstd frame at byte {at}"


class ZstdUnit:
    """One frame. Of a torn one, the complete blocks are decoded."""

    def __init__(self, window: Window, start: int) -> None:
        self.start = start
        self.walked = start
        self._window = window
        self._walk = FrameWalk(window, start)
        self._decoder = ZstdDecompressor()
        self._refused: Step | None = None

    def step(self) -> Step:
        """Decode what stands in at most one piece; the walk goes ahead of the decoder."""
        known = self._walk.header is not None
        try:
            walk = self._walk.go(self.walked + PIECE)
        except StructureError as error:
            self.walked = self._walk.end
            return _failed(str(error))
        if not known and self._walk.header is not None:
            self._refused = _beyond_us(self._walk.header)
        plain = self._decode()
        if walk is Walk.GOING or not self._drained():
            return Step(plain, State.MORE)
        if walk is Walk.TORN:
            return Step(plain, State.WAITING)
        if self._refused is None and not self._decoder.eof:
            self._refused = _failed("cannot be decoded")
        if self._refused is not None:
            return self._refused._replace(end=self._walk.end)
        return Step(plain, State.DONE, self._walk.end)

    def _drained(self) -> bool:
        idle = self._refused is not None or self._decoder.eof or self._decoder.needs_input
        return idle and self.walked == self._walk.end

    def _decode(self) -> bytes:
        if self._refused is not None or self._decoder.eof:
            self.walked = self._walk.end
            return b""
        piece = b""
        if self._decoder.needs_input:
            piece = self._window.read(self.walked, min(PIECE, self._walk.end - self.walked))
            if not piece:
                # The library gives a frame up when it was asked a few times with nothing.
                return b""
        try:
            plain = self._decoder.decompress(piece, OUTPUT)
        except ZstdError as error:
            checksum = "checksum" in str(error)
            self._refused = _failed("fails its checksum" if checksum else "cannot be decoded")
            return b""
        except MemoryError:
            self._refused = _lacking("needs more memory than there is")
            return b""
        self.walked += len(piece)
        return plain


def _beyond_us(header: FrameHeader) -> Step | None:
    if header.dictionary:
        return _lacking(f"needs dictionary {header.dictionary}, which is not here")
    if header.window > WINDOW_MOST:
        return _lacking(f"needs a window of {header.window} bytes, {WINDOW_MOST} are the most")
    return None


def _failed(reason: str) -> Step:
    return Step(b"", State.FAILED, reason=reason)


def _lacking(reason: str) -> Step:
    return Step(b"", State.FAILED, code=TroubleCode.UNREADABLE_FRAME, reason=reason)
