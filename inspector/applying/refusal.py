"""Why nothing was written: a sentence, never the number of a system call alone."""

import errno
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from inspector.text.gate import clean_line

_WORDS: Final = {
    errno.EEXIST: "exists already, and nothing is ever written over",
    errno.ENOSPC: "does not fit: the disk is full",
    errno.EDQUOT: "does not fit: your share of the disk is full",
    errno.EROFS: "cannot be written: the file system is read-only",
    errno.EACCES: "cannot be written: permission denied",
    errno.ENOENT: "is not there any more",
    errno.ENOTDIR: "has a file where a folder should be",
    errno.ELOOP: "is a symbolic link, and nothing is written through one",
    errno.ENAMETOOLONG: "has a name that is too long for the file system",
    errno.EPERM: "cannot be published: the file system refuses it, or makes no hard links",
    errno.ENOTSUP: "cannot be published: the file system makes no hard links",
    errno.EMLINK: "cannot be published: the file has too many names",
    errno.ETXTBSY: "is being run",
}


_LONGEST: Final = 400
"""Characters of a path that are said."""


def named(path: Path) -> str:
    """A path as it is said."""
    return clean_line(str(path), _LONGEST)


class ApplyError(Exception):
    """A plan that is not carried out. Everything is as before but for what ``left`` names.

    Attributes:
        left: what could not be taken back, a sentence each; almost always empty.
    """

    def __init__(self, message: str, left: Sequence[str] = ()) -> None:
        super().__init__("; ".join((message, *left)))
        self.left = tuple(left)


def why(error: OSError) -> str:
    """What is wrong with a path, by what the system said of it; completes "PATH …"."""
    if error.errno in _WORDS:
        return _WORDS[error.errno]
    return f"cannot be written: {error.strerror or 'input/output error'}"
