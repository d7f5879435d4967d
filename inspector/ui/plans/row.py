"""A line of the dialog: its text, and what it is good for. Knows no Textual."""

from typing import Final, NamedTuple

CLOSED: Final = "-"
"""Before the name of a list: shown as long as that is not opened."""


class Row(NamedTuple):
    """A line of the dialog, as long as it is.

    Attributes:
        text: cleaned.
        tone: of `inspector.ui.palette.TONES`.
        event: the position of the event to which it leads, or None.
        act: what taking it does: ``way``, ``view:NAME``, ``fold:NAME``, ``prompt``, ``degraded``,
            ``copy``, ``anew``; nothing if it does nothing.
        fold: the list that it is part of, which is shown when it is opened, or with `CLOSED` before
            it when it is not; empty if it is always.
        key: by which it is found again in another plan; empty if nobody looks for it.
        hint: the key that does something with it, and what; empty if none does.
        whole: whether it goes on in the next line where it is too long; of a list without end, of
            which each row leads to all that it tells of, it is cut.
    """

    text: str
    tone: str = "text"
    event: int | None = None
    act: str = ""
    fold: str = ""
    key: str = ""
    hint: str = ""
    whole: bool = True
