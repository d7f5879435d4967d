"""The commands that print one answer about one tape."""

import argparse
from typing import TYPE_CHECKING, Final

from inspector.cli import options, reading
from inspector.cli.endings import FINE, UNREADABLE, Failure, complain, put
from inspector.cli.printing import Counted, put_document, put_list
from inspector.text.gate import clean_line

if TYPE_CHECKING:
    from inspector.formats.contract import Tape

_NAMED: Final = 40
"""Types of events that a complaint names."""


def declare_show(parser: argparse.ArgumentParser) -> None:
    """The options of ``show``."""
    options.path(parser)
    options.prices(parser)
    options.at(parser, "head")
    options.reading(parser)
    options.scripting(parser)


def show(parsed: argparse.Namespace) -> int:
    """Print surface, registers and open spans at a cursor."""
    from inspector.export import documents, text  # not for --help

    prices = options.chosen_prices(parsed)
    tape = reading.folded(parsed.path, options.chosen(parsed))
    cursor = reading.cursor_at(parsed.at, tape)
    document = documents.show(tape, cursor, prices)
    reading.notice(tape, cursor)
    put_document(parsed, document, text.show(document))
    return FINE


def declare_events(parser: argparse.ArgumentParser) -> None:
    """The options of ``events``."""
    options.path(parser)
    parser.add_argument("--from", dest="start", metavar="C", default="0", help="first cursor")
    parser.add_argument("--to", dest="stop", metavar="C", default="head", help="last cursor")
    parser.add_argument("--type", metavar="T", help="only events of this type of the owner's")
    options.visibility(parser)
    options.at(parser, "head")
    options.reading(parser)
    options.scripting(parser, lines=True)


def events(parsed: argparse.Namespace) -> int:
    """Print events between two cursors, as of a third."""
    from inspector.export import documents, text  # not for --help

    seen = options.chosen_visibility(parsed)
    tape = reading.folded(parsed.path, options.chosen(parsed))
    cursor = reading.cursor_at(parsed.at, tape)
    start, stop = (reading.cursor_at(place, tape) for place in (parsed.start, parsed.stop))
    reading.notice(tape, cursor)
    found = Counted(documents.events(tape, start, stop, cursor, parsed.type, seen))
    put_list(parsed, found, text.events)
    if not found.rows and tape.timeline.events:
        complain(_none_there(tape, start, stop, parsed))
    return FINE


def _none_there(tape: "Tape", start: int, stop: int, parsed: argparse.Namespace) -> str:
    """Why there is no event to print, as far as the call says it."""
    path = tape.identity.path
    if start > stop:
        return f"{path}: no event stands between cursor {start} and {stop}: the first is the later"
    table = tape.timeline.table
    types = {table.type(event) for event in range(len(table))}
    if parsed.type is not None and parsed.type not in types:
        named = ", ".join(sorted(clean_line(name, 60) for name in types)[:_NAMED])
        more = f" and {len(types) - _NAMED} more" if len(types) > _NAMED else ""
        return f"{path}: no event of type {clean_line(parsed.type, 60)!r}; there are {named}{more}"
    return f"{path}: no such event between cursor {start} and {stop}"


def declare_request(parser: argparse.ArgumentParser) -> None:
    """The options of ``request``."""
    options.path(parser)
    options.at(parser, "head")
    options.reading(parser)
    options.scripting(parser, lines=True)


def request(parsed: argparse.Namespace) -> int:
    """Print what the owner would send as history."""
    from inspector.export import documents  # not for --help
    from inspector.export import request as requests
    from inspector.tape.source import SourceError

    tape = reading.folded(parsed.path, options.chosen(parsed))
    cursor = reading.cursor_at(parsed.at, tape)
    try:
        document = requests.request(tape, cursor)
    except SourceError as error:
        raise Failure(f"{parsed.path}: {error}", UNREADABLE) from error
    reading.notice(tape, cursor)
    if parsed.jsonl:
        put(map(documents.dumps, document["items"]))
    elif parsed.json:
        put([documents.dumps(document)])
    else:
        put(requests.text(tape, document))
    return FINE


def declare_rows(parser: argparse.ArgumentParser) -> None:
    """The options of ``rows``."""
    options.path(parser)
    options.reading(parser)
    options.scripting(parser, lines=True)


def rows(parsed: argparse.Namespace) -> int:
    """Print physical records against the events they hold."""
    from inspector.export import records  # not for --help

    tape = reading.folded(parsed.path, options.chosen(parsed))
    put_list(parsed, records.records(tape), records.text)
    return FINE
