"""The readers whose rules a tape can be folded by, and the two questions that each answers."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Policy:
    """Whose rules count, and for what.

    Attributes:
        reader: the owner's reader.
        reload: what it would open if the tape ended here; else where its writer stood.
        relinks: whether it links anew what compactions kept (rules page R3).
        siblings: whether it recovers lines and results of one message (rules page R6).
    """

    reader: str
    reload: bool
    relinks: bool
    siblings: bool

    @property
    def name(self) -> str:
        """As on the command line."""
        return f"{self.reader}:reload" if self.reload else self.reader


JAVASCRIPT: Final = "sdk-js"
PYTHON: Final = "sdk-py"
RECORDED: Final = "cli-leaf"

POLICIES: Final = {
    policy.name: policy
    for policy in (
        Policy(JAVASCRIPT, reload=False, relinks=True, siblings=True),
        Policy(JAVASCRIPT, reload=True, relinks=True, siblings=True),
        Policy(PYTHON, reload=False, relinks=False, siblings=False),
        Policy(PYTHON, reload=True, relinks=False, siblings=False),
        Policy(RECORDED, reload=False, relinks=True, siblings=True),
        Policy(RECORDED, reload=True, relinks=True, siblings=True),
    )
}
"""By name, the default first."""
