"""The command that lists sessions: of the places where agents keep them, or of those given."""

import argparse
import gc
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from inspector.cli import options
from inspector.cli.endings import FINE, UNREADABLE, WRONG_CALL, Failure, complain, put
from inspector.text.gate import clean_line

if TYPE_CHECKING:
    from inspector.library.roots import Place
    from inspector.library.row import Row


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of ``ls``."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        type=options.given,
        nargs="*",
        help="folders, files or databases; the places where agents keep their sessions unless told",
    )
    options.reading(parser)
    options.scripting(parser, lines=True)


def ls(parsed: argparse.Namespace) -> int:
    """Print the sessions that are found, what cannot be read among them.

    Raises:
        Failure: if a path is the standard input.
    """
    if any(str(path) == "-" for path in parsed.paths):
        raise Failure(_NO_STREAM, WRONG_CALL)
    from inspector.library.finding import find  # not for --help
    from inspector.library.roots import given, here, known

    places = given(parsed.paths) if parsed.paths else known(here())
    found = _Found(find(places), parsed.session)
    with _uncollected():
        if parsed.jsonl:
            _put_each(found)
        else:
            _put_all(parsed, found)
    if not found.rows and found.others:
        return _no_such(parsed.session, found, places if parsed.paths else ())
    if found.rows:
        return FINE if found.readable or not parsed.paths else _nothing_readable(found.problems)
    return _nothing(places, bool(parsed.paths))


_NO_STREAM: Final = (
    "ls looks in folders, files and databases and reads no stream; "
    "`inspector check -` says what one holds"
)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Thousands of rows are made and none of them is garbage: looking for some costs a tenth."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class _Found:
    """Rows that are counted as they are taken.

    Attributes:
        rows: how many were.
        readable: how many of them can be read.
        problems: the first of those that cannot.
        others: how many were of another session than is asked for, those that cannot be read too.
        unread: how many of these cannot be read: it may be one of them.
    """

    def __init__(self, rows: "Iterable[Row]", session: str | None) -> None:
        self._rows = rows
        self._session = session
        self.rows = 0
        self.readable = 0
        self.problems: list[Row] = []
        self.others = 0
        self.unread = 0

    def __iter__(self) -> "Iterator[Row]":
        for row in self._rows:
            if self._session is not None and self._session not in (row.session, row.id):
                self.others += 1
                self.unread += row.problem is not None
                continue
            self.rows += 1
            self.readable += row.problem is None
            if row.problem is not None and len(self.problems) < _COMPLAINTS:
                self.problems.append(row)
            yield row


_COMPLAINTS: Final = 20
"""What cannot be read that is complained of, where nothing can."""


def _put_each(found: "Iterable[Row]") -> None:
    """Print each row as soon as it is found: whoever reads them need not wait for the last."""
    from inspector.export import sessions, written  # not for --help

    for row in found:
        put([written.dumps(sessions.document(row))])


def _put_all(parsed: argparse.Namespace, found: "Iterable[Row]") -> None:
    """Print all rows, the latest first."""
    from inspector.export import sessions, written  # not for --help

    rows = sessions.newest_first(found)
    if parsed.json:
        put(written.dump_list(map(sessions.document, rows)))
        return
    from pathlib import Path

    home = os.environ.get("HOME", "")
    put(sessions.table(rows, _columns(), Path(home) if home else None))


def _columns() -> int | None:
    """The columns of the terminal; None where the output goes elsewhere."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except (OSError, ValueError, AttributeError):
        return None


def _nothing_readable(problems: "Sequence[Row]") -> int:
    for row in problems:
        complain(f"{row.path}: {row.problem}")
    return UNREADABLE


def _no_such(session: str, found: _Found, given: "Sequence[Place]") -> int:
    """Say that there are sessions, and not the one that is asked for."""
    from inspector.text.labels import plural  # not for --help

    where = f" in {', '.join(str(place.path) for place in given)}" if given else ""
    others = plural(found.others - found.unread, "other")
    unread = f", and {found.unread:,} that cannot be read" if found.unread else ""
    complain(f"no such session: {clean_line(session, 80)}; {others} found{where}{unread}")
    return UNREADABLE


def _nothing(places: "Sequence[Place]", given: bool) -> int:
    """Say where nothing was found."""
    if given:
        for place in places:
            complain(f"{place.path}: no session is there")
        return UNREADABLE
    from inspector.library.roots import said_of  # not for --help

    complain("no session is found; `inspector demo` opens the bundled one. Looked in:")
    for place in places:
        complain(f"{place.path}: {said_of(place)}{_whose(place)}")
    return FINE


def _whose(place: "Place") -> str:
    """Whose place it is, and what named it."""
    named = f", by {', '.join(place.said_by)}" if place.said_by else ""
    return clean_line(f" ({', '.join(place.owners)}{named})")
