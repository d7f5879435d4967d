"""Starts of texts without their secrets, also without one that is cut where a start ends."""

import re
from collections.abc import Iterable
from typing import Final

from inspector.formats.contract import Section, Tape
from inspector.text.redaction import MARK, redacted

_BEYOND: Final = 8_000
"""Characters behind a start that are read to see what stands across its end."""

_SECTION: Final = 2_000
"""Characters of a section from which a line may tell; a line tells the start of each."""
_SECTIONS: Final = 16_000
"""Characters of all of them."""

_FAR: Final = 2
"""Times of what is shown behind which the end of a line is far from it."""

_WORD: Final = re.compile(r"\\.|[^\s\"'`\\<>(){}\[\],;:=@…]{4,}")
"""A run of characters that may be a piece of a secret; an escape of JSON is none."""


def start_of(text: str, length: int) -> str:
    """The start of a text, its secrets masked."""
    return without_cut(text[:length], text[: length + _BEYOND])


def line_of(tape: Tape, node: int, most: int | None = None) -> str:
    """A row in one line, its secrets masked.

    Args:
        tape: of which.
        node: the row.
        most: how many characters are shown of it; None if all are.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    line = tape.node_headline(node).text
    if most is not None and len(line) >= _FAR * most and redacted(line) == line:
        # Nothing is masked that would bring its end into what is shown.
        return line[: _FAR * most]
    sections = tape.node_sections(node)
    if any(section.text == line for section in sections):
        return redacted(line)
    return without_cut(line, _told(sections))


def line_of_event(tape: Tape, event: int) -> str:
    """An event in one line, its secrets masked.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    return without_cut(tape.headline(event).text, _told(tape.sections(event)))


def without_cut(start: str, whole: str) -> str:
    """A text without its secrets, also without the pieces of those that stand in another text.

    Args:
        start: made of starts of pieces of the other; what is left of a secret that is cut there
            does not look like one any more.
        whole: what is behind it, as far as it matters.
    """
    shown = redacted(start)
    hidden = redacted(whole)
    if hidden == whole:
        return shown

    def told(found: re.Match[str]) -> str:
        word = found[0]
        is_cut = word[0] != "\\" and word in whole and word not in hidden
        return MARK if is_cut else word

    return _WORD.sub(told, shown)


def _told(sections: Iterable[Section]) -> str:
    found: list[str] = []
    room = _SECTIONS
    for section in sections:
        if room <= 0:
            break
        found += [section.heading, section.text[: min(_SECTION, room)]]
        room -= len(found[-1])
    return "\n".join(found)
