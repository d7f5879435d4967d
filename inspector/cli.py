"""The command line: every view of the screen has a headless twin here.

stdout carries data only; messages go to stderr, one line each. No Textual before a screen is asked
for, no entry points before a tape is opened.
"""

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Never

import click

from inspector import __version__
from inspector.text.gate import clean_line

if TYPE_CHECKING:
    from inspector.formats.contract import Options, Tape

FINE: Final = 0
FOUND: Final = 1
WRONG_CALL: Final = 2
UNREADABLE: Final = 3


class Failure(click.ClickException):
    """An end with one line on stderr and an exit code of the contract."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code

    def show(self, file: Any = None) -> None:
        """Print the line."""
        click.echo(f"inspector: {self.format_message()}", file=file or sys.stderr)

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # click has it as a class variable
        """The exit code, for click."""
        return self.code


class _Commands(click.Group):
    """A group in which a first word that is no command is a path to open."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command ``open`` before a path."""
        own = {"--help", "--version"}
        if args and args[0] not in self.commands and args[0] not in own:
            args = ["open", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(__version__, message="inspector %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """See what an AI agent knew, when, and why: a time-travel inspector for session tapes.

    ``inspector PATH`` opens the full screen; the other commands print what it shows.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


Command = Callable[..., None]


def _reading(command: Command) -> Command:
    """The options of every command that reads a tape."""
    for option in (
        click.option("--session", metavar="ID", help="Which session, where PATH holds several."),
        click.option("--policy", metavar="NAME", help="Which of the owner's readers to follow."),
        click.option("--past-unknown", is_flag=True, help="Fold past a required unknown event."),
    ):
        command = option(command)
    return command


def _scripting(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


_PATH = click.argument("path", type=click.Path(path_type=Path))


def _options(session: str | None, policy: str | None, past_unknown: bool) -> "Options":
    from inspector.formats.contract import Options

    return Options(session=session, policy=policy, past_unknown=past_unknown)


def _open(path: Path, options: "Options") -> "Tape":
    from inspector.formats.opening import open_tape
    from inspector.tape.source import SourceError

    try:
        return open_tape(path, options)
    except SourceError as error:
        raise Failure(f"{clean_line(str(path))}: {error}", UNREADABLE) from error


def _folded(path: Path, options: "Options") -> "Tape":
    tape = _open(path, options)
    while tape.advance():
        pass
    return tape


def _cursor(text: str, tape: "Tape") -> int:
    from inspector import places

    try:
        return places.cursor(text, tape, zone=None)
    except places.PlaceError as error:
        raise Failure(str(error), WRONG_CALL) from error


def _print(lines: Iterable[str]) -> None:
    """Print lines; a reader that stops to read ends us in silence."""
    try:
        for line in lines:
            sys.stdout.write(line.encode("utf-8", "replace").decode() + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter would flush once more at its end and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(FINE) from None


def _notice(tape: "Tape", cursor: int) -> None:
    """Say on stderr what an answer at a cursor went past."""
    timeline = tape.timeline
    if cursor > timeline.reliable_to:
        where = f"reliable to cursor {timeline.reliable_to}"
        first = next(
            (found for found in timeline.findings if found.kind.severity.value == "error"), None
        )
        why = f": {first.message}" if first else ""
        click.echo(f"inspector: {clean_line(f'{where}{why}', 400)}", err=True)


@main.command(name="open")
@_PATH
@click.option("--at", metavar="C", help="The cursor to open at.")
@_reading
def open_(
    path: Path, at: str | None, session: str | None, policy: str | None, past_unknown: bool
) -> None:
    """Open PATH on the full screen."""
    _screen(path, at, _options(session, policy, past_unknown))


@main.command()
@click.option("--at", metavar="C", help="The cursor to open at.")
def demo(at: str | None) -> None:
    """Open the bundled tape that has one of everything."""
    _screen(demo_tape(), at, _options(None, None, past_unknown=False))


def demo_tape() -> Path:
    """Where the bundled demo tape is: in an installed package, or in a checkout."""
    bundled = Path(str(files("inspector") / "sample_tapes" / "demo.jsonl"))
    if bundled.exists():
        return bundled
    return Path(__file__).resolve().parent.parent / "sample_tapes" / "demo.jsonl"


def _screen(path: Path, at: str | None, options: "Options") -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Failure(
            "the full screen needs a terminal; `inspector show`, `events` and `check` print",
            WRONG_CALL,
        )
    if os.environ.get("TERM", "dumb") in ("dumb", "unknown"):
        raise Failure("the terminal cannot move its cursor (TERM=dumb)", WRONG_CALL)
    if os.environ.get("NO_COLOR") == "":
        # Only a value that is not empty asks for no colour; Textual takes any.
        del os.environ["NO_COLOR"]
    tape = _open(path, options)
    from inspector.ui.start import run

    run(tape, at, lambda: _open(path, replace(options, past_unknown=True)))


@main.command()
@_PATH
@click.option("--at", metavar="C", default="head", help="The cursor; the head unless told.")
@_reading
@_scripting
def show(
    path: Path,
    at: str,
    session: str | None,
    policy: str | None,
    past_unknown: bool,
    as_json: bool,
) -> None:
    """Print the surface, the registers and the open spans at a cursor."""
    from inspector.export import documents, text

    tape = _folded(path, _options(session, policy, past_unknown))
    cursor = _cursor(at, tape)
    document = documents.show(tape, cursor)
    _notice(tape, cursor)
    _print([documents.dumps(document)] if as_json else text.show(document))


@main.command()
@_PATH
@click.option("--from", "start", metavar="C", default="0", help="The first cursor of a range.")
@click.option("--to", "stop", metavar="C", default="head", help="The last cursor of a range.")
@click.option("--type", "kind", metavar="T", help="Only events of this type of the owner's.")
@click.option("--visibility", metavar="V", help="Only events of this visibility.")
@click.option("--at", metavar="C", default="head", help="As of which cursor; the head unless told.")
@click.option("--jsonl", is_flag=True, help="Print one JSON object a line.")
@_reading
@_scripting
def events(
    path: Path,
    start: str,
    stop: str,
    kind: str | None,
    visibility: str | None,
    at: str,
    jsonl: bool,
    session: str | None,
    policy: str | None,
    past_unknown: bool,
    as_json: bool,
) -> None:
    """Print event rows, with what became of each at a cursor."""
    from inspector.export import documents, text
    from inspector.timeline.words import Visibility

    words = {word.label: word for word in Visibility}
    if visibility is not None and visibility not in words:
        raise Failure(f"--visibility is one of {', '.join(words)}", WRONG_CALL)
    tape = _folded(path, _options(session, policy, past_unknown))
    cursor = _cursor(at, tape)
    first, last = _cursor(start, tape), _cursor(stop, tape)
    wanted = None if visibility is None else words[visibility]
    rows = documents.events(tape, first, last, cursor, kind, wanted)
    _notice(tape, cursor)
    if jsonl:
        _print(map(documents.dumps, rows))
    elif as_json:
        _print([documents.dumps(list(rows))])
    else:
        _print(text.events(rows))


@main.command()
@click.argument("paths", type=click.Path(path_type=Path), nargs=-1, required=True)
@_reading
@_scripting
def check(
    paths: tuple[Path, ...],
    session: str | None,
    policy: str | None,
    past_unknown: bool,
    as_json: bool,
) -> None:
    """Print findings, the account of the records, and what the owner would do with each tape."""
    from inspector.export import documents, text
    from inspector.timeline.findings import Severity

    options = _options(session, policy, past_unknown)
    checked: list[dict[str, Any]] = []
    worst = FINE
    for path in paths:
        try:
            tape = _folded(path, options)
        except Failure as failure:
            if len(paths) == 1:
                raise
            failure.show()
            worst = max(worst, failure.code)
            continue
        document = documents.check(tape)
        worst = max(worst, FOUND if tape.timeline.findings.count(Severity.ERROR) else FINE)
        tape.close()
        if as_json:
            checked.append(document)
        else:
            _print(text.check(document))
    if as_json:
        _print([documents.dumps(checked if len(paths) > 1 else checked[0])])
    _leave(worst)


def _leave(code: int) -> Never:
    raise SystemExit(code)


if __name__ == "__main__":
    main()
