"""Going back: a record hangs on one that is not the end of the branch (format page 1.8)."""

from typing import Final, NamedTuple

from inspector.formats.claude.tree.live import LiveBranch
from inspector.formats.claude.tree.reload import ReloadBranch
from inspector.text.labels import plural

_NEAR: Final = 64
"""Records above a place that are looked at for one that is on the branch."""


class GoingBack(NamedTuple):
    """To where the writer went.

    Attributes:
        left: how many records of the branch were left behind; None if nobody counted them.
        over: the place is not on the branch, but on another one that was left before.
    """

    left: int | None
    over: bool

    def words(self, where: str) -> str:
        """In words; ``where`` is the place in words."""
        told = f"the writer went back to {where}"
        if self.over:
            told = f"the writer went over to {where}, on a branch left before"
        if self.left is None:
            return told
        return f"{told}: {plural(self.left, 'record')} left behind"


def going_back(branch: LiveBranch | ReloadBranch, parent: int) -> GoingBack | None:
    """What it means that the next record hangs on an entry, or on `NONE`.

    None where the branch is not the writer's: a reader that loads a whole file goes nowhere.
    """
    if isinstance(branch, ReloadBranch):
        return None
    stays, steps = branch.stays(parent, _NEAR)
    left = None if stays is None else max(0, branch.reached - stays)
    return GoingBack(left, over=steps > 0)
