"""Which tapes near a tape belong to it: those that it names, and those that name it.

A tape names others by their ids. They are looked for where agents put them: in the same database,
beside the tape, in the folders around it, and in a folder that bears the tape's own name. Nothing
far is looked through, and nothing is written.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from inspector.formats import folders
from inspector.formats.contract import Identity, OptionError, Options, Tape
from inspector.formats.opening import MAGIC, open_tape, session_entries
from inspector.tape.source import FileSource, SourceError

_NAMES: Final = 20_000
"""Names that are looked at."""

_OPENED: Final = 100
"""Tapes that are begun to be read because their names say nothing."""

_FOLDERS: Final = 2_000
"""Folders of days, or of what belongs to a tape, that are looked into."""

_ABOVE: Final = 4
"""Folders that are looked at from the tape's own upwards."""

CHILD: Final = "child"
"""The relation of a tape that says to come from this one."""


class Relative(NamedTuple):
    """A tape that belongs to another.

    Attributes:
        relation: what it is to the other, in a word.
        name: its id.
        path: what is opened.
        session: which of those that the path holds, or None.
    """

    relation: str
    name: str
    path: Path
    session: str | None = None


def comes_from(parent: str | None, name: str | None, itself: str | None) -> bool:
    """Whether a tape comes from another one: by its own word, and never from itself.

    Args:
        parent: the id that it names as its parent.
        name: the id of the other.
        itself: its own id.
    """
    return parent is not None and parent == name != itself


def relatives(
    tape: Tape, named: Sequence[tuple[str, str]], going: Callable[[], bool] = lambda: True
) -> list[Relative]:
    """The relatives of a tape that are there, in the order in which they are named.

    Args:
        tape: open.
        named: relation and id of each that it names.
        going: asked now and then; the search ends where it answers no.

    Returns:
        Those named first, then those that say to come from it.
    """
    identity = tape.identity
    if str(identity.path) == "-":
        return []
    wanted = {name: relation for relation, name in reversed(named) if name != identity.id}
    found: dict[str, Relative] = {}
    for relative in _all(identity, wanted, found, going):
        found.setdefault(relative.name, relative)
        if not going():
            break
    order = {name: at for at, name in enumerate(wanted)}
    return sorted(found.values(), key=lambda one: -order.get(one.name, -1))


def _all(
    identity: Identity,
    wanted: dict[str, str],
    found: dict[str, Relative],
    going: Callable[[], bool],
) -> Iterator[Relative]:
    """Whatever belongs to the tape, the surest first."""
    yield from _in_the_same_source(identity, wanted)
    for path, name in _by_name(identity.path.absolute(), list(wanted)):
        if name not in found and _is(path, name):
            yield Relative(wanted[name], name, path)
    yield from _by_header(identity, wanted, going)


def _in_the_same_source(identity: Identity, wanted: dict[str, str]) -> Iterator[Relative]:
    try:
        entries = session_entries(identity.path)
    except (SourceError, OptionError):
        return
    for entry in entries:
        if entry.id in wanted:
            yield Relative(wanted[entry.id], entry.id, identity.path, entry.id)
        elif comes_from(entry.parent, identity.id, entry.id):
            yield Relative(CHILD, entry.id, identity.path, entry.id)


# By their names.


def _by_name(path: Path, names: list[str]) -> Iterator[tuple[Path, str]]:
    """Paths near a tape that bear the id of another, as a whole word of the name."""
    if not names:
        return
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    bearing = re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])")
    for near in islice(_near(path), _NAMES):
        held = bearing.search(near.name)
        if held is not None and near != path:
            yield near, held[0]


def _near(path: Path) -> Iterator[Path]:
    """What stands around a tape: beside it, in the folders above, in its own, and of other days."""
    for folder in islice(path.parents, _ABOVE):
        yield from _listed(folder)
    own = path.with_name(path.name.partition(".")[0])
    yield from _below(own, 2)
    days = path.parents[3] if len(path.parents) > 3 else None
    if days is not None and all(part.isdecimal() for part in path.parent.parts[-3:]):
        for day in islice(_below(days, 3), _FOLDERS):
            yield from _listed(day) if day.name.isdecimal() else ()


def _below(folder: Path, depth: int) -> Iterator[Path]:
    """What is in a folder and in those within it, no deeper than told."""
    waiting = [(folder, depth)]
    while waiting:
        one, left = waiting.pop()
        for path in _listed(one):
            yield path
            if left > 1 and _is_folder(path):
                waiting.append((path, left - 1))


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir(), reverse=True)
    except OSError:
        return []


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir() and not path.is_symlink()
    except OSError:
        return False


def _is(path: Path, name: str) -> bool:
    """Whether what is at a path is the tape of an id: its header may say more than that."""
    identity = _identity(path)
    return identity is not None and name in (identity.id or name)


# By what they say of themselves.


def _by_header(
    identity: Identity, wanted: dict[str, str], going: Callable[[], bool]
) -> Iterator[Relative]:
    """Those beside a tape, or in the folders beside its own, whose header says what they are."""
    looked = 0
    for path in _beside(identity.path.absolute()):
        if looked >= _OPENED or not going():
            return
        other = _identity(path)
        looked += 1
        if other is None or other.id is None or other.id == identity.id:
            continue
        if other.id in wanted:
            yield Relative(wanted[other.id], other.id, path)
        elif comes_from(other.parent, identity.id, other.id):
            yield Relative(CHILD, other.id, path)


def _beside(path: Path) -> Iterator[Path]:
    """Files and sessions' folders beside a tape; those beside its folder, where that is its own."""
    near = _listed(path.parent)
    if _holds_a_session(path.parent):
        near += _listed(path.parent.parent)
    for one in near:
        if one in (path, path.parent) or one.name.startswith("."):
            continue
        if not _is_folder(one) or _holds_a_session(one):
            yield one


def _holds_a_session(folder: Path) -> bool:
    try:
        return folders.current(folders.names_in(folder)) is not None
    except SourceError:
        return False


def _identity(path: Path) -> Identity | None:
    """What the header of a tape says; None of what is none, and of a database."""
    try:
        if path.is_file():
            with FileSource(path) as file:
                if file.read(0, len(MAGIC)) in (MAGIC, b""):
                    return None
        tape = open_tape(path, Options())
    except (SourceError, OptionError, OSError):
        return None
    try:
        if tape.identity.id is None:
            # Some say who they are in their first record.
            tape.advance()
    except SourceError:
        return None
    finally:
        tape.close()
    return tape.identity
