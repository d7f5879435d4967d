"""The text of a plan for people, the same on the command line and in a dialog."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from inspector.export import request
from inspector.export.text import table
from inspector.export.why import name
from inspector.export.wording import value_words
from inspector.formats.contract import Tape
from inspector.formats.planning import (
    Check,
    Closer,
    How,
    PlanKind,
    Prompt,
    Restorable,
    View,
)
from inspector.lenses.texts import said
from inspector.plans.plan import Compaction, Cut, NotUndone, Plan, ViewChoice
from inspector.plans.splitting import QUOTED
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, size, token_words, tokens

_LISTED: Final = 30
"""Calls, closers and files that are listed; all are in the document."""

_VALUE: Final = 60

NOTHING_CHANGED: Final = "nothing has been changed"


def text(tape: Tape, plan: Plan) -> Iterator[str]:
    """All that a person needs to judge a plan, in the order in which one asks.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    yield heading(plan)
    yield from cut_lines(tape, plan)
    yield from way_lines(plan)
    if plan.view is not None:
        yield from view_lines(plan.view)
    if plan.cut is not None or plan.kind is not PlanKind.RESUME:
        yield from kept_lines(plan)
    if plan.compaction is not None:
        yield from compaction_lines(tape, plan.compaction)
    yield from check_lines(plan)
    yield from request_lines(plan)
    yield from closer_lines(tape, plan)
    yield from register_lines(plan)
    yield from undone_lines(tape, plan)
    yield from write_lines(plan)
    yield from note_lines(plan)
    yield bound_line(plan)


def compared(changes: Sequence[str]) -> Iterator[str]:
    """What of a kept plan is another by now."""
    if not changes:
        yield "the kept plan is the same: nothing has changed since"
        return
    yield "since the plan was kept, this has changed:"
    yield from (f"  {clean_line(change, 300)}" for change in changes)


def heading(plan: Plan) -> str:
    """What is planned, of which tape, and that nothing has happened."""
    state = "can be applied" if plan.is_sound and plan.writes else "is not to be applied"
    if plan.is_sound and not plan.writes:
        state = "writes nothing"
    path = clean_line(str(plan.path), 200)
    return f"PLAN {plan.kind.value} of {path}: {NOTHING_CHANGED}; it {state}"


def cut_lines(tape: Tape, plan: Plan) -> Iterator[str]:
    """Where the tape is cut, and the nearest places where it may be."""
    if plan.cut is not None:
        yield cut_line(tape, plan.cut)


def cut_line(tape: Tape, cut: Cut) -> str:
    """Where a tape is cut, why not if it may not be, and the nearest places where it may."""
    last = "before the first event" if not cut.taken else f"behind {name(tape, cut.taken - 1)}"
    nearest = " · ".join("none" if one is None else count(one) for one in (cut.before, cut.after))
    why = f"; no: {clean_line(cut.why, 300)}" if cut.why else ""
    return f"cut at {count(cut.taken)}, {last}{why}   nearest allowed: ◀ {nearest} ▶"


def way_lines(plan: Plan) -> Iterator[str]:
    """How it would be written, and why not in the other way."""
    words = {How.APPEND: "append to the tape", How.CREATE: "a new tape"}
    parts = [
        words[how] + (" (taken)" if how is plan.how and why is None else "")
        if why is None
        else f"{words[how]}: no, {clean_line(why, 300)}"
        for how, why in plan.ways.items()
    ]
    if parts:
        yield f"how: {'; '.join(parts)}"


def view_lines(view: ViewChoice) -> Iterator[str]:
    """The three histories, which one is taken, and what it weighs."""
    yield from (history_line(view, one) for one in view.offered)
    yield effect_line(view)
    if view.leak:
        yield leak_line(view)


def history_line(view: ViewChoice, one: View) -> str:
    """One of the histories: whether it is taken, and what it weighs or why it is not offered."""
    mark = "•" if one is view.choice else " "
    why, weight = view.offered[one], view.tokens_of.get(one)
    told = "" if weight is None else token_words(weight)
    if why is not None:
        told = f"no: {clean_line(why, 300)}"
    return f"history ({mark}) {one.value:<10} {told}".rstrip()


def effect_line(view: ViewChoice) -> str:
    """What the model sees afterwards against what it sees now."""
    change = view.tokens_after - view.tokens_before
    sign = "-" if change < 0 else "+"
    return (
        f"model view {count(len(view.before))} -> {plural(len(view.after), 'row')}, "
        f"{tokens(view.tokens_before)} -> {token_words(view.tokens_after)} "
        f"({sign}{tokens(abs(change))}), estimated"
    )


def leak_line(view: ViewChoice) -> str:
    """What a summary would tell of what is undone."""
    return f"leak: {clean_line(view.leak, 300)}; it is not kept"


def kept_lines(plan: Plan) -> Iterator[str]:
    """How many events are kept, and why the others are left."""
    left = ", ".join(f"{count(number)} {clean_line(why, 120)}" for why, number in plan.left.items())
    told = f": {left}" if left else ""
    yield f"keep {plural(plan.kept, 'event')}, leave {plural(plan.left_behind, 'event')}{told}"


def compaction_lines(tape: Tape, found: Compaction) -> Iterator[str]:
    """Both splits, what is hidden, and the prompt by its length."""
    yield from split_lines(found)
    if found.launch is not None:
        yield launch_line(tape, found.launch)
    yield prompt_line(found.prompt)


def split_lines(found: Compaction) -> Iterator[str]:
    """Where the owner would divide the rows, and where this plan does."""
    rows, why = found.owner
    yield f"the owner would summarise {plural(rows, 'row')}: {clean_line(why, 300)}"
    yield f"this plan summarises {plural(found.safe, 'row')}"
    yield from (f"  {clean_line(moved, 200)}" for moved in found.moved_because)


