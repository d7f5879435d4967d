"""What must not happen to a user's files: a guard around the code that reads them."""

import hashlib
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

Entry = tuple[str, int, int, int, str]
"""Type, mode, size in bytes, modified in nanoseconds, and the SHA-256 of a file or a link's aim."""


@contextmanager
def untouched(*paths: Path) -> Iterator[None]:
    """Assert that the folders of these paths are, afterwards, what they were before.

    A path that is a folder stands for itself and all below it, any other for its parent folder. A
    folder's own time is compared too, so that a file made and deleted again is noticed.
    """
    folders = sorted({path if path.is_dir() else path.parent for path in paths})
    before = [snapshot(folder) for folder in folders]
    yield
    assert [snapshot(folder) for folder in folders] == before


def snapshot(folder: Path) -> dict[str, Entry]:
    """Every entry below a folder, itself included, by its path."""
    return {str(path): _entry(path) for path in (folder, *sorted(folder.rglob("*")))}


def _entry(path: Path) -> Entry:
    status = path.lstat()
    mode, kind, content = status.st_mode, "other", ""
    if stat.S_ISREG(mode):
        kind, content = "file", hashlib.sha256(path.read_bytes()).hexdigest()
    elif stat.S_ISLNK(mode):
        kind, content = "link", str(path.readlink())
    elif stat.S_ISDIR(mode):
        kind = "folder"
    return kind, stat.S_IMODE(mode), status.st_size, status.st_mtime_ns, content
