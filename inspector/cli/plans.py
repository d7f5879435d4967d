"""The command that prints what a fork, a rewind, a compaction, a repair or a resume would do."""

import argparse
import os
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from inspector.cli import options, reading
from inspector.cli.endings import (
    FINE,
    FOUND,
    REFUSED,
    UNREADABLE,
    WRONG_CALL,
    Failure,
    complain,
)
from inspector.cli.printing import put_document

if TYPE_CHECKING:
    from inspector.formats.contract import Tape
    from inspector.plans.plan import Asked, Plan
    from inspector.plans.saved import Saved

_KINDS: Final = ("fork", "rewind", "compact", "repair", "resume")
_CUT: Final = ("fork", "rewind", "resume")
_MADE: Final = ("fork", "rewind", "compact", "repair")
_STREAM: Final = Path("-")
"""The path that means the standard input."""

_OF: Final = {
    "view": ("fork", "rewind"),
    "snap": ("fork", "rewind"),
    "how": _MADE,
    "into": _MADE,
    "keep_last": ("compact",),
    "summary": ("compact",),
    "degraded": ("compact",),
    "prompt": ("compact",),
}
"""Options that not every plan looks at, and the kinds that do."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of ``plan``."""
    parser.add_argument("kind", metavar="KIND", choices=_KINDS, help=", ".join(_KINDS))
    options.path(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--after", metavar="C", help="the cursor behind what is kept")
    where.add_argument("--before", metavar="EVENT", help="the first event that is left behind")
    parser.add_argument("--view", choices=("as-of", "compacted", "originals"), help="the history")
    parser.add_argument("--how", choices=("append", "create"), help="behind the tape, or a new one")
    parser.add_argument("--keep-last", metavar="N", type=_count, help="rows a compaction keeps")
    parser.add_argument(
        "--snap", choices=("back", "forward"), help="move the cut to the nearest that is allowed"
    )
    told = parser.add_mutually_exclusive_group()
    told.add_argument(
        "--summary", metavar="FILE", type=options.given, help="a summary to use; - is the input"
    )
    told.add_argument("--degraded", action="store_true", help="a summary made of the originals")
    parser.add_argument("--save", metavar="FILE", type=_file, help="keep the plan as JSON")
    parser.add_argument("--into", metavar="DIR", type=options.given, help="where a tape is made")
    parser.add_argument("--expect", metavar="N:HASH", help="refuse if the head is another one")
    parser.add_argument(
        "--compare", metavar="FILE", type=_file, help="say what of a kept plan is another"
    )
    parser.add_argument("--prompt", action="store_true", help="print a compaction's prompt alone")
    options.reading(parser)
    options.scripting(parser)


def _file(text: str) -> Path:
    """A file: no stream stands for it."""
    if text == "-":
        raise argparse.ArgumentTypeError("a file is wanted; --json prints the plan")
    return options.given(text)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise argparse.ArgumentTypeError("a number of rows is wanted")
    return int(text)


def plan(parsed: argparse.Namespace) -> int:
    """Print a plan; exit code 1 where a check fails, 4 where the head is not the one expected."""
    from inspector.formats.planning import PlanError  # not for --help
    from inspector.plans.differing import another

    if parsed.path == parsed.summary == _STREAM:
        raise Failure("the tape and the summary cannot both be the standard input", WRONG_CALL)
    _refuse_what_does_nothing(parsed)
    tape = reading.folded(parsed.path, options.chosen(parsed))
    try:
        with reading.readable(parsed.path):
            found, old = _planned(parsed, tape)
            document, text = _told(parsed, tape, found, old)
    except PlanError as error:
        code = f" [{error.code}]" if error.code else ""
        raise Failure(f"{parsed.path}: no plan: {error}{code}", REFUSED) from error
    others = () if old is None else tuple(another(old.document, document))
    if old is not None and (others or old.seal != found.seal):
        out = "is out of date; this is the plan of the tape as it is now"
        complain(f"{parsed.compare}: {'; '.join(others) or out}")
        put_document(parsed, document, text)
        return REFUSED
    _keep(parsed, document)
    if parsed.prompt and found.compaction is not None and not parsed.json:
        from inspector.cli.endings import put
        from inspector.text.gate import clean_block

        put([clean_block(found.compaction.prompt.text)])
    else:
        put_document(parsed, document, text)
    return FINE if found.is_sound else FOUND


def _planned(parsed: argparse.Namespace, tape: "Tape") -> "tuple[Plan, Saved | None]":
    """The plan, and the kept one that it is compared with: what is made is the same in both.

    Raises:
        Failure: if the call is wrong, or the head is not the one expected.
        PlanError: if there is no such plan.
    """
    from inspector.formats.planning import Making
    from inspector.planfiles import read_plan
    from inspector.plans.planning import plan as planned

    asked, old = _asked(parsed, tape), None
    making = Making(str(uuid.uuid4()), int(time.time() * 1_000))
    if parsed.compare is not None:
        with _beside(parsed.compare):
            old = read_plan(parsed.compare)
        making = old.making
    found = planned(tape, asked, making, os.path.lexists)
    _expect(parsed, found)
    return found, old


def _told(
    parsed: argparse.Namespace, tape: "Tape", found: "Plan", old: "Saved | None"
) -> tuple[dict[str, Any], list[str]]:
    """The document of a plan and its text, as far as they are wanted.

    Of a large tape the document takes longer than the plan: it lists every row.
    """
    from inspector.export import plan as plans
    from inspector.export import plan_text
    from inspector.plans.differing import differences

    wanted = parsed.json or parsed.save is not None or old is not None
    document = plans.document(tape, found) if wanted else {}
    text = [] if parsed.json else list(plan_text.text(tape, found))
    if old is not None:
        changes = list(differences(old.document, document))
        document["compared"] = changes
        text = [*plan_text.compared(changes, same_head=old.seal == found.seal), *text]
    return document, text


def _keep(parsed: argparse.Namespace, document: dict[str, Any]) -> None:
    """Keep the plan where that is asked for.

    Raises:
        Failure: if it cannot be written, or something stands there.
    """
    from inspector.export import documents
    from inspector.planfiles import keep

    if parsed.save is not None:
        with _beside(parsed.save):
            keep(parsed.save, documents.dumps(document))


def _asked(parsed: argparse.Namespace, tape: "Tape") -> "Asked":
    """What the words of a call ask for.

    Raises:
        Failure: if they do not go together.
        PlanError: if a cut is to be moved and there is nowhere to move it.
    """
    from inspector.formats.planning import How, PlanKind, View
    from inspector.plans.plan import Asked

    kind = PlanKind(parsed.kind)
    placed = parsed.after is not None or parsed.before is not None
    if placed and parsed.kind not in _CUT:
        raise Failure(f"a {parsed.kind} is of the head: no --after and no --before", WRONG_CALL)
    cut = None
    if parsed.after is not None:
        cut = reading.cursor_at(parsed.after, tape)
    elif parsed.before is not None:
        cut = reading.event_at(parsed.before, tape)
    summary = None if parsed.summary is None else _summary(parsed)
    asked = Asked(
        kind,
        cut,
        None if parsed.how is None else How(parsed.how),
        None if parsed.view is None else View(parsed.view),
        parsed.keep_last,
        summary,
        parsed.degraded,
        exclude=parsed.before is not None,
        into=parsed.into,
        summary_file=None if parsed.summary == _STREAM else parsed.summary,
        past_unknown=parsed.past_unknown,
        unpack_limit=parsed.unpack_limit,
    )
    if parsed.snap is None:
        return asked
    from inspector.plans.cutting import snapped

    return snapped(tape, asked, forward=parsed.snap == "forward")


def _summary(parsed: argparse.Namespace) -> str:
    """The summary that a file holds, or the standard input.

    Raises:
        Failure: if it cannot be read.
    """
    from inspector.planfiles import read_summary, summary_of

    with _beside(parsed.summary):
        if parsed.summary == _STREAM and sys.stdin is not None:
            return summary_of(sys.stdin.buffer)
        return read_summary(parsed.summary)


def _refuse_what_does_nothing(parsed: argparse.Namespace) -> None:
    """Refuse options that a plan of this kind does not look at."""
    for name, kinds in _OF.items():
        given = getattr(parsed, name)
        if given is not None and given is not False and parsed.kind not in kinds:
            option = f"--{name.replace('_', '-')}"
            raise Failure(f"{option} is of {' and '.join(kinds)}, not of {parsed.kind}", WRONG_CALL)


@contextmanager
def _beside(path: Path) -> Iterator[None]:
    """While a file beside a plan is read or kept.

    Raises:
        Failure: if that cannot be done.
    """
    from inspector.planfiles import Fault, PlanFileError

    codes = {Fault.UNREADABLE: UNREADABLE, Fault.WRONG: WRONG_CALL, Fault.EXISTS: REFUSED}
    try:
        yield
    except PlanFileError as error:
        raise Failure(f"{path}: {error}", codes[error.fault]) from error


def _expect(parsed: argparse.Namespace, found: "Plan") -> None:
    from inspector.formats.planning import PlanError
    from inspector.plans.saved import expected, is_head

    if parsed.expect is None:
        return
    try:
        wanted = expected(parsed.expect)
    except PlanError as error:
        raise Failure(str(error), WRONG_CALL) from error
    if not is_head(found.seal, wanted):
        head = f"{found.seal.events}:{found.seal.hash[:12]}"
        why = f"the plan is out of date: the head is {head}, and not {parsed.expect}"
        raise Failure(f"{parsed.path}: {why}", REFUSED)
