"""The help of the library: its keys, and what its columns say."""

from collections.abc import Iterator
from typing import Final

from inspector.actions import LIBRARY, by_group
from inspector.export.fitting import fit
from inspector.ui.cells import Cell, Line
from inspector.ui.help import group_lines
from inspector.ui.wrapping import wrapped

_SIGNS: Final = (
    ("~1.2k", "events by an estimate from the ends of the session; exact where it was read"),
    ("↳ fork", "what it is of the session that it comes from"),
    ("+3", "three sessions come from it"),
    ("refused:", "its own agent would not open it; it can be opened here all the same"),
    ("unreadable:", "nothing of it can be read, and why"),
)


def library_help(width: int) -> Iterator[Line]:
    """The keys of the library, then the signs of its rows."""
    yield (Cell("Keys", "strong"),)
    yield from group_lines(LIBRARY, by_group()[LIBRARY])
    yield ()
    yield (Cell("Rows", "accent"),)
    for sign, words in _SIGNS:
        first, *rest = wrapped(words, max(20, width - 20), "text")
        yield (Cell(f"  {fit(sign, 18)}", "strong"), *first)
        for line in rest:
            yield (Cell(" " * 20), *line)
    yield ()
    yield from wrapped(
        "A session is opened where it was left, else at its head; q in it comes back here.",
        width,
        "dim",
    )
