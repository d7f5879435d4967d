"""What will be done, what was done and what went again, as lines for a person."""

from collections.abc import Iterator
from typing import Final

from inspector.applying.journal import Deed
from inspector.formats.planning import How
from inspector.plans.plan import Plan
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural

STAYS: Final = "what was appended stays, since its agent may have read it"

_SHORT: Final = 8


def will_do(plan: Plan) -> str:
    """What carrying out a plan does, in one line."""
    sizes = sum(size for _, size in plan.writes)
    if plan.how is How.APPEND:
        at = count(plan.seal.events)
        return f"appends {plural(sizes, 'byte')} at {at}, behind the last event; none is removed"
    files = plural(len(plan.writes), "new file")
    return f"makes {files} with {plural(sizes, 'byte')}; nothing that exists is changed"


def named(deed_id: str) -> str:
    """A plan or a deed by as much of its id as a person reads."""
    return clean_line(deed_id[:_SHORT])


def done(deed: Deed) -> Iterator[str]:
    """What was done."""
    for made in deed.made:
        yield f"created {clean_line(str(made.path))} ({plural(made.size, 'byte')})"
    if deed.grown is not None:
        grown = deed.grown
        yield f"appended {plural(grown.size, 'byte')} to {clean_line(str(grown.path))}"
    yield "read again: it is what the plan foretold"


def would_go(deed: Deed) -> Iterator[str]:
    """What would be taken back."""
    for made in deed.made:
        yield f"would take away {clean_line(str(made.path))} ({plural(made.size, 'byte')})"


def would_go_back(deed: Deed, plan: Plan, instead: Plan | None = None) -> Iterator[str]:
    """What would be made of a tape to which was appended, as it was before.

    Args:
        deed: what was appended.
        plan: of the tape that would be made.
        instead: of a rewind that gives the same back in the tape itself, where there is one.
    """
    yield STAYS
    for write, size in plan.writes:
        at = f"that ends at {count(deed.events)}, where the tape ended"
        yield f"would create {clean_line(str(write.to))} ({plural(size, 'byte')}), a tape {at}"
    yield from said_of(plan, instead)


def said_of(plan: Plan, instead: Plan | None) -> Iterator[str]:
    """What else is to be known before a tape is made as another was before: the better way, and
    what stands in the way of this one; see `would_go_back`.
    """
    remarks = plan.remarks
    if instead is not None and instead.cut is not None:
        cut, size = instead.cut.taken, sum(size for _, size in instead.writes)
        words = f"inspector plan rewind --after {cut}"
        yield (
            f"better: a rewind to {count(cut)} (`{words}`) gives back what was seen there in the "
            f"same tape, by {plural(size, 'byte')} behind it, and needs no new one"
        )
        # The format may have said so.
        remarks = tuple(remark for remark in remarks if words not in remark)
    yield from (f"note: {clean_line(remark, 400)}" for remark in remarks)
    refused = plan.view and plan.view.offered[plan.view.choice]
    if refused:
        yield f"but it cannot be given what was seen there: {clean_line(refused)}"


def gone(deed: Deed) -> Iterator[str]:
    """What was taken back."""
    for made in deed.made:
        yield f"took away {clean_line(str(made.path))}"
    if deed.trash is not None:
        yield f"it stands in {clean_line(str(deed.trash))} from now on"
