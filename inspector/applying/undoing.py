"""The way back: what was made goes to the journal's trash, if nobody has written to it since.

What was appended stays where it is, since an agent may have read it: its way back is a plan for a
new tape at the old head.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import Final

from inspector.applying.disk import Disk, Standing
from inspector.applying.journal import TRASH, Deed, State
from inspector.applying.publishing import Made, Publication
from inspector.applying.refusal import ApplyError, why
from inspector.applying.world import World
from inspector.formats.planning import How, PlanKind, Write
from inspector.plans.plan import Asked
from inspector.text.gate import clean_line

_PIECE: Final = 1 << 20


def way_back(deed: Deed) -> Asked | None:
    """The plan that undoes a deed by a new tape; None where the files that it made go away.

    Raises:
        ApplyError: if it is undone already.
    """
    if deed.state is State.UNDONE:
        raise ApplyError("it is undone already, or nothing came of it")
    return None if deed.grown is None else Asked(PlanKind.FORK, cut=deed.events)


def undo(deed: Deed, world: World) -> Deed:
    """Take away what a deed made; it stands in the journal's trash from then on.

    Raises:
        ApplyError: if it is undone already, or somebody changed what it made; then all is as before
            but for what the error names.
    """
    if way_back(deed) is not None:
        raise ApplyError("what was appended stays: the way back is a new tape at the old head")
    found = [_unchanged(made, world.disk) for made in deed.made]
    trash = _free(world.journal.folder / TRASH, deed.id)
    kept = [_kept(made, trash, deed.own) for made in deed.made]
    publication = Publication(world.disk, "inspector-trash")
    publication.publish(kept)
    undone = replace(deed, state=State.UNDONE, trash=trash)
    gone: list[tuple[Made, Write]] = []
    try:
        _remove(deed, found, kept, gone, world.disk)
        world.journal.put(undone)
    except BaseException as error:
        left = tuple(_put_back(gone, world.disk))
        if left:
            publication.close()
            raise ApplyError(str(error) or type(error).__name__, left) from error
        # Everything is where it was: nothing need be in the trash.
        publication.withdraw()
        raise
    publication.close()
    _remove_folder(deed, world.disk)
    return undone


def _free(trash: Path, name: str) -> Path:
    """A folder of the trash that is not there: a plan may be carried out and undone again."""
    names = chain((name,), (f"{name}-{number}" for number in count(2)))
    return next(trash / one for one in names if not os.path.lexists(trash / one))


def _unchanged(made: Made, disk: Disk) -> Standing:
    """What stands where a file was made.

    Raises:
        ApplyError: if it is not what was made.
    """
    named = clean_line(str(made.path))
    try:
        with _folder(disk, made.path.parent) as folder:
            standing = disk.look(folder, made.path.name)
        if not standing.regular or standing.size != made.size or _hash(made.path) != made.hash:
            raise ApplyError(f"{named} was written to since: it is somebody's session by now")
    except OSError as error:
        raise ApplyError(f"{named} {why(error)}") from error
    return standing


def _hash(path: Path) -> str:
    digest = sha256()
    for piece in _pieces(path):
        digest.update(piece)
    return digest.hexdigest()


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _kept(made: Made, trash: Path, own: int) -> Write:
    names = made.path.parts[-own:]
    return Write(trash.joinpath(*names), How.CREATE, partial(_pieces, made.path), own=2)


def _remove(
    deed: Deed,
    found: list[Standing],
    kept: list[Write],
    gone: list[tuple[Made, Write]],
    disk: Disk,
) -> None:
    """Take the names of files away, the last that was made first: without it a tape is none.

    Args:
        deed: that made them.
        found: what stands under each name.
        kept: the copy of each.
        gone: takes those whose name is away, with their copies.
        disk: where.
    """
    made = deed.made[-1]
    try:
        for made, standing, write in reversed(list(zip(deed.made, found, kept, strict=True))):
            with _folder(disk, made.path.parent) as folder:
                if disk.look(folder, made.path.name) != standing:
                    raise ApplyError(f"{clean_line(str(made.path))} is being written to")
                disk.unlink(folder, made.path.name)
                gone.append((made, write))
                disk.sync(folder)
    except OSError as error:
        raise ApplyError(f"{clean_line(str(made.path))} {why(error)}") from error


def _remove_folder(deed: Deed, disk: Disk) -> None:
    """Take away the folder that a tape had for itself; one that holds something else stays."""
    if deed.own > 1:
        own = deed.made[0].path.parent
        with suppress(OSError), _folder(disk, own.parent) as folder:
            disk.remove_folder(folder, own.name)


@contextmanager
def _folder(disk: Disk, path: Path) -> Iterator[int]:
    """Hold a folder."""
    folder = disk.open_folder(path)
    try:
        yield folder
    finally:
        with suppress(OSError):
            disk.close(folder)


def _put_back(gone: list[tuple[Made, Write]], disk: Disk) -> Iterator[str]:
    """Make files again from their copies in the trash; says which could not be."""
    for made, write in reversed(gone):
        try:
            again = Write(made.path, How.CREATE, partial(_pieces, write.to))
            Publication(disk, "inspector-back").publish([again])
        except ApplyError as error:
            named = clean_line(str(made.path))
            yield f"{named} is in the trash alone, {clean_line(str(write.to))}: {error}"
