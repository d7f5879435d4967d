"""The commands that open the full screen."""

import argparse
import os
import sys
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from inspector.cli import options, reading
from inspector.cli.endings import UNREADABLE, WRONG_CALL, Failure

if TYPE_CHECKING:
    from inspector.applying.world import World
    from inspector.formats.contract import Options, Tape
    from inspector.ui import visits
    from inspector.ui.elsewhere import Elsewhere

_MOMENT: Final = 0.5
"""Seconds for which a folder is looked through before it is taken for one of many sessions."""


def declare_open(parser: argparse.ArgumentParser) -> None:
    """The options of ``open``."""
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="?",
        type=options.given,
        help=f"{options.SOURCES}; the library of all sessions without it, and that of a folder "
        "that holds several",
    )
    options.at(parser, None)
    parser.add_argument("--follow", action="store_true", help="follow what is written to the tape")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="open where the tape was left, and remember where it is left now",
    )
    options.reading(parser)


def declare_demo(parser: argparse.ArgumentParser) -> None:
    """The options of ``demo``: it reads one tape, and that plainly."""
    options.at(parser, None)
    parser.set_defaults(
        path=demo_tape(),
        follow=False,
        resume=False,
        session=None,
        policy=None,
        past_unknown=False,
        unpack_limit=None,
    )


def demo_tape() -> Path:
    """Where the bundled demo tape is: in an installed package, or in a checkout."""
    package = Path(__file__).resolve().parents[1]
    bundled = package / "sample_tapes" / "demo.jsonl"
    return bundled if bundled.exists() else package.parent / "sample_tapes" / "demo.jsonl"


def run(parsed: argparse.Namespace) -> int:
    """Show a tape, or the library, until the person quits."""
    how = options.chosen(parsed)
    if parsed.path is None:
        return _library(parsed, how)
    # On a terminal one chooses among several; a script is told them.
    if parsed.at is None and _is_on_terminal() and _is_shelf(parsed.path, how):
        return _library(parsed, how)
    tape = reading.opened(parsed.path, how)
    _expect_terminal()
    from inspector.places import PlaceError
    from inspector.tape.source import SourceError
    from inspector.ui import visits  # Textual, only now
    from inspector.ui.elsewhere import Elsewhere, Resuming

    open_ = partial(_opened, how)
    place = Elsewhere(parsed.path, how.session, parsed.at)
    first = visits.Visit(
        place,
        parsed.follow,
        Resuming.YES if parsed.resume else Resuming.NO,
        strict=True,
        opened=_belonging(how, place, tape),
    )
    try:
        return visits.go(first, open_, None)
    except PlaceError as error:
        raise Failure(str(error), WRONG_CALL) from error
    except SourceError as error:
        raise Failure(f"{parsed.path}: {error}", UNREADABLE) from error


def _library(parsed: argparse.Namespace, how: "Options") -> int:
    """Show the library of the path, or that of all agents, until the person quits."""
    asked = {
        "--at": parsed.at,
        "--follow": parsed.follow,
        "--session": how.session,
        "--policy": how.policy,
    }
    if parsed.path is None and (wrong := [name for name, value in asked.items() if value]):
        raise Failure(f"{wrong[0]} is of one session: name its path", WRONG_CALL)
    _expect_terminal()
    from inspector.library import roots
    from inspector.ui import visits  # Textual, only now
    from inspector.ui.library.start import Showing

    around = roots.here()
    places = roots.known(around) if parsed.path is None else roots.given([parsed.path])
    with Showing(places, how, around.home, demo_tape()) as library:
        return visits.go(None, partial(_opened, how), library.show)


def _is_shelf(path: Path, how: "Options") -> bool:
    """Whether a path holds several sessions, of which none is chosen, or none that opens as it is.

    A folder is not looked through for longer than a moment: one that is large is a shelf.
    """
    if how.session is not None or str(path) == "-":
        return False
    from inspector.formats import folders
    from inspector.formats.opening import session_entries
    from inspector.library.finding import find
    from inspector.library.roots import given
    from inspector.tape.source import SourceError

    try:
        if not path.is_dir():
            return len(session_entries(path)) > 1
        if folders.current(folders.names_in(path)) is not None:
            return False
    except (OSError, SourceError):
        # Opening it says why it cannot be read.
        return False
    due = monotonic() + _MOMENT
    found = list(islice(find(given([path]), going=lambda: monotonic() < due), 2))
    one = found[0].path if len(found) == 1 and monotonic() < due else None
    return one is None or one.parent != path


def _opened(how: "Options", place: "Elsewhere") -> "visits.Opened":
    """A session of the library, or one that another leads to."""
    from inspector.formats.opening import open_tape

    chosen = replace(how, session=place.session)
    return _belonging(chosen, place, open_tape(place.path, chosen))


def _belonging(how: "Options", place: "Elsewhere", tape: "Tape") -> "visits.Opened":
    """An open tape, and what belongs to a visit to it."""
    from inspector.formats.opening import open_tape
    from inspector.ui import visits
    from inspector.userdata import NotesFile, folder

    # Of the standard input nothing can be kept.
    data = None if str(place.path) == "-" else folder(os.environ)
    return visits.Opened(
        tape,
        lambda past, policy: open_tape(place.path, _read(how, past, policy)),
        None if data is None else NotesFile(data, tape.identity),
        None if data is None else partial(_world, data, place.path, how),
    )


def _read(how: "Options", past_unknown: bool, policy: str | None) -> "Options":
    """How a tape is read by now, by how it was opened and what the person chose since."""
    past_unknown = past_unknown or how.past_unknown
    return replace(how, past_unknown=past_unknown, policy=policy or how.policy)


def _world(
    data: Path, path: Path, how: "Options", past_unknown: bool, policy: str | None
) -> "World":
    from inspector.applying.machine import world  # seldom needed

    return world(data, path, _read(how, past_unknown, policy))


def _is_on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _expect_terminal() -> None:
    """Refuse what is no terminal, and have Textual read ``NO_COLOR`` as everybody else does."""
    if not _is_on_terminal():
        raise Failure(
            "the full screen needs a terminal; ls, show, events, request, rows and check print",
            WRONG_CALL,
        )
    if sys.stderr is None or not sys.stderr.isatty():
        raise Failure(
            "the full screen is drawn on the standard error, which is no terminal here", WRONG_CALL
        )
    if os.environ.get("TERM", "dumb") in ("dumb", "unknown"):
        raise Failure("this terminal cannot move its cursor (TERM is dumb or unset)", WRONG_CALL)
    if os.environ.get("NO_COLOR") == "":
        # Only a value that is not empty asks for no colour; Textual takes any.
        del os.environ["NO_COLOR"]
