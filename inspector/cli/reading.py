"""From a call to a folded tape and a cursor of it."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from inspector.cli.endings import UNREADABLE, WRONG_CALL, Failure, complain, put
from inspector.text.gate import clean_line

if TYPE_CHECKING:
    from inspector.formats.contract import Options, Tape
    from inspector.timeline.findings import Finding

_STREAM: Final = Path("-")
"""The path that means the standard input."""


def opened(path: Path, options: "Options") -> "Tape":
    """The tape of a path; nothing of it is folded yet.

    Raises:
        Failure: if there is no such tape, or several; these are listed on stdout.
    """
    from inspector.formats.contract import OptionError  # not for --help
    from inspector.formats.opening import SeveralSessionsError, open_stream, open_tape
    from inspector.tape.source import SourceError

    try:
        if path == _STREAM and sys.stdin is not None:
            return open_stream(sys.stdin.buffer, options)
        return open_tape(path, options)
    except SourceError as error:
        raise Failure(f"{path}: {error}", UNREADABLE) from error
    except SeveralSessionsError as error:
        put(clean_line(entry.id) for entry in error.entries)
        raise Failure(f"{path}: {error}", WRONG_CALL) from error
    except OptionError as error:
        raise Failure(f"{path}: {error}", WRONG_CALL) from error


def folded(path: Path, options: "Options") -> "Tape":
    """The tape of a path, folded to its head.

    Raises:
        Failure: as `opened`, or if it cannot be read to its end.
    """
    from inspector.tape.source import SourceError  # not for --help

    tape = opened(path, options)
    try:
        while tape.advance():
            pass
    except SourceError as error:
        raise Failure(f"{path}: {error}", UNREADABLE) from error
    return tape


def cursor_at(text: str, tape: "Tape") -> int:
    """The cursor that a text names.

    Raises:
        Failure: if there is no such place, or more than one.
    """
    from inspector import places  # not for --help

    try:
        return places.cursor(text, tape, zone=None)
    except places.PlaceError as error:
        raise Failure(str(error), WRONG_CALL) from error


def event_at(text: str, tape: "Tape") -> int:
    """The position of the event that a text names.

    Raises:
        Failure: if there is no such event, or more than one.
    """
    from inspector import places  # not for --help

    try:
        return places.event(text, tape)
    except places.PlaceError as error:
        raise Failure(str(error), WRONG_CALL) from error


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """While an answer reads the tape once more.

    Raises:
        Failure: if it cannot be read any more.
    """
    from inspector.tape.source import SourceError  # not for --help

    try:
        yield
    except SourceError as error:
        raise Failure(f"{path}: {error}", UNREADABLE) from error


def notice(tape: "Tape", cursor: int) -> None:
    """Say on stderr what an answer at a cursor went past, what it lacks, or why there is none."""
    timeline, path = tape.timeline, tape.identity.path
    first = next(_errors(timeline.findings), None)
    why = f": {clean_line(first.message, 300)}" if first else ""
    if cursor > timeline.reliable_to:
        complain(f"{path}: reliable to cursor {timeline.reliable_to}{why}")
    elif not timeline.events and first is not None:
        complain(f"{path}: no event is folded{why}")
    elif cursor == timeline.events:
        # What stands behind the findings of the fold is of the source: what of it is missing here.
        for lost in _errors(islice(tape.findings(), len(timeline.findings), None)):
            complain(f"{path}: {lost.message}; {lost.kind.effect}")


def _errors(findings: "Iterable[Finding]") -> "Iterator[Finding]":
    return (found for found in findings if found.kind.severity.value == "error")
