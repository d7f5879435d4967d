"""How many bytes there are, and their SHA-256: by it a file is known again."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

_PIECE: Final = 1 << 20


class Sum(NamedTuple):
    """How many bytes, and their SHA-256 in hex."""

    size: int
    hash: str


def sum_of(pieces: Iterable[bytes]) -> Sum:
    """The sum of bytes that come in pieces."""
    size, digest = 0, sha256()
    for piece in pieces:
        digest.update(piece)
        size += len(piece)
    return Sum(size, digest.hexdigest())


def pieces_of(path: Path, most: int | None = None) -> Iterator[bytes]:
    """The bytes of a file in pieces, all of them or so many of the first ones.

    Raises:
        OSError: if it cannot be read.
    """
    with path.open("rb") as file:
        while piece := file.read(_PIECE if most is None else min(_PIECE, most)):
            yield piece
            most = None if most is None else most - len(piece)
