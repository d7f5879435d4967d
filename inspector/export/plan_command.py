"""The command line that makes a plan again, quoted for a shell."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from inspector.formats.contract import Identity
from inspector.formats.planning import How, PlanKind
from inspector.formats.registry import policies_of
from inspector.plans.plan import Plan
from inspector.text import shell

_SHORT: Final = 12
"""Hex digits of the head's hash in a command line."""

_STREAM: Final = "-"


def command(plan: Plan, identity: Identity, *, absolute: bool = False) -> str:
    """The command line that makes the same plan of the same tape.

    Args:
        plan: that was made.
        identity: of the tape.
        absolute: whether the paths are those that lead there from every folder; else they are as
            they were given. A tape that came from the standard input has none.
    """
    asked = plan.asked
    words = ["inspector", "plan", plan.kind.value, place(plan.path, absolute=absolute)]
    words += _which(identity)
    if asked.past_unknown:
        words.append("--past-unknown")
    if asked.unpack_limit is not None:
        words += ["--unpack-limit", str(asked.unpack_limit)]
    if plan.cut is not None:
        words += ["--after", str(plan.cut.taken)]
    if plan.view is not None:
        words += ["--view", plan.view.choice.value]
    ways = [how for how, why in plan.ways.items() if why is None]
    if plan.kind is not PlanKind.RESUME and (asked.how is not None or len(ways) > 1):
        words += ["--how", _way(plan).value]
    if asked.keep_last is not None:
        words += ["--keep-last", str(asked.keep_last)]
    if asked.summary is not None:
        file = asked.summary_file
        words += ["--summary", _STREAM if file is None else place(file, absolute=absolute)]
    elif asked.degraded:
        words.append("--degraded")
    if asked.into is not None:
        words += ["--into", place(asked.into, absolute=absolute)]
    words += ["--expect", f"{plan.seal.events}:{plan.seal.hash[:_SHORT]}"]
    return shell.words(words)


def place(path: Path, *, absolute: bool) -> str:
    """A path as a word that no command takes for an option; that of a stream stays."""
    said = str(path)
    if said == _STREAM:
        return said
    if absolute:
        return str(path.absolute())
    return f"./{said}" if said.startswith("-") else said


def _way(plan: Plan) -> How:
    """The way that was asked for, else the one that is taken."""
    return plan.asked.how or plan.how


def _which(identity: Identity) -> Iterator[str]:
    """What chooses the tape where its path may hold several, and the reader where it is not the
    one that is followed unless told otherwise.
    """
    alone = "jsonl" in identity.variant and not identity.variant.endswith(".zip")
    if identity.id is not None and not alone:
        yield f"--session={identity.id}" if identity.id.startswith("-") else "--session"
        if not identity.id.startswith("-"):
            yield identity.id
    if identity.policy != next(iter(policies_of(identity.format)), identity.policy):
        yield from ("--policy", identity.policy)
