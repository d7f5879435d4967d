"""The command line: every view of the screen has a headless twin here.

stdout carries data only; messages go to stderr, one line each. No Textual before a screen is asked
for, no entry points before a tape is opened. `argparse` and not click: the screen's first frame has
three tenths of a second, and click takes one of them on a slow machine.
"""

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from inspector import __version__
from inspector.text.gate import clean_line

if TYPE_CHECKING:
    from inspector.formats.contract import Annex, Options, Tape
    from inspector.timeline.findings import Finding

FINE: Final = 0
FOUND: Final = 1
WRONG_CALL: Final = 2
UNREADABLE: Final = 3

_PLACES: Final = (
    "A cursor is a number of folded events: N, seq:N, id:ID, line:N, event:K, turn:N, "
    "turn:N.start, head, 40%, 14:05:31 or an ISO time."
)
_EXITS: Final = (
    "Exit codes: 0 fine; 1 done, but there are error findings; 2 the call is wrong; "
    "3 nothing can be read; 4 refused."
)


class Failure(Exception):  # noqa: N818 - not every end is an error
    """An end with one line on stderr and an exit code of the contract."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the call."""
        raise Failure(f"{clean_line(message, 300)}; see {self.prog} --help", WRONG_CALL)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; always ends with SystemExit.

    Args:
        arguments: those of the process unless told.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Lone surrogates, and whatever the terminal's encoding lacks.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _run(words)
    except Failure as failure:
        _complain(str(failure))
        code = failure.code
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        # The interpreter would flush once more at its end and complain.
        _discard_output()
        code = FINE
    raise SystemExit(code)


def _complain(message: str) -> None:
    sys.stderr.write(f"inspector: {clean_line(message)}\n")


def _run(words: list[str]) -> int:
    commands = {command.name: command for command in COMMANDS}
    if not words:
        words = ["--help"]
    if words[0] not in commands and words[0] not in ("--help", "-h", "--version"):
        if len(words) > 1 and not words[0].startswith("-") and not Path(words[0]).exists():
            raise Failure(f"{words[0][:200]}: no such command or file", WRONG_CALL)
        # A first word that is no command is a path, or an option of the screen.
        words = ["open", *words]
    parser = _Parser(
        prog="inspector",
        description="See what an AI agent knew, when, and why: a time-travel inspector for session "
        "tapes. `inspector PATH` opens the full screen; the other commands print what it shows.",
        epilog=f"{_PLACES} {_EXITS}",
    )
    parser.add_argument("--version", action="version", version=f"inspector {__version__}")
    chosen = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for command in COMMANDS:
        # Only the one that runs needs its options.
        sub = chosen.add_parser(
            command.name, help=command.help, description=command.help, epilog=_PLACES
        )
        if command.name == words[0]:
            command.declare(sub)
            sub.set_defaults(run=command.run)
    parsed = parser.parse_args(words)
    code: int = parsed.run(parsed)
    return code


@dataclass(frozen=True, slots=True)
class Command:
    """A word of the command line: what it says of itself, its options, and what it does."""

    name: str
    help: str
    declare: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


# Options.


_SOURCES: Final = (
    "a session tape: a log, plain or compressed, a session's folder, a database, an archive, or - "
    "for the standard input"
)


_STREAM: Final = Path("-")
"""The path that means the standard input."""


def _path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", type=_given, help=_SOURCES)


