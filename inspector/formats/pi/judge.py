"""The owner's verdict: what Pi itself would do with a session (rules page P1, P2, P5)."""

from typing import Final

from inspector.formats.contract import Verdict
from inspector.formats.pi.vocabulary import CURRENT, OWNER

NO_SESSION: Final = "Session file is not a valid pi session"
_NO_REPLACEMENT: Final = "Cannot read properties of undefined (reading 'content')"
_NO_END: Final = "it never ends: the parents of the last entry go round until its memory is full"


class Judge:
    """Collects what the verdict rests on while the session is folded.

    Attributes:
        opened: the header, which must be the first entry, was read.
        refused: the first entry is no header.
        version: of the header.
    """

    def __init__(self) -> None:
        self.opened = False
        self.refused = False
        self.version = CURRENT

    def verdict(
        self, *, circle: int | None, broken: int | None, unended: bool, empty: bool
    ) -> Verdict:
        """What the owner would do.

        Args:
            circle: the last entry, if its path never ends.
            broken: the edit at which the owner fails, if one counts.
            unended: nothing ends the last line.
            empty: the file has no byte.
        """
        if not self.opened:
            if empty:
                return Verdict(OWNER, True, "an empty file: it writes a header into it")
            return Verdict(OWNER, False, f"{NO_SESSION}; the file is left as it is")
        if circle is not None:
            return Verdict(OWNER, False, _NO_END, circle)
        if broken is not None:
            return Verdict(OWNER, False, _NO_REPLACEMENT, broken)
        told = []
        if self.version < CURRENT:
            told.append(
                f"rewrites the file on open: version {self.version} becomes version {CURRENT}"
            )
        if unended:
            told.append("appends a line end to the last line on open")
        return Verdict(OWNER, True, "; ".join(told) or None)
