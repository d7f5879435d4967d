"""Private keys in blocks of lines, whole ones and ones that are cut.

The lines may be numbered, quoted, or of a diff; their ends may be written out or be spaces.
"""

import re
from collections.abc import Iterator
from typing import Final

from inspector.text.secret_shapes import MARK


def key_blocks(text: str) -> str:
    """A text in which the mark stands for every private key, from its first line to its last.

    One whose end is not there ends where its lines do.
    """
    if "PRIVATE KEY" not in text and "Private-Lines" not in text:
        return text
    pieces: list[str] = []
    done = 0
    for start, stop in _blocks(text):
        pieces += (text[done:start], MARK)
        done = stop
    return "".join([*pieces, text[done:]])


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    begun: re.Match[str] | None = None
    for found in _EDGE.finditer(text):
        if found[1] == "END":
            if begun is not None:
                yield begun.start(), found.end()
            begun = None
            continue
        if begun is not None:
            yield begun.start(), _cut(text, begun.end(), found.start())
        begun = found
    if begun is not None:
        yield begun.start(), _cut(text, begun.end(), len(text))


def _cut(text: str, at: int, stop: int) -> int:
    """Where the lines of a key end."""
    found = _LINES.match(text, at, stop)
    return at if found is None else found.end()


_EDGE: Final = re.compile(
    r"-----(BEGIN|END) (?:[A-Z0-9]{1,20}+ ){0,4}?PRIVATE KEY(?: BLOCK)?-----"
    r"|Private-Lines: [0-9]{1,6}+"
)
_LINES: Final = re.compile(
    # A line's end, and what a number, a quote or a diff puts before the line.
    r"(?:(?:[\t\n\r ]|\\{1,15}+[nrt]|[\"'][\t ]?[+.,\\]?[\t ]?\n[\t ]{0,40}[\"'])++"
    r"(?:(?:[0-9]{1,7}+[ ]?[\t\u2192:|]|[>+|-])[\t ]{0,8}+)?"
    r"(?:(?:Version|Comment|Hash|MessageID|Charset|Proc-Type|DEK-Info): ?[^\n\r\\]*+"
    r"|[A-Za-z0-9+/]{20,}+={0,2}+|=[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{0,76}={1,2}+"
    r"|(?=[\n\r]|\\{1,15}[nr])))*+"
)
