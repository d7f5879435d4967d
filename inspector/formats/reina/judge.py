"""What the owner's loader would do with a log (format page 3.4)."""

from typing import Final

from inspector.formats.contract import Verdict
from inspector.text.labels import plural

OWNER: Final = "reina"
PLAIN: Final = "jsonl"


class Judge:
    """Gathers what the verdict rests on while the log is folded.

    Attributes:
        kept: how the log is kept; the owner reads plain ones.
        headed: whether a header was met.
        unheaded: why there is no session although a ``session_meta`` was met; empty if not so.
        skipped: how many lines the owner skips.
    """

    def __init__(self, kept: str = PLAIN) -> None:
        self.kept = kept
        self.headed = False
        self.unheaded = ""
        self.skipped = 0

    def verdict(self) -> Verdict:
        """What the owner would do with what was read so far."""
        if self.kept != PLAIN:
            why = f"the log is kept as {self.kept}, which the owner does not read"
            return Verdict(OWNER, False, f"the session is null: {why}")
        if not self.headed:
            why = self.unheaded or "there is no session_meta"
            return Verdict(OWNER, False, f"the session is null: {why}")
        if self.skipped:
            return Verdict(OWNER, True, f"skips {plural(self.skipped, 'malformed line')}")
        return Verdict(OWNER, True)
