"""The files of one database: what stands beside it, whether it changed, and a private copy of it.

The rules of the sidecars are those of sqlite.org/walformat.html and fileformat.html section 3.
"""

import fcntl
import os
import shutil
import struct
import tempfile
from pathlib import Path
from typing import Final, NamedTuple, Self
from weakref import finalize

from inspector.tape.source import CHUNK, FileSource, SourceError

_WAL_MAGIC: Final = (0x377F0682, 0x377F0683)
_WAL_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
_MX_FRAME: Final = 16
"""Where a -shm says how many frames of the -wal count: walformat.html section 2.1."""
_FICLONE: Final = 0x40049409
"""Linux: this file shares its blocks with that one, and costs no space and no time."""


class Trouble(NamedTuple):
    """Something a reader must know about how a source was read; the message is one sentence."""

    code: str
    message: str


class Sidecar(NamedTuple):
    """A file beside a database without which it is not whole."""

    suffix: str
    size: int


class Sidecars(NamedTuple):
    """What stands beside a database: what must be read with it, and what cannot be."""

    found: list[Sidecar]
    troubles: list[Trouble]
    said: str


class CopyError(SourceError):
    """A database that cannot be copied; the message is the reason."""


class Signature(NamedTuple):
    """What a change to a database or its sidecars must change.

    Two changes within one tick of the clock have one time, so the change counter of the database
    and the salts of its -wal are compared too.
    """

    database: tuple[int, ...] | None
    counter: bytes | None
    wal: tuple[int, ...] | None
    salts: bytes | None
    journal: tuple[int, ...] | None

    def held_still(self, before: Self) -> bool:
        """Whether a copy made since then is whole: a -wal that only grew still begins with it."""
        if self._replace(wal=None) != before._replace(wal=None):
            return False
        if self.wal is None or before.wal is None:
            return self.wal == before.wal
        return self.wal[:2] == before.wal[:2] and self.wal[2] >= before.wal[2]


def beside(database: Path) -> Sidecars:
    """The sidecars of a database, by its real path: SQLite looks beside what a link leads to."""
    found: list[Sidecar] = []
    troubles: list[Trouble] = []
    said = "no -wal beside it"
    for suffix, judge in (("-wal", _judge_wal), ("-journal", _judge_journal)):
        path = with_suffix(database, suffix)
        if not os.path.lexists(path):
            continue
        try:
            with FileSource(path) as source:
                size = source.size()
                reason = judge(source, size)
        except SourceError as error:
            size, reason = path.stat().st_size if path.is_file() else 0, str(error)
        if suffix == "-wal" and size == 0:
            said = "the -wal beside it is empty"
        if reason is None:
            found.append(Sidecar(suffix, size))
        elif reason:
            said = f"its {suffix} is not read"
            troubles.append(not_read(suffix, size, reason))
    return Sidecars(found, troubles, said)


def not_read(suffix: str, size: int, reason: str) -> Trouble:
    """The trouble of a sidecar whose bytes are left out."""
    missing = "newer rows may be missing" if suffix == "-wal" else "half a change may be showing"
    of = f"{size:,} bytes of the {suffix} are" if size else f"the {suffix} is"
    return Trouble(f"{suffix[1:]}-not-read", f"{of} not read: {reason}; {missing}")


def with_suffix(database: Path, suffix: str) -> Path:
    """The path of a sidecar."""
    return database.with_name(database.name + suffix)


def _judge_wal(source: FileSource, size: int) -> str | None:
    """Why a -wal is left out: None if it is not, an empty reason if nothing is in it."""
    if size == 0:
        return ""
    head = source.read(0, _WAL_HEADER)
    if len(head) < _WAL_HEADER or struct.unpack_from(">I", head)[0] not in _WAL_MAGIC:
        return "it has no header"
    if size < _WAL_HEADER + _FRAME_HEADER + struct.unpack_from(">I", head, 8)[0]:
        return "it holds no whole page"
    if _checksum(head[:24]) != head[24:]:
        return "its header fails its checksum"
    return None


def _checksum(head: bytes) -> bytes:
    """What must follow the start of a -wal, or SQLite reads none of it: walformat.html 1.2.1."""
    order = "<" if head[3] == _WAL_MAGIC[0] & 0xFF else ">"
    first = second = 0
    for one, other in struct.iter_unpack(f"{order}II", head):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return struct.pack(">II", first, second)


