"""The way back: what was made goes to the journal's trash, if nobody has written to it since.

What was appended stays where it is, since an agent may have read it: its way back is a plan for a
new tape at the old head. What was broken off is swept up.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from inspector.applying.disk import Disk, Standing
from inspector.applying.interrupts import held_back
from inspector.applying.journal import TRASH, Deed, State, mark_of
from inspector.applying.publishing import Made, Publication, draft_of
from inspector.applying.refusal import ApplyError, named, why
from inspector.applying.sums import Sum, pieces_of, sum_of
from inspector.applying.world import World, WriterError
from inspector.formats.planning import How, Making, PlanKind, View, Write
from inspector.plans.plan import Asked
from inspector.text.gate import clean_line


class _There(NamedTuple):
    """A file of a deed that is still there, as it stands, and where its copy is kept."""

    made: Made
    standing: Standing
    copy: Path


def way_back(deed: Deed) -> Asked | None:
    """The plan that undoes a deed by a new tape; None where the files that it made go away.

    The tape has the history as it was seen at the old head. A format that cannot make that says so
    in the plan's check of the view.

    Raises:
        ApplyError: if it is undone already, or was broken off before anything was written, or if
            what was appended to is another by now.
    """
    grown = deed.grown
    if deed.state is State.UNDONE or (
        deed.state is State.BEGUN and grown is not None and _has_size(grown.path, grown.before)
    ):
        raise ApplyError("it is undone already, or nothing came of it")
    if grown is None:
        return None
    if grown.hash and not _begins_with(grown.path, Sum(grown.before, grown.hash)):
        raise ApplyError(f"{named(grown.path)} is another by now, also before what was appended")
    # The default would put back a compaction that is undone: it covers nothing behind the cut.
    return Asked(PlanKind.FORK, cut=deed.events, view=View.AS_OF)


def going_back(deed: Deed) -> Making:
    """The identity of the tape that undoes a deed: the same, whenever it is asked for."""
    return Making(deed.id, deed.time)


def _begins_with(path: Path, known: Sum) -> bool:
    try:
        return sum_of(pieces_of(path, known.size)) == known
    except FileNotFoundError:
        return False


def _has_size(path: Path, size: int) -> bool:
    try:
        return path.stat().st_size == size
    except OSError:
        return False


def undo(deed: Deed, world: World) -> Deed:
    """Take away what a deed made; it stands in the journal's trash from then on.

    Returns:
        The deed, with the files that were there to be taken away.

    Raises:
        WriterError: if somebody has it open to write to it.
        ApplyError: if it is undone already, or somebody changed what it made; then all is as before
            but for what the error names.
    """
    if way_back(deed) is not None:
        raise ApplyError("what was appended stays: the way back is a new tape at the old head")
    with held_back():
        _refuse_writers(deed, world)
        trash = deed.trash or _free(world.journal.folder / TRASH, deed.id)
        there = list(_there(deed, trash, world.disk))
        _refuse_what_others_put_there(deed)
        if there and deed.trash is None:
            deed = _copied(deed, there, trash, world)
        gone: list[_There] = []
        undone = replace(deed, state=State.UNDONE)
        try:
            _remove(there, gone, world.disk)
            world.journal.put(undone)
        except BaseException as error:
            left = tuple(_put_back(gone, world.disk))
            if left:
                raise ApplyError(str(error) or type(error).__name__, left) from error
            raise
        _sweep(deed, world.disk)
        return replace(undone, made=tuple(one.made for one in there))


# What must be so before.


def _refuse_writers(deed: Deed, world: World) -> None:
    for made in deed.made:
        found = world.writers(made.path)
        if found:
            who = clean_line(", ".join(found))
            raise WriterError(f"{who} has {named(made.path)} open to write to it")


def _refuse_what_others_put_there(deed: Deed) -> None:
    """Refuse a folder that a tape has for itself and that holds something else by now."""
    if deed.own == 1:
        return
    folder = deed.made[0].path.parent
    ours = {made.path.name for made in deed.made} | {draft_of(mark_of(deed))}
    with suppress(FileNotFoundError):
        others = sorted({path.name for path in folder.iterdir()} - ours)
        if others:
            held = clean_line(", ".join(others[:3]), 200)
            raise ApplyError(f"{named(folder)} holds something else by now: {held}")


def _there(deed: Deed, trash: Path, disk: Disk) -> Iterator[_There]:
    """The files that are to be taken away.

    One that is gone may be so where the deed was broken off, and where it was taken away before
    somebody broke that off.

    Raises:
        ApplyError: if one is not what was made.
    """
    for made in deed.made:
        copy = trash.joinpath(*made.path.parts[-deed.own :])
        if os.path.lexists(made.path):
            yield _There(made, _unchanged(made, disk), copy)
        elif deed.state is not State.BEGUN and not _is_copy(copy, made):
            raise ApplyError(f"{named(made.path)} is not there any more")


def _is_copy(copy: Path, made: Made) -> bool:
    try:
        return sum_of(pieces_of(copy)) == (made.size, made.hash)
    except OSError:
        return False


def _unchanged(made: Made, disk: Disk) -> Standing:
    """What stands where a file was made.

    Raises:
        ApplyError: if it is not what was made.
    """
    try:
        with _folder(disk, made.path.parent) as folder:
            standing = disk.look(folder, made.path.name)
        known = Sum(made.size, made.hash)
        as_large = standing.regular and standing.size == known.size
        if not as_large or sum_of(pieces_of(made.path)) != known:
            since = "was written to since: it is somebody's session by now"
            raise ApplyError(f"{named(made.path)} {since}")
    except OSError as error:
        raise ApplyError(f"{named(made.path)} {why(error)}") from error
    return standing


# Copies.


def _free(trash: Path, name: str) -> Path:
    """A folder of the trash that is not there: what was broken off may have left one."""
    names = chain((name,), (f"{name}-{number}" for number in count(2)))
    return next(trash / one for one in names if not os.path.lexists(trash / one))


def _copied(deed: Deed, there: Sequence[_There], trash: Path, world: World) -> Deed:
    """Copy files to the trash, and keep in the journal that they are there."""
    publication = Publication(world.disk, mark_of(deed), linked=True)
    publication.publish(
        [Write(one.copy, How.CREATE, partial(pieces_of, one.made.path), own=2) for one in there]
    )
    copied = replace(deed, trash=trash)
    try:
        world.journal.put(copied)
    except BaseException:
        publication.withdraw()
        raise
    publication.close()
    return copied


# Taking away.


def _remove(there: Sequence[_There], gone: list[_There], disk: Disk) -> None:
    """Take the names of files away, the last that was made first: without it a tape is none.

    Args:
        there: the files.
        gone: takes those whose name is away.
        disk: where.
    """
    for one in reversed(there):
        path = one.made.path
        try:
            with _folder(disk, path.parent) as folder:
                if disk.look(folder, path.name) != one.standing:
                    raise ApplyError(f"{named(path)} is being written to")
                disk.unlink(folder, path.name)
                gone.append(one)
                disk.sync(folder)
        except OSError as error:
            raise ApplyError(f"{named(path)} {why(error)}") from error


def _put_back(gone: Sequence[_There], disk: Disk) -> Iterator[str]:
    """Make files again from their copies in the trash; says which could not be."""
    for one in reversed(gone):
        try:
            again = Write(one.made.path, How.CREATE, partial(pieces_of, one.copy))
            Publication(disk, "inspector-back").publish([again])
        except ApplyError as error:
            yield f"{named(one.made.path)} is in the trash alone, {named(one.copy)}: {error}"


def _sweep(deed: Deed, disk: Disk) -> None:
    """Take away unfinished files of a deed and the folders made for it; what is not empty stays."""
    for folder in dict.fromkeys(made.path.parent for made in deed.made):
        with suppress(OSError), _folder(disk, folder) as held:
            disk.unlink(held, draft_of(mark_of(deed)))
    for folder in reversed(deed.folders):
        with suppress(OSError), _folder(disk, folder.parent) as held:
            disk.remove_folder(held, folder.name)


@contextmanager
def _folder(disk: Disk, path: Path) -> Iterator[int]:
    """Hold a folder."""
    folder = disk.open_folder(path)
    try:
        yield folder
    finally:
        with suppress(OSError):
            disk.close(folder)
