"""The options that commands share, and what they come to."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from inspector.cli.endings import WRONG_CALL, Failure

if TYPE_CHECKING:
    from inspector.formats.contract import Options
    from inspector.lenses.prices import Prices
    from inspector.timeline.words import Visibility

PLACES: Final = (
    "A cursor is a number of folded events: N, seq:N, id:ID, line:N, event:K, turn:N, "
    "turn:N.start, head, 40%, 14:05:31 or an ISO time."
)
"""The grammar of places, for help texts: importing their parser takes longer than help may."""

SOURCES: Final = (
    "a session tape: a log, plain or compressed, a session's folder, a database, an archive, or - "
    "for the standard input"
)

_LONGEST: Final = 15
"""Digits of a size."""


@dataclass(frozen=True, slots=True)
class Command:
    """A word of the command line: what it says of itself, its options, and what it does."""

    name: str
    help: str
    declare: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def path(parser: argparse.ArgumentParser) -> None:
    """The one source of most commands."""
    parser.add_argument("path", metavar="PATH", type=given, help=SOURCES)


def given(text: str) -> Path:
    """A path that says something."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    return Path(text)


def reading(parser: argparse.ArgumentParser) -> None:
    """The options of every command that reads a tape."""
    parser.add_argument("--session", metavar="ID", help="which session, where PATH holds several")
    parser.add_argument(
        "--policy",
        metavar="NAME",
        help="which of the owner's readers to follow; a wrong one lists them",
    )
    parser.add_argument(
        "--past-unknown", action="store_true", help="fold past a required unknown event"
    )
    parser.add_argument(
        "--unpack-limit",
        metavar="BYTES",
        type=_size,
        help="the most bytes that a compressed tape may unpack to; 4 GiB or 200:1 unless told",
    )


def _size(text: str) -> int:
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
    digits, unit = text.rstrip("KMGTkmgt"), text[len(text.rstrip("KMGTkmgt")) :].upper()
    number = digits.isascii() and digits.isdecimal() and len(digits) <= _LONGEST
    if not number or len(unit) > 1:
        raise argparse.ArgumentTypeError("a size is a number of bytes, or one with K, M, G or T")
    return int(digits) * units.get(unit, 1)


def at(parser: argparse.ArgumentParser, default: str | None) -> None:
    """The cursor of an answer."""
    parser.add_argument(
        "--at", metavar="C", default=default, help="the cursor; the head unless told"
    )


def event(parser: argparse.ArgumentParser) -> None:
    """The event that a question is about."""
    parser.add_argument(
        "event", metavar="EVENT", help="the event: its position, seq:N, id:ID or line:N"
    )


def visibility(parser: argparse.ArgumentParser) -> None:
    """Only what became of events in one way."""
    parser.add_argument("--visibility", metavar="V", help="only events of this visibility")


def chosen_visibility(parsed: argparse.Namespace) -> "Visibility | None":
    """The visibility that was asked for, or None.

    Raises:
        Failure: if there is no such one.
    """
    from inspector.timeline.words import Visibility  # not for --help

    words = {word.label: word for word in Visibility}
    if parsed.visibility is not None and parsed.visibility not in words:
        raise Failure(f"--visibility is one of {', '.join(words)}", WRONG_CALL)
    return None if parsed.visibility is None else words[parsed.visibility]


def seconds(text: str) -> float:
    """A length of time."""
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found < 1e9:
        raise argparse.ArgumentTypeError("a number of seconds is wanted")
    return found


def prices(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """The user's price file."""
    parser.add_argument(
        "--prices",
        metavar="FILE",
        type=given,
        required=required,
        help='TOML: [models."NAME"] with hit, miss, write and output for a million tokens, and '
        "window, the tokens that the model can see",
    )


def chosen_prices(parsed: argparse.Namespace) -> "Prices | None":
    """The price file that was named, or None.

    Raises:
        Failure: if it cannot be read, or says no prices.
    """
    from inspector.lenses.prices import PriceError  # not for --help
    from inspector.pricefile import read_prices

    if parsed.prices is None:
        return None
    try:
        return read_prices(parsed.prices)
    except PriceError as error:
        raise Failure(f"{parsed.prices}: {error}", WRONG_CALL) from error


def scripting(parser: argparse.ArgumentParser, *, lines: bool = False) -> None:
    """The forms in which scripts read an answer; ``lines`` where it is a list."""
    parser.add_argument("--json", action="store_true", help="print JSON")
    if lines:
        parser.add_argument("--jsonl", action="store_true", help="print one JSON object a line")


def chosen(parsed: argparse.Namespace) -> "Options":
    """How the tape is to be read."""
    from inspector.formats.contract import Options  # not for --help

    return Options(
        session=parsed.session,
        policy=parsed.policy,
        past_unknown=parsed.past_unknown,
        unpacked=parsed.unpack_limit,
    )
