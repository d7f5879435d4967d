"""gzip: members to the end of the file (RFC 1952 section 2.2).

Such a file usually is one member, so its text is given out as it comes, before the checksum is
known: held back, it would show nothing of a file with a single wrong byte at its end.
"""

import re
import zlib
from typing import Final

from inspector.tape.packing import GZIP_MAGIC
from inspector.tape.troubles import TroubleCode
from inspector.tape.units import OUTPUT, PIECE, Found, Standing, State, Step, Window

_FIXED: Final = 10
_HEADER_MOST: Final = 64 * 1024 + 512
_TRAILER: Final = 8
_PROBED: Final = 4 * 1024
_DEFLATE: Final = 8


class GzipCodec:
    """gzip members."""

    noun = "gzip member"
    magic = GZIP_MAGIC
    beginning = re.compile(re.escape(GZIP_MAGIC) + rb"(?:\x08(?:[\x00-\x1f]|\Z)|\Z)")
    start = 0
    hold = 0
    torn = TroubleCode.TORN_STREAM

    def __init__(self, window: Window) -> None:
        self._window = window

    def stop(self) -> int:
        """The end of the file."""
        return self._window.size

    def look(self, at: int) -> Found:
        """A member; zeros between and behind members pad the file and say nothing."""
        head = self._window.read(at, len(GZIP_MAGIC))
        if not head:
            return Found(Standing.END)
        if head == GZIP_MAGIC:
            return Found(Standing.UNIT)
        if head == GZIP_MAGIC[:1]:
            return Found(Standing.TORN)
        piece = self._window.read(at, PIECE)
        zeros = len(piece) - len(piece.lstrip(b"\0"))
        return Found(Standing.FILLER, zeros) if zeros else Found(Standing.STRAY)

    def open(self, at: int) -> "GzipUnit":
        """The member that begins at a byte."""
        return GzipUnit(self._window, at)

    def plausible(self, at: int) -> tuple[bool, int]:
        """Whether a header and the first of its text can be read."""
        head = self._window.read(at, _PROBED)
        try:
            length = _header_length(head)
            if length is not None:
                zlib.decompressobj(-zlib.MAX_WBITS).decompress(head[length:], OUTPUT)
        except (ValueError, zlib.error):
            return False, at + len(GZIP_MAGIC)
        return True, at + len(head)

    def torn_words(self, at: int) -> str:
        """Where the member begins that has no end."""
        return f"gzip stream ends early: the member at byte {at} is cut"


class GzipUnit:
    """One member."""

    def __init__(self, window: Window, start: int) -> None:
        self.start = start
        self.walked = start
        self._window = window
        self._inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        self._in_body = False
        self._checksum = 0
        self._length = 0
        self._most = PIECE

    def step(self) -> Step:
        """Read the header, inflate at most one piece, or hold the trailer against the text."""
        if not self._in_body:
            return self._header()
        if self._inflater.eof:
            return self._trailer()
        piece = self._window.read(self.walked, self._most)
        before = self._inflater.copy()
        try:
            plain = self._inflater.decompress(piece, OUTPUT)
        except zlib.error:
            # The library keeps what stands before the fault to itself: go nearer in smaller steps.
            self._inflater, self._most = before, len(piece) // 2
            if self._most:
                return Step(b"", State.MORE)
            return _failed(f"cannot be decoded from byte {self.walked} on")
        left = len(self._inflater.unconsumed_tail) + len(self._inflater.unused_data)
        self.walked += len(piece) - left
        self._checksum = zlib.crc32(plain, self._checksum)
        self._length += len(plain)
        idle = not plain and not self._inflater.eof and self.walked >= self._window.size
        return Step(plain, State.WAITING if idle else State.MORE)

    def _header(self) -> Step:
        head = self._window.read(self.start, _HEADER_MOST)
        try:
            length = _header_length(head)
        except ValueError as error:
            return _failed(str(error))
        if length is not None:
            self._in_body = True
            self.walked = self.start + length
            return Step(b"", State.MORE)
        if len(head) < _HEADER_MOST:
            return Step(b"", State.WAITING)
        return _failed("has a header without an end")

    def _trailer(self) -> Step:
        trailer = self._window.read(self.walked, _TRAILER)
        if len(trailer) < _TRAILER:
            return Step(b"", State.WAITING)
        end = self.walked + _TRAILER
        if int.from_bytes(trailer[:4], "little") != self._checksum:
            return _failed("fails its checksum", end)
        if int.from_bytes(trailer[4:], "little") != self._length & 0xFFFF_FFFF:
            return _failed("is not as long as it says", end)
        return Step(b"", State.DONE, end)


def _header_length(head: bytes) -> int | None:
    """The bytes of a member's header, None if it is not all there.

    Raises:
        ValueError: if it is not such a header.
    """
    if len(head) < _FIXED:
        return None
    flags = head[3]
    if head[2] != _DEFLATE:
        raise ValueError(f"is packed with method {head[2]}, which cannot be read")
    if flags & 0xE0:
        raise ValueError("has reserved flags set")
    at = _FIXED
    if flags & 0x04:
        at += 2 + int.from_bytes(head[at : at + 2], "little")
    for text in (0x08, 0x10):
        if flags & text:
            # Where no zero byte ends a text, find answers -1, and the length is beyond the bytes.
            at = head.find(b"\0", at) + 1 or len(head) + 1
    at += 2 if flags & 0x02 else 0
    return at if at <= len(head) else None


def _failed(reason: str, end: int | None = None) -> Step:
    return Step(b"", State.FAILED, end, reason=reason)