def _judge_journal(source: FileSource, size: int) -> str | None:
    """As for a -wal. A journal whose header is zero belongs to a change that was completed."""
    head = source.read(0, len(_JOURNAL_MAGIC))
    if head != _JOURNAL_MAGIC:
        return ""
    # It would name another file, which SQLite reads and then deletes: never a stranger's choice.
    if source.read(size - len(_JOURNAL_MAGIC), len(_JOURNAL_MAGIC)) == _JOURNAL_MAGIC:
        return "it is part of a change to several databases"
    return None


def signature(database: Path) -> Signature:
    """The signature of a database now."""
    wal = with_suffix(database, "-wal")
    return Signature(
        database=_stamp(database),
        counter=_bytes_of(database, 24, 4),
        wal=_stamp(wal),
        salts=_bytes_of(wal, 12, 12),
        journal=_stamp(with_suffix(database, "-journal")),
    )


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _bytes_of(path: Path, offset: int, length: int) -> bytes | None:
    try:
        with FileSource(path) as source:
            return source.read(offset, length)
    except SourceError:
        return None


class PrivateCopy:
    """A database and its sidecars in a folder that only its owner may enter.

    A -shm is never copied: it is the memory of processes that know nothing of the copy.

    Attributes:
        path: the copied database.
        size: bytes of the copied files.
    """

    def __init__(
        self, database: Path, sidecars: list[Sidecar], limit: int, temporary: Path | None
    ) -> None:
        """Copy everything once.

        Raises:
            CopyError: if more than ``limit`` bytes would be written, or the system refuses.
        """
        try:
            self._folder = Path(tempfile.mkdtemp(prefix="inspector-", dir=temporary))
        except OSError as error:
            raise CopyError(f"no temporary folder: {_words(error)}") from error
        self.remove = finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self.path = self._folder / "copy"
        self.size = 0
        written = 0
        try:
            # The database first: what a checkpoint changes in it meanwhile is in the -wal as well.
            for suffix in ("", *(sidecar.suffix for sidecar in sidecars)):
                written += self._copy(with_suffix(database, suffix), suffix, limit - written, limit)
        except BaseException:
            self.remove()
            raise

    def _copy(self, original: Path, suffix: str, left: int, limit: int) -> int:
        try:
            with (
                FileSource(original) as source,
                with_suffix(self.path, suffix).open("wb") as target,
            ):
                size = source.size()
                self.size += size
                if _clone(original, target.fileno()):
                    return 0
                if size > left:
                    raise CopyError(f"a copy would be more than {limit:,} bytes")
                for offset in range(0, size, CHUNK):
                    target.write(source.read(offset, min(CHUNK, size - offset)))
                return size
        except OSError as error:
            raise CopyError(f"it cannot be copied: {_words(error)}") from error

    def unfinished(self) -> Trouble | None:
        """The trouble of a -wal that SQLite opened and did not read to its end, if there is one.

        What follows the last whole transaction is either the start of another one, with the salts
        of the header, or left over from before the -wal was begun again, with older ones. A frame
        with the salts of the header somewhere behind tells that the first one is damaged.
        """
        wal = with_suffix(self.path, "-wal")
        index = _bytes_of(with_suffix(self.path, "-shm"), _MX_FRAME, 4)
        header = _bytes_of(wal, 0, _WAL_HEADER)
        if header is None:
            return None
        if not index:
            return not_read("-wal", wal.stat().st_size, "SQLite did not open it")
        (page_size,) = struct.unpack_from(">I", header, 8)
        (frames,) = struct.unpack("=I", index)
        frame = _FRAME_HEADER + page_size
        end = _WAL_HEADER + frames * frame
        size = wal.stat().st_size
        if size <= end or not _goes_on(wal, range(end, size, frame), header[16:24]):
            return None
        return Trouble(
            "wal-torn",
            f"the last transaction in the -wal is unfinished or damaged and left out: "
            f"{size - end:,} bytes from byte {end}",
        )


def _goes_on(wal: Path, frames: range, salts: bytes) -> bool:
    """Whether one of the frames has these salts; of the first one they may be cut off."""
    with FileSource(wal) as source:
        first = source.read(frames.start + 8, 8)
        return salts.startswith(first) or any(source.read(at + 8, 8) == salts for at in frames)


def _clone(original: Path, target: int) -> bool:
    """Whether the two files now share their blocks; few file systems can do that."""
    descriptor = os.open(original, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.ioctl(target, _FICLONE, descriptor)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _words(error: OSError) -> str:
    return error.strerror or "unknown reason"
