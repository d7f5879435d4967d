"""The words of the command line, and how a call finds its own."""

import argparse
from pathlib import Path
from typing import Final, NoReturn

from inspector import __version__
from inspector.cli import answers, applying, checking, family, lenses, listing, plans, screen
from inspector.cli.endings import EXITS, WRONG_CALL, Failure
from inspector.cli.options import PLACES, Command
from inspector.text.gate import clean_line

COMMANDS: Final = (
    Command("open", "open PATH on the full screen", screen.declare_open, screen.run),
    Command(
        "demo", "open the bundled tape that has one of everything", screen.declare_demo, screen.run
    ),
    Command(
        "ls",
        "print the sessions that are found",
        listing.declare,
        listing.ls,
    ),
    Command(
        "show",
        "print surface, registers and open spans at a cursor",
        answers.declare_show,
        answers.show,
    ),
    Command(
        "events", "print events and what became of each", answers.declare_events, answers.events
    ),
    Command(
        "request",
        "print what the owner would send as history",
        answers.declare_request,
        answers.request,
    ),
    Command(
        "transcript",
        "print what the person saw at a cursor",
        lenses.declare_transcript,
        lenses.transcript,
    ),
    Command(
        "stream",
        "print the messages that are being put together at a cursor",
        lenses.declare_stream,
        lenses.stream,
    ),
    Command(
        "why",
        "print why the model sees an event at a cursor, or does not",
        lenses.declare_why,
        lenses.why,
    ),
    Command(
        "diff",
        "print what two cursors, or two tapes, have apart",
        lenses.declare_diff,
        lenses.diff,
    ),
    Command(
        "audit",
        "print what summaries leave out of what they hide",
        lenses.declare_audit,
        lenses.audit,
    ),
    Command(
        "requests",
        "print every request, its cache, and what broke its prefix",
        lenses.declare_requests,
        lenses.requests,
    ),
    Command(
        "cost",
        "print what the requests cost by a price file",
        lenses.declare_cost,
        lenses.cost,
    ),
    Command(
        "search",
        "print every place that says a text",
        lenses.declare_search,
        lenses.search,
    ),
    Command(
        "family",
        "print which sessions belong to one, as a tree",
        family.declare,
        family.family,
    ),
    Command(
        "plan",
        "print what a fork, rewind or another plan would do",
        plans.declare,
        plans.plan,
    ),
    Command(
        "apply",
        "carry out a plan that was kept",
        applying.declare_apply,
        applying.apply,
    ),
    Command(
        "undo",
        "take back what a plan made",
        applying.declare_undo,
        applying.undo,
    ),
    Command(
        "rows",
        "print physical records against the events they hold",
        answers.declare_rows,
        answers.rows,
    ),
    Command(
        "check", "print findings, sums and the owner's verdict", checking.declare, checking.check
    ),
)
"""In the order in which help lists them."""

_OWN: Final = ("--help", "-h", "--version")
"""What the program itself answers."""


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the call."""
        raise Failure(f"{clean_line(message, 300)}; see {self.prog} --help", WRONG_CALL)


def run(words: list[str]) -> int:
    """Do what the words of a call say.

    Returns:
        The exit code.

    Raises:
        Failure: if that cannot be done.
    """
    words = _with_command(words)
    parser = _Parser(
        prog="inspector",
        description="See what an AI agent knew, when, and why: a time-travel inspector for session "
        "tapes. `inspector PATH` opens the full screen; the other commands print what it shows.",
        epilog=f"{PLACES} {EXITS}",
    )
    parser.add_argument("--version", action="version", version=f"inspector {__version__}")
    chosen = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for command in COMMANDS:
        # Only the one that runs needs its options.
        sub = chosen.add_parser(
            command.name, help=command.help, description=command.help, epilog=PLACES
        )
        if command.name == words[0]:
            command.declare(sub)
            sub.set_defaults(run=command.run)
    parsed = parser.parse_args(words)
    code: int = parsed.run(parsed)
    return code


def _with_command(words: list[str]) -> list[str]:
    """The words of a call, with the command that it leaves out."""
    if not words:
        return ["open"]
    first = words[0]
    if first in _OWN or any(command.name == first for command in COMMANDS):
        return words
    if len(words) > 1 and not first.startswith("-") and not Path(first).exists():
        raise Failure(f"{first[:200]}: no such command or file", WRONG_CALL)
    # A first word that is no command is a path, or an option of the screen.
    return ["open", *words]
