"""What a plan says of the request that would be sent next: in sum, and an entry a line."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from inspector.export import request
from inspector.export.why import name
from inspector.formats.contract import RequestEntry, Tape
from inspector.formats.planning import VERDICT, PlanKind
from inspector.lenses.weighing import tokens_of_entry
from inspector.plans.plan import Plan
from inspector.plans.starts import line_of
from inspector.text.gate import clean_line
from inspector.text.labels import token_words, tokens
from inspector.text.redaction import redacted

_LISTED: Final = 30
"""Entries that are listed; all are in the document."""

_SAID: Final = 120
"""Characters of what an entry says."""


def request_lines(tape: Tape, plan: Plan) -> Iterator[str]:
    """What the owner would send next: in sum, and its entries; those in the middle of many not.

    What is added, dropped or altered is told wherever it stands, as long as there is room.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    if plan.kind is not PlanKind.RESUME:
        return
    yield request_heading(plan)
    behind = 0
    for number in [*_entries_told(plan.request), len(plan.request)]:
        if number > behind:
            between = plan.request[behind:number]
            yield f"  … between: {request.summary(entry.note for entry in between)}"
        if number < len(plan.request):
            yield entry_line(tape, plan, number)
        behind = number + 1


def request_heading(plan: Plan) -> str:
    """How much the owner would send next, and what it does to how many entries."""
    refused = any(check.rule == VERDICT and not check.ok for check in plan.checks)
    told = request.summary(entry.note for entry in plan.request)
    weight = f"; {token_words(plan.effect.after.tokens)} in all" if plan.request else ""
    return f"next request: {request.IF_IT_COULD if refused else ''}{told}{weight}"


def _entries_told(entries: Sequence[RequestEntry]) -> list[int]:
    """The places of the entries that are told: the first, the last, what is not as it stands."""
    every = range(len(entries))
    if len(entries) <= _LISTED:
        return list(every)
    ends = _LISTED // 3
    noted = islice((at for at in every if entries[at].note is not None), _LISTED)
    return sorted({*every[:ends], *every[-ends:], *noted})


def entry_line(tape: Tape, plan: Plan, number: int) -> str:
    """An entry of the next request: where it comes from, who speaks, what is done to it.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    entry = plan.request[number]
    event = request.origin(tape, entry)
    where = "-" if event is None else name(tape, event)
    note = clean_line(request.note_words(entry.note, entry.why), 200)
    node, text = entry.node, entry.text
    told = line_of(tape, node, _SAID) if text is None and node is not None else redacted(text or "")
    says = clean_line(told, _SAID)
    shown = " ".join(filter(None, (f"[{note}]" if note else "", says)))
    weight = tokens_of_entry(tape.timeline, entry)
    place = f"{number + 1:>{len(str(len(plan.request)))}}"
    return (
        f"  {place}  {where:>7}  {clean_line(entry.role or '-', 20):<9}  "
        f"{clean_line(entry.type, 30):<20}  {tokens(weight):>5}  {shown}"
    ).rstrip()
