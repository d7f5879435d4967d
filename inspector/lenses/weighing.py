"""What is sent weighs so much, by an estimate: texts, and the entries of a request."""

from inspector.formats.contract import RequestEntry
from inspector.formats.logs.tokens import of_text
from inspector.timeline.timeline import Timeline


def tokens_of_text(text: str) -> int:
    """The estimate of a text that is on no tape."""
    return of_text(text)


def tokens_of_entry(timeline: Timeline, entry: RequestEntry) -> int:
    """The estimate of one entry of a request: 0 of one that is dropped.

    A text that the owner adds or alters weighs a token for four bytes; every other entry as its
    row does, by the format's rule.
    """
    if entry.note == "dropped":
        return 0
    if entry.text is not None and (entry.note is not None or entry.node is None):
        return tokens_of_text(entry.text)
    return 0 if entry.node is None else timeline.surface.nodes.tokens[entry.node]
