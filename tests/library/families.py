"""Families gathered by tests: behind the guard, in surroundings that are the test's own."""

from collections.abc import Callable
from pathlib import Path

from inspector.formats.listing import Surroundings
from inspector.library.family import Branch, Family
from inspector.library.gathering import gather_at
from inspector.library.searching import Search
from tests.guarding import guarded

Shape = list[tuple[int, str | None, str | None]]


def family(
    path: Path,
    session: str | None = None,
    *,
    home: Path | None = None,
    going: Callable[[], bool] = lambda: True,
    told: Callable[[str], None] = lambda _words: None,
    **environment: str,
) -> Family:
    """The family of a tape, where a home holds nothing unless told."""
    variables = {"HOME": str(home or path.parent / "no-home"), **environment}
    surroundings = Surroundings(variables, path.parent / "nowhere", "linux")
    with guarded(path, *([] if home is None else [home])):
        return gather_at(path, session, Search(surroundings, going, told))


def shape(found: Family) -> Shape:
    """Depth, id and relation of each member, in the order of the tree."""
    return [(one.depth, one.member.id, one.relation) for one in found.branches]


def branch(found: Family, name: str) -> Branch:
    """The member of an id."""
    (one,) = (one for one in found.branches if one.member.id == name)
    return one


def counts(found: Family, name: str) -> tuple[int | None, int | None, int | None]:
    """Copied and own events of a member, and the cursor of the parent at which it left it."""
    one = branch(found, name)
    return one.member.copied, one.member.own, one.boundary
