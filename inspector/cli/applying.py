"""The commands that write: carry out a plan that was kept, and take back what one made."""

import argparse
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

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

_REVIEWED: Final = ("how", "cut", "kept", "left_because", "view", "writes", "closers", "hidden")
"""What of a plan must be as it was reviewed."""

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
    from inspector.export import deed_text

    kept = _kept(parsed.plan)
    asked = kept.asked if parsed.into is None else replace(kept.asked, into=parsed.into.absolute())
    try:
        with _planned(kept, asked, kept.making) as (tape, found), _refused(parsed.plan):
            document, text = _told(tape, found)
            _must_stand(kept, found, document, moved=parsed.into is not None)
            if not parsed.yes:
                put_document(parsed, document | {"applied": False}, [*text, "", _ASK])
                return FINE
            world = _world(kept)
            deed = carry_out(tape, found, world, writer_stopped=parsed.writer_stopped)
    except StaleError as error:
        complain(f"{parsed.plan} {error}; this is the plan of the tape as it is now")
        with _planned(kept, asked, kept.making) as (tape, found):
            document, text = _told(tape, found)
        put_document(parsed, document | {"applied": False}, text)
        return REFUSED
    _say_done(parsed, document | {"applied": True}, list(deed_text.done(deed)))
    return FINE


def undo(parsed: argparse.Namespace) -> int:
    """Take back what a plan made, or plan a new tape at the old head of what it appended to."""
    from inspector.applying import undoing
    from inspector.export import deed_text

    kept = _kept(parsed.plan)
    world = _world(kept)
    with _refused(parsed.plan):
        deed = world.journal.find(kept.making.id)
        if deed is None:
            raise Failure(f"{parsed.plan}: the journal knows of no such deed", REFUSED)
        asked = undoing.way_back(deed)
        if asked is not None:
            return _new_tape(parsed, kept, deed, asked, world)
        if not parsed.yes:
            put_document(parsed, _undone(deed, done=False), [*deed_text.would_go(deed), _ASK])
            return FINE
        undone = undoing.undo(deed, world)
    _say_done(parsed, _undone(undone, done=True), list(deed_text.gone(undone)))
    return FINE


def _new_tape(
    parsed: argparse.Namespace, kept: "Saved", deed: "Deed", asked: "Asked", world: "World"
) -> int:
    """What was appended stays; the way back is a tape that ends where it began."""
    from inspector.applying.carrying import carry_out
    from inspector.applying.journal import State
    from inspector.applying.undoing import going_back
    from inspector.applying.world import StaleError
    from inspector.export import deed_text, plan_command
    from inspector.plans.rewinding import rewound

    with _planned(kept, asked, going_back(deed)) as (tape, found):
        document, _ = _told(tape, found)
        if not parsed.yes:
            instead = rewound(tape, deed.events, found.making, os.path.lexists)
            lines = [*deed_text.would_go_back(deed, found, instead), _ASK]
            told = None if instead is None else plan_command.command(instead, tape.identity)
            put_document(parsed, document | {"applied": False, "instead": told}, lines)
            return FINE
        try:
            made = carry_out(tape, found, world, back=True)
        except StaleError as error:
            raise Failure(f"{parsed.plan}: {error}; say it again", REFUSED) from error
        world.journal.put(replace(deed, state=State.UNDONE))
    _say_done(parsed, document | {"applied": True}, list(deed_text.done(made)))
    return FINE


def _told(tape: "Tape", found: "Plan") -> tuple[dict[str, Any], list[str]]:
    """A plan as a document and as lines."""
    from inspector.export import plan as plans
    from inspector.export import plan_text

    return plans.document(tape, found), list(plan_text.text(tape, found))


def _say_done(parsed: argparse.Namespace, document: dict[str, Any], lines: list[str]) -> None:
    """Say what was done; where nobody takes that, the complaint says so."""
    try:
        put_document(parsed, document, lines)
    except Failure as failure:
        raise Failure(f"it is done ({lines[0]}), but {failure}", failure.code) from failure


def _kept(path: Path) -> "Saved":
    from inspector.planfiles import Fault, PlanFileError, read_plan

    try:
        kept = read_plan(path)
    except PlanFileError as error:
        code = UNREADABLE if error.fault is Fault.UNREADABLE else WRONG_CALL
        raise Failure(f"{path}: {error}", code) from error
    if str(kept.path) == "-":
        why = "the plan is of the standard input: there is no tape to which it could be done"
        raise Failure(f"{path}: {why}", REFUSED)
    return kept


@contextmanager
def _planned(kept: "Saved", asked: "Asked", making: "Making") -> "Iterator[tuple[Tape, Plan]]":
    """The tape of a plan that was kept, and the plan made again, while something is done with it.

    Raises:
        Failure: if that is refused; nothing is left then but for what it names.
        StaleError: if the tape is another by now.
    """
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


def _must_stand(kept: "Saved", found: "Plan", document: Mapping[str, Any], *, moved: bool) -> None:
    """Refuse a plan that is another by now than the one that was kept, and one that fails a check.

    Args:
        kept: as it was.
        found: as it is.
        document: of that.
        moved: whether it is to be made in another folder.

    Raises:
        StaleError: if it is another.
        Failure: if a check fails.
    """
    from inspector.applying.world import StaleError
    from inspector.plans.differing import another, differences

    others = list(another(kept.document, document))
    was, now = (_reviewed(one, moved=moved) for one in (kept.document, document))
    if others or kept.seal != found.seal or was != now:
        told = (_without_target(one) for one in (kept.document, document))
        changed = "; ".join(others or list(differences(*told)))
        raise StaleError(f"is out of date: {changed or 'it was changed by hand'}")
    if not found.is_sound:
        broken = (check.message for check in found.broken)
        raise Failure(f"a check fails: {'; '.join(broken)}", REFUSED)


def _reviewed(document: Mapping[str, Any], *, moved: bool) -> str:
    """What of a plan somebody looked at before it was kept, and must be so when it is done."""
    from inspector.text.jsontext import json_text

    said = {name: document.get(name) for name in _REVIEWED}
    writes = said["writes"]
    if moved and isinstance(writes, list):
        said["writes"] = [one.get("bytes") for one in writes if isinstance(one, dict)]
    return json_text(said)


def _without_target(document: Mapping[str, Any]) -> dict[str, Any]:
    """A plan without the check that names its target by the path that the tape was named by."""
    checks = document.get("checks") or ()
    kept = [one for one in checks if isinstance(one, dict) and one.get("rule") != "target"]
    return {**document, "checks": kept}


@contextmanager
def _refused(path: Path) -> Iterator[None]:
    """While something is written, or looked up in the journal.

    Raises:
        Failure: if that is refused; nothing is left then but for what it names.
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
