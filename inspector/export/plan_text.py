"""The text of a plan for people, the same on the command line and in a dialog."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from inspector.export.plan_command import command
from inspector.export.plan_compaction import compaction_lines
from inspector.export.plan_request import request_lines
from inspector.export.text import table
from inspector.export.why import name
from inspector.export.wording import value_words
from inspector.formats.contract import Tape
from inspector.formats.planning import (
    Check,
    Closer,
    How,
    PlanKind,
    Restorable,
    View,
)
from inspector.plans.plan import Cut, NotUndone, Plan, ViewChoice
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, size, token_words, tokens
from inspector.text.redaction import MARK

_LISTED: Final = 30
"""Calls, closers and files that are listed; all are in the document."""

_VALUE: Final = 60

_FEW_TOKENS: Final = 1_000
"""Tokens below which thousands with one decimal say too little."""

_LINE: Final = 10_000
"""Characters of a command line."""

NOTHING_CHANGED: Final = "nothing has been changed"
MASKED: Final = (
    "secrets are masked here where they look like secrets; what would be written keeps them"
)


def text(tape: Tape, plan: Plan) -> Iterator[str]:
    """All that a person needs to judge a plan, in the order in which one asks.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    for name_of_section in ORDER:
        yield from section(tape, plan, name_of_section)


ORDER: Final = (
    *("heading", "cut", "how", "history", "kept", "effect", "leak", "compaction", "checks"),
    *("closers", "request", "registers", "undone", "writes", "notes", "masked", "bound"),
    "command",
)
"""The sections of a plan's text, the same on a screen."""


