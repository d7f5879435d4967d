"""What two texts have apart, line by line."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

_COMPARED: Final = 2_000
"""Lines of a text, without what both begin and end with, that are compared one by one: the time it
takes grows faster than they do."""

_AROUND: Final = 3
"""Lines in common that are told before and after a change."""


class Piece(NamedTuple):
    """Lines of one kind: ``-`` only before, ``+`` only after, `` `` in both, ``…`` left out.

    Of lines that are left out ``lines`` is empty and ``number`` says how many there are.
    """

    sign: str
    lines: Sequence[str]
    number: int


def text_difference(before: str, after: str) -> Iterator[Piece]:
    """The pieces that lead from one text to the other; lines in common far from any are left out.

    Texts of very many lines are told as one that left and one that came, but for what both begin
    and end with.
    """
    old, new = before.split("\n"), after.split("\n")
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    blocks = _blocks(old[start : len(old) - end], new[start : len(new) - end])
    yield from _context(old[:start], first=True, last=False)
    for sign, lines in blocks:
        if sign == " ":
            yield from _context(lines, first=False, last=False)
        else:
            yield Piece(sign, lines, len(lines))
    yield from _context(old[len(old) - end :] if end else [], first=False, last=True)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    same = 0
    for mine, its in zip(one, other, strict=False):
        if mine != its:
            break
        same += 1
    return same


def _blocks(old: list[str], new: list[str]) -> list[tuple[str, list[str]]]:
    if max(len(old), len(new)) > _COMPARED:
        return [("-", old), ("+", new)]
    found: list[tuple[str, list[str]]] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        if tag == "equal":
            found.append((" ", old[a:b]))
            continue
        if b > a:
            found.append(("-", old[a:b]))
        if d > c:
            found.append(("+", new[c:d]))
    return found


def _context(lines: list[str], *, first: bool, last: bool) -> Iterator[Piece]:
    """Lines in common, of which the first and last tell where the changes beside them are."""
    head = 0 if first else _AROUND
    tail = 0 if last else _AROUND
    left_out = len(lines) - head - tail
    if left_out <= 1:
        if lines:
            yield Piece(" ", lines, len(lines))
        return
    if head:
        yield Piece(" ", lines[:head], head)
    yield Piece("…", (), left_out)
    if tail:
        yield Piece(" ", lines[-tail:], tail)
