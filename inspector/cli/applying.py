"""The commands that write: carry out a plan that was kept, and take back what one made."""

import argparse
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from inspector.cli import options, reading
from inspector.cli.endings import FINE, REFUSED, UNREADABLE, WRONG_CALL, Failure, complain
from inspector.cli.printing import put_document

if TYPE_CHECKING:
    from inspector.applying.journal import Deed
    from inspector.applying.world import World
    from inspector.formats.contract import Options, Tape
    from inspector.formats.planning import Making
    from inspector.plans.plan import Asked, Plan
    from inspector.plans.saved import Saved

_ASK: Final = "nothing was written: say --yes to do it"


def declare_apply(parser: argparse.ArgumentParser) -> None:
    """The options of ``apply``."""
    _plan(parser)
    parser.add_argument("--into", metavar="DIR", type=options.given, help="where a tape is made")
    parser.add_argument(
        "--writer-stopped",
        action="store_true",
        help="nobody writes to the tape any more; wanted for what is appended to it",
    )
    _sure(parser)


def declare_undo(parser: argparse.ArgumentParser) -> None:
    """The options of ``undo``."""
    _plan(parser)
    _sure(parser)


def _plan(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "plan", metavar="PLAN", type=options.given, help="a plan that plan --save has kept"
    )


def _sure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="write; without it, say what would be")
    options.scripting(parser)


def apply(parsed: argparse.Namespace) -> int:
    """Carry out a plan that was kept; exit code 4 where it is out of date or refused."""
    from inspector.applying.carrying import carry_out
    from inspector.applying.world import StaleError
    from inspector.export import deed_text, plan_text
    from inspector.export import plan as plans

    kept = _kept(parsed.plan)
    asked = kept.asked if parsed.into is None else replace(kept.asked, into=parsed.into)
    with _planned(kept, asked, kept.making) as (tape, found):
        document = plans.document(tape, found)
        text = list(plan_text.text(tape, found))
        try:
            _must_stand(parsed.plan, kept, found, document)
            if not parsed.yes:
                put_document(parsed, document | {"applied": False}, [*text, "", _ASK])
                return FINE
            with _refused(parsed.plan):
                deed = carry_out(tape, found, _world(kept), writer_stopped=parsed.writer_stopped)
        except StaleError as error:
            complain(str(error))
            put_document(parsed, document | {"applied": False}, text)
            return REFUSED
    put_document(parsed, document | {"applied": True}, list(deed_text.done(deed)))
    return FINE


def undo(parsed: argparse.Namespace) -> int:
    """Take back what a plan made, or plan a new tape at the old head of what it appended to."""
    from inspector.applying import undoing
    from inspector.export import deed_text
    from inspector.formats.planning import Making

    kept = _kept(parsed.plan)
    world = _world(kept)
    with _refused(parsed.plan):
        deed = world.journal.find(kept.making.id)
        if deed is None:
            raise Failure(f"{parsed.plan}: the journal knows of no such deed", REFUSED)
        asked = undoing.way_back(deed)
        if asked is not None:
            making = Making(str(uuid.uuid4()), int(time.time() * 1_000))
            return _new_tape(parsed, kept, asked, making, world)
        if not parsed.yes:
            put_document(parsed, _undone(deed, done=False), [*deed_text.would_go(deed), _ASK])
            return FINE
        undone = undoing.undo(deed, world)
    put_document(parsed, _undone(undone, done=True), list(deed_text.gone(undone)))
    return FINE


def _new_tape(
    parsed: argparse.Namespace, kept: "Saved", asked: "Asked", making: "Making", world: "World"
) -> int:
    """What was appended stays; the way back is a tape that ends where it began."""
    from inspector.applying.carrying import carry_out
    from inspector.export import deed_text, plan_text
    from inspector.export import plan as plans

    with _planned(kept, asked, making) as (tape, found):
        document = plans.document(tape, found)
        if not parsed.yes:
            text = list(plan_text.text(tape, found))
            put_document(parsed, document | {"applied": False}, [*text, "", _ASK])
            return FINE
        deed = carry_out(tape, found, world)
    put_document(parsed, document | {"applied": True}, list(deed_text.done(deed)))
    return FINE


def _kept(path: Path) -> "Saved":
    from inspector.planfiles import Fault, PlanFileError, read_plan

    try:
        return read_plan(path)
    except PlanFileError as error:
        code = UNREADABLE if error.fault is Fault.UNREADABLE else WRONG_CALL
        raise Failure(f"{path}: {error}", code) from error


@contextmanager
def _planned(kept: "Saved", asked: "Asked", making: "Making") -> "Iterator[tuple[Tape, Plan]]":
    """The tape of a plan that was kept, and the plan made again."""
    from inspector.formats.planning import PlanError
    from inspector.plans.planning import plan

    tape = reading.folded(kept.path, _options(kept))
    try:
        with reading.readable(kept.path):
            yield tape, plan(tape, asked, making, os.path.lexists)
    except PlanError as error:
        raise Failure(f"{kept.path}: no plan: {error}", REFUSED) from error
    finally:
        tape.close()


def _must_stand(path: Path, kept: "Saved", found: "Plan", document: dict[str, object]) -> None:
    """Refuse a plan whose tape is another by now, and one that fails a check.

    Raises:
        StaleError: if the tape is another.
        Failure: if a check fails.
    """
    from inspector.applying.world import StaleError
    from inspector.plans.differing import another, differences

    others = list(another(kept.document, document))
    if others or kept.seal != found.seal:
        changed = "; ".join(others or list(differences(kept.document, document)))
        raise StaleError(
            f"{path} is out of date: {changed}; this is the plan of the tape as it is now"
        )
    if not found.is_sound:
        broken = "; ".join(one.message for one in found.checks if one.blocks and not one.ok)
        raise Failure(f"{path}: {broken}", REFUSED)


@contextmanager
def _refused(path: Path) -> Iterator[None]:
    """While something is written, or looked up in the journal.

    Raises:
        Failure: if that is refused; nothing is left then but for what it names.
        StaleError: if the tape is another by now.
    """
    from inspector.applying.refusal import ApplyError
    from inspector.applying.world import StaleError

    try:
        yield
    except StaleError:
        raise
    except ApplyError as error:
        raise Failure(f"{path}: {error}", REFUSED) from error


def _world(kept: "Saved") -> "World":
    from inspector.applying.machine import world
    from inspector.userdata import folder

    data = folder(os.environ)
    if data is None:
        raise Failure("there is no home in which the journal could be kept (HOME)", REFUSED)
    return world(data, kept.path, _options(kept))


def _options(kept: "Saved") -> "Options":
    """How the tape was read when it was planned."""
    from inspector.formats.contract import Options

    asked = kept.asked
    return Options(kept.session, kept.policy, asked.past_unknown, asked.unpack_limit)


def _undone(deed: "Deed", *, done: bool) -> dict[str, object]:
    return {
        "undone": done,
        "deed": deed.id,
        "removes": [str(made.path) for made in deed.made],
        "trash": None if deed.trash is None else str(deed.trash),
    }
