"""From the library to a session and back, and from one session to another and back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from inspector.formats.contract import OptionError, Tape
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.ui.elsewhere import Elsewhere, Leaving, Left, Resuming

if TYPE_CHECKING:
    from inspector.applying.world import World
    from inspector.ui.start import Visited
    from inspector.userdata import NotesFile

_MOST: Final = 1_000
"""Sessions that one can go back through."""


class Opened(NamedTuple):
    """A session that is open, and what belongs to a visit to it; see `start.run`."""

    tape: Tape
    reopen: Callable[[bool, str | None], Tape]
    notes: "NotesFile | None"
    world: "Callable[[bool, str | None], World] | None"


Open = Callable[[Elsewhere], Opened]
"""Opens a session.

Raises:
    SourceError: if it cannot be read.
    OptionError: if there is no such session, or several.
"""


ShowLibrary = Callable[[str], tuple[Left, int]]
"""Shows the library, told what is to be said first; gives back how it was left, and the code of a
program that ends with it.
"""


@dataclass(slots=True)
class Visit:
    """A session to be shown.

    Attributes:
        place: which, and where in it.
        follow: whether to follow it.
        resume: whether to open it where it was left.
        strict: whether a place that is not there ends the program.
        opened: where it is open already.
        said: what is to be said first.
    """

    place: Elsewhere
    follow: bool = False
    resume: Resuming = Resuming.IF_KNOWN
    strict: bool = False
    opened: Opened | None = None
    said: str | None = None


def go(first: Visit | None, open_: Open, library: ShowLibrary | None) -> int:
    """Show one thing after the other until the person quits.

    Args:
        first: the session to begin with; None is the library.
        open_: opens a session.
        library: where one comes back to from the first session; None ends the program there.

    Returns:
        The exit code.

    Raises:
        PlaceError: if the first session has no such place.
    """
    way: list[Visit] = [] if first is None else [first]
    said = ""
    while True:
        if way:
            left, code, said = _visited(way, open_, _way_back(way, library))
        elif library is not None:
            left, code = library(said)
            said = ""
        else:
            return 0
        if code or left is None:
            return code
        if isinstance(left, Elsewhere):
            del way[: max(0, len(way) - _MOST)]
            way.append(Visit(left))
        elif not way:
            return 0
        else:
            way.pop()


def _way_back(way: list[Visit], library: ShowLibrary | None) -> str:
    """Where one comes back to from the last session of the way; empty where nowhere."""
    if len(way) > 1:
        return "the session before"
    return "" if library is None else "the library"


def _visited(way: list[Visit], open_: Open, back: str) -> tuple[Left, int, str]:
    """Show the last session of the way; why it could not be shown is told where one comes back.

    Args:
        way: the sessions through which one came.
        open_: opens a session.
        back: where one comes back to; empty where nowhere.

    Returns:
        How it was left, the exit code, and what is to be said next.
    """
    visit = way[-1]
    try:
        opened = visit.opened or open_(visit.place)
    except (SourceError, OptionError) as error:
        said = clean_line(f"cannot be opened: {visit.place.path}: {error}", 500)
        if len(way) > 1:
            way[-2].said, said = said, ""
        return Leaving.BACK, 0, said
    ended: Visited | None = None
    try:
        ended = _shown(visit, opened, back)
    except SourceError as error:
        if visit.strict:
            raise
        return Leaving.BACK, 0, clean_line(f"{visit.place.path}: {error}", 500)
    finally:
        (opened.tape if ended is None else ended.tape).close()
    _keep_place(visit, ended)
    return ended.left, ended.code, ""


def _shown(visit: Visit, opened: Opened, back: str) -> "Visited":
    from inspector.ui import start  # what draws a tape is not needed for the library

    return start.run(
        opened.tape,
        visit.place.at,
        opened.reopen,
        follow=visit.follow,
        notes=opened.notes,
        world=opened.world,
        resume=visit.resume,
        said=visit.said,
        strict=visit.strict,
        back=back,
    )


def _keep_place(visit: Visit, ended: "Visited") -> None:
    """Whoever comes back to a session finds it as it was left."""
    at_head = ended.cursor == ended.tape.timeline.events
    visit.place = visit.place._replace(at="head" if at_head else str(ended.cursor))
    visit.follow = ended.live
    visit.opened, visit.said, visit.strict = None, None, False
