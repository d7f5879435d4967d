"""New tapes: every file is written whole under a name of its own, and then given its name.

A file comes to be by a hard link, which a name that is taken refuses; a renaming would replace what
stands there. A folder that a tape has for itself comes to be where nothing stands. What fails on
the way is taken back, as far as nobody else has changed it.
"""

import errno
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from inspector.applying.disk import Disk, Standing
from inspector.applying.interrupts import heed, held_back
from inspector.applying.refusal import ApplyError, named, why
from inspector.formats.planning import Write
from inspector.text.gate import clean_line

_LONGEST: Final = 500


def draft_of(mark: str) -> str:
    """The name of an unfinished file."""
    return f".{mark}.tmp"


class Made(NamedTuple):
    """A file that was made: where, how many bytes, and their SHA-256 in hex."""

    path: Path
    size: int
    hash: str


@dataclass(frozen=True, slots=True)
class _Step:
    """Something that was done, what it is called, and how it is taken back."""

    what: str
    back: Callable[[], None]


class Publication:
    """Files and folders that come to be together, or not at all.

    Args:
        disk: where.
        mark: makes the names of unfinished files, which nobody else may use.
        linked: whether the folder in which something is made may be a link.
    """

    def __init__(self, disk: Disk, mark: str, *, linked: bool = False) -> None:
        self._disk = disk
        self._draft = draft_of(mark)
        self._open = disk.open_linked if linked else disk.open_folder
        self._steps: list[_Step] = []
        self._held: list[int] = []
        self._path = Path()

    def publish(self, writes: Sequence[Write]) -> list[Made]:
        """Make files, in order.

        Raises:
            ApplyError: if one cannot be made; then none is there.
            SourceError: if their tape cannot be read any more; then none is there.
        """
        with held_back():
            try:
                return self._published(writes)
            except OSError as error:
                reason = "cannot be made there" if error.errno == errno.ENOENT else why(error)
                message = f"{named(self._path)} {reason}"
                raise ApplyError(message, self.withdraw()) from error
            except BaseException as error:
                left = self.withdraw()
                if left:
                    raise ApplyError(f"stopped by {type(error).__name__}", left) from error
                raise

    def _published(self, writes: Sequence[Write]) -> list[Made]:
        made: list[Made] = []
        folders: dict[Path, int] = {}
        for write in writes:
            folder = self._path = write.to.parent
            if folder not in folders:
                folders[folder] = self._folder(folder, own=write.own > 1)
            self._path = write.to
            made.append(self._file(folders[folder], write))
        for held in reversed(self._held):
            self._disk.sync(held)
        return made

    def withdraw(self) -> tuple[str, ...]:
        """Take back all that was made; gives what could not be, a sentence each."""
        left: list[str] = []
        with held_back():
            while self._steps:
                step = self._steps.pop()
                try:
                    step.back()
                except OSError as error:
                    left.append(f"{step.what} is left: {error.strerror or 'it cannot be removed'}")
            self.close()
        return tuple(left)

    def close(self) -> None:
        """Give the folders back; from now on nothing is taken back."""
        self._steps.clear()
        while self._held:
            with suppress(OSError):
                self._disk.close(self._held.pop())

    # Folders.

    def _folder(self, path: Path, *, own: bool) -> int:
        """Hold a folder, made with those above it that are not there.

        Args:
            path: which.
            own: whether it is a tape's own, which must not be there yet.
        """
        missing: list[Path] = [path] if own else []
        above = path.parent if own else path
        while True:
            try:
                folder = self._hold(self._open(above))
                break
            except FileNotFoundError:
                if above == above.parent:
                    raise
                missing.append(above)
                above = above.parent
        for one in reversed(missing):
            folder = self._made_folder(folder, one)
        return folder

    def _made_folder(self, above: int, path: Path) -> int:
        disk, name = self._disk, path.name
        disk.make_folder(above, name)
        self._done(f"the folder {path}", lambda: disk.remove_folder(above, name))
        return self._hold(disk.enter(above, name))

    def _hold(self, held: int) -> int:
        self._held.append(held)
        return held

    # Files.

    def _file(self, folder: int, write: Write) -> Made:
        disk, name, draft = self._disk, write.to.name, self._draft
        file = disk.create(folder, draft)
        self._done(f"the unfinished file {write.to.parent / draft}", self._unlinking(folder, draft))
        try:
            size, digest = self._fill(file, write)
            disk.sync(file)
            standing = disk.look_at(file)
        finally:
            with suppress(OSError):
                disk.close(file)
        disk.link(folder, draft, name)
        self._done(f"the file {write.to}", lambda: self._unlink_ours(folder, name, standing))
        disk.unlink(folder, draft)
        del self._steps[-2]
        return Made(write.to, size, digest)

    def _fill(self, file: int, write: Write) -> tuple[int, str]:
        size, digest = 0, sha256()
        for piece in write.content():
            heed()
            digest.update(piece)
            size += len(piece)
            rest = memoryview(piece)
            while rest:
                rest = rest[self._disk.write(file, bytes(rest)) :]
        return size, digest.hexdigest()

    def _unlinking(self, folder: int, name: str) -> Callable[[], None]:
        return lambda: self._disk.unlink(folder, name)

    def _unlink_ours(self, folder: int, name: str, ours: Standing) -> None:
        """Take a file away if it is the one that was made, and nobody wrote to it since."""
        if self._disk.look(folder, name) != ours:
            raise OSError(0, "somebody else changed it")
        self._disk.unlink(folder, name)

    def _done(self, what: str, back: Callable[[], None]) -> None:
        self._steps.append(_Step(clean_line(what, _LONGEST), back))
