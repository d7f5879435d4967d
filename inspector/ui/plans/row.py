"""A line of the dialog: its text, and what it is good for. Knows no Textual."""

from typing import NamedTuple


class Row(NamedTuple):
    """A line of the dialog, as long as it is.

    Attributes:
        text: cleaned.
        tone: of `inspector.ui.palette.TONES`.
        event: the position of the event to which it leads, or None.
        act: what taking it does: ``way``, ``view:NAME``, ``fold:NAME``, ``prompt``, ``degraded``,
            ``copy``, ``anew``; nothing if it does nothing.
        fold: the list that it is part of, which is shown when it is opened; empty if it is always.
        key: by which it is found again in another plan; empty if nobody looks for it.
    """

    text: str
    tone: str = "text"
    event: int | None = None
    act: str = ""
    fold: str = ""
    key: str = ""
