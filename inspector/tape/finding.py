"""Where some bytes stand in a source, read in large pieces and never held whole."""

from collections.abc import Iterator, Sequence

from inspector.tape.source import CHUNK, Source


def found_in(
    source: Source,
    wanted: Sequence[bytes],
    chunk: int = CHUNK,
    *,
    start: int = 0,
    stop: int | None = None,
    lower: bool = False,
) -> Iterator[int]:
    """Where any of the wanted bytes stand, in order; at least once in every line that holds them.

    Args:
        source: as far as it reaches now.
        wanted: none of them empty.
        chunk: bytes that are read at once.
        start: the byte to begin at.
        stop: the byte to end before, or None for where the source ends.
        lower: whether upper and lower case of ASCII letters are the same; ``wanted`` is in lower.

    Raises:
        SourceError: if the source cannot be read.
    """
    overlap = max(map(len, wanted)) - 1
    kept = b""
    while True:
        here = start + len(kept)
        room = chunk if stop is None else min(chunk, stop - here)
        piece = source.read(here, room) if room > 0 else b""
        if not piece:
            return
        data = kept + piece if kept else piece
        if lower:
            data = data.lower()
        for at in _in_piece(data, wanted):
            yield start + at
        kept = data[len(data) - overlap :] if overlap else b""
        start += len(data) - len(kept)


def _in_piece(data: bytes, wanted: Sequence[bytes]) -> Iterator[int]:
    """Where the wanted bytes stand in a piece; of a line the first place is enough."""
    nearest = {one: at for one in wanted if (at := data.find(one)) >= 0}
    while nearest:
        at = min(nearest.values())
        yield at
        behind = data.find(b"\n", at)
        if behind < 0:
            return
        again = (
            (one, at if at > behind else data.find(one, behind + 1)) for one, at in nearest.items()
        )
        nearest = {one: at for one, at in again if at >= 0}
