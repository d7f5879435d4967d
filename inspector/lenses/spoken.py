"""Whether a place where a text was found is a part of what its event says to the model.

A record holds much beside that: names of models, versions, ids, times, usage. What is said is the
text of the event's row; a place belongs to it if what stands at the place, with what stands around
it, stands there too. A short value that is found whole must be a whole line there, so that the
word of a role or a type is not taken for the same word in a sentence.
"""

from typing import Final

from inspector.formats.contract import Tape
from inspector.formats.parts import Thought, joined
from inspector.lenses.search import AROUND, RAW, Hit
from inspector.lenses.texts import told_by

_SHORT: Final = 80
"""Characters of a value that must be a line of its own."""

_LONG: Final = 24
"""Characters of a hit that tell the same text without what stands around it."""


class Spoken:
    """Tells it of the hits of one tape; what the last event says is kept.

    Args:
        tape: folded.
    """

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._event: int | None = None
        self._lines: frozenset[str] = frozenset()
        self._text = ""

    def says(self, hit: Hit) -> bool:
        """Whether the row of a hit's event says what was found, whoever sees the row now.

        Raises:
            SourceError: if the tape cannot be read any more.
        """
        event = hit.event
        if event is None or not self._tape.timeline.surface.nodes.all_of_event(event):
            return False
        if event != self._event:
            self._read(event)
        if hit.where == RAW:
            return _squeezed(hit.match) in self._text
        found = f"{hit.before}{hit.match}{hit.after}"
        if len(found) <= _SHORT and _is_whole(hit):
            return " ".join(found.split()) in self._lines
        if _squeezed(found) in self._text:
            return True
        return len(hit.match) >= _LONG and _squeezed(hit.match) in self._text

    def _read(self, event: int) -> None:
        sections = [one for one in self._tape.sections(event) if not one.remark]
        told = [one for one in sections if one.tone != "dim"]
        texts = [
            told_by(sections),
            joined(self._tape.parts(event), Thought),
            # The name of a tool is the last word of a heading; JSON stands as it is written.
            *(one.heading.rpartition(" ")[2] for one in told if one.tone == "code"),
            *(one.text for one in told if one.tone == "code"),
        ]
        self._event = event
        self._lines = frozenset(
            " ".join(line.split()) for text in texts for line in text.splitlines()
        )
        self._text = "\0".join(map(_squeezed, texts))


def _is_whole(hit: Hit) -> bool:
    """Whether a hit shows all of the text that stands at its place."""
    return len(hit.before) < AROUND and len(hit.after) < AROUND


def _squeezed(text: str) -> str:
    """A text without its blanks: JSON is written in more than one way."""
    return "".join(text.split())
