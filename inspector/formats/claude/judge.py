"""The owner's verdict: what its reader would do with a transcript (rules page R1 and R3)."""

from typing import Final

from inspector.formats.contract import Verdict

OWNER: Final = "claude"


class Judge:
    """Collects what the verdict rests on while the transcript is folded.

    Attributes:
        passed: how many records the owner's reader passes over because it cannot read them.
    """

    def __init__(self) -> None:
        self.passed = 0
        self._crash: tuple[int, str] | None = None

    def crash(self, event: int, why: str) -> None:
        """The owner's reader fails on an event."""
        if self._crash is None:
            self._crash = (event, why)

    def verdict(self, *, lists: bool, relinks: bool) -> Verdict:
        """What the owner would do.

        Args:
            lists: whether its reader lists any message.
            relinks: whether the reader looks at what compactions kept.
        """
        if self._crash is not None and relinks:
            event, why = self._crash
            return Verdict(OWNER, False, f"TypeError: a boundary has {why}", event)
        said = [] if lists else ["it lists no message"]
        if self.passed:
            lines = "one line" if self.passed == 1 else f"{self.passed:,} lines"
            said.append(f"it passes over {lines} that it cannot read")
        return Verdict(OWNER, True, "; ".join(said) or None)
