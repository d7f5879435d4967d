"""The command that says what is wrong with tapes: one, or all that its paths hold."""

import argparse
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.cli import options, reading
from inspector.cli.endings import FINE, FOUND, UNREADABLE, Failure, complain, fault_words, put

if TYPE_CHECKING:
    from inspector.formats.contract import Annex, Options


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of ``check``."""
    parser.add_argument(
        "paths", metavar="PATH", type=options.given, nargs="+", help=options.SOURCES
    )
    options.reading(parser)
    options.scripting(parser)


def check(parsed: argparse.Namespace) -> int:
    """Print findings, sums and the owner's verdict of every tape."""
    from inspector.tape.database_opening import copies_kept  # not for --help

    with copies_kept():
        return _check(parsed)


def _check(parsed: argparse.Namespace) -> int:
    from inspector.export import annexes, documents, text  # not for --help

    checked: list[dict[str, Any]] = []
    worst = FINE
    asked = list(_asked(parsed.paths, options.chosen(parsed)))
    for path, how in asked:
        try:
            document = _checked(path, how)
        except Failure as failure:
            complain(str(failure))
            worst = max(worst, failure.code)
            continue
        except Exception as fault:  # noqa: BLE001 - one tape must not hide what the others are
            complain(f"{path}: {fault_words(fault)}")
            worst = max(worst, UNREADABLE)
            continue
        severities = {finding["severity"] for finding in document["findings"]}
        worst = max(worst, FOUND if "error" in severities else FINE)
        if parsed.json:
            checked.append(document)
        else:
            put(annexes.text(document) if document["tape"] is None else text.check(document))
    several = len(parsed.paths) > 1 or len(asked) > 1
    if parsed.json and (checked or several):
        put([documents.dumps(checked if several else checked[0])])
    return worst


def _asked(paths: list[Path], how: "Options") -> Iterator[tuple[Path, "Options"]]:
    """Every tape to check: of each path the session asked for, or all that it holds."""
    from inspector.formats.opening import session_entries  # not for --help
    from inspector.tape.source import SourceError

    for path in paths:
        found = [how.session]
        if how.session is None:
            # Opening what cannot be listed says the same, at its time.
            with suppress(SourceError):
                found = [entry.id for entry in session_entries(path)] or [None]
        yield from ((path, replace(how, session=session)) for session in found)


def _checked(path: Path, how: "Options") -> dict[str, Any]:
    from inspector.export import annexes, documents  # not for --help

    try:
        tape = reading.folded(path, how)
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