def launch_line(tape: Tape, launch: int) -> str:
    """The message that is quoted in the summary, by its node."""
    origin = tape.timeline.surface.nodes.origin(launch)
    length = len(said(tape, origin))
    part = "is" if length <= QUOTED else f"{count(QUOTED)} of {count(length)} characters, is"
    return (
        f"the launching message, {name(tape, origin)}, {part} quoted word for word in the summary"
    )


def prompt_line(prompt: Prompt) -> str:
    """A prompt by its length."""
    limit = "" if prompt.limit is None else f" of {count(prompt.limit)}"
    cut = ", cut there" if prompt.truncated else ""
    return f"prompt: {count(prompt.length)}{limit} {prompt.unit}{cut}; secrets are masked"


def check_lines(plan: Plan) -> Iterator[str]:
    """Every check, what is broken marked."""
    yield from map(check_line, plan.checks)


def check_line(check: Check) -> str:
    """One check: kept, broken, or broken and left for the person to judge."""
    mark = "✓" if check.ok else "✗" if check.blocks else "!"
    code = f" [{clean_line(check.code, 60)}]" if check.code else ""
    return f"{mark} {check.rule}: {clean_line(check.message, 400)}{code}"


def closer_lines(tape: Tape, plan: Plan) -> Iterator[str]:
    """What a repair adds, drops and alters."""
    yield from (closer_line(tape, closer) for closer in plan.closers[:_LISTED])
    yield from _more(len(plan.closers))


def closer_line(tape: Tape, closer: Closer) -> str:
    """One thing that a repair adds, drops or alters."""
    where = "" if closer.event is None else f" {name(tape, closer.event)}"
    call = f" <{clean_line(closer.call_id, 60)}>" if closer.call_id else ""
    code = f" [{clean_line(closer.code, 60)}]" if closer.code else ""
    what = clean_line(closer.what, 200)
    return f"  {closer.does}: {clean_line(closer.type, 40)}{where}{call}: {what}{code}"


def register_lines(plan: Plan) -> Iterator[str]:
    """The named values that are others afterwards."""
    for register, (now, then) in plan.registers.items():
        yield f"changes {clean_line(register, 40)}: {_value(now)} -> {_value(then)}"


def undone_lines(tape: Tape, plan: Plan) -> Iterator[str]:
    """The calls behind the cut that stay done, and the files that could be brought back."""
    calls = plan.not_undone
    if calls:
        yield undone_heading(calls)
        yield from call_lines(tape, calls[:_LISTED])
        yield from _more(len(calls))
    yield from (file_line(tape, file) for file in plan.restorable[:_LISTED])
    yield from _more(len(plan.restorable))


def undone_heading(calls: Sequence[NotUndone]) -> str:
    """How many calls stay done, by tool."""
    return f"NOT undone ({count(len(calls))}): {_by_tool(calls)}"


def call_lines(tape: Tape, calls: Sequence[NotUndone]) -> Iterator[str]:
    """Calls that stay done, a line each."""
    rows = [
        [
            name(tape, call.event),
            call.kind,
            clean_line(call.tool, 24),
            clean_line(call.what, 120),
            "" if call.restorable is None else f"(checkpoint {name(tape, call.restorable)} has it)",
        ]
        for call in calls
    ]
    yield from (f"  {line}" for line in table(rows, right={0}))


def file_line(tape: Tape, file: Restorable) -> str:
    """A file of which a checkpoint tells: what restoring it would do, or why it could not."""
    at = name(tape, file.event)
    could = "could" if file.back else "could not"
    return f"  a file {could} be restored: {clean_line(file.path, 160)} ({file.how}; {at})"


def request_lines(plan: Plan) -> Iterator[str]:
    """What the owner would send next, in sum."""
    if plan.kind is PlanKind.RESUME:
        yield f"next request: {request.summary(entry.note for entry in plan.request)}"


def note_lines(plan: Plan) -> Iterator[str]:
    """What the owner makes of it."""
    yield from (f"note: {clean_line(remark, 400)}" for remark in plan.remarks)


def _by_tool(calls: Sequence[NotUndone]) -> str:
    counted: dict[str, int] = {}
    for call in calls:
        tool = clean_line(call.tool, 24)
        counted[tool] = counted.get(tool, 0) + 1
    most = sorted(counted.items(), key=lambda pair: -pair[1])[:8]
    return " · ".join(tool if number == 1 else f"{tool} ×{number}" for tool, number in most)


def write_lines(plan: Plan) -> Iterator[str]:
    """What would be written where."""
    for write, length in plan.writes:
        verb = "append to" if write.how is How.APPEND else "create"
        target = clean_line(str(write.to), 300)
        yield f"would {verb} {target}: {size(length)} ({count(length)} bytes)"


def bound_line(plan: Plan) -> str:
    """To which head the plan is bound."""
    seal = plan.seal
    return (
        f"bound to head {count(seal.events)}, {count(seal.bytes)} bytes, sha256 "
        f"{seal.hash[:8]}…{seal.hash[-4:]}: valid until the tape grows"
    )


def _value(value: Any) -> str:
    """A value of a register as people read it, short."""
    if value is None:
        return "(not set)"
    if isinstance(value, list | tuple) and len(value) != 1:
        return plural(len(value), "entry", "entries")
    return clean_line(value_words(value), _VALUE)


def _more(number: int) -> Iterator[str]:
    if number > _LISTED:
        yield f"  and {count(number - _LISTED)} more; --json has them all"