def _given(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    return Path(text)


def _reading(parser: argparse.ArgumentParser) -> None:
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
    if not digits.isascii() or not digits.isdecimal() or len(unit) > 1 or len(digits) > 15:
        raise argparse.ArgumentTypeError("a size is a number of bytes, or one with K, M, G or T")
    return int(digits) * units.get(unit, 1)


def _scripting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def _at(parser: argparse.ArgumentParser, default: str | None) -> None:
    parser.add_argument(
        "--at", metavar="C", default=default, help="the cursor; the head unless told"
    )


def _options(parsed: argparse.Namespace) -> "Options":
    from inspector.formats.contract import Options  # not for --help

    return Options(
        session=parsed.session,
        policy=parsed.policy,
        past_unknown=parsed.past_unknown,
        unpacked=parsed.unpack_limit,
    )


# Reading.


def _open(path: Path, options: "Options") -> "Tape":
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
        _print(clean_line(entry.id) for entry in error.entries)
        raise Failure(f"{path}: {error}", WRONG_CALL) from error
    except OptionError as error:
        raise Failure(f"{path}: {error}", WRONG_CALL) from error


def _folded(path: Path, options: "Options") -> "Tape":
    from inspector.tape.source import SourceError  # not for --help

    tape = _open(path, options)
    try:
        while tape.advance():
            pass
    except SourceError as error:
        raise Failure(f"{path}: {error}", UNREADABLE) from error
    return tape


def _cursor(text: str, tape: "Tape") -> int:
    from inspector import places  # not for --help

    try:
        return places.cursor(text, tape, zone=None)
    except places.PlaceError as error:
        raise Failure(str(error), WRONG_CALL) from error


# Printing.


def _print(lines: Iterable[str]) -> None:
    if sys.stdout is None:
        raise Failure("there is no standard output", FOUND)
    try:
        for line in lines:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is still buffered would be tried again at the end of the process.
        _discard_output()
        raise Failure(f"cannot write: {error.strerror}", FOUND) from error


def _discard_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _notice(tape: "Tape", cursor: int) -> None:
    """Say on stderr what an answer at a cursor went past, what it lacks, or why there is none."""
    timeline, path = tape.timeline, tape.identity.path
    first = next(_errors(timeline.findings), None)
    why = f": {clean_line(first.message, 300)}" if first else ""
    if cursor > timeline.reliable_to:
        _complain(f"{path}: reliable to cursor {timeline.reliable_to}{why}")
    elif not timeline.events and first is not None:
        _complain(f"{path}: no event is folded{why}")
    elif cursor == timeline.events:
        # What stands behind the findings of the fold is of the source: what of it is missing here.
        for lost in _errors(islice(tape.findings(), len(timeline.findings), None)):
            _complain(f"{path}: {lost.message}; {lost.kind.effect}")


def _errors(findings: "Iterable[Finding]") -> "Iterator[Finding]":
    return (found for found in findings if found.kind.severity.value == "error")


# Commands.


def _declare_screen(parser: argparse.ArgumentParser) -> None:
    _path(parser)
    _at(parser, None)
    parser.add_argument("--follow", action="store_true", help="follow what is written to the tape")
    _reading(parser)


def _declare_demo(parser: argparse.ArgumentParser) -> None:
    _at(parser, None)
    parser.set_defaults(
        path=demo_tape(),
        follow=False,
        session=None,
        policy=None,
        past_unknown=False,
        unpack_limit=None,
    )


def demo_tape() -> Path:
    """Where the bundled demo tape is: in an installed package, or in a checkout."""
    package = Path(__file__).resolve().parent
    bundled = package / "sample_tapes" / "demo.jsonl"
    return bundled if bundled.exists() else package.parent / "sample_tapes" / "demo.jsonl"


def _screen(parsed: argparse.Namespace) -> int:
    tape = _open(parsed.path, options := _options(parsed))
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Failure(
            "the full screen needs a terminal; show, events, request, rows and check print",
            WRONG_CALL,
        )
    if os.environ.get("TERM", "dumb") in ("dumb", "unknown"):
        raise Failure("this terminal cannot move its cursor (TERM is dumb or unset)", WRONG_CALL)
    if os.environ.get("NO_COLOR") == "":
        # Only a value that is not empty asks for no colour; Textual takes any.
        del os.environ["NO_COLOR"]
    from inspector.formats.opening import open_tape
    from inspector.places import PlaceError
    from inspector.tape.source import SourceError
    from inspector.ui.start import run  # Textual, only now

    try:
        return run(
            tape,
            parsed.at,
            lambda past, policy: open_tape(
                parsed.path,
                replace(
                    options,
                    past_unknown=past or options.past_unknown,
                    policy=policy or options.policy,
                ),
            ),
            follow=parsed.follow,
        )
    except PlaceError as error:
        raise Failure(str(error), WRONG_CALL) from error
    except SourceError as error:
        raise Failure(f"{parsed.path}: {error}", UNREADABLE) from error


def _declare_show(parser: argparse.ArgumentParser) -> None:
    _path(parser)
    _at(parser, "head")
    _reading(parser)
    _scripting(parser)


def _show(parsed: argparse.Namespace) -> int:
    from inspector.export import documents, text  # not for --help

    tape = _folded(parsed.path, _options(parsed))
    cursor = _cursor(parsed.at, tape)
    document = documents.show(tape, cursor)
    _notice(tape, cursor)
    _print([documents.dumps(document)] if parsed.json else text.show(document))
    return FINE


def _declare_events(parser: argparse.ArgumentParser) -> None:
    _path(parser)
    parser.add_argument("--from", dest="start", metavar="C", default="0", help="first cursor")
    parser.add_argument("--to", dest="stop", metavar="C", default="head", help="last cursor")
    parser.add_argument("--type", metavar="T", help="only events of this type of the owner's")
    parser.add_argument("--visibility", metavar="V", help="only events of this visibility")
    _at(parser, "head")
    _reading(parser)
    _scripting(parser)
    parser.add_argument("--jsonl", action="store_true", help="print one JSON object a line")


def _events(parsed: argparse.Namespace) -> int:
    from inspector.export import documents, text  # not for --help
    from inspector.timeline.words import Visibility

    words = {word.label: word for word in Visibility}
    if parsed.visibility is not None and parsed.visibility not in words:
        raise Failure(f"--visibility is one of {', '.join(words)}", WRONG_CALL)
    tape = _folded(parsed.path, _options(parsed))
    cursor = _cursor(parsed.at, tape)
    rows = documents.events(
        tape,
        _cursor(parsed.start, tape),
        _cursor(parsed.stop, tape),
        cursor,
        parsed.type,
        None if parsed.visibility is None else words[parsed.visibility],
    )
    _notice(tape, cursor)
    if parsed.jsonl:
        _print(map(documents.dumps, rows))
    elif parsed.json:
        _print(documents.dump_list(rows))
    else:
        _print(text.events(rows))
    return FINE


def _declare_request(parser: argparse.ArgumentParser) -> None:
    _declare_show(parser)
    parser.add_argument("--jsonl", action="store_true", help="print one JSON object a line")


def _request(parsed: argparse.Namespace) -> int:
    from inspector.export import documents, request  # not for --help
    from inspector.tape.source import SourceError

    tape = _folded(parsed.path, _options(parsed))
    cursor = _cursor(parsed.at, tape)
    try:
        document = request.request(tape, cursor)
    except SourceError as error:
        raise Failure(f"{parsed.path}: {error}", UNREADABLE) from error
    _notice(tape, cursor)
    if parsed.jsonl:
        _print(map(documents.dumps, document["items"]))
    elif parsed.json:
        _print([documents.dumps(document)])
    else:
        _print(request.text(document, tape.identity.policy, tape.timeline.events))
    return FINE


def _declare_rows(parser: argparse.ArgumentParser) -> None:
    _path(parser)
    _reading(parser)
    _scripting(parser)
    parser.add_argument("--jsonl", action="store_true", help="print one JSON object a line")


def _rows(parsed: argparse.Namespace) -> int:
    from inspector.export import documents, records  # not for --help

    tape = _folded(parsed.path, _options(parsed))
    rows = records.records(tape)
    if parsed.jsonl:
        _print(map(documents.dumps, rows))
    elif parsed.json:
        _print(documents.dump_list(rows))
    else:
        _print(records.text(rows))
    return FINE


def _declare_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", type=_given, nargs="+", help=_SOURCES)
    _reading(parser)
    _scripting(parser)


def _check(parsed: argparse.Namespace) -> int:
    from inspector.export import annexes, documents, text  # not for --help

    options = _options(parsed)
    checked: list[dict[str, Any]] = []
    worst = FINE
    several = len(parsed.paths) > 1
    for path in parsed.paths:
        sessions = _sessions(path, options)
        several = several or len(sessions) > 1
        for session in sessions:
            try:
                document = _checked(path, replace(options, session=session))
            except Failure as failure:
                _complain(str(failure))
                worst = max(worst, failure.code)
                continue
            severities = {finding["severity"] for finding in document["findings"]}
            worst = max(worst, FOUND if "error" in severities else FINE)
            if parsed.json:
                checked.append(document)
            elif document["tape"] is None:
                _print(annexes.text(document))
            else:
                _print(text.check(document))
    if parsed.json and (checked or several):
        _print([documents.dumps(checked if several else checked[0])])
    return worst


def _sessions(path: Path, options: "Options") -> list[str | None]:
    """The sessions to check: the one asked for, or all of a database."""
    from inspector.formats.opening import session_entries  # not for --help
    from inspector.tape.source import SourceError

    if options.session is not None:
        return [options.session]
    try:
        return [entry.id for entry in session_entries(path)] or [None]
    except SourceError:
        # Opening it says the same, at its time.
        return [None]


def _checked(path: Path, options: "Options") -> dict[str, Any]:
    from inspector.export import annexes, documents  # not for --help

    try:
        tape = _folded(path, options)
    except Failure as failure:
        found = _annexes(path) if failure.code == UNREADABLE else []
        if not found:
            raise
        return annexes.check(path, found)
    document = documents.check(tape)
    tape.close()
    return document


def _annexes(path: Path) -> "list[Annex]":
    from inspector.formats import opening  # not for --help
    from inspector.tape.source import SourceError

    try:
        return opening.annexes(path)
    except SourceError:
        return []


COMMANDS: Final = (
    Command("open", "open PATH on the full screen", _declare_screen, _screen),
    Command("demo", "open the bundled tape that has one of everything", _declare_demo, _screen),
    Command("show", "print surface, registers and open spans at a cursor", _declare_show, _show),
    Command("events", "print events and what became of each", _declare_events, _events),
    Command("request", "print what the owner would send as history", _declare_request, _request),
    Command("rows", "print physical records against the events they hold", _declare_rows, _rows),
    Command("check", "print findings, sums and the owner's verdict", _declare_check, _check),
)
"""The words of the command line, in the order in which help lists them."""


if __name__ == "__main__":
    main()
