"""What is sent weighs so much, by an estimate: texts, and the entries of a request."""

from typing import Final

from inspector.formats.contract import RequestEntry
from inspector.timeline.timeline import Timeline

_LETTERS: Final = 4
"""Characters of a text without an estimate of its own that are taken for a token."""


def tokens_of_text(text: str) -> int:
    """The estimate of a text that is on no tape."""
    return -(-len(text) // _LETTERS)


def tokens_of_entry(timeline: Timeline, entry: RequestEntry) -> int:
    """The estimate of one entry of a request: 0 of one that is dropped.

    A text that the owner adds or alters weighs a token for four characters; every other entry as
    its row does, by the format's rule.
    """
    if entry.note == "dropped":
        return 0
    if entry.text is not None:
        return tokens_of_text(entry.text)
    return 0 if entry.node is None else timeline.surface.nodes.tokens[entry.node]
