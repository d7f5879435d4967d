"""Where a tape is made: beside its source as the owner would, or in a folder that is asked for."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from inspector.formats.planning import Check, Draft, How, Making, PlanError, Planner, Write

IsFolder = Callable[[Path], bool]
"""Whether a folder stands at a path; asks the file system."""

INTO: Final = "into"

_NAME: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,127}")
_LATEST: Final = 253_370_764_800_000
"""Milliseconds since the epoch at the beginning of 9999: with a day more it is a date still."""


def fits(making: Making) -> bool:
    """Whether an identity names a file and leads nowhere else, and a time is one of a calendar."""
    named = _NAME.fullmatch(making.id) is not None and ".." not in making.id
    return named and 0 <= making.time < _LATEST


def placed(planner: Planner, draft: Draft, into: Path | None) -> Draft:
    """What would be made, in the folder that is asked for; what is appended stays where it is.

    Raises:
        PlanError: if the name of a file would lead out of the folder.
    """
    if into is None:
        found = draft.place
    else:
        found = (f"it is made in a folder that is asked for: {planner.owner} may not look there",)
    if not any(write.how is How.CREATE for write in draft.writes):
        return replace(draft, remarks=(*draft.remarks, *draft.place))
    writes = draft.writes if into is None else tuple(_moved(one, into) for one in draft.writes)
    return replace(draft, writes=writes, remarks=(*draft.remarks, *found))


def _moved(write: Write, into: Path) -> Write:
    if write.how is not How.CREATE:
        return write
    names = write.to.parts[-write.own :]
    if len(names) < write.own or any(name in ("..", write.to.anchor) for name in names):
        raise PlanError("what would be made has a name that leads out of its folder")
    return replace(write, to=into.joinpath(*names))


def of_folder(into: Path, is_folder: IsFolder) -> Check:
    """Whether the folder that is asked for is there."""
    there = is_folder(into)
    return Check(INTO, there, f"{into} is a folder" if there else f"{into} is no folder")
