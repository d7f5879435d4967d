"""A plan that was made for the dialog: its document, and its text in rows that lead somewhere.

Making one reads the tape, so it is done in a thread. Knows no Textual.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from inspector.export import plan as documents
from inspector.export import plan_compaction, plan_request, plan_text
from inspector.export.plan_command import command
from inspector.export.request import origin
from inspector.formats.contract import Tape
from inspector.formats.planning import Check, How, Making, PlanError
from inspector.plans.checking import Exists
from inspector.plans.plan import Asked, Compaction, Plan, ViewChoice
from inspector.plans.planning import plan as planned
from inspector.plans.splitting import KEEP_LAST
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural
from inspector.ui.plans.row import CLOSED, Row

UNDONE: Final = "undone"
REQUEST: Final = "request"
HIDDEN: Final = "hidden"
FILES: Final = "files"
REGISTERS: Final = "registers"

BETWEEN: Final = "  …"
"""How a line begins that stands for entries of a request."""

_FEW: Final = 3
"""Registers that are listed without being asked for."""


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
        where: of which cursor it is, as the command says it; nothing where it is of the head.
        rows: the text for people; those that a fold names are shown when it is opened.
        text: as the command prints it.
    """

    question: Question
    plan: Plan
    document: dict[str, Any]
    command: str
    where: tuple[str, ...]
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
        document = documents.document(tape, plan)
        text = {which: tuple(plan_text.section(tape, plan, which)) for which in plan_text.ORDER}
        rows = tuple(row for which in plan_text.ORDER for row in _rows(tape, plan, text, which))
    except PlanError as error:
        code = f" [{error.code}]" if error.code else ""
        return Refused(question, clean_line(f"{error}{code}", 400))
    except SourceError as error:
        return Refused(question, clean_line(str(error), 300))
    lines = [line for which in plan_text.ORDER for line in text[which]]
    line = command(plan, tape.identity)
    return Made(question, plan, document, line, text["cut"], rows, "\n".join(lines))


def check_row(check: Check) -> Row:
    """A check; its key is that of its rule."""
    tone = "text" if check.ok else "error" if check.blocks else "notice"
    return Row(plan_text.check_line(check), tone, key=f"check:{check.rule}")


def _rows(tape: Tape, plan: Plan, text: Mapping[str, tuple[str, ...]], which: str) -> Iterable[Row]:
    """The rows of a section of the text: its lines, each with where it leads and what does it."""
    lines = text[which]
    match which:
        case "heading" | "cut":
            # They stand above the rows.
            return ()
        case "how":
            hint = "w the other way" if _open(plan.ways) > 1 else ""
            return (Row(line, act="way", key="way", hint=hint) for line in lines)
        case "history":
            return () if plan.view is None else _view_rows(plan.view)
        case "leak":
            return (Row(line, "notice") for line in lines)
        case "compaction":
            return () if plan.compaction is None else _compaction_rows(tape, plan, plan.compaction)
        case "checks":
            return map(check_row, plan.checks)
        case "closers":
            return (Row(plan_text.closer_line(tape, one), event=one.event) for one in plan.closers)
        case "request":
            return _request_rows(tape, plan, lines)
        case "registers":
            return _register_rows(plan)
        case "undone":
            return _undone_rows(tape, plan)
        case "writes":
            return (Row(line, "strong") for line in lines)
        case "notes" | "masked":
            return (Row(line, "dim") for line in lines)
        case "bound":
            return (
                Row(line, "dim", hint="s saves it, = compares with a saved one") for line in lines
            )
        case "command":
            return (Row(line, "accent", act="copy", hint="y copies it") for line in lines)
        case _:
            return map(Row, lines)


def _open(ways: Mapping[Any, str | None]) -> int:
    return sum(why is None for why in ways.values())


def _view_rows(view: ViewChoice) -> Iterator[Row]:
    for one, why in view.offered.items():
        taken = one is view.choice
        tone = ("strong" if taken else "text") if why is None else "error" if taken else "dim"
        hint = "v the next" if taken and _open(view.offered) > 1 else ""
        line = plan_text.history_line(view, one)
        yield Row(line, tone, act=f"view:{one.value}", hint=hint)


