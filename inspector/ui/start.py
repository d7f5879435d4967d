"""From an open tape to a running screen, as fast as it goes."""

import sys
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

from inspector.bookmarks import NotesError
from inspector.formats.contract import Tape
from inspector.inspection import Inspection
from inspector.places import PlaceError
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.ui.elsewhere import Left, Resuming
from inspector.ui.first_paint import painted
from inspector.ui.memory import settle_memory, steady_memory
from inspector.userdata import NotesFile, leave, left_at

if TYPE_CHECKING:
    from inspector.applying.world import World

_HEAD_START: Final = 0.02
"""Seconds of folding before the first frame: a short tape is whole in it."""


class Visited(NamedTuple):
    """How a visit ended.

    Attributes:
        left: where the person wants to go; None ends the program.
        code: the exit code of a program that ends with it.
        cursor: where the tape was left.
        live: whether it was followed.
        tape: as it was read last; still open.
    """

    left: Left
    code: int
    cursor: int
    live: bool
    tape: Tape


def run(
    tape: Tape,
    at: str | None,
    reopen: Callable[[bool, str | None], Tape],
    *,
    follow: bool = False,
    notes: NotesFile | None = None,
    world: "Callable[[bool, str | None], World] | None" = None,
    resume: Resuming = Resuming.NO,
    said: str | None = None,
    strict: bool = True,
    back: str = "",
) -> Visited:
    """Show a tape until the person leaves it.

    Args:
        tape: open, not folded yet.
        at: the place to open at; None is the head.
        reopen: opens the same tape again; told whether to fold past required unknown events, and
            which of the owner's readers to follow.
        follow: whether to go live.
        notes: the file that keeps bookmarks and notes of the tape, in the person's data folder.
        world: where plans for the tape are carried out, told as ``reopen`` is how it is read.
        resume: whether to open at the place at which the tape was left. Where it is left now is
            kept, but for a tape of which nothing is kept and that is left at its head.
        said: what is to be said first.
        strict: whether a place that is not there is an error, and not only told.
        back: where the person comes back to; empty where nowhere.

    Raises:
        PlaceError: if the tape is folded at once and has no such place.
    """
    due = perf_counter() + _HEAD_START
    while tape.advance() and perf_counter() < due:
        pass
    inspection = Inspection(tape, at)
    inspection.live = follow
    if resume is not Resuming.NO and notes is not None and at is None:
        _take_up(notes, inspection, silent=resume is Resuming.IF_KNOWN)
    inspection.grown()
    if inspection.complaint is not None and strict and resume is Resuming.NO:
        raise PlaceError(inspection.complaint)
    if said is not None:
        inspection.complain(said)
    with painted(inspection):
        settle_memory()
        from inspector.ui.app import InspectorApp  # Textual, only now
        from inspector.ui.keyboard import accept_any_byte, end_with_terminal

        steady_memory()
        accept_any_byte()
        app = InspectorApp(inspection, reopen, notes=notes, world=world, back=back)
        end_with_terminal(app)
        left = app.run()
        if notes is not None and (resume is Resuming.YES or _is_worth_keeping(notes, inspection)):
            _leave(notes, inspection)
        code = app.return_code or 0
        return Visited(left, code, inspection.cursor, inspection.live, inspection.tape)


def _take_up(notes: NotesFile, inspection: Inspection, *, silent: bool) -> None:
    """Go to where the tape was left, and say so; ``silent`` where that is not known."""
    try:
        kept = left_at(notes)
    except NotesError as error:
        inspection.news = f"not where it was left: the notes {clean_line(str(error), 200)}"
        return
    if kept is None and silent:
        return
    if kept is None:
        inspection.news = "it is not known where this tape was left: it opens at its head"
    else:
        inspection.take_up(kept)
        inspection.news = "where it was left"


def _is_worth_keeping(notes: NotesFile, inspection: Inspection) -> bool:
    """Whether a tape was left at another place than that at which it opens anyway."""
    return inspection.cursor != inspection.head or notes.path.exists()


def _leave(notes: NotesFile, inspection: Inspection) -> None:
    """Keep where a tape is left; the terminal is the person's again, so a word of trouble shows."""
    try:
        leave(notes, inspection)
    except (NotesError, SourceError) as error:
        print(f"inspector: the notes {clean_line(str(error), 200)}", file=sys.stderr)  # noqa: T201
