"""Where agents keep things: folders that variables name, and those of the person."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from inspector.formats.listing import Root, Surroundings


def folder_of(surroundings: Surroundings, variable: str) -> Path | None:
    """The folder that a variable names; None if it is not set, or empty.

    One that is relative is in the working folder, as for the agents; ``~`` is the person's, though
    only a shell would say so.
    """
    value = surroundings.environment.get(variable, "")
    if not value or "\0" in value:
        return None
    home = surroundings.home
    if home is not None and (value == "~" or value.startswith("~/")):
        return home / value[2:]
    return surroundings.folder / value


def roots(
    owner: str,
    surroundings: Surroundings,
    variable: str,
    default: str | None,
    within: Iterable[str],
) -> Iterator[Root]:
    """The roots in an agent's folder: in that which a variable names, then in its own.

    Sessions lie in its own from the time before somebody set the variable.

    Args:
        owner: the name of the format.
        surroundings: of the process.
        variable: of the environment, that names the folder.
        default: the agent's own one, in the person's folder.
        within: the roots, as paths in the agent's folder.
    """
    within = tuple(within)
    named = folder_of(surroundings, variable)
    if named is not None:
        yield from (Root(owner, named / root, variable) for root in within)
    home = surroundings.home
    if home is not None and default is not None and home / default != named:
        yield from (Root(owner, home / default / root) for root in within)
