"""Where sessions may lie: the places that agents keep, and those that a person names."""

import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from inspector.formats.contract import Format
from inspector.formats.listing import Surroundings
from inspector.formats.registry import GROUP, OWN, all_formats
from inspector.library.ends import is_there, why_not


class Place(NamedTuple):
    """A folder, file or database that is looked through.

    Attributes:
        path: where it is.
        owners: the names of the formats whose agents keep sessions there.
        said_by: the variables of the environment that name it; none where it is an agent's own.
        given: whether a person named it: then what is not there is told.
        there: whether anything is at the path, or may be where the way to it may not be searched.
    """

    path: Path
    owners: tuple[str, ...] = ()
    said_by: tuple[str, ...] = ()
    given: bool = False
    there: bool = True


@cache
def installed() -> tuple[Format, ...]:
    """All formats. Those of other distributions are looked for once in a process."""
    return tuple(all_formats()) if _may_be_others() else OWN


def _may_be_others() -> bool:
    """Whether another distribution may bring formats.

    Asking the entry points costs more than the first rows may; nearly always a look at their files
    says that there are none.
    """
    folders = [folder or "." for folder in sys.path]
    return any(_brings_formats(folder) for folder in folders if os.path.lexists(folder))


def _brings_formats(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            paths = [entry.path for entry in entries if entry.name.endswith(_METADATA)]
    except OSError:
        # An archive of modules, perhaps: only importlib knows.
        return True
    return any(_mentions_formats(path) for path in paths)


def _mentions_formats(path: str) -> bool:
    if os.path.basename(path).startswith(_OURSELVES):  # noqa: PTH119 - as the walk names paths
        return False
    try:
        with open(f"{path}/entry_points.txt", "rb") as file:  # noqa: PTH123 - as above
            return GROUP.encode() in file.read()
    except FileNotFoundError:
        return False
    except OSError:
        return True


_METADATA: Final = (".dist-info", ".egg-info")
_OURSELVES: Final = "tape_inspector-"
"""How the folder is called in which this distribution says what it brings: `OWN`."""


def here() -> Surroundings:
    """The surroundings of this process."""
    try:
        folder = Path.cwd()
    except OSError:
        # It was deleted: nothing is found there.
        folder = Path("/")
    return Surroundings(os.environ, folder, sys.platform)


def known(surroundings: Surroundings, formats: Iterable[Format] | None = None) -> list[Place]:
    """The places where agents keep sessions, those included where nothing is.

    What several agents, or several variables, name is one place.

    Args:
        surroundings: what decides where they are.
        formats: whose; all that are installed unless told.
    """
    found: dict[tuple[int, int] | str, Place] = {}
    for format_ in installed() if formats is None else formats:
        for root in format_.roots(surroundings):
            text = os.path.normpath(surroundings.folder / root.path)
            key = _key(text)
            said = () if root.said_by is None else (root.said_by,)
            place = found.get(key) or Place(Path(text), there=is_there(text))
            found[key] = place._replace(
                owners=_with(place.owners, (root.owner,)), said_by=_with(place.said_by, said)
            )
    return list(found.values())


def said_of(place: Place) -> str:
    """What is to be said of a place in which no session is, asked anew."""
    try:
        os.stat(place.path)  # noqa: PTH116 - as above
    except OSError as error:
        return "not there" if not is_there(os.fspath(place.path)) else why_not(place.path, error)
    except ValueError:
        return "not there"
    return "empty"


def given(paths: Iterable[Path]) -> list[Place]:
    """Places that a person names, each once."""
    once: dict[str, Path] = {}
    for path in paths:
        once.setdefault(os.path.abspath(path), path)  # noqa: PTH100 - no link is followed
    return [Place(path, given=True, there=is_there(os.fspath(path))) for path in once.values()]


def _key(text: str) -> tuple[int, int] | str:
    """What is at a path, whatever leads to it; the path itself where nothing is."""
    try:
        status = os.stat(text)  # noqa: PTH116 - many paths, and no object for each
    except (OSError, ValueError):
        return text
    return status.st_dev, status.st_ino


def _with(known_: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return known_ + tuple(one for one in more if one not in known_)
