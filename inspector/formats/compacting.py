"""When an owner compacts by itself: its rule, and how many tokens of a window that is."""

from dataclasses import dataclass
from typing import Final

_WHOLE: Final = 100


@dataclass(frozen=True, slots=True)
class CompactionRule:
    """When an owner compacts by itself, unless it was told otherwise.

    Attributes:
        words: how much of the window that is: "80 % of the window".
        source: where the rule stands; no tape tells a threshold.
        counts: what the owner counts, where that is not what the provider reported of a prompt.
        percent: the part of what is left of the window from which on it compacts.
        spare: tokens of the window that are kept free first.
        recorded: which part of the model's window, in per cent, the tape tells of.
        margin: by which the window is divided, in per cent, as the count is an estimate.
        answers: whether an answer that came back counts too.
        beyond: whether the threshold itself is not yet enough.
    """

    words: str
    source: str
    counts: str = ""
    percent: int = _WHOLE
    spare: int = 0
    recorded: int = _WHOLE
    margin: int = _WHOLE
    answers: bool = False
    beyond: bool = False

    def threshold(self, window: int, reserve: int = 0, *, on_tape: bool = True) -> int | None:
        """The tokens from which on the owner compacts; None if the window has no room at all.

        Args:
            window: its tokens.
            reserve: those of it that the owner keeps free by what the tape tells.
            on_tape: whether the tape tells the window; a person tells it whole.
        """
        whole = window * _WHOLE // self.recorded if on_tape else window
        left = (whole - self.spare - reserve) * _WHOLE // self.margin
        found = left * self.percent // _WHOLE
        return found if found > 0 else None
