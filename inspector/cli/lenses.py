"""The commands that print what a lens shows of one tape."""

import argparse
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from inspector.cli import options, reading
from inspector.cli.endings import (
    FINE,
    FOUND,
    UNREADABLE,
    WRONG_CALL,
    Failure,
    complain,
    put,
)
from inspector.cli.printing import Counted, put_document, put_list
from inspector.text.gate import clean_line

if TYPE_CHECKING:
    from inspector.formats.contract import Tape


_AROUND: Final = "around:"
"""How the cursors around the compaction or prune of an event are asked for."""


def declare_why(parser: argparse.ArgumentParser) -> None:
    """The options of ``why``."""
    options.path(parser)
    options.event(parser)
    options.at(parser, "head")
    options.reading(parser)
    options.scripting(parser)


def why(parsed: argparse.Namespace) -> int:
    """Print why the model sees an event at a cursor, or does not."""
    from inspector.export import why as card

    tape, cursor = _at(parsed)
    event = reading.event_at(parsed.event, tape)
    with reading.readable(parsed.path):
        document = card.document(tape, event, cursor)
    put_document(parsed, document, card.text(tape, document))
    return FINE


def declare_diff(parser: argparse.ArgumentParser) -> None:
    """The options of ``diff``."""
    options.path(parser)
    parser.add_argument(
        "a",
        metavar="A",
        help="the earlier cursor, or around:EVENT for the compaction or prune of an event, or the "
        "path of another tape",
    )
    parser.add_argument("b", metavar="B", nargs="?", help="the later cursor; the head unless told")
    parser.add_argument(
        "--session2", metavar="ID", help="which session of the other tape, where it holds several"
    )
    options.reading(parser)
    options.scripting(parser)


def diff(parsed: argparse.Namespace) -> int:
    """Print what happened to the surface between two cursors, or where two tapes part."""
    from inspector.export import difference  # not for --help

    other = None if parsed.b is not None else _other(parsed)
    if other is not None:
        return _parted(parsed, other)
    if parsed.session2 is not None:
        raise Failure("--session2 is of another tape; name its path", WRONG_CALL)
    tape = reading.folded(parsed.path, options.chosen(parsed))
    a, b = _between(parsed, tape)
    reading.notice(tape, b)
    with reading.readable(parsed.path):
        document = difference.document(tape, a, b)
    put_document(parsed, document, difference.text(tape, document))
    return FINE


def _between(parsed: argparse.Namespace, tape: "Tape") -> tuple[int, int]:
    """The two cursors of a call."""
    from inspector.lenses.difference import around  # not for --help

    if parsed.a.startswith(_AROUND):
        if parsed.b is not None:
            raise Failure(f"{_AROUND}EVENT stands for both cursors", WRONG_CALL)
        event = reading.event_at(parsed.a.removeprefix(_AROUND), tape)
        found = around(tape.timeline, event)
        if found is None:
            why = f"event {event} belongs to no compaction and to no prune"
            raise Failure(f"{parsed.path}: {why}", WRONG_CALL)
        return found
    try:
        a, b = (reading.cursor_at(place or "head", tape) for place in (parsed.a, parsed.b))
    except Failure as error:
        if parsed.b is not None:
            raise
        # It may have been meant for the path of another tape.
        meant = f"{clean_line(parsed.a, 200)}: no such file, and {error}"
        raise Failure(meant, WRONG_CALL) from error
    if a > b:
        raise Failure(
            f"{parsed.path}: cursor {a} is behind {b}: the first is the later", WRONG_CALL
        )
    return a, b


def _other(parsed: argparse.Namespace) -> Path | None:
    """The other tape of a call, or None if it names a cursor."""
    path = Path(parsed.a)
    try:
        there = bool(parsed.a) and (parsed.a == "-" or path.exists())
    except (OSError, ValueError):
        there = False
    if parsed.session2 is not None and not there:
        raise Failure(f"{clean_line(parsed.a, 200)}: no such file or folder", UNREADABLE)
    return path if there else None


def _parted(parsed: argparse.Namespace, path: Path) -> int:
    from dataclasses import replace  # not for --help

    from inspector.export import documents, parting

    if str(path) == str(parsed.path) == "-":
        raise Failure("only one of two tapes can come from the standard input", WRONG_CALL)
    chosen = options.chosen(parsed)
    one = reading.folded(parsed.path, chosen)
    try:
        other = reading.folded(path, replace(chosen, session=parsed.session2))
    except Failure as error:
        # The option that chooses one of several has another name for the second tape.
        words = str(error).replace("with --session:", "with --session2:")
        raise Failure(words, error.code) from error
    for tape in (one, other):
        reading.notice(tape, tape.timeline.events)
    with reading.readable(path):
        document = parting.document(one, other)
        lines = [documents.dumps(document)] if parsed.json else parting.text(one, other, document)
        put(lines)
    return FINE


def declare_audit(parser: argparse.ArgumentParser) -> None:
    """The options of ``audit``."""
    options.path(parser)
    parser.add_argument(
        "--compaction", metavar="EVENT", help="an event of one; all of the tape's unless told"
    )
    options.prices(parser)
    options.reading(parser)
    options.scripting(parser, lines=True)


