"""The commands that open the full screen."""

import argparse
import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli import options, reading
from inspector.cli.endings import UNREADABLE, WRONG_CALL, Failure

if TYPE_CHECKING:
    from inspector.applying.world import World
    from inspector.formats.contract import Options


def declare_open(parser: argparse.ArgumentParser) -> None:
    """The options of ``open``."""
    options.path(parser)
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
    """Show a tape until the person quits."""
    how = options.chosen(parsed)
    tape = reading.opened(parsed.path, how)
    _expect_terminal()
    from inspector.formats.opening import open_tape
    from inspector.places import PlaceError
    from inspector.tape.source import SourceError
    from inspector.ui import start  # Textual, only now
    from inspector.userdata import NotesFile, folder

    # Of the standard input nothing can be kept.
    data = None if str(parsed.path) == "-" else folder(os.environ)

    try:
        return start.run(
            tape,
            parsed.at,
            lambda past, policy: open_tape(parsed.path, _read(how, past, policy)),
            follow=parsed.follow,
            notes=None if data is None else NotesFile(data, tape.identity),
            world=None if data is None else partial(_world, data, parsed.path, how),
            resume=parsed.resume,
        )
    except PlaceError as error:
        raise Failure(str(error), WRONG_CALL) from error
    except SourceError as error:
        raise Failure(f"{parsed.path}: {error}", UNREADABLE) from error


def _read(how: "Options", past_unknown: bool, policy: str | None) -> "Options":
    """How a tape is read by now, by how it was opened and what the person chose since."""
    past_unknown = past_unknown or how.past_unknown
    return replace(how, past_unknown=past_unknown, policy=policy or how.policy)


def _world(
    data: Path, path: Path, how: "Options", past_unknown: bool, policy: str | None
) -> "World":
    from inspector.applying.machine import world  # seldom needed

    return world(data, path, _read(how, past_unknown, policy))


def _expect_terminal() -> None:
    """Refuse what is no terminal, and have Textual read ``NO_COLOR`` as everybody else does."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Failure(
            "the full screen needs a terminal; show, events, request, rows and check print",
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
