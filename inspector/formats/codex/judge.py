"""What Codex itself would do with a log (RULES R0, format page 2.11)."""

from typing import Final

from inspector.formats.codex.header import Header
from inspector.formats.contract import Verdict
from inspector.text.gate import clean_line
from inspector.text.labels import plural

OWNER: Final = "codex"


class Judge:
    """Gathers what the owner cannot read, and says what that comes to.

    Attributes:
        header: what the log says of itself; None while it has said nothing.
    """

    def __init__(self) -> None:
        self.header: Header | None = None
        self._refused: str | None = None
        self._skipped = 0
        self._late: str | None = None

    def look_at(self, name: str, variant: str) -> None:
        """The owner unpacks what its name says is packed, and nothing else (seen by running it)."""
        named = name.endswith(".zst")
        if variant == "jsonl.zstd" and not named:
            self.refuse("the log is compressed under a name that does not end in .zst")
        elif variant == "jsonl" and named:
            self.refuse("the log is not compressed, and its name ends in .zst")
        elif variant not in ("jsonl", "jsonl.zstd"):
            self.refuse(f"the log is kept as {variant}, which the owner does not read")

    def refuse(self, reason: str) -> None:
        """The owner refuses the whole log; the first reason counts."""
        self._refused = self._refused or reason

    def skips(self) -> None:
        """The owner skips a line and goes on."""
        self._skipped += 1

    def before_header(self, *, mark: bool) -> None:
        """The owner skips a line before the log's own header, or the header itself.

        Args:
            mark: whether because the line begins with a byte order mark.
        """
        where = "behind a byte order mark" if mark else "in, or behind, a line that is no JSON"
        self._late = self._late or where

    def verdict(self, *, items: int, events: int, reports: int) -> Verdict:
        """The verdict on what was read so far.

        Args:
            items: how many items of the history there are.
            events: how many events there are.
            reports: how many of them report usage.
        """
        reason = self._refused or self._no_session()
        if reason is not None:
            # It is told what such a log is, whoever refuses it.
            more = f"; {_without_items(events, reports)}" if reports and not items else ""
            return Verdict(OWNER, False, f"{clean_line(reason, 300)}{more}")
        words = []
        if self._skipped:
            words.append(f"skips {plural(self._skipped, 'line')} that it cannot read")
        if not items:
            words.append(_without_items(events, reports))
        return Verdict(OWNER, True, "; ".join(words) or None)

    def _no_session(self) -> str | None:
        header = self.header
        if header is None:
            return "failed to read session metadata: there is no session_meta"
        if self._late is not None:
            return f"failed to read session metadata: it stands {self._late}"
        if header.bare:
            return "failed to read session metadata: the header is that of an older release"
        if header.id is None:
            return "failed to read session metadata: it has no thread id"
        return header.mode_problem


def _without_items(events: int, reports: int) -> str:
    """What a log is that has no item of a history."""
    if reports:
        return f"usage only: {plural(reports, 'token count')}, no conversation"
    told = f", only {plural(events, 'record')} beside one" if events else ""
    return f"nothing of a conversation is in it{told}"