def audit(parsed: argparse.Namespace) -> int:
    """Print summaries beside what they hide."""
    from inspector.export import audit as audits  # not for --help
    from inspector.export import documents
    from inspector.lenses.audit import summary_at
    from inspector.lenses.summaries import summaries

    prices = options.chosen_prices(parsed)
    tape = reading.folded(parsed.path, options.chosen(parsed))
    timeline = tape.timeline
    chosen = summaries(timeline, timeline.events)
    if parsed.compaction is not None:
        event = reading.event_at(parsed.compaction, tape)
        found = summary_at(timeline, event)
        if found is None:
            why = f"event {event} belongs to no compaction"
            if timeline.is_replacement(event) and timeline.hides(event, timeline.events):
                why = f"event {event} hides rows without a summary: there is nothing to look into"
            raise Failure(f"{parsed.path}: {why}", WRONG_CALL)
        chosen = [found]
    reading.notice(tape, timeline.events)
    if not chosen:
        complain(f"{parsed.path}: nothing was compacted")
    rows = audits.documents(tape, chosen, prices)
    if parsed.json and parsed.compaction is not None:
        put(map(documents.dumps, _read(parsed.path, rows)))
    else:
        put_list(
            parsed,
            _read(parsed.path, rows),
            lambda found: (line for document in found for line in audits.text(tape, document)),
        )
    return FINE


def declare_requests(parser: argparse.ArgumentParser) -> None:
    """The options of ``requests``."""
    options.path(parser)
    options.prices(parser)
    _ttl(parser)
    options.at(parser, "head")
    options.reading(parser)
    options.scripting(parser)


def requests(parsed: argparse.Namespace) -> int:
    """Print every request to the model, what of it was cached, and what broke its prefix."""
    from inspector.export import ledger  # not for --help

    prices = options.chosen_prices(parsed)
    tape, cursor = _at(parsed)
    with reading.readable(parsed.path):
        document = ledger.document(tape, cursor, parsed.ttl, prices)
    put_document(parsed, document, ledger.text(tape, document))
    return FINE


def declare_cost(parser: argparse.ArgumentParser) -> None:
    """The options of ``cost``."""
    options.path(parser)
    options.prices(parser, required=True)
    _ttl(parser)
    options.at(parser, "head")
    options.reading(parser)
    options.scripting(parser)


def cost(parsed: argparse.Namespace) -> int:
    """Print what the requests cost by a price file."""
    from inspector.export import cost as costs  # not for --help

    prices = options.chosen_prices(parsed)
    tape, cursor = _at(parsed)
    if prices is None:
        raise Failure("the cost command needs --prices FILE", WRONG_CALL)
    with reading.readable(parsed.path):
        document = costs.document(tape, cursor, prices, parsed.ttl)
    put_document(parsed, document, costs.text(document))
    return FINE


def declare_search(parser: argparse.ArgumentParser) -> None:
    """The options of ``search``."""
    options.path(parser)
    parser.add_argument("pattern", metavar="PATTERN", help="the text to look for")
    parser.add_argument("--regex", action="store_true", help="it is a regular expression")
    parser.add_argument("--ignore-case", action="store_true", help="upper and lower are the same")
    options.visibility(parser)
    options.at(parser, "head")
    options.reading(parser)
    options.scripting(parser, lines=True)


def search(parsed: argparse.Namespace) -> int:
    """Print every place that says a text; exit code 1 where none does."""
    from inspector.export import search as searching  # not for --help
    from inspector.lenses.search import PatternError, pattern

    try:
        wanted = pattern(parsed.pattern, regex=parsed.regex, ignore_case=parsed.ignore_case)
    except PatternError as error:
        raise Failure(str(error), WRONG_CALL) from error
    seen = options.chosen_visibility(parsed)
    tape, cursor = _at(parsed)
    found = Counted(searching.hits(tape, wanted, cursor, seen))
    try:
        put_list(parsed, _read(parsed.path, found), searching.text)
    except PatternError as error:
        raise Failure(f"{parsed.path}: the pattern {error}", WRONG_CALL) from error
    if not found.rows:
        complain(f"{parsed.path}: {searching.none_words(parsed.pattern, seen)}")
    return FINE if found.rows else FOUND


def declare_transcript(parser: argparse.ArgumentParser) -> None:
    """The options of ``transcript``."""
    options.path(parser)
    options.at(parser, "head")
    options.reading(parser)
    options.scripting(parser)


def transcript(parsed: argparse.Namespace) -> int:
    """Print what the person saw at a cursor."""
    from inspector.export import transcript as transcripts

    tape, cursor = _at(parsed)
    with reading.readable(parsed.path):
        document = transcripts.document(tape, cursor)
    put_document(parsed, document, transcripts.text(tape, document))
    return FINE


def declare_stream(parser: argparse.ArgumentParser) -> None:
    """The options of ``stream``."""
    options.path(parser)
    parser.add_argument(
        "--all",
        action="store_true",
        help="also those that are whole, or were left, and whether that is what they say",
    )
    options.at(parser, "head")
    options.reading(parser)
    options.scripting(parser, lines=True)


def stream(parsed: argparse.Namespace) -> int:
    """Print the messages that are being put together of their pieces at a cursor."""
    from inspector.export import stream as streaming  # not for --help

    tape, cursor = _at(parsed)
    found = Counted(streaming.documents(tape, cursor, whole=parsed.all))
    put_list(parsed, _read(parsed.path, found), partial(streaming.text, tape))
    if not found.rows:
        kept = bool(tape.stream_types)
        why = (
            streaming.UNKEPT if not kept else streaming.NONE if not parsed.all else streaming.NEVER
        )
        complain(f"{parsed.path}: {why}")
    return FINE


def _ttl(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ttl",
        metavar="SECONDS",
        type=options.seconds,
        default=300.0,
        help="how long a provider keeps a prefix; 300 unless told",
    )


def _at(parsed: argparse.Namespace) -> "tuple[Tape, int]":
    """The tape of a call, folded, and the cursor it asks of."""
    tape = reading.folded(parsed.path, options.chosen(parsed))
    cursor = reading.cursor_at(parsed.at, tape)
    reading.notice(tape, cursor)
    return tape, cursor


def _read(path: Path, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Rows that read the tape as they are taken."""
    with reading.readable(path):
        yield from rows
