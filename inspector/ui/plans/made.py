"""A plan that was made for the dialog: its document, and its text in rows that lead somewhere.

Making one reads the tape, so it is done in a thread. Knows no Textual.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from inspector.export import plan as documents
from inspector.export import plan_text, request
from inspector.export.why import name
from inspector.formats.contract import RequestEntry, Tape
from inspector.formats.planning import Check, How, Making, PlanError
from inspector.plans.checking import Exists
from inspector.plans.plan import Asked, Compaction, Plan
from inspector.plans.planning import plan as planned
from inspector.plans.splitting import KEEP_LAST
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural
from inspector.ui.plans.row import Row

UNDONE: Final = "undone"
REQUEST: Final = "request"
HIDDEN: Final = "hidden"
FILES: Final = "files"
REGISTERS: Final = "registers"

_FEW: Final = 3
"""Registers that are listed without being asked for."""

_SHOWN: Final = 200


class Question(NamedTuple):
    """What a plan is asked of: a state of the tape, and what a person wants of it.

    Attributes:
        reading: which reading of the source it is.
        head: the cursor of the head.
        asked: what is wanted.
        making: identity and time of what would be made.
    """

    reading: int
    head: int
    asked: Asked
    making: Making


class Made(NamedTuple):
    """The answer to a question.

    Attributes:
        question: that was asked.
        plan: that was made.
        document: for a file, and to be compared with another.
        command: the command line that makes the same.
        rows: the text for people; those that a fold names are shown when it is opened.
        text: as the command prints it, and the command line.
    """

    question: Question
    plan: Plan
    document: dict[str, Any]
    command: str
    rows: tuple[Row, ...]
    text: str


class Refused(NamedTuple):
    """Why a question has no plan for an answer."""

    question: Question
    why: str


def make(tape: Tape, question: Question, exists: Exists) -> Made | Refused:
    """Make a plan, and all that the dialog says of it; reads the tape.

    Args:
        tape: folded to its head.
        question: what is asked.
        exists: whether something stands at a path.
    """
    try:
        plan = planned(tape, question.asked, question.making, exists)
        rows = tuple(_rows(tape, plan))
        document = documents.document(tape, plan)
        text = list(plan_text.text(tape, plan))
    except PlanError as error:
        code = f" [{error.code}]" if error.code else ""
        return Refused(question, clean_line(f"{error}{code}", 400))
    except SourceError as error:
        return Refused(question, clean_line(str(error), 300))
    command = documents.command(plan, tape.identity)
    return Made(question, plan, document, command, rows, "\n".join((*text, clean_line(command))))


def check_row(check: Check) -> Row:
    """A check; its key is that of its rule."""
    tone = "text" if check.ok else "error" if check.blocks else "notice"
    return Row(plan_text.check_line(check), tone, key=f"check:{check.rule}")


def _rows(tape: Tape, plan: Plan) -> Iterator[Row]:
    yield from (Row(line, act="way", key="way") for line in plan_text.way_lines(plan))
    yield from _view_rows(plan)
    if plan.view is not None or plan.compaction is not None or plan.writes:
        yield from (Row(line) for line in plan_text.kept_lines(plan))
    if plan.compaction is not None:
        yield from _compaction_rows(tape, plan, plan.compaction)
    yield from map(check_row, plan.checks)
    for closer in plan.closers:
        yield Row(plan_text.closer_line(tape, closer), event=closer.event)
    yield from _request_rows(tape, plan)
    for line in plan_text.write_lines(plan):
        yield Row(line, "strong")
    yield from _undone_rows(tape, plan)
    yield from _register_rows(plan)
    yield from (Row(line, "dim") for line in plan_text.note_lines(plan))
    yield Row(plan_text.bound_line(plan), "dim")


def _view_rows(plan: Plan) -> Iterator[Row]:
    view = plan.view
    if view is None:
        return
    for one, why in view.offered.items():
        taken = one is view.choice
        tone = ("strong" if taken else "text") if why is None else "error" if taken else "dim"
        yield Row(plan_text.history_line(view, one), tone, act=f"view:{one.value}")
    yield Row(plan_text.effect_line(view))
    if view.leak:
        yield Row(plan_text.leak_line(view), "notice")


def _compaction_rows(tape: Tape, plan: Plan, found: Compaction) -> Iterator[Row]:
    nodes = tape.timeline.surface.nodes
    yield from map(Row, plan_text.split_lines(found))
    kept = plan.asked.keep_last
    words = f"{count(KEEP_LAST)}, unless told otherwise" if kept is None else count(kept)
    yield Row(f"  at least the last rows stay: {words}   + -")
    if found.launch is not None:
        line = plan_text.launch_line(tape, found.launch)
        yield Row(line, event=nodes.origin(found.launch))
    yield Row(f"{plan_text.prompt_line(found.prompt)}   p shows it", act="prompt")
    yield Row(_summary_line(found), act="degraded")
    if found.hides:
        yield Row(f"hides {plural(len(found.hides), 'row')}", act=f"fold:{HIDDEN}")
    for node in found.hides:
        event = nodes.origin(node)
        role = nodes.role(node).label
        said = clean_line(tape.node_headline(node).text, _SHOWN)
        yield Row(f"  {name(tape, event):>6}  {role:<9}  {said}", "dim", event, fold=HIDDEN)


def _summary_line(found: Compaction) -> str:
    given = found.summary is not None and not found.degraded
    marks = ["•" if on else " " for on in (found.summary is None, given, found.degraded)]
    return (
        f"summary ({marks[0]}) none yet  ({marks[1]}) from a file, f  "
        f"({marks[2]}) degraded: pieces of the originals, d"
    )


def _request_rows(tape: Tape, plan: Plan) -> Iterator[Row]:
    for line in plan_text.request_lines(plan):
        yield Row(line, "strong", act=f"fold:{REQUEST}" if plan.request else "")
    width = len(str(len(plan.request)))
    for number, entry in enumerate(plan.request, 1):
        event = request.origin(tape, entry)
        yield Row(_entry_line(tape, entry, f"{number:>{width}}"), "dim", event, fold=REQUEST)


def _entry_line(tape: Tape, entry: RequestEntry, number: str) -> str:
    event = request.origin(tape, entry)
    where = "-" if event is None else name(tape, event)
    note = clean_line(request.note_words(entry.note, entry.why), _SHOWN)
    said = clean_line(request.preview(tape, entry), _SHOWN)
    who = clean_line(entry.role or "-", 20)
    shown = " ".join(filter(None, (f"[{note}]" if note else "", said)))
    return f"  {number}  {where:>6}  {who:<9}  {clean_line(entry.type, 30)}  {shown}"


def _undone_rows(tape: Tape, plan: Plan) -> Iterator[Row]:
    calls, files = plan.not_undone, plan.restorable
    if calls:
        yield Row(plan_text.undone_heading(calls), "notice", act=f"fold:{UNDONE}", key=UNDONE)
    for call, line in zip(calls, plan_text.call_lines(tape, calls), strict=True):
        yield Row(line, event=call.event, fold=UNDONE)
    if files:
        yield Row(f"{plural(len(files), 'file')} could be restored", act=f"fold:{FILES}")
    for file in files:
        yield Row(plan_text.file_line(tape, file), event=file.event, fold=FILES)


def _register_rows(plan: Plan) -> Iterator[Row]:
    names = ", ".join(clean_line(one, 40) for one in plan.registers)
    folded = len(plan.registers) > _FEW
    if folded:
        yield Row(f"changes {count(len(plan.registers))}: {names}", act=f"fold:{REGISTERS}")
    for line in plan_text.register_lines(plan):
        yield Row(f"  {line}" if folded else line, fold=REGISTERS if folded else "")


def next_way(plan: Plan, how: How) -> How | str:
    """The other way of writing it, or why that is not open."""
    other = How.CREATE if how is How.APPEND else How.APPEND
    why = plan.ways.get(other, "is not known")
    return other if why is None else f"{other.value}: no, {clean_line(why, 300)}"