def _compaction_rows(tape: Tape, plan: Plan, found: Compaction) -> Iterator[Row]:
    nodes = tape.timeline.surface.nodes
    yield from map(Row, plan_compaction.split_lines(found))
    kept = plan.asked.keep_last
    words = f"{count(KEEP_LAST)}, unless told otherwise" if kept is None else count(kept)
    yield Row(f"  at least the last rows stay: {words}", hint="+ - change it")
    for at, line in enumerate(plan_compaction.hides_lines(tape, found)):
        yield Row(line) if at else Row(line, act=f"fold:{HIDDEN}", hint="Enter lists them")
    for node in found.hides:
        line = f"  {plan_compaction.hidden_line(tape, node)}"
        yield Row(line, "dim", nodes.origin(node), fold=HIDDEN, whole=False)
    if found.launch is not None:
        line = plan_compaction.launch_line(tape, found)
        yield Row(line, event=nodes.origin(found.launch))
    yield Row(plan_compaction.prompt_line(found.prompt), act="prompt", hint="p shows it")
    yield Row(_summary_line(found), act="degraded", hint="f a file, d degraded")


def _summary_line(found: Compaction) -> str:
    given = found.summary is not None and not found.degraded
    marks = ["•" if on else " " for on in (found.summary is None, given, found.degraded)]
    return (
        f"summary ({marks[0]}) none yet  ({marks[1]}) from a file  "
        f"({marks[2]}) degraded: pieces of the originals"
    )


def _request_rows(tape: Tape, plan: Plan, lines: Sequence[str]) -> Iterator[Row]:
    """The request as the text has it, and where that leaves some out, those when it is opened."""
    if not lines:
        return
    heading, *told = lines
    all_told = len(told) == len(plan.request)
    yield Row(
        heading,
        "strong",
        act="" if all_told else f"fold:{REQUEST}",
        hint="" if all_told else "Enter lists all",
    )
    for number, entry in enumerate(plan.request):
        line, event = plan_request.entry_line(tape, plan, number), origin(tape, entry)
        if told and told[0] == line:
            yield Row(told.pop(0), "dim", event)
            continue
        if told and told[0].startswith(BETWEEN):
            yield Row(told.pop(0), "faint", fold=f"{CLOSED}{REQUEST}")
        yield Row(line, "dim", event, fold=REQUEST, whole=False)


def _undone_rows(tape: Tape, plan: Plan) -> Iterator[Row]:
    calls, files = plan.not_undone, plan.restorable
    if calls:
        heading = plan_text.undone_heading(calls)
        yield Row(heading, "notice", act=f"fold:{UNDONE}", key=UNDONE, hint="e lists them")
    for call, line in zip(calls, plan_text.call_lines(tape, calls), strict=True):
        yield Row(line, event=call.event, fold=UNDONE)
    if files:
        told = f"{plural(len(files), 'file')} of which a checkpoint tells"
        yield Row(told, act=f"fold:{FILES}", hint="Enter lists them")
    for file in files:
        yield Row(plan_text.file_line(tape, file), event=file.event, fold=FILES)


def _register_rows(plan: Plan) -> Iterator[Row]:
    names = ", ".join(clean_line(one, 40) for one in plan.registers)
    folded = len(plan.registers) > _FEW
    if folded:
        told = f"changes {count(len(plan.registers))}: {names}"
        yield Row(told, act=f"fold:{REGISTERS}", hint="Enter lists them")
    for line in plan_text.register_lines(plan):
        yield Row(f"  {line}" if folded else line, fold=REGISTERS if folded else "")


def next_way(plan: Plan, how: How) -> How | str:
    """The other way of writing it, or why that is not open."""
    other = How.CREATE if how is How.APPEND else How.APPEND
    why = plan.ways.get(other, "is not known")
    return other if why is None else f"{other.value}: no, {clean_line(why, 300)}"
