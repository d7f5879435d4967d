"""The file-system calls that writing makes: a protocol, so that a test can make each of them fail.

Folders are held open and files named within them: a folder that is exchanged for a link meanwhile
leads nowhere else.
"""

import errno
import os
import stat
from pathlib import Path
from typing import Final, NamedTuple, Protocol

_FILE_MODE: Final = 0o600
"""Sessions hold what a person said and what a tool read: nobody else's business."""

_FOLDER_MODE: Final = 0o700

_NEVER_A_LINK: Final = os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class Standing(NamedTuple):
    """What stands under a name: which thing it is, how many bytes, whether a regular file."""

    device: int
    inode: int
    size: int
    regular: bool

    def is_same(self, other: "Standing") -> bool:
        """Whether both are one thing, whatever its size."""
        return (self.device, self.inode) == (other.device, other.inode)


class Disk(Protocol):
    """What writing asks of a file system. Every method raises OSError.

    Folders and files are numbers that `close` gives back. A name is one name within a folder.
    """

    def open_folder(self, path: Path) -> int:
        """Hold a folder that exists; one that is a link itself is refused."""

    def open_linked(self, path: Path) -> int:
        """Hold a folder that exists; links are followed."""

    def enter(self, folder: int, name: str) -> int:
        """Hold a folder within a folder; a link is refused."""

    def make_folder(self, folder: int, name: str) -> None:
        """Make a folder where nothing stands under that name."""

    def remove_folder(self, folder: int, name: str) -> None:
        """Remove an empty folder."""

    def create(self, folder: int, name: str) -> int:
        """Make an empty file where nothing stands under that name, to be written."""

    def open_end(self, folder: int, name: str) -> int:
        """Hold a file such that what is written stands behind what it holds; a link is refused."""

    def write(self, file: int, data: bytes) -> int:
        """Write bytes; gives how many were taken."""

    def shorten(self, file: int, size: int) -> None:
        """Take the end of a file away."""

    def sync(self, held: int) -> None:
        """Wait until a file or the names in a folder are on the disk."""

    def link(self, folder: int, name: str, new: str) -> None:
        """Give a file a second name in the same folder, where nothing stands under that name."""

    def unlink(self, folder: int, name: str) -> None:
        """Take a name of a file away."""

    def look(self, folder: int, name: str) -> Standing:
        """What stands under a name, without following a link."""

    def look_at(self, file: int) -> Standing:
        """What a held file is."""

    def room(self, folder: int) -> int:
        """How many bytes could still be written there."""

    def close(self, held: int) -> None:
        """Give a folder or a file back."""


class RealDisk:
    """The file system of the machine."""

    def open_folder(self, path: Path) -> int:
        """Hold a folder that exists; one that is a link itself is refused."""
        try:
            return os.open(path, _FOLDER | os.O_NOFOLLOW)
        except NotADirectoryError:
            if path.is_symlink():
                # As any other link is refused.
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
            raise

    def open_linked(self, path: Path) -> int:
        """Hold a folder that exists; links are followed."""
        return os.open(path, _FOLDER)

    def enter(self, folder: int, name: str) -> int:
        """Hold a folder within a folder; a link is refused."""
        return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)

    def make_folder(self, folder: int, name: str) -> None:
        """Make a folder where nothing stands under that name."""
        os.mkdir(name, _FOLDER_MODE, dir_fd=folder)

    def remove_folder(self, folder: int, name: str) -> None:
        """Remove an empty folder."""
        os.rmdir(name, dir_fd=folder)

    def create(self, folder: int, name: str) -> int:
        """Make an empty file where nothing stands under that name, to be written."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NEVER_A_LINK
        return os.open(name, flags, _FILE_MODE, dir_fd=folder)

    def open_end(self, folder: int, name: str) -> int:
        """Hold a file such that what is written stands behind what it holds; a link is refused."""
        # What is no regular file is not waited for: a pipe would be.
        flags = os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK | _NEVER_A_LINK
        return os.open(name, flags, dir_fd=folder)

    def write(self, file: int, data: bytes) -> int:
        """Write bytes; gives how many were taken."""
        return os.write(file, data)

    def shorten(self, file: int, size: int) -> None:
        """Take the end of a file away."""
        os.ftruncate(file, size)

    def sync(self, held: int) -> None:
        """Wait until a file or the names in a folder are on the disk."""
        os.fsync(held)

    def link(self, folder: int, name: str, new: str) -> None:
        """Give a file a second name in the same folder, where nothing stands under that name."""
        os.link(name, new, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)

    def unlink(self, folder: int, name: str) -> None:
        """Take a name of a file away."""
        os.unlink(name, dir_fd=folder)

    def look(self, folder: int, name: str) -> Standing:
        """What stands under a name, without following a link."""
        return _standing(os.stat(name, dir_fd=folder, follow_symlinks=False))

    def look_at(self, file: int) -> Standing:
        """What a held file is."""
        return _standing(os.fstat(file))

    def room(self, folder: int) -> int:
        """How many bytes could still be written there."""
        found = os.fstatvfs(folder)
        return found.f_bavail * found.f_frsize

    def close(self, held: int) -> None:
        """Give a folder or a file back."""
        os.close(held)


def _standing(found: os.stat_result) -> Standing:
    return Standing(found.st_dev, found.st_ino, found.st_size, stat.S_ISREG(found.st_mode))
