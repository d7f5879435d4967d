"""The text of a compressed file, unpacked as far as somebody reads."""

from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Final, Self

from inspector.tape.frames import FrameTable
from inspector.tape.packing import Packing, packing
from inspector.tape.source import FileSource, SourceError
from inspector.tape.troubles import Trouble, TroubleCode, Troubles
from inspector.tape.units import PIECE, Codec, Standing, State, Step, Unit, Window
from inspector.tape.unpacked_text import UnpackedText

PATIENCE: Final = 64
"""False beginnings of a unit behind which the search takes up each time at the next byte.

Later ones are passed over whole, so that a file made of them costs time in proportion to its size.
"""

_COMPARED: Final = 1024


@dataclass(frozen=True, slots=True)
class Limit:
    """How much text may come out of a file; whoever wants more passes larger numbers.

    Attributes:
        bytes: of text in all.
        ratio: text for each compressed byte.
        floor: bytes of text up to which the ratio is not looked at.
    """

    bytes: int = 4 << 30
    ratio: int = 200
    floor: int = 64 << 20


DEFAULT_LIMIT: Final = Limit()


class UnpackedSource:
    """A zstd file, a gzip file or one file in a zip archive, as a source of its plain text.

    Text goes to a temporary file without a name, a piece at a time, so the first lines come before
    the rest is unpacked, and no more of a file than somebody reads. The text only grows.

    A zstd frame gives its text once it has proved good; one that fails is left out whole. Two kinds
    are given out before that is known and then stay, with a trouble that says so if they fail: the
    frame in which the file ends, as far as its blocks are complete, and one with more text than
    ``zstd_stream.HELD_BACK``. So is the text of gzip and zip members. When a file has grown,
    reading goes on inside the frame in which it ended.

    Takes the packed source over: closing this closes it.

    Attributes:
        path: the compressed file.
        packed: the same, as a source.
        packing: how it is compressed.
        frames: where each frame, or member, begins in the file and in the text.
        complete_to: the byte of the text at which the last frame ends whose end was reached; what
            is beyond comes from a torn one, or from one of which more is to come.

    Raises:
        SourceError: if the file is not compressed, or there is no room for temporary files.
    """

    def __init__(
        self, packed: FileSource, limit: Limit = DEFAULT_LIMIT, *, codec: Codec | None = None
    ) -> None:
        self._packed = packed
        self.packed = packed
        self.packing = Packing.ZIP if codec else packing(packed.read(0, 4)) or Packing.ZSTD
        self._window = Window(packed)
        self._codec = codec or _codec(packed, self._window)
        self._text = UnpackedText()
        self._limit = limit
        self._lock = Lock()
        self._at = self._codec.start
        self._unit: Unit | None = None
        self._lost: Trouble | None = None
        self._patience = PATIENCE
        self._troubles = Troubles()
        self._present: Trouble | None = None
        self._idle = False
        self._stopped = False
        self._refusal = ""
        self._seen = 0
        self._last_walked = 0, b""
        self._plain_start = 0
        self.path: Path = packed.path
        self.frames = FrameTable()
        self.complete_to = 0

    @classmethod
    def of_member(cls, packed: FileSource, name: str, limit: Limit = DEFAULT_LIMIT) -> Self:
        """One file of a zip archive, as ``zip_members.members`` names it.

        Raises:
            SourceError: if it is not there or cannot be read.
        """
        from inspector.tape.zip_members import ZipCodec

        return cls(packed, limit, codec=ZipCodec(packed, name))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the text and the compressed file back."""
        with self._lock:
            self._stopped = True
            self._text.close()
            self._packed.close()

    def size(self) -> int:
        """The bytes of text that are there now."""
        return self._text.size

    @property
    def packed_size(self) -> int:
        """The bytes of the compressed file at the last look."""
        return self._window.size

    def share(self, offset: int) -> float:
        """Which part of the compressed file stands before a byte of the text, from 0 to 1."""
        start, stop = self._codec.start, self._codec.stop()
        if stop <= start:
            return 1.0
        return min(1.0, max(0.0, (self._packed_place(offset) - start) / (stop - start)))

    def troubles(self) -> list[Trouble]:
        """What went wrong so far: first what stays, then the end of the file as it is now."""
        present = self._present
        return self._troubles.listed() + ([] if present is None else [present])

    def read(self, offset: int, length: int) -> bytes:
        """The text from ``offset``, fewer bytes only where it ends, for now.

        Raises:
            SourceError: if the file cannot be read, became shorter, or was written anew.
        """
        while self._text.size < offset + length and self._go_on():
            pass
        return self._text.read(offset, length)

    def _packed_place(self, offset: int) -> float:
        frame = self.frames.frame_of(offset)
        if frame < 0:
            return self._codec.start
        plain, packed = self.frames.plain(frame), self.frames.packed(frame)
        if frame + 1 < len(self.frames):
            plain_after, packed_after = self.frames.plain(frame + 1), self.frames.packed(frame + 1)
        else:
            plain_after, packed_after = self._text.size, self._reached()
        if offset >= plain_after:
            return packed_after
        return packed + (packed_after - packed) * (offset - plain) / (plain_after - plain)

    def _reached(self) -> int:
        unit = self._unit
        if self._idle:
            return self._codec.stop()
        return self._at if unit is None else unit.walked

    def _go_on(self) -> bool:
        """One bounded piece of work; False if there is nothing to do, for now."""
        with self._lock:
            if self._stopped or not self._has_news():
                return False
            self._idle = False
            if self._lost is not None:
                return self._search(self._lost)
            if self._unit is None and not self._begin():
                return False
            return self._unit is None or self._unpack(self._unit)

    def _has_news(self) -> bool:
        """Whether there is anything that was not looked at; takes in what was appended."""
        before, self._seen = self._seen, max(self._seen, self._window.refresh())
        if self._window.size < self._seen:
            self._refusal = (
                f"became shorter while it was read: {self._window.size} bytes now, "
                f"{self._seen} before"
            )
        at, walked = self._last_walked
        if self._idle and self._seen > before and self._window.read(at, len(walked)) != walked:
            self._refusal = f"was written anew from byte {at} or later while it was read"
        if self._refusal:
            raise SourceError(self._refusal)
        return not self._idle or self._seen > before

    def _begin(self) -> bool:
        found = self._codec.look(self._at)
        if found.standing is Standing.END:
            return self._wait(None)
        if found.standing is Standing.TORN:
            words = self._codec.torn_words(self._at)
            return self._wait(Trouble(self._codec.torn, self._at, self._text.size, words))
        if found.standing is Standing.FILLER:
            if found.message:
                self._note(TroubleCode.SKIPPED_FRAME, self._at, found.message)
            self._move(self._at + found.length)
        elif found.standing is Standing.STRAY:
            words = f"invalid frame magic at byte {self._at}"
            self._lost = Trouble(TroubleCode.NOT_A_FRAME, self._at, self._text.size, words)
        else:
            self._unit = self._codec.open(self._at)
            self._plain_start = self._text.size
            self.frames.begin(self._at, self._plain_start)
        return True

    def _unpack(self, unit: Unit) -> bool:
        step = unit.step()
        if step.plain and not self._keep(step.plain, unit):
            return False
        if step.state is State.FAILED:
            self._fail(unit, step)
        elif step.state is State.DONE:
            self._text.publish()
            self.complete_to = self._text.size
            self._end(unit, unit.walked if step.end is None else step.end)
        elif step.state is State.WAITING:
            self._text.publish()
            words = self._codec.torn_words(unit.start)
            return self._wait(Trouble(self._codec.torn, unit.start, self._plain_start, words))
        elif self._text.written - self._plain_start > self._codec.hold:
            self._text.publish()
        return True

    def _keep(self, plain: bytes, unit: Unit) -> bool:
        """Hold text back; False if that came to a limit."""
        packed = unit.walked - self._codec.start
        by_ratio = max(self._limit.floor, self._limit.ratio * packed)
        room = max(0, min(self._limit.bytes, by_ratio) - self._text.written)
        try:
            self._text.write(plain[:room])
        except OSError as error:
            return self._stop(unit, error.strerror or "the text cannot be written")
        if len(plain) <= room:
            return True
        if by_ratio < self._limit.bytes:
            reason = f"the text is more than {self._limit.ratio} times as long as what it came from"
        else:
            reason = f"the text is longer than {self._limit.bytes} bytes"
        return self._stop(unit, f"{reason}, a limit that can be raised")

    def _stop(self, unit: Unit, reason: str) -> bool:
        self._text.publish()
        words = f"unpacking stops at byte {unit.walked} of {self._window.size}: {reason}"
        self._note(TroubleCode.UNPACK_LIMIT, unit.walked, words)
        self._present = None
        self._stopped = True
        return False

    def _fail(self, unit: Unit, step: Step) -> None:
        given = self._text.size > self._plain_start
        self._text.drop()
        self.complete_to = self._text.size
        fate = "the text it gave before that stays" if given else "its text is left out"
        words = f"{self._codec.noun} at byte {unit.start} {step.reason}; {fate}"
        trouble = Trouble(step.code, unit.start, self._plain_start, words)
        # A frame that was torn and then written behind seems to end inside the one that follows.
        if step.end is not None and self._codec.look(step.end).standing is not Standing.STRAY:
            self._troubles.add(trouble)
            self._end(unit, step.end)
            return
        self._move(self._behind(unit.start, unit.walked))
        self._lost = trouble

    def _search(self, lost: Trouble) -> bool:
        """Look for the next unit in one piece of the file."""
        start, piece = self._at, self._window.read(self._at, PIECE)
        if len(piece) < len(self._codec.magic):
            skipped = self._window.size - lost.packed
            words = f"{lost.message}; {skipped} bytes to the end of the file are skipped"
            return self._wait(lost._replace(message=words))
        while found := self._codec.beginning.search(piece, max(0, self._at - start)):
            candidate = start + found.start()
            plausible, looked = self._codec.plausible(candidate)
            if plausible:
                words = f"{lost.message}; {candidate - lost.packed} bytes are skipped"
                self._troubles.add(lost._replace(message=words))
                self._move(candidate)
                return True
            self._at = self._behind(candidate, looked)
        # The last bytes may be the beginning of a magic.
        self._at = max(self._at, start + len(piece) - len(self._codec.magic) + 1)
        return True

    def _behind(self, start: int, walked: int) -> int:
        """Where to search on behind a false beginning."""
        if self._patience:
            self._patience -= 1
            return start + 1
        return max(start + 1, walked)

    def _end(self, unit: Unit, end: int) -> None:
        self.frames.end(end - unit.start)
        self._move(end)

    def _move(self, at: int) -> None:
        self._at, self._unit, self._lost, self._present = at, None, None, None

    def _note(self, code: TroubleCode, packed: int, words: str) -> None:
        self._troubles.add(Trouble(code, packed, self._text.size, words))

    def _wait(self, present: Trouble | None) -> bool:
        self._present = present
        self._idle = True
        self._last_walked = 0, b""
        if self._unit is not None:
            at = max(self._unit.start, self._unit.walked - _COMPARED)
            self._last_walked = at, self._window.read(at, self._unit.walked - at)
        return False


def _codec(packed: FileSource, window: Window) -> Codec:
    kind = packing(packed.read(0, 4))
    if kind is Packing.ZSTD:
        from inspector.tape.zstd_stream import ZstdCodec

        return ZstdCodec(window)
    if kind is Packing.GZIP:
        from inspector.tape.gzip_stream import GzipCodec

        return GzipCodec(window)
    if kind is Packing.ZIP:
        from inspector.tape.zip_members import ZipCodec

        return ZipCodec(packed, None)
    raise SourceError("is not a compressed file")
