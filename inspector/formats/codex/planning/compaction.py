"""How the owner compacts (format page 2.9), and the log that is made with a summary of ours."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from inspector.formats.codex.injected import SUMMARY_PREFIX
from inspector.formats.codex.keeping import BUDGET
from inspector.formats.codex.planning.cuts import cuts
from inspector.formats.codex.planning.rollout import Rollout
from inspector.formats.codex.planning.writing import Copy, History
from inspector.formats.codex.replacements import user_message
from inspector.formats.codex.requesting import Row, request
from inspector.formats.planning import OPEN_TURN, UNANSWERED, Check, Draft, Making, Prompt, Split
from inspector.text.labels import plural
from inspector.text.redaction import redacted
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind

KEEPS: Final = (
    f"Codex keeps the person's newest messages, up to {BUDGET:,} tokens in all, and nothing else "
    "(format page 2.9)"
)

_ASKED: Final = (
    "(and last, as a message of the user, Codex's own request for a summary with which another "
    "model can go on; the log does not hold its words)"
)

_OPEN: Final = (
    "a turn is open and would never end in the new log; Codex compacts once it is over, or within "
    "it, and leaves it open where it takes the session up anew"
)
_ANSWERED: Final = "where none comes Codex puts “aborted” there in each request (RULES R5)"

_CALLS: Final = frozenset(
    ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call")
)


def split(rows: int) -> Split:
    """The owner's division of so many rows: there is none."""
    return Split(
        rows,
        "Codex summarises the whole history; of the rows it keeps the person's newest messages, up "
        f"to {BUDGET:,} tokens in all, and counts no rows (format page 2.9)",
    )


def prompt(rollout: Rollout, rows: int) -> Prompt:
    """What is sent to have rows summarised: they themselves, as in any request, and a last word."""
    nodes = rollout.row_nodes(rollout.events)[:rows]
    pieces = [*_told(rollout, nodes), _ASKED]
    text = redacted("\n\n".join(pieces))
    return Prompt(text, len(text.encode("utf-8", "replace")), "bytes", None, truncated=False)


def _told(rollout: Rollout, nodes: Sequence[int]) -> list[str]:
    """Items in the order in which they are sent, by what they are."""
    entries = request([Row(node, rollout.item(node)) for node in nodes])
    told: list[str] = []
    for entry in entries:
        if entry.note == "dropped":
            continue
        who = entry.role or entry.type
        call = f" {entry.call_id}" if entry.call_id else ""
        said = entry.text
        if entry.type in _CALLS and entry.node is not None:
            name = rollout.item(entry.node).get("name")
            said = f"{name if isinstance(name, str) else ''} {said or ''}".strip()
        told.append(f"[{who}{call}]\n{said or ''}".rstrip())
    return told


def compacted(rollout: Rollout, rows: int, summary: str, making: Making) -> Draft:
    """A new log: all records, and a compaction by which a summary stands for the first rows.

    The owner's words before a summary keep it from being counted by rollbacks (RULES R3).
    """
    # They may stand behind the person's first message, which is quoted before the summary.
    text = SUMMARY_PREFIX + summary.replace(SUMMARY_PREFIX, "", 1)
    history = History(text, rollout.row_nodes(rollout.events)[rows:], user_message(text))
    draft = Copy(rollout, rollout.events, making, history=history).draft(
        "unlike Codex, which keeps messages of the person alone, this keeps the last rows as they "
        "are, behind the summary"
    )
    return replace(draft, checks=(*going_on(rollout.timeline), *draft.checks))


def going_on(timeline: Timeline) -> Iterator[Check]:
    """What is going on at the head: the compaction stands behind it in a turn of its own."""
    stops = cuts(timeline, None).stops(timeline.events)
    if any(stop.rule == OPEN_TURN for stop in stops):
        yield Check(OPEN_TURN, ok=False, message=_OPEN)
    waiting = sum(1 for _ in timeline.spans[SpanKind.TOOL_CALL].open_at(timeline.events))
    if waiting:
        calls = plural(waiting, "call waits for its output", "calls wait for their outputs")
        yield Check(UNANSWERED, ok=False, message=f"{calls}: {_ANSWERED}", blocks=False)
