"""The files in a zip archive, each read as the one unit of a compressed source."""

import io
import re
import stat
import struct
import zlib
from typing import IO, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from inspector.tape.packing import ZIP_MAGIC
from inspector.tape.source import FileSource, SourceError
from inspector.tape.troubles import TroubleCode
from inspector.tape.units import PIECE, Found, Standing, State, Step

_ONE_READ: Final = 16 * 1024 * 1024
"""The most bytes of a directory; of the files in it much less is read at once."""

_MALFORMED: Final = (
    BadZipFile,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    struct.error,
    zlib.error,
)
"""What the library raises at archives that are none."""


class Member(NamedTuple):
    """A regular file in an archive: its name as stored, which is hostile text, and its bytes."""

    name: str
    size: int


def members(packed: FileSource) -> list[Member]:
    """The regular files in an archive, in the order of its directory.

    Raises:
        SourceError: if there is no directory that can be read.
    """
    with _archive(packed) as archive:
        return [Member(info.filename, info.file_size) for info in _files(archive)]


class ZipCodec:
    """One file in an archive.

    Args:
        packed: the archive.
        name: which file, as ``members`` names it; None for the only one.

    Raises:
        SourceError: if it is not there, or is packed in a way that cannot be read.
    """

    noun = "zip member"
    magic = ZIP_MAGIC
    beginning = re.compile(re.escape(ZIP_MAGIC))
    hold = 0
    torn = TroubleCode.TORN_STREAM

    def __init__(self, packed: FileSource, name: str | None) -> None:
        self._archive = _archive(packed)
        self._info = _chosen(_files(self._archive), name)
        if self._info.flag_bits & 1:
            raise SourceError("is encrypted in its zip archive")
        method = self._info.compress_type
        if method not in {ZIP_STORED, ZIP_DEFLATED}:
            raise SourceError(f"is packed with method {method}, which cannot be read")
        self.start = self._info.header_offset

    def stop(self) -> int:
        """Where its bytes end, the names before them left out of account."""
        return self.start + self._info.compress_size

    def look(self, at: int) -> Found:
        """The file and then nothing."""
        return Found(Standing.UNIT if at == self.start else Standing.END)

    def open(self, at: int) -> "ZipUnit":
        """The file."""
        return ZipUnit(self._archive, self._info, at, self.stop())

    def plausible(self, at: int) -> tuple[bool, int]:
        """Nothing is searched for: the directory says where all is."""
        return False, at

    def torn_words(self, at: int) -> str:
        """Nothing is torn either: an archive that is cut has no directory."""
        return f"zip member at byte {at} is cut"


class ZipUnit:
    """The text of one file; the library holds it against its checksum at the end."""

    def __init__(self, archive: ZipFile, info: ZipInfo, start: int, stop: int) -> None:
        self.start = start
        self._archive = archive
        self._info = info
        self._stop = stop
        self._file: IO[bytes] | None = None
        self._given = 0

    @property
    def walked(self) -> int:
        """Reckoned from the text given out, as the library does not tell."""
        share = min(1.0, self._given / self._info.file_size) if self._info.file_size else 1.0
        return self.start + int((self._stop - self.start) * share)

    def step(self) -> Step:
        """Read on by a piece."""
        try:
            if self._file is None:
                self._file = self._archive.open(self._info)
            plain = self._file.read(PIECE)
        except _MALFORMED as error:
            checksum = "CRC" in str(error)
            reason = "fails its checksum" if checksum else f"cannot be decoded: {error}"
            return Step(b"", State.FAILED, self._after(), reason=reason)
        self._given += len(plain)
        if plain:
            return Step(plain, State.MORE)
        return Step(b"", State.DONE, self._after())

    def _after(self) -> int:
        # A member without bytes must not seem to begin again where it ends.
        return max(self._stop, self.start + 1)


class _Positioned(io.RawIOBase):
    """A source as the library wants to read it."""

    def __init__(self, packed: FileSource) -> None:
        super().__init__()
        self._packed = packed
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at}.get(whence)
        at = offset + (self._packed.size() if base is None else base)
        if at < 0:
            raise OSError("before the beginning")
        self._at = at
        return at

    def read(self, size: int | None = -1) -> bytes:
        wanted = max(0, self._packed.size() - self._at) if size is None or size < 0 else size
        if wanted > _ONE_READ:
            raise ValueError(f"its directory is larger than {_ONE_READ} bytes")
        data = self._packed.read(self._at, wanted)
        self._at += len(data)
        return data


def _archive(packed: FileSource) -> ZipFile:
    try:
        return ZipFile(_Positioned(packed))
    except _MALFORMED as error:
        raise SourceError(f"zip archive without a readable directory: {error}") from error


def _files(archive: ZipFile) -> list[ZipInfo]:
    return [info for info in archive.infolist() if not info.is_dir() and _regular(info)]


def _regular(info: ZipInfo) -> bool:
    kind = stat.S_IFMT(info.external_attr >> 16)
    return kind in {0, stat.S_IFREG}


def _chosen(files: list[ZipInfo], name: str | None) -> ZipInfo:
    if name is None:
        if len(files) != 1:
            count = f"{len(files)} files: name one of them" if files else "no file in it"
            raise SourceError(f"is a zip archive with {count}")
        return files[0]
    # As with files that are unpacked one over the other, the last of a name is the one.
    for info in reversed(files):
        if info.filename == name:
            return info
    raise SourceError("is not in the zip archive")