def section(tape: Tape, plan: Plan, which: str) -> Iterator[str]:
    """The lines of one section of `ORDER`; none where a plan has none.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    view, compaction = plan.view, plan.compaction
    match which:
        case "heading":
            yield heading(plan)
        case "cut":
            yield from cut_lines(tape, plan)
        case "how":
            yield from way_lines(plan)
        case "history" if view is not None:
            yield from (history_line(view, one) for one in view.offered)
        case "kept":
            yield from kept_lines(plan)
        case "effect":
            yield effect_line(tape, plan)
        case "leak" if view is not None and view.leak:
            yield leak_line(view)
        case "compaction" if compaction is not None:
            yield from compaction_lines(tape, compaction)
        case "checks":
            yield from check_lines(plan)
        case "closers":
            yield from closer_lines(tape, plan)
        case "request":
            yield from request_lines(tape, plan)
        case "registers":
            yield from register_lines(plan)
        case "undone":
            yield from undone_lines(tape, plan)
        case "writes":
            yield from write_lines(plan)
        case "notes":
            yield from note_lines(plan)
        case "masked":
            yield from masked_lines(plan)
        case "bound":
            yield bound_line(plan)
        case "command":
            yield command_line(tape, plan)


def compared(changes: Sequence[str], *, same_head: bool = False) -> Iterator[str]:
    """What of a kept plan is another by now.

    Args:
        changes: a sentence each.
        same_head: whether the tape is as it was: then what is asked for is another.
    """
    if not changes:
        yield "the kept plan is the same: nothing has changed since"
        return
    if same_head:
        yield "the tape is as it was when the plan was kept; this is another question:"
    else:
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
    """Where the tape is cut, and the nearest places where it may be; or of which cursor a request
    is.
    """
    cut = plan.cut
    if cut is None:
        return
    if plan.kind is not PlanKind.RESUME:
        yield cut_line(tape, cut)
        return
    head = plan.seal.events
    past = "the head" if cut.taken == head else f"past: the head is {count(head)}"
    yield f"at {count(cut.taken)}, {_behind(tape, cut)}, which is {past}"


def cut_line(tape: Tape, cut: Cut) -> str:
    """Where a tape is cut, why not if it may not be, and the nearest places where it may."""
    nearest = " · ".join("none" if one is None else count(one) for one in (cut.before, cut.after))
    why = f"; no: {clean_line(cut.why, 300)}" if cut.why else ""
    if cut.asked != cut.taken:
        why = f"; {moved_words(cut.asked, cut.why, forward=cut.taken > cut.asked)}"
    where = f"cut at {count(cut.taken)}, {_behind(tape, cut)}"
    return f"{where}{why}   nearest allowed: ◀ {nearest} ▶"


def moved_words(asked: int, why: str, *, forward: bool) -> str:
    """From where, and why, a cut was moved to one that is allowed."""
    moved = "on" if forward else "back"
    return f"asked for {count(asked)}: {clean_line(why, 300)}; moved {moved}"


def _behind(tape: Tape, cut: Cut) -> str:
    return f"behind {name(tape, cut.taken - 1)}" if cut.taken else "before the first event"


def way_lines(plan: Plan) -> Iterator[str]:
    """How it would be written, and why not in the other way."""
    words = {How.APPEND: "append to the tape", How.CREATE: "a new tape"}
    taken = bool(plan.writes) or plan.kind not in (PlanKind.REPAIR, PlanKind.RESUME)
    parts = [
        words[how] + (" (taken)" if taken and how is plan.how else "")
        for how, why in plan.ways.items()
        if why is None
    ]
    for why in dict.fromkeys(why for why in plan.ways.values() if why):
        ways = [words[how] for how, one in plan.ways.items() if one == why]
        parts.append(f"{' and '.join(ways)}: no, {clean_line(why, 300)}")
    if parts:
        yield f"how: {'; '.join(parts)}"


def history_line(view: ViewChoice, one: View) -> str:
    """One of the histories: whether it is taken, and what it weighs or why it is not offered."""
    mark = "•" if one is view.choice else " "
    why, weight = view.offered[one], view.tokens_of.get(one)
    told = "" if weight is None else token_words(weight)
    if why is not None:
        first = next(other for other, reason in view.offered.items() if reason == why)
        told = f"no: {clean_line(why, 300) if first is one else f'for the reason of {first.value}'}"
    return f"history ({mark}) {one.value:<10} {told}".rstrip()


def effect_line(tape: Tape, plan: Plan) -> str:
    """What the model sees afterwards against what it sees now, and what its provider counted."""
    effect = plan.effect
    before, after = effect.before, effect.after
    change = after.tokens - before.tokens
    sign = "-" if change < 0 else "+"
    shown = _figures(before.tokens, after.tokens)
    noun = "token" if after.tokens == 1 else "tokens"
    rows = plural(after.rows, "entry", "entries") if effect.entries else plural(after.rows, "row")
    of_all = ""
    if plan.compaction is not None and plan.compaction.safe:
        told = effect.summary
        of_all = " and the summary's" if told is None else f", {shown(told)} of the summary"
    last = effect.reported
    provider = ""
    if last is not None:
        at = name(tape, last.event)
        provider = f"; provider last reported {tokens(last.tokens)} at {at}"
    return (
        f"model view {count(before.rows)} -> {rows}, {shown(before.tokens)} -> "
        f"{shown(after.tokens)} {noun}{of_all} ({sign}{shown(abs(change))}, estimate{provider})"
    )


def _figures(before: int, after: int) -> Callable[[int], str]:
    """How tokens are written: as they are where they are few, or where rounding hides a change."""
    hidden = before != after and tokens(before) == tokens(after)
    return count if max(before, after) < _FEW_TOKENS or hidden else tokens


def leak_line(view: ViewChoice) -> str:
    """What a summary would tell of what is undone."""
    return f"leak: {clean_line(view.leak, 300)}; it is not kept"


def kept_lines(plan: Plan) -> Iterator[str]:
    """How many events are kept, and why the others are left."""
    left = ", ".join(f"{count(number)} {clean_line(why, 120)}" for why, number in plan.left.items())
    told = f": {left}" if left else ""
    yield f"keep {plural(plan.kept, 'event')}, leave {plural(plan.left_behind, 'event')}{told}"


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
            _of_call(tape, call),
        ]
        for call in calls
    ]
    yield from (f"  {line}" for line in table(rows, right={0}))


def _of_call(tape: Tape, call: NotUndone) -> str:
    """What else is known of a call that stays done."""
    if call.declined:
        return "(declined, as the tape tells)"
    if call.waits:
        return "(not allowed yet, as the tape tells)"
    restorable = call.restorable
    return "" if restorable is None else f"(checkpoint {name(tape, restorable)} has it)"


def file_line(tape: Tape, file: Restorable) -> str:
    """A file of which a checkpoint tells: what restoring it would do, or why it could not."""
    at = name(tape, file.event)
    could = "could" if file.back else "could not"
    return f"  a file {could} be restored: {clean_line(file.path, 160)} ({file.how}; {at})"


def masked_lines(plan: Plan) -> Iterator[str]:
    """That secrets are masked, where something is quoted that may hold one."""
    quotes = plan.not_undone or plan.closers or plan.request or plan.compaction is not None
    if quotes or any(MARK in remark for remark in plan.remarks):
        yield MASKED


def command_line(tape: Tape, plan: Plan) -> str:
    """The command line that makes the same plan, cleaned."""
    return clean_line(command(plan, tape.identity), _LINE)


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
