"""What the owner says of the tape as it is, and of what a plan would make of it."""

from collections.abc import Iterator
from typing import Final

from inspector.formats.contract import Tape, Verdict
from inspector.formats.planning import OWNER_READS, VERDICT, Check, Draft, Planner
from inspector.plans.plan import Asked
from inspector.plans.rehearsing import rehearsed
from inspector.text.gate import clean_line

_SAID: Final = 200


def of_owner(tape: Tape, planner: Planner, draft: Draft, asked: Asked) -> Iterator[Check]:
    """Whether the owner opens the tape, unless the format says so by a rule of its own.

    Of a tape that it does not open whole, also whether it opens what is made. Where it opens
    neither, or refuses a tape of which nothing is made, the plan blocks.

    Args:
        tape: of which the plan is.
        planner: what its format knows of it.
        draft: what would be made.
        asked: how the tape was opened.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    if any(check.rule in (VERDICT, OWNER_READS) for check in draft.checks):
        return
    now, owner = tape.verdict(), planner.owner
    if now.opens is True:
        yield Check(VERDICT, ok=True, message=f"{owner} opens the tape{_why(now)}")
        return
    part = "opens a part of the tape" if now.opens == "partly" else "does not open the tape"
    after, blocks = _after(tape, draft, asked, refuses=now.opens is False)
    yield Check(VERDICT, ok=False, message=f"{owner} {part}{_why(now)}{after}", blocks=blocks)


def of_refused(tape: Tape, planner: Planner, draft: Draft, asked: Asked) -> Iterator[Check]:
    """What `of_owner` says of a tape that the owner does not open whole.

    Where nothing is made, other checks say what stands in the way.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    for found in of_owner(tape, planner, draft, asked):
        if not found.ok:
            yield found if draft.writes else found._replace(blocks=False)


def _after(tape: Tape, draft: Draft, asked: Asked, *, refuses: bool) -> tuple[str, bool]:
    """What the owner would say of what is made, and whether that blocks.

    Args:
        tape: of which it is made.
        draft: it.
        asked: how the tape was opened.
        refuses: whether the owner opens nothing of the tape.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    if not draft.writes:
        return "; nothing is written", refuses
    made = rehearsed(tape, draft.writes, asked)
    if made is None:
        return "", False
    then = made.verdict
    if then.opens is False:
        return f"; it would not open what is made either{_why(then)}", True
    return f"; it opens {'a part of ' if then.opens == 'partly' else ''}what is made", False


def _why(verdict: Verdict) -> str:
    said = clean_line(verdict.reason or "", _SAID)
    return f": {said}" if said else ""
