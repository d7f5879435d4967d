"""The command that prints which sessions belong together."""

import argparse

from inspector.cli import options, reading
from inspector.cli.endings import FINE, UNREADABLE, Failure
from inspector.cli.printing import put_document


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of ``family``."""
    options.path(parser)
    options.reading(parser)
    options.scripting(parser)


def family(parsed: argparse.Namespace) -> int:
    """Print parents, forks, resumes, subagents and generations of a session, as a tree."""
    from inspector.export import family as families  # not for --help
    from inspector.library import roots
    from inspector.library.gathering import gather
    from inspector.library.searching import Search
    from inspector.tape.source import SourceError

    tape = reading.folded(parsed.path, options.chosen(parsed))
    reading.notice(tape, tape.timeline.events)
    try:
        found = gather(tape, Search(roots.here()), parsed.session)
    except SourceError as error:
        raise Failure(f"{parsed.path}: {error}", UNREADABLE) from error
    put_document(parsed, families.document(found), families.text(found))
    return FINE
