"""From a plan to files: looked at once more, written, read again, and kept in the journal."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from inspector.applying.appending import Appending
from inspector.applying.journal import Deed, Grown, State, mark_of
from inspector.applying.publishing import Made, Publication
from inspector.applying.refusal import ApplyError
from inspector.applying.sums import pieces_of, sum_of
from inspector.applying.world import StaleError, World, WriterError
from inspector.formats.contract import Tape
from inspector.formats.planning import OPEN_TURN, UNANSWERED, UNSETTLED, How, Write
from inspector.plans.foretelling import unlike
from inspector.plans.plan import Plan
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line

_OF_A_HEAD = (OPEN_TURN, UNANSWERED, UNSETTLED)
"""What a tape may be like at its head, where nobody may cut it."""


def carry_out(
    tape: Tape,
    plan: Plan,
    world: World,
    *,
    writer_stopped: bool = False,
    back: bool = False,
) -> Deed:
    """Carry out a plan: all of it, or nothing.

    Args:
        tape: of which the plan is.
        plan: what is to be done.
        world: where.
        writer_stopped: whether a person says that nobody writes to the tape any more.
        back: whether it is the way back to a head that was; that the tape could not be cut there
            is not held against it.

    Raises:
        StaleError: if the tape has changed since the plan was made.
        WriterError: if somebody may be writing to the tape.
        ApplyError: if it cannot be done; everything is as before but for what the error names.
        SourceError: if the tape cannot be read any more.
    """
    _refuse_what_is_no_deed(plan, back=back)
    appends = plan.how is How.APPEND
    if appends:
        _exclude_writers(plan, world, writer_stopped=writer_stopped)
    with _as_planned(plan, world) as size:
        deed = _deed(tape, plan, size, world.new_id())
        world.journal.put(deed)
        with _undone_unless_done(deed, world):
            if appends:
                _append(tape, plan, deed, size, world)
            else:
                _create(tape, plan, deed, world)
    return replace(deed, state=State.DONE)


def _refuse_what_is_no_deed(plan: Plan, *, back: bool) -> None:
    spared = _OF_A_HEAD if back else ()
    broken = [check.message for check in plan.broken if check.rule not in spared]
    if broken:
        raise ApplyError(f"a check fails: {'; '.join(broken)}")
    if not plan.writes:
        raise ApplyError("it writes nothing: there is nothing to carry out")


def _exclude_writers(plan: Plan, world: World, *, writer_stopped: bool) -> None:
    found = world.writers(plan.path)
    if found:
        raise WriterError(f"{clean_line(', '.join(found))} has the tape open to write to it")
    if not writer_stopped:
        raise WriterError(
            f"{plan.owner} may be writing to the tape, and nothing here can keep it from doing so: "
            "say that it is stopped (--writer-stopped)"
        )


@contextmanager
def _as_planned(plan: Plan, world: World) -> Iterator[int]:
    """While the tape is the one that the plan was made for; gives the size of its file."""
    try:
        size = plan.path.stat().st_size if plan.how is How.APPEND else 0
        fresh = world.reopen(plan.path)
    except OSError as error:
        raise StaleError(f"the tape cannot be read any more: {error.strerror}") from error
    try:
        seal = fresh.seal()
    finally:
        fresh.close()
    if seal != plan.seal:
        was, now = plan.seal, seal
        raise StaleError(
            f"the tape is another by now: its head was {was.events}:{was.hash[:12]} and is "
            f"{now.events}:{now.hash[:12]}"
        )
    yield size


def _deed(tape: Tape, plan: Plan, size: int, deed_id: str) -> Deed:
    deed = Deed(
        deed_id,
        plan.making.id,
        plan.making.time,
        plan.kind.value,
        plan.owner,
        plan.path.absolute(),
        tape.identity.id,
        tape.identity.policy,
        plan.seal.events,
    )
    writes = [write for write, _ in plan.writes]
    if plan.how is How.APPEND:
        known = plan.seal.hash if plan.seal.bytes == size else ""
        return replace(deed, grown=Grown(plan.path.absolute(), size, plan.writes[0][1], known))
    made = tuple(map(_foreseen, writes))
    return replace(deed, made=made, own=writes[0].own, folders=tuple(_missing(made[0].path.parent)))


def _missing(folder: Path) -> list[Path]:
    """The folders that must be made for one to be there, the outermost first."""
    above = [one for one in (folder, *folder.parents) if not os.path.lexists(one)]
    return above[::-1]


def _foreseen(write: Write) -> Made:
    return Made(write.to.absolute(), *sum_of(write.content()))


@contextmanager
def _undone_unless_done(deed: Deed, world: World) -> Iterator[None]:
    """Keep in the journal that nothing came of a deed, where nothing did."""
    try:
        yield
    except BaseException:
        with suppress(ApplyError):
            world.journal.put(replace(deed, state=State.UNDONE))
        raise


@contextmanager
def _taken_back_unless_done(withdraw: Callable[[], Sequence[str]]) -> Iterator[None]:
    """Take back what was written where it does not come to its end.

    Raises:
        ApplyError: if something could not be taken back.
    """
    try:
        yield
    except BaseException as error:
        left = withdraw()
        if left:
            raise ApplyError(str(error) or type(error).__name__, left) from error
        raise


def _create(tape: Tape, plan: Plan, deed: Deed, world: World) -> None:
    publication = Publication(world.disk, mark_of(deed))
    writes = [replace(write, to=write.to.absolute()) for write, _ in plan.writes]
    with _taken_back_unless_done(publication.withdraw):
        # A signal that waited is heard behind this, when all is there already.
        made = publication.publish(writes)
        if tuple(made) != deed.made:
            raise ApplyError("the tape changed while it was copied")
        for one in made:
            _read_again(one)
        _must_be(made[0].path, tape, plan, world)
        world.journal.put(replace(deed, state=State.DONE))
    publication.close()


def _append(tape: Tape, plan: Plan, deed: Deed, size: int, world: World) -> None:
    data = b"".join(piece for write, _ in plan.writes for piece in write.content())
    appending = Appending(plan.path, size, world.disk)
    with _taken_back_unless_done(appending.withdraw):
        appending.append(data)
        _must_be(plan.path, tape, plan, world)
        world.journal.put(replace(deed, state=State.DONE))


def _read_again(made: Made) -> None:
    try:
        found = sum_of(pieces_of(made.path))
    except OSError as error:
        raise ApplyError(f"what was written cannot be read again: {error.strerror}") from error
    if found != (made.size, made.hash):
        raise ApplyError("what was written is not what is there")


def _must_be(path: Path, tape: Tape, plan: Plan, world: World) -> None:
    """Read a result again.

    Raises:
        ApplyError: if it is not what was foretold.
    """
    try:
        result = world.reopen(path)
        try:
            verdict = result.verdict()
            wrong = list(unlike(tape, plan, result))
        finally:
            result.close()
    except SourceError as error:
        raise ApplyError(f"the result cannot be read: {error}") from error
    if verdict.opens is False:
        wrong.append(f"{verdict.owner} would refuse it: {verdict.reason}")
    if wrong:
        raise ApplyError(f"the result is not what was foretold: {'; '.join(wrong)}")
